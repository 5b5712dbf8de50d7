"""Models on features that need the pipeline and the lexical tables: stored, and the same however they are run."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from samewise.ensemble.core.estimator import SimilarityEnsemble
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.scoring import predict_file
from samewise.models.bundle import BundleError

from ...conftest import PAIRS

GOLD = np.linspace(0, 5, len(PAIRS))
FEATURES = ["alignment", "sentence_information", "bow.one_hot"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "parsed"
    SimilarityEnsemble(FEATURES, members=("gbm",), interval=None).fit(PAIRS, GOLD).save(path)
    return path


def edited(folder, tmp_path, **changes):
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in folder.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["foundations"] |= changes
    (copy / "manifest.json").write_text(json.dumps(manifest))
    return Predictor.load(copy)


def test_the_manifest_names_pipeline_and_tables(folder):
    foundations = Predictor.load(folder).manifest["foundations"]
    assert foundations.keys() == {"pipeline", "wordnet", "paraphrases"}
    assert foundations["pipeline"]["name"] == "samewise"


def test_a_loaded_model_scores_as_the_fitted_one(folder):
    model = Predictor.load(folder)
    assert model.probe_difference() == 0
    assert model.level == "parsed"
    assert SimilarityEnsemble.load(folder).pipeline is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"paraphrases": "0123"}, "trained with the paraphrases 0123 and here is"),
        ({"pipeline": {"name": "samewise", "digest": "0123"}}, "trained with the pipeline samewise 0123 and here is"),
        ({"pipeline": {"name": "xx_no_such", "digest": "0"}}, "needs its spaCy pipeline: .*'xx_no_such'"),
    ],
)
def test_a_model_refuses_other_foundations(folder, tmp_path, changes, message):
    with pytest.raises(BundleError, match=message):
        edited(folder, tmp_path, **changes).predict(PAIRS)


def test_a_surface_model_names_none():
    model = SimilarityEnsemble("bow.one_hot", members=("gbm",), interval=None).fit(PAIRS, GOLD).predictor_
    assert "foundations" not in model.manifest
    assert model.annotator is None
    assert set(model.resources) == {"idf"}


@pytest.mark.slow
def test_processes_threads_and_batches_change_nothing(folder, tmp_path):
    texts = [(f"{a} {k}", b) for k in range(6) for a, b in PAIRS]
    model = Predictor.load(folder)
    expected = model.predict(texts)
    table = tmp_path / "pairs.jsonl"
    table.write_text("".join(json.dumps({"sentence1": a, "sentence2": b}) + "\n" for a, b in texts))
    for workers, size in ((1, 7), (2, 32)):
        predict_file(table, tmp_path / "out.jsonl", model=folder, workers=workers, batch_size=size)
        rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
        assert [row["score"] for row in rows] == expected.tolist()
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda k: model.predict(texts[k::4]), range(4)))
    for k, part in enumerate(parts):
        np.testing.assert_array_equal(part, expected[k::4])
    alone = np.concatenate([model.predict([pair]) for pair in texts[:8]])
    np.testing.assert_array_equal(alone, expected[:8])
