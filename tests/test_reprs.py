"""Reprs of models and results: a few facts in a few hundred characters."""

import math

import numpy as np
import pyarrow as pa
import pytest
from samewise.apps.labels.selection.pair_selection import Selection
from samewise.ensemble import Prediction
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.core.predictive_distribution import WHOLE_SCALE
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.core.scale import Scale
from samewise.ensemble.evaluation.system_comparison import compare
from samewise.ensemble.experiments.ablation_result import Ablation, AblationRow
from samewise.ensemble.experiments.learning_curve import CurveRow, LearningCurve
from samewise.ensemble.experiments.search_result import Candidate, Search
from samewise.ensemble.loading import load
from samewise.ensemble.multilingual.multilingual_model import MultilingualModel
from samewise.features.pipeline.registry import Resources
from samewise.models.linear_correction import LinearCorrection
from samewise.models.profiles import MULTILINGUAL, is_installed

import samewise

MOST = 600
"""Characters of the longest repr here: a model of several languages, whose signature alone has 150."""

LONG = "The keeper of the lighthouse wrote a letter to every ship that passed the island in winter. " * 9
PAIRS = [("Rain fell on the harbour.", "It rained on the harbour."), (LONG, LONG[:-2]), ("", "Nobody answered.")]


@pytest.fixture(scope="module")
def model():
    return samewise.load("surface")


@pytest.fixture(scope="module")
def ensemble():
    pairs = [(f"{k} boats left the harbour.", f"{k % 5} boats left the harbour.") for k in range(40)]
    return samewise.SimilarityEnsemble("length", members=["gbm"]).fit(pairs, [k % 6 for k in range(40)])


def test_a_model_shows_profile_size_members_scale_and_signature(model):
    shown = repr(model)
    assert shown.startswith(
        "Predictor(model='surface', families=9, columns=106, members='rf+gbm+xgb', scale='0..5', signature='samewise:"
    )
    assert model.signature in shown


@pytest.mark.slow
def test_a_model_of_files_shows_its_folder(ensemble, tmp_path):
    ensemble.save(tmp_path / "mine")
    assert f"model='{tmp_path / 'mine'}'" in repr(samewise.load(tmp_path / "mine"))
    assert repr(ensemble.predictor_).startswith("Predictor(families=1, columns=23, members='gbm', scale='0..5', sig")


def test_a_model_that_is_not_sealed_has_a_repr():
    bare = Predictor((), (), Resources({}), (), WHOLE_SCALE, {}, Combination())
    assert repr(bare) == "Predictor(families=0, columns=0, members='', scale='0..5')"


def test_parts_of_a_model_are_short(model):
    for part in (*model.members, model.interval, model.combination, LinearCorrection()):
        assert len(repr(part)) < MOST
    assert repr(model.members[0]).startswith("TreeRegressor(name='rf', params={")


def test_a_model_of_several_languages(model):
    english = repr(MultilingualModel(model))
    assert english.startswith("MultilingualModel(languages='") and "parts=['english'], scale='0..5'" in english
    assert model.signature in english
    if is_installed(MULTILINGUAL):
        loaded = repr(load("surface", languages="tr,en", translate="dictionary"))
        assert loaded.startswith("MultilingualModel(model='surface', languages='tr,en', translator='dictionary")
        assert "multilingual" in loaded and len(loaded) < MOST


@pytest.mark.slow
def test_an_estimator_is_drawn_by_scikit_learn_with_what_was_changed(ensemble, tmp_path):
    assert repr(samewise.SimilarityEnsemble()) == "SimilarityEnsemble()"
    assert repr(ensemble) == "SimilarityEnsemble(features='length', members=['gbm'])"
    ensemble.save(tmp_path / "mine")
    loaded = repr(samewise.SimilarityEnsemble.load(tmp_path / "mine"))
    assert loaded.startswith("SimilarityEnsemble(features=['length.") and "..." in loaded and len(loaded) < MOST
    assert repr(samewise.PairFeatures("bow")) == "PairFeatures(features='bow')"


