"""The recipe of a format of tables runs as it stands, and adds one file and its test."""

import json

import pytest
from pyarrow import feather

from ...recipes import lines_of, run_recipe
from ...tutorials import blocks, needs_bash

PAGE = "adding-a-table-format.md"


@pytest.mark.slow
@needs_bash
def test_the_recipe_runs(tmp_path):
    printed, added = run_recipe(PAGE, tmp_path, ["pairs.csv"])
    assert added == [
        "ensemble/tables/formats/feather_format.py",
        "tests/ensemble/tables/formats/test_feather_format.py",
    ]
    assert lines_of(PAGE)[added[0]] < 60
    tested, made, scored, shown = printed
    assert "2 passed" in tested
    assert made == scored == ""
    assert shown == next(block.text for block in blocks(PAGE) if block.kind == "text")
    work = tmp_path / "work"
    rows = feather.read_table(work / "scores.feather").to_pylist()
    assert [json.loads(line) for line in (work / "scores.jsonl").read_text().splitlines()] == rows
    assert len(rows) == 10
    assert not list(work.glob("*.rejects.jsonl"))
