"""The column of differences: the same for any batch, worker, format and way of asking, and after a stop."""

import csv
import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from samewise.ensemble.commands.predict_command import predict
from samewise.ensemble.loading import load
from samewise.ensemble.scoring import predict_file, score_batches
from samewise.ensemble.scoring.data_frames import score_table
from typer.testing import CliRunner

PAIRS = [
    ("Tenants must pay 300 euros by 2 June.", "Tenants may pay 450 euros by 2 June."),
    ("The lamp is broken.", "The lamp is not broken."),
    ("Somebody left a <b>red</b> bag.", 'Somebody left a "blue" bag, a hat and a coat.'),
    ("The goat followed the hen.", "The hen followed the goat."),
    ("The ferry is late.", "The ferry is late."),
    ("Every door is shut.", "Some doors are shut."),
    ("", "A text beside none."),
]
EXPECTED = {
    0: [{"kind": "modality", "a": "must", "b": "may"}, {"kind": "number", "a": "300", "b": "450"}],
    1: [{"kind": "negation", "a": "", "b": "not"}],
    4: [],
}
ROWS = 45
OPTIONS = {"model": "surface", "differences": True, "checkpoint": 0}


@pytest.fixture(scope="module")
def model():
    return load("surface")


@pytest.fixture(scope="module")
def truth(model):
    found = model.differences(PAIRS)
    return [[{"kind": one.kind, "a": one.a, "b": one.b} for one in of_pair] for of_pair in found]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("differences")
    rows = [dict(zip(("sentence1", "sentence2"), PAIRS[k % len(PAIRS)], strict=True), id=k) for k in range(ROWS)]
    pq.write_table(pa.Table.from_pylist(rows), folder / "in.parquet")
    predict_file(folder / "in.parquet", folder / "whole.jsonl", workers=1, **OPTIONS)
    return folder


def test_the_expected_differences(truth):
    assert {row: truth[row] for row in EXPECTED} == EXPECTED


@pytest.mark.slow
def test_every_format_holds_them(place, truth):
    for name in ("out.csv", "out.jsonl", "out.parquet"):
        predict_file(place / "in.parquet", place / name, workers=1, **OPTIONS)
    of_csv = [json.loads(row["differences"]) for row in csv.DictReader((place / "out.csv").read_text().splitlines())]
    of_jsonl = [json.loads(line) for line in (place / "out.jsonl").read_text().splitlines()]
    assert list(of_jsonl[0])[-5:] == ["score", "low", "high", "differences", "flags"]
    of_parquet = pq.read_table(place / "out.parquet")["differences"].to_pylist()
    expected = [truth[k % len(PAIRS)] for k in range(ROWS)]
    assert of_csv == [row["differences"] for row in of_jsonl] == of_parquet == expected


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "batch_size"), [(1, 7), (2, 4)])
def test_batches_and_workers_write_the_same_bytes(place, tmp_path, workers, batch_size, other_processes):
    predict_file(place / "in.parquet", tmp_path / "out.jsonl", workers=workers, batch_size=batch_size, **OPTIONS)
    assert (tmp_path / "out.jsonl").read_bytes() == (place / "whole.jsonl").read_bytes()


class Stopping:
    """The model, which is interrupted after so many batches."""

    def __init__(self, model, batches):
        self._model, self.left = model, batches

    def predict_pairs(self, pairs):
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        return self._model.predict_pairs(pairs)

    def __getattr__(self, name):
        return getattr(self._model, name)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_goes_on_writes_the_same_bytes(place, model, tmp_path, workers, other_processes):
    target, options = tmp_path / "out.jsonl", {**OPTIONS, "batch_size": 4}
    with pytest.raises(KeyboardInterrupt):
        predict_file(place / "in.parquet", target, workers=1, **{**options, "model": Stopping(model, 6)})
    summary = predict_file(place / "in.parquet", target, workers=workers, resume=True, **options)
    assert (summary.rows, summary.resumed) == (ROWS, 24)
    assert target.read_bytes() == (place / "whole.jsonl").read_bytes()


def test_a_run_goes_on_whether_they_are_asked_for_or_not(place, model, tmp_path):
    target, options = tmp_path / "out.jsonl", {**OPTIONS, "batch_size": 4, "workers": 1}
    with pytest.raises(KeyboardInterrupt):
        predict_file(place / "in.parquet", target, **{**options, "model": Stopping(model, 2), "differences": False})
    assert predict_file(place / "in.parquet", target, resume=True, **options).resumed == 8
    assert target.read_bytes() == (place / "whole.jsonl").read_bytes()


def test_the_command(place, tmp_path):
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(predict)
    asked = [str(place / "in.parquet"), "-o", str(tmp_path / "out.jsonl"), "--model", "surface"]
    done = CliRunner().invoke(app, [*asked, "--differences", "--workers", "1"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out.jsonl").read_bytes() == (place / "whole.jsonl").read_bytes()
    assert CliRunner().invoke(app, [*asked, "--workers", "1"]).exit_code == 0
    assert "differences" not in json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])


def test_data_frames(model, truth):
    a, b = zip(*PAIRS, strict=True)
    frame = pd.DataFrame({"sentence1": [*a, None], "sentence2": [*b, "x"]})
    found = score_table(frame, model=model, differences=True)
    assert list(found.columns[2:]) == ["score", "low", "high", "differences", "flags"]
    assert found["differences"].tolist() == [*truth, None]
    assert [type(value) for value in found["differences"][:2]] == [list, list]
    table = score_table(pa.Table.from_pandas(frame), model=model, differences=True, decide=False)
    assert table["differences"].to_pylist() == [*truth, None]
    reader = score_table(pa.Table.from_pandas(frame).to_reader(max_chunksize=3), model=model, differences=True)
    assert reader.read_all()["differences"].to_pylist() == [*truth, None]
    polars = pytest.importorskip("polars")
    assert score_table(polars.DataFrame(frame), model=model, differences=True)["differences"].to_list() == [
        *truth,
        None,
    ]


def test_a_name_that_is_taken(model):
    batch = pa.record_batch({"sentence1": ["A dog."], "sentence2": ["A cat."], "differences": [1]})
    [found] = score_batches([batch], "sentence1", "sentence2", model, 1, differences=True, at_least=2.0)
    assert found.schema.names[3:] == ["score", "low", "high", "probability", "samewise_differences", "flags"]
