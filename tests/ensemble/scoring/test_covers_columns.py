"""The columns of what texts say of each other: the same for any way of asking, and after a stop."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.loading import ModelRef, load
from samewise.ensemble.scoring.data_frames import score_table
from samewise.ensemble.scoring.predict_files import predict_file
from typer.testing import CliRunner

PAIRS = [
    ("The lamp is broken.", "The lamp in the kitchen is broken."),
    ("The lamp is broken.", "The lamp is not broken."),
    ("Somebody left a red bag.", "A red bag, a hat and a coat were left."),
    ("", "A text beside none."),
]


@pytest.fixture(scope="module")
def model():
    return load("surface")


@pytest.fixture(scope="module")
def shares(model):
    return model.covers(PAIRS)


@pytest.fixture
def table(tmp_path):
    frame = pd.DataFrame(PAIRS, columns=["sentence1", "sentence2"])
    frame.to_csv(tmp_path / "in.csv", index=False)
    return tmp_path / "in.csv"


def test_both_columns_follow_from_the_texts_alone(shares):
    assert shares[0].tolist() == [1.0, 1 / 3]
    assert shares[3].tolist() == [1.0, 1.0]
    np.testing.assert_array_equal(load("fast").covers(PAIRS), shares)


def test_a_file_has_them_before_the_flags(model, table, shares):
    out = table.with_name("out.jsonl")
    predict_file(table, out, model=model, workers=1, covers=True, differences=True)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert list(rows[0])[-6:] == ["low", "high", "differences", "covered", "added", "flags"]
    assert [[row["covered"], row["added"]] for row in rows] == shares.tolist()


def test_the_command_and_a_frame_have_them(table, shares):
    done = CliRunner().invoke(app, ["predict", str(table), "--model", "surface", "--covers", "--workers", "1"])
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [[float(row["covered"]), float(row["added"])] for row in rows] == shares.tolist()
    frame = score_table(pd.read_csv(table, keep_default_na=False), model="surface", workers=1, covers=True)
    assert frame[["covered", "added"]].to_numpy().tolist() == shares.tolist()
    assert "covered" not in score_table(pd.read_csv(table), model="surface", workers=1)


def test_a_run_that_goes_on_writes_the_same(model, table, tmp_path, monkeypatch):
    whole, out = table.with_name("whole.jsonl"), table.with_name("out.jsonl")
    asked = {"model": model, "workers": 1, "batch_size": 1, "checkpoint": 0, "covers": True}
    predict_file(table, whole, **asked)
    calls, predict = [], Predictor.predict_pairs

    def stopping(self, pairs, languages=None):
        calls.append(pairs)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return predict(self, pairs, languages)

    with monkeypatch.context() as patch:
        patch.setattr(Predictor, "predict_pairs", stopping)
        with pytest.raises(KeyboardInterrupt):
            predict_file(table, out, **asked)
    assert predict_file(table, out, **asked, resume=True).resumed == 2
    assert out.read_bytes() == whole.read_bytes()


def test_texts_that_are_not_compared_have_none(tmp_path):
    model = load(ModelRef("surface", languages="es,en", translate="none"))
    pairs = [PAIRS[0], ("Un perro negro ladra mucho.", "A dog barks."), ("Un perro ladra.", "Un perro ladra.")]
    found = model.covers(pairs)
    assert found[0].tolist() == [1.0, 1 / 3]
    assert np.isnan(found[1]).all()
    assert found[2].tolist() == [1.0, 0.0]
    frame = score_table(pd.DataFrame(pairs, columns=["sentence1", "sentence2"]), model=model, workers=1, covers=True)
    assert frame["covered"].isna().tolist() == [False, True, False]
