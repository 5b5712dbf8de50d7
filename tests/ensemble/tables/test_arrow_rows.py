"""Rows of Arrow batches: those without two texts are set aside."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
from samewise.ensemble.tables.sources import open_table

from .written_tables import read


def test_parquet(tmp_path):
    path = tmp_path / "t.parquet"
    table = pa.table({"sentence1": ["a", None, "c"], "k": pa.array([1, 2, 3], pa.int8()), "sentence2": ["x", "y", ""]})
    pq.write_table(table, path)
    rows, _, [reject], lines = read(path, batch_size=2)
    assert rows == [table.to_pylist()[0], table.to_pylist()[2]]
    assert (reject.line, reject.reason, lines) == (2, "sentence1 is missing", [1, 3])
    assert json.loads(reject.raw) == {"sentence1": None, "k": 2, "sentence2": "y"}


def test_parquet_with_bytes_that_are_no_text(tmp_path):
    bad = pa.Array.from_buffers(pa.string(), 2, pa.array([b"ok", b"\xff\xfe"]).buffers())
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"sentence1": bad, "sentence2": ["x", "y"]}), path)
    rows, _, [reject], _ = read(path)
    assert len(rows) == 1
    assert (reject.line, reject.reason) == (2, "bytes that are not UTF-8")


def test_categories_are_texts(tmp_path):
    path = tmp_path / "t.parquet"
    table = pa.table({"sentence1": pa.array(["a", "b", "a"]).dictionary_encode(), "sentence2": ["x", "y", "z"]})
    pq.write_table(table, path)
    assert read(path)[1] == [("a", "x"), ("b", "y"), ("a", "z")]


def test_views_are_read_as_plain_columns(tmp_path):
    nested = pa.struct([("words", pa.list_(pa.string_view()))])
    table = pa.table(
        {
            "sentence1": pa.array(["Rain fell.", None, "A kite flew."], pa.string_view()),
            "sentence2": ["It rained.", "Nobody.", "Kites fly."],
            "key": pa.array([b"\xff", None, b"b"], pa.binary_view()),
            "inside": pa.array([{"words": ["a"]}, None, {"words": []}], nested),
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    with open_table(tmp_path / "t.parquet") as reader:
        [chunk] = reader
    assert reader.schema.types == [
        pa.string(),
        pa.string(),
        pa.binary(),
        pa.struct([("words", pa.list_(pa.string()))]),
    ]
    assert chunk.a == ["Rain fell.", "A kite flew."] and [reject.line for reject in chunk.rejects] == [2]
    assert chunk.batch.to_pylist()[0]["key"] == b"\xff" and chunk.batch.to_pylist()[0]["inside"] == {"words": ["a"]}
