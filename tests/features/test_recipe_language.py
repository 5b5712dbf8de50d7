"""The recipe for a language: one file, and what works with it at once."""

import json

import pytest

from tests.recipes import lines_of, run_recipe
from tests.tutorials import blocks, needs_bash

PAGE = "adding-a-language.md"


@pytest.mark.slow
@needs_bash
def test_one_file_adds_a_language(tmp_path):
    printed, added = run_recipe(PAGE, tmp_path)
    assert added == [
        "features/linguistics/language_facts/dutch.py", "tests/features/linguistics/test_dutch.py", "word_list.py"
    ]  # fmt: skip
    assert lines_of(PAGE)[added[0]] <= 12
    tests, detected, scored, unread = printed
    assert "1 passed" in tests
    shown = [text for kind, text in blocks(PAGE) if kind == "text"]
    assert detected == shown[0]
    header, *rows = [line.split(",") for line in scored.splitlines()]
    assert [header, *([f"{float(score):.6f}", flags] for score, flags in rows)] == [
        [field if k == 0 or column else f"{float(field):.6f}" for column, field in enumerate(line.split(","))]
        for k, line in enumerate(shown[1].splitlines())
    ]
    near, far, other, english = [float(score) for score, _ in rows]
    assert near > 4 and english > 4 and far < 1 and other < 1
    assert "non_english" in json.loads(unread)["flags"]
