"""A run ends with status 1 if too many rows are rejected."""

import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.commands.outputs import check_rejects
from typer.testing import CliRunner


@pytest.mark.parametrize(("rows", "rejects", "most"), [(0, 0, 0), (3, 0, 0), (1, 99, None), (3, 2, 2)])
def test_rejects_that_are_allowed(rows, rejects, most):
    check_rejects(rows, rejects, most)


@pytest.mark.parametrize(
    ("rows", "rejects", "most", "message"),
    [
        (0, 3, None, "one row or more must be read, got none and 3 rejected; correct"),
        (0, 3, 5, "got none and 3 rejected"),
        (9, 1, 0, "rejected rows must be at most 0, got 1; correct what their reasons say, or allow them"),
        (9, 3, 2, "at most 2, got 3"),
    ],
)
def test_too_many_rejects(rows, rejects, most, message):
    with pytest.raises(ValueError, match=message):
        check_rejects(rows, rejects, most)


@pytest.mark.slow
@pytest.mark.parametrize("command", [["predict"], ["dedupe", "--column", "sentence1"]])
def test_commands(tmp_path, command):
    table, target = tmp_path / "t.csv", tmp_path / "o.csv"
    table.write_text("sentence1,sentence2\nIt rains.,Rain falls.\nalone\n")
    arguments = [*command, str(table), "--model", "surface", "-o", str(target)]
    for options, status in (([], 0), (["--max-rejects", "1"], 0), (["--strict"], 1), (["--max-rejects", "0"], 1)):
        assert CliRunner().invoke(app, [*arguments, *options]).exit_code == status
        assert len(target.read_text().splitlines()) == 2
    table.write_text("sentence1,sentence2\nalone\n")
    assert CliRunner().invoke(app, arguments).exit_code == 1
