"""The first page runs as it stands, and prints what it shows."""

import csv

import pytest

from .test_decision_tutorial import assert_shown
from .tutorials import blocks, needs_bash, run_page

PAGE = "start.md"


@pytest.mark.slow
@needs_bash
def test_every_block_runs_in_order_and_prints_what_is_shown(tmp_path, monkeypatch, capsys):
    ran = iter(run_page(PAGE, ("pairs.csv", "tickets.csv", "tickets-new.csv"), tmp_path, monkeypatch, capsys))
    last, outputs = "", 0
    for block in blocks(PAGE):
        if block.kind != "text":
            _, out, err = next(ran)
            last = out or err
        elif not block.text.startswith("$ python3 -m venv"):
            assert_shown(block.text, last)
            outputs += 1
    assert outputs == 5
    with open("decided.csv", encoding="utf-8") as file:
        assert {row["decision"] for row in csv.DictReader(file)} == {"same", "different", "unsure"}