def test_a_prediction(model):
    shown = repr(model.predict_pairs(PAIRS * 100))
    assert shown.startswith("Prediction(n=300, score=[") and shown.endswith("scale='0..5')") and len(shown) < MOST
    values = np.array([0.25, 1.0])
    assert repr(Prediction(values, values, values, [(), ("long",)], scale=Scale(0.0, 1.0))) == (
        "Prediction(n=2, score=[0.25, 1], low=[0.25, 1], high=[0.25, 1], flags=[(), ('long',)], deviation=[0, 0], "
        "scale='0..1')"
    )


@pytest.mark.slow
def test_explanations_of_short_and_long_texts(model):
    for explanation in model.explain(PAIRS):
        shown = repr(explanation)
        assert shown.startswith(f"Explanation(score={explanation.score:.4g}, low={explanation.low:.4g}, ")
        assert len(shown) < MOST
        assert [*explanation.contributions][0] in shown  # the largest


def test_an_evaluation_names_its_groups():
    found = samewise.evaluate([0, 1, 2, 4], [0, 1, 2, 4], groups=["old", "new"] * 2)
    assert repr(found) == (
        "Evaluation(n=4, pearson=1, pearson_low=1, pearson_high=1, spearman=1, rmse=0, within_1=1, "
        "groups=['old', 'new'], weighted_mean=1)"
    )
    many = samewise.evaluate(np.arange(800.0), np.arange(800.0), groups=[f"group {k // 2}" for k in range(800)])
    assert len(repr(many)) < MOST


def test_a_comparison_shows_the_correlations():
    gold = [0.0, 1.0, 2.0, 3.0, 5.0]
    found = compare(gold, {"mine": gold, "other": gold[::-1]}, reference="other")
    # Deviations -2.2, -1.2, -0.2, 0.8, 2.8: products with themselves reversed sum to -14.2, squares to 14.8.
    assert repr(found) == "Comparison(n=5, reference='other', pearson={'mine': 1, 'other': -0.9595})"


def test_indexes_and_duplicates(model):
    index = samewise.Index.build(["Fog.", "Fog.", "Rain."])
    assert repr(index) == "Index(rows=3, texts=2, views=('rare_words', 'words'), ids=False)"
    found = samewise.dedupe(["Fog.", "Fog.", "Rain fell on the harbour."] * 50, model=model, workers=1)
    assert repr(found).startswith("Deduplicated(n=150, kept=[0, 2], representatives=[0, 0, 2, ..., 0, 0, 2], score=[5")
    assert len(repr(found)) < MOST


def test_results_of_experiments():
    row = AblationRow("bow", "drop", None, "mean", 9, 0.7, -0.05, None, None, None, None, None, 3, 1, 0.1)
    whole = AblationRow("whole", "whole", None, "mean", 9, 0.75, None, None, None, None, None, None, 5, 1, 0.1)
    rows = (whole, *[row] * 90)
    assert repr(Ablation("drop", "family", ("gbm", "rf"), (0, 1), ("a.b.c",) * 253, rows)) == (
        "Ablation(mode='drop', by='family', members='gbm+rf', seeds=(0, 1), columns=253, whole=0.75, "
        "delta={'bow': -0.05})"
    )
    curve = CurveRow(**{**dict.fromkeys(CurveRow.__dataclass_fields__, 0.5), "n": 100, "seed": "mean"})
    assert repr(LearningCurve(("gbm",), (0,), ("a.b.c",) * 9, 20, (curve,) * 3)) == (
        "LearningCurve(members='gbm', seeds=(0,), columns=9, scored=20, pearson={100: 0.5})"
    )
    candidates = tuple(Candidate("gbm", {"depth": k}, k == 0, (0.5, 0.7), k + 1, 1.0) for k in range(90))
    assert repr(Search(candidates, {"gbm": ("depth",)})) == "Search(candidates=90, best={'gbm': 0.6})"
    assert math.isclose(candidates[0].mean, 0.6)


def test_a_selection_shows_its_size_instead_of_its_rows():
    table = pa.table({"sentence1": ["a"] * 500, "sentence2": ["b"] * 500})
    assert repr(Selection(table, {"method": "bands"})) == "Selection(rows=500, facts={'method': 'bands'}, notes=())"
