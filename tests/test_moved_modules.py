"""The paths that version 0.1.0 documented still lead to what they named, with a warning."""

import importlib
import sys
import warnings

import pytest

from samewise.moved_modules import MOVED

DOCUMENTED = [
    ("samewise.ensemble.tables.reading", "open_table"),
    ("samewise.ensemble.tables.sources", "fingerprint"),
    ("samewise.ensemble.tables.writing", "TableWriter"),
    ("samewise.ensemble.assessment", "Scored"),
    ("samewise.ensemble.assessment", "Wanted"),
    ("samewise.ensemble.assessment", "assess"),
    ("samewise.ensemble.ranking", "ndcg"),
    ("samewise.features.encoding.sentence_encoder", "shipped_encoder"),
    ("samewise.ensemble.experiments.matrices", "matrices"),
    ("samewise.features.alignment", "align"),
    ("samewise.features.alignment", "STAGES"),
    ("samewise.ensemble.predictor", "load"),
    ("samewise.ensemble.predictor", "Predictor"),
    ("samewise.ensemble.polyglot", "Polyglot"),
    ("samewise.ensemble.metrics", "pearson"),
    ("samewise.models.scorer", "make"),
    ("samewise.models.scorer", "MEMBERS"),
    ("samewise.models.scorer", "REGRESSORS"),
    ("samewise.models.learners", "LEARNERS"),
    ("samewise.models.learners", "SCALES"),
    ("samewise.models.networks.research", "RESEARCH_NETWORKS"),
    ("samewise.ensemble.batch", "predict_file"),
    ("samewise.ensemble.batch", "score_batch"),
    ("samewise.ensemble.batch", "load_model"),
    ("samewise.ensemble.batch", "Model"),
    ("samewise.ensemble.pyramid", "read_pyramid"),
    ("samewise.ensemble.pyramid", "summary_score"),
    ("samewise.ensemble.systems", "shipped_systems"),
    ("samewise.ensemble.systems", "run_systems"),
    ("samewise.ensemble.systems.exercises", "Labelled"),
    ("samewise.ensemble.labelling.simulation", "simulate"),
    ("samewise.ensemble.frames", "score_table"),
    ("samewise.ensemble.selection", "bands"),
    ("samewise.ensemble.selection", "k_center_greedy"),
    ("samewise.ensemble.selection", "sim_l"),
]


@pytest.mark.parametrize(("path", "name"), DOCUMENTED)
def test_a_documented_path_still_leads_to_its_name(path, name, monkeypatch):
    monkeypatch.delitem(sys.modules, path, raising=False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        module = importlib.import_module(path)
    assert any(str(each.message).startswith(f"{path} moved to samewise.") for each in caught)
    assert callable(getattr(module, name)) or len(getattr(module, name)) > 0


@pytest.mark.parametrize("path", MOVED)
def test_every_new_path_exists(path):
    if MOVED[path].endswith("scoring.spark"):
        pytest.importorskip("pyspark")
    assert importlib.import_module(f"samewise.{MOVED[path]}")


def test_the_old_class_is_the_new_one(monkeypatch):
    monkeypatch.delitem(sys.modules, "samewise.ensemble.polyglot", raising=False)
    with pytest.warns(FutureWarning, match="multilingual_model"):
        from samewise.ensemble.polyglot import Polyglot
    from samewise.ensemble.multilingual.multilingual_model import MultilingualModel

    assert Polyglot is MultilingualModel


def test_what_never_was_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"samewise\.ensemble\.nosuch"):
        importlib.import_module("samewise.ensemble.nosuch")
