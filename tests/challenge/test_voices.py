"""Sentences beside their passives and beside sentences with converse verbs are well formed, and counted by kind."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
from samewise.features.analysis.analysis import normalise

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "benchmarks"))

import voices as bench  # noqa: E402

ROWS = bench.read_rows()


def test_rows_are_plain():
    header, *lines = (HERE / "voices.tsv").read_text(encoding="utf-8").splitlines()
    assert header == "kind\ta\tb"
    assert all(line.count("\t") == 2 and '"' not in line for line in lines)
    assert Counter(row["kind"] for row in ROWS) == {"passive": 20, "converse": 20}
    texts = [row[side] for row in ROWS for side in "ab"]
    assert len(set(texts)) == 80
    assert all(text == normalise(text) and text.endswith(".") for text in texts)


def test_no_sentence_stands_in_the_other_suites():
    others = "".join((HERE / name).read_text(encoding="utf-8") for name in ("couples.tsv", "pairs.tsv"))
    assert not [row for row in ROWS if row["a"] in others or row["b"] in others]


def test_means_are_by_kind():
    rows = [{"kind": "passive"}, {"kind": "converse"}, {"kind": "passive"}]
    assert bench.means(rows, np.asarray([4.0, 1.0, 5.0])) == {"passive": 4.5, "converse": 1.0}
