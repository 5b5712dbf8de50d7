"""JSON Lines: rejects, and values that come back."""

import json

import pytest
from samewise.ensemble.tables.sources import open_table
from samewise.ensemble.tables.table_writer import TableWriter

from ..written_tables import PACK, copy, read, write


def test_json(tmp_path):
    good = {"sentence1": "a", "sentence2": "b", "n": 1, "deep": {"x": [1, None]}}
    lines = [
        json.dumps(good),
        "{not json",
        "[1]",
        '{"sentence1": "a"}',
        '{"sentence1": "a", "sentence2": 3}',
        '{"sentence1": "a", "sentence2": null}',
        '{"sentence1": "a", "sentence2": "\\ud800"}',
        '{"\\ud800": 1}',
        "[" * 100_000,
        '{"n": ' + "9" * 5000 + "}",
        "  ",
        json.dumps({"sentence2": "", "sentence1": "x\0", "n": 2.5, "late": True}),
    ]
    rows, pairs, rejects, _ = read(write(tmp_path / "t.jsonl", "\n".join(lines)))
    assert [r.line for r in rejects] == [2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert pairs == [("a", "b"), ("x\0", "")]
    assert rows[0]["n"] == 1.0
    assert json.loads(rows[0]["deep"]) == good["deep"]
    assert rows[1]["late"] is True


def test_nested_and_mixed_json(tmp_path):
    rows = [
        {"sentence1": "a", "sentence2": "b", "m": 1, "big": 2**70, "d": {"é": [1, 2.5, None]}},
        {"sentence1": "c", "sentence2": "d", "m": "one", "big": 1, "d": None},
    ]
    path = write(tmp_path / "in.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    with open_table(path) as reader, TableWriter(tmp_path / "out.jsonl") as writer:
        for chunk in reader:
            writer.write(chunk.batch)
    assert [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()] == rows


@pytest.mark.parametrize("pack", ["", ".gz", ".zst"])
def test_json_keeps_its_values(tmp_path, pack):
    rows = [
        {"sentence1": "a", "sentence2": "b", "n": 2**62, "x": 0.1, "t": True, "deep": {"l": [1, {"é": None}]}},
        {"sentence1": "c", "sentence2": "d", "n": -1, "x": -0.0, "t": None, "deep": [[], {}, "1", 1, 1.0]},
    ]
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path = write(tmp_path / f"a.jsonl{pack}", PACK[pack[1:]](content) if pack else content)
    copy(path, tmp_path / "b.jsonl")
    assert [json.loads(line) for line in (tmp_path / "b.jsonl").read_text().splitlines()] == rows
