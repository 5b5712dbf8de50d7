"""Files of a table by path, folder or pattern."""

import pytest
from samewise.ensemble.tables.sources import TableError
from samewise.ensemble.tables.table_files import check_target

from .written_tables import parts, read

A = {"sentence1": ["a", None, "c"], "sentence2": ["x", "y", "z"], "n": [1, 2, 3]}


B = {"sentence1": ["d", "e"], "sentence2": ["u", None], "n": [4, 5]}


def test_no_target_among_the_files(tmp_path):
    folder = parts(tmp_path / "in", A, B)
    (tmp_path / "link").symlink_to(folder)
    for source, target in (
        (folder, folder / "out.parquet"),
        (folder, tmp_path / "link" / "sub" / "out.csv"),
        (tmp_path / "link", folder / "out.parquet"),
        (folder / "*.parquet", folder / "part-1.parquet"),
        (folder / "part-1.parquet", tmp_path / "link" / "part-1.parquet"),
    ):
        with pytest.raises(TableError, match="name another output|write it to another folder"):
            check_target(source, target)
    for source, target in ((folder, tmp_path / "in.parquet"), (folder, "-"), ("-", folder / "part-0.parquet")):
        check_target(source, target)


def test_a_name_that_exists_is_no_pattern(tmp_path):
    (tmp_path / "[ab]*.csv").write_text("sentence1,sentence2\na,b\n")
    assert len(read(tmp_path / "[ab]*.csv")[0]) == 1
