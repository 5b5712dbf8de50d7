"""The tutorial on duplicates runs as it stands, and prints what it shows."""

import pytest

from .test_decision_tutorial import assert_shown
from .tutorials import blocks, needs_bash, run_page

PAGE = "duplicates-tutorial.md"


@pytest.mark.slow
@needs_bash
def test_every_block_runs_in_order_and_prints_what_is_shown(tmp_path, monkeypatch, capsys):
    ran = iter(run_page(PAGE, ("questions.csv",), tmp_path, monkeypatch, capsys))
    last, outputs = "", 0
    for block in blocks(PAGE):
        if block.kind == "text":
            assert_shown(block.text, last)
            outputs += 1
        else:
            _, out, err = next(ran)
            last = out or err
    assert outputs == 8
    assert {path.name for path in tmp_path.glob("clean*")} == {"clean.csv", "clean.removed.csv", "clean.review.csv"}
