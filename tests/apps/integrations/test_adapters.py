"""Adapters for other tools, with the real packages where these are installed."""

import importlib

import numpy as np
import pytest
from samewise.apps.integrations.promptfoo_assertion import get_assert
from samewise.apps.integrations.sklearn_scorers import pearson_scorer, spearman_scorer
from sklearn.base import BaseEstimator, RegressorMixin

SAME = ("Parcels arrive within two days.", "Parcels arrive within two days.")
OTHER = ("Parcels arrive within two days.", "The cellar is damp.")
MODEL = "surface"


def adapter(name, package):
    # Some releases of these packages fail on import beside newer ones of what they depend on.
    try:
        importlib.import_module(package)
    except Exception as error:
        pytest.skip(f"{package} cannot be imported: {error!r:.80}")
    return importlib.import_module(f"samewise.apps.integrations.{name}")


def test_promptfoo_takes_the_expected_text_from_config_or_variables():
    result = get_assert(SAME[0], {"vars": {}, "config": {"expected": SAME[1], "model": MODEL}})
    assert (result["pass"], result["score"]) == (True, 1.0)
    result = get_assert(OTHER[0], {"vars": {"expected": OTHER[1]}, "config": {"model": MODEL, "at_least": 3}})
    assert result["pass"] is False
    assert 0 <= result["score"] < 0.6
    assert "the same from 3.00" in result["reason"]


def test_promptfoo_needs_an_expected_text():
    with pytest.raises(ValueError, match="expected must be a text of the config or the variables, got None"):
        get_assert("Hello.", {"vars": {}, "config": None})


class Fixed(RegressorMixin, BaseEstimator):
    """Estimator that predicts given scores."""

    def __init__(self, scores):
        self.scores = scores

    def predict(self, pairs):
        return np.asarray(self.scores)


def test_scorers_by_hand():
    # Deviations from the means: -1.5, -0.5, 0.5, 1.5 and -3.5, -2.5, 0.5, 5.5. Their products sum to 5.25 + 1.25 + 0.25
    # + 8.25 = 15, their squares to 5 and to 12.25 + 6.25 + 0.25 + 30.25 = 49.
    gold, squares = [0.0, 1.0, 2.0, 3.0], Fixed([0.0, 1.0, 4.0, 9.0])
    expected = 15.0 / np.sqrt(5.0 * 49.0)
    assert pearson_scorer()(squares, [None] * 4, gold) == pytest.approx(expected)
    assert spearman_scorer()(squares, [None] * 4, gold) == pytest.approx(1.0)


def test_deepeval_measures_a_test_case():
    module = adapter("deepeval_metric", "deepeval")
    from deepeval.test_case import LLMTestCase

    metric = module.SamewiseMetric(at_least=3, model=MODEL)
    for (actual, expected), success in ((SAME, True), (OTHER, False)):
        case = LLMTestCase(input="When?", actual_output=actual, expected_output=expected)
        assert metric.measure(case) == metric.score
        assert (metric.is_successful(), metric.threshold) == (success, 0.6)
        assert "the same from 3.00" in metric.reason


def test_ragas_scores_a_sample():
    metric = adapter("ragas_metric", "ragas").SamewiseMetric(model=MODEL)
    assert metric.score(reference=SAME[1], response=SAME[0]).value == 1.0
    assert metric.score(reference=OTHER[1], response=OTHER[0]).value < 0.6


def test_evidently_adds_a_column():
    module = adapter("evidently_descriptor", "evidently")
    import pandas
    from evidently import DataDefinition, Dataset

    frame = pandas.DataFrame({"answer": [SAME[0], OTHER[0]], "reference": [SAME[1], OTHER[1]]})
    dataset = Dataset.from_pandas(
        frame,
        data_definition=DataDefinition(text_columns=["answer", "reference"]),
        descriptors=[module.same_meaning("answer", "reference", MODEL, alias="meaning")],
    )
    scores = dataset.as_dataframe()["meaning"].tolist()
    assert scores[0] == 5.0
    assert scores[1] < 3.0


class Scored:
    """Model whose score of a pair is the number of characters that both texts begin with."""

    signature = "scored"

    def predict_pairs(self, pairs):
        class Prediction:
            score = np.asarray([float(sum(a == b for a, b in zip(*pair, strict=False))) for pair in pairs])

        return Prediction


def test_mteb_measures_the_scores_and_the_encoder():
    module = adapter("mteb_model", "mteb")
    import mteb
    from datasets import Dataset, DatasetDict
    from mteb.abstasks import AbsTaskSTS
    from mteb.abstasks.task_metadata import TaskMetadata

    rows = [("abcd", "abcx", 5.0), ("abcd", "axxx", 2.0), ("abcd", "xxxx", 0.0), ("abcd", "abxx", 3.0)]

    class Task(AbsTaskSTS):
        """Four pairs of letters."""

        metadata = TaskMetadata(
            name="Letters",
            dataset={"path": "none", "revision": "1"},
            description="Four pairs of letters.",
            type="STS",
            category="t2t",
            modalities=["text"],
            eval_splits=["test"],
            eval_langs=["eng-Latn"],
            main_score="spearman",
        )

        def load_data(self, *arguments, **settings):
            columns = zip(("sentence1", "sentence2", "score"), map(list, zip(*rows, strict=True)), strict=True)
            self.dataset = DatasetDict({"test": Dataset.from_dict(dict(columns))})
            self.data_loaded = True

    result = mteb.evaluate(module.SamewiseModel(Scored()), Task(), cache=None)
    [scores] = result.task_results[0].scores["test"]
    # 3, 1, 0 and 2 letters: the order is that of the gold scores.
    assert scores["spearman"] == scores["main_score"] == 1.0
    assert scores["pearson"] == pytest.approx(np.corrcoef([5, 2, 0, 3], [3, 1, 0, 2])[0, 1])
    assert abs(scores["cosine_pearson"]) < 1.0


def test_the_model_for_mteb_scores_pairs_and_products():
    module = adapter("mteb_model", "mteb")
    model = module.SamewiseModel(MODEL)
    first = model.encode([{"text": [SAME[0]]}, {"text": ["It rains."]}])
    second = model.encode([{"text": [SAME[1], OTHER[1]]}])
    np.testing.assert_allclose(np.linalg.norm(first, axis=1), 1.0, rtol=1e-6)
    every = model.similarity(first, second)
    assert every.shape == (2, 2) and every[0, 0] == 5.0
    np.testing.assert_array_equal(model.similarity_pairwise(first, second), np.diagonal(every))
    with pytest.raises(ValueError, match="the vectors must be what encode returned"):
        model.similarity(first[:1], second)


def test_a_task_of_mteb_reads_a_table(tmp_path):
    module = adapter("mteb_model", "mteb")
    import mteb

    table = tmp_path / "pairs.csv"
    table.write_text("sentence1,sentence2,score\nabcd,abcx,5\nabcd,axxx,2\nabcd,xxxx,0\nabcd,abxx,3\n")
    task = module.local_task("STSBenchmark.v2", table)
    result = mteb.evaluate(module.SamewiseModel(Scored()), task, cache=None)
    [scores] = result.task_results[0].scores["test"]
    assert scores["spearman"] == 1.0
    with pytest.raises(ValueError, match="must be one of similarity in one language, got 'Banking77Classification'"):
        module.local_task("Banking77Classification", table)
    table.write_text("sentence1,sentence2\nabcd,abcx\n")
    with pytest.raises(ValueError, match="has no column 'score'"):
        module.local_task("STSBenchmark.v2", table)
