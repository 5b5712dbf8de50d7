"""The page on scales runs as it stands, block by block, in a folder of its own."""

import json
import re

import pytest
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.core.scale import YES_OR_NO, Scale

from .tutorials import needs_bash, run_page


@pytest.mark.slow
@needs_bash
def test_every_block_runs_in_order(tmp_path, monkeypatch, capsys):
    ran = run_page("scales.md", ["library.csv"], tmp_path, monkeypatch, capsys)
    assert [block.kind for block, *_ in ran] == ["python", "sh", "sh", "sh", "python"]
    (_, percent, said), (_, duplicates, words), (_, measured, mapped), (_, python, _) = ran[1:]

    # What the text says.
    assert "samewise: labels are on 0..100; name another scale with --scale" in said
    assert re.search(r"^scale +0\.\.100$", percent, flags=re.MULTILINE)
    assert "labels are on yes/no" in words and re.search(r"^probability +0\.\d\d$", duplicates, flags=re.MULTILINE)
    for title in ("AUC", "average precision", "best F1", "log loss", "Brier", "calibration error", "share of yes"):
        assert title in duplicates and title in measured
    assert "scores in library.csv are on 0..5 and are mapped onto 0..100" in mapped
    assert measured.count("figures on 0..5") == 4
    assert python.startswith("0..100 [")
    assert Predictor.load(tmp_path / "percent").scale == Scale(0.0, 100.0)
    assert Predictor.load(tmp_path / "duplicates").scale == YES_OR_NO
    manifest = json.loads((tmp_path / "duplicates" / "manifest.json").read_text())
    assert "auc" in manifest["metrics"]["dev"] and "--scale yes/no" in manifest["training"]["command"]
