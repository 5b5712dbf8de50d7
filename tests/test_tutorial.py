"""The tutorial runs as it stands, block by block, in a folder of its own."""

import csv
import json
import re
from pathlib import Path

import pytest

from .tutorials import EXAMPLES, blocks, needs_bash, run_page

PAGE = "tutorial.md"
EXAMPLE = EXAMPLES / "library.csv"


@pytest.mark.slow
@needs_bash
def test_every_block_runs_in_order(tmp_path, monkeypatch, capsys):
    ran = run_page(PAGE, ["library.csv"], tmp_path, monkeypatch, capsys)
    assert [block.kind for block, *_ in ran] == ["sh", "python", "sh", "python", *["sh"] * 5, "python"]
    check, _, _, columns, _, measured, ablated, explained, moved, python = (out for _, out, _ in ran)

    # What the text says of the figures.
    assert float(re.search(r"^all +84 +(\S+)", check, flags=re.MULTILINE)[1]) > 0.5
    assert len(columns.splitlines()) == 3 and "contextual" in columns
    found = {row.split()[0]: float(row.split()[1]) for row in measured.splitlines()[1:3]}
    assert found == {"my-model": pytest.approx(0.79, abs=0.05), "full": pytest.approx(0.68, abs=0.05)}
    first, second = (json.loads(text) for text in map(as_json, ("dropped", "shuffled")))
    assert first["what"] == second["what"] == "contextual"
    assert second["delta"] < 2 * first["delta"] < 0
    assert "rank correlation: Spearman" in ablated
    points = dict(line.split() for line in explained.splitlines() if re.fullmatch(r"\S+ +[+-]?\d\.\d\d", line))
    score = float(points.pop("score"))
    assert sum(map(float, points.values())) == pytest.approx(score, abs=0.005 * (len(points) + 1))
    assert "my-model" not in moved
    with open("scored.csv", encoding="utf-8") as file:
        near, far = (float(row["score"]) for row in csv.DictReader(file))
    assert 5 >= near > far >= 0
    assert float(python.split()[1]) == pytest.approx(found["my-model"], abs=0.006)
    assert not Path("scored.csv.rejects.jsonl").exists()


def as_json(folder):
    from samewise.ensemble.experiments import read_rows

    parts = [row for row in read_rows(folder) if row.seed == "mean" and row.delta is not None]
    worst = min(parts, key=lambda row: row.delta)
    return json.dumps({"what": worst.what, "delta": worst.delta})


def test_the_rows_shown_are_those_of_the_example():
    shown = next(block.text for block in blocks(PAGE) if block.kind == "text").splitlines()
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    assert shown[0] == lines[0]
    assert set(shown) <= set(lines)


def test_the_example_is_what_the_text_says():
    with EXAMPLE.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    texts = [row[key] for row in rows for key in ("sentence1", "sentence2")]
    assert len(rows) == 84
    assert len(set(texts)) == len(texts), "a text stands in two rows"
    assert all(0 <= float(row["score"]) <= 5 for row in rows)
