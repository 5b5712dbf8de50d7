"""The page on Python runs as it stands, and prints what its text says."""

import re

import pytest

from .tutorials import run_page

pytest.importorskip("pandas", reason="a block of the page scores a data frame of pandas")


@pytest.mark.slow
def test_every_block_runs_in_order(tmp_path, monkeypatch, capsys):
    ran = run_page("python.md", [], tmp_path, monkeypatch, capsys)
    assert {block.kind for block, *_ in ran} == {"python"}
    one, many, model, frame, explained, agreement, found, progress, fitted = (out for _, out, _ in ran)

    near, far = map(float, one.split())
    assert 5 >= near > 3 > far >= 0
    assert re.search(r"^Prediction\(n=2, score=\[", many, flags=re.MULTILINE)
    assert model.startswith("Predictor(model='surface', ")
    assert frame.split()[:3] == ["score", "low", "high"]
    assert explained.startswith("Explanation(score=")
    assert agreement == "Pearson 0.90, RMSE 0.66\n"  # as numpy.corrcoef has it, and the root of 1.75 / 4
    assert found == "['Who repairs the blinds?']\n[0 2]\n"
    assert progress == "scoring 2 of 2\n"
    assert fitted.startswith("SimilarityEnsemble(features='surface', members=['gbm'])\nR\u00b2 ")
