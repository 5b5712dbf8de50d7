"""The page about scores shows what the program prints."""

import re

import pytest

from samewise import load

from .conftest import ROOT

ROWS = re.findall(
    r"^\| (\d\.\d) \| (.+?) \| (.+?) \|$", (ROOT / "docs" / "scores.md").read_text(encoding="utf-8"), re.MULTILINE
)


def test_scores_of_the_page():
    assert len(ROWS) == 5
    scores = load("full").predict([(a, b) for _, a, b in ROWS])
    # Networks differ a little between processors.
    assert scores.tolist() == pytest.approx([float(shown) for shown, _, _ in ROWS], abs=0.15)
