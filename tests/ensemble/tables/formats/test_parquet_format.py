"""Parquet: types that come back, row groups of one size, and memory that does not depend on theirs."""

import gzip
import json
import tracemalloc
from datetime import datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.tables.formats import parquet_format
from samewise.ensemble.tables.sources import TableError, open_table
from samewise.ensemble.tables.table_writer import TableWriter

from ..written_tables import copy, read


def test_parquet_of_numbers(tmp_path):
    pq.write_table(pa.table({"sentence1": [1], "sentence2": ["a"]}), tmp_path / "t.parquet")
    with pytest.raises(TableError, match="'sentence1' .* holds int64, not text"):
        open_table(tmp_path / "t.parquet")


def test_parquet_cut_short(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"sentence1": ["a"] * 50, "sentence2": ["b"] * 50}), path)
    damaged = bytearray(path.read_bytes())
    damaged[4:60] = bytes(56)
    path.write_bytes(damaged)
    with pytest.raises(TableError, match="t.parquet is"):
        read(path)


def test_parquet_keeps_its_types(tmp_path):
    day, time = datetime(2024, 2, 29), datetime(2024, 2, 29, 1, 2, 3, 4)
    columns = {
        "sentence1": pa.array(["a", "b"]).dictionary_encode(),
        "sentence2": pa.array(["c", "d"], pa.large_string()),
        "category": pa.array(["x", None]).dictionary_encode(),
        "nanoseconds": pa.array([1, None], pa.timestamp("ns", "Europe/Rome")),
        "time": pa.array([5, None], pa.time64("ns")),
        "lasting": pa.array([7, None], pa.duration("us")),
        "day": pa.array([day.date(), None]),
        "price": pa.array([Decimal("1.50"), None]),
        "bytes": pa.array([b"\xff\x00", None]),
        "deep": pa.array(
            [[{"k": [time], "v": None}], None],
            pa.list_(pa.struct([("k", pa.list_(pa.timestamp("ns"))), ("v", pa.int8())])),
        ),
        "map": pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int32())),
        "half": pa.array([1.5, None], pa.float16()),
        "nothing": pa.nulls(2),
    }
    schema = pa.schema([pa.field(n, c.type, metadata={"unit": n}) for n, c in columns.items()], {"origin": "a test"})
    table = pa.Table.from_arrays(list(columns.values()), schema=schema)
    pq.write_table(table, tmp_path / "a.parquet")
    copy(tmp_path / "a.parquet", tmp_path / "b.parquet", batch_size=1)
    found = pq.read_table(tmp_path / "b.parquet")
    whole = pq.read_table(tmp_path / "a.parquet")
    assert found.schema.equals(whole.schema, check_metadata=True)
    assert found.equals(whole)
    copy(tmp_path / "a.parquet", tmp_path / "b.jsonl.gz")
    with gzip.open(tmp_path / "b.jsonl.gz") as file:
        assert json.loads(file.readline()) == {
            "sentence1": "a",
            "sentence2": "c",
            "category": "x",
            "nanoseconds": "1970-01-01 01:00:00.000000001+0100",
            "time": "00:00:00.000000005",
            "lasting": 7,
            "day": "2024-02-29",
            "price": "1.50",
            "bytes": "/wA=",
            "deep": [{"k": ["2024-02-29 01:02:03.000004000"], "v": None}],
            "map": [["k", 1]],
            "half": 1.5,
            "nothing": None,
        }
    copy(tmp_path / "a.parquet", tmp_path / "b.csv")
    row = read(tmp_path / "b.csv")[0][0]
    assert (row["price"], row["lasting"], row["nothing"], row["map"]) == ("1.50", "7", "", '[["k", 1]]')


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 64, 999, 2_048, 250_000])
def test_same_rows_same_bytes(tmp_path, monkeypatch, size):
    monkeypatch.setattr(parquet_format, "GROUP_ROWS", 4_000)
    count = 250_000 if size > 64 else 9_500
    rows = pa.record_batch(
        {
            "text": [f"text {k % 977}" for k in range(count)],
            "category": pa.array([("u", "v", None)[k % 3] for k in range(count)]).dictionary_encode(),
            "late": pa.array([None if k > 5_000 else k for k in range(count)]),
            "list": pa.array([[k] * (k % 3) for k in range(count)]),
        }
    )
    for name, step in (("a", count), ("b", size)):
        with TableWriter(tmp_path / f"{name}.parquet") as writer:
            writer.write(rows.slice(0, 0))
            for start in range(0, count, step):
                writer.write(rows.slice(start, step))
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    found = pq.ParquetFile(tmp_path / "b.parquet")
    sizes = [found.metadata.row_group(k).num_rows for k in range(found.num_row_groups)]
    assert sizes == [4_000] * (count // 4_000) + [count % 4_000]
    assert found.read().combine_chunks().equals(pa.Table.from_batches([rows]))


def test_long_texts(tmp_path):
    with TableWriter(tmp_path / "a.parquet") as writer:
        for _ in range(6):
            writer.write(pa.record_batch({"x": ["y" * (1 << 15)] * 500}))
    found = pq.ParquetFile(tmp_path / "a.parquet").metadata
    assert [found.row_group(k).num_rows for k in range(found.num_row_groups)] == [3_000]
    with TableWriter(tmp_path / "a.parquet") as writer:
        for _ in range(5):
            writer.write(pa.record_batch({"x": ["y" * (1 << 16)] * 1_000}))
    found = pq.ParquetFile(tmp_path / "a.parquet").metadata
    assert [found.row_group(k).num_rows for k in range(found.num_row_groups)] == [2_000, 2_000, 1_000]


def test_no_rows(tmp_path):
    with TableWriter(tmp_path / "a.parquet") as writer:
        writer.write(pa.record_batch({"x": pa.array([], pa.int8())}))
    assert pq.read_table(tmp_path / "a.parquet").schema == pa.schema([("x", pa.int8())])


@pytest.mark.slow
def test_a_file_of_one_row_group_is_not_held(tmp_path):
    noise = np.random.default_rng(0).integers(97, 122, 1 << 24, dtype=np.uint8).tobytes().decode()
    texts = [noise[k : k + 128] for k in range(0, len(noise), 128)]
    pq.write_table(pa.table({"sentence1": texts, "sentence2": texts}), tmp_path / "t.parquet", row_group_size=1 << 20)
    del noise, texts
    with open_table(tmp_path / "t.parquet") as reader:
        pool = pa.default_memory_pool()
        before, most = pool.bytes_allocated(), 0
        tracemalloc.start()
        for _ in reader:
            most = max(most, pool.bytes_allocated() - before)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert most + peak < 1 << 24


def test_names_that_are_not_utf_8_are_refused(tmp_path):
    table = pa.table({"sentence1": ["A dog."], "sentence2": ["A cat."], "remark": ["x"]})
    pq.write_table(table, tmp_path / "pairs.parquet", store_schema=False)
    data = (tmp_path / "pairs.parquet").read_bytes()
    (tmp_path / "pairs.parquet").write_bytes(data.replace(b"remark", b"rem\xadrk"))
    with pytest.raises(TableError, match="is not a Parquet file that can be read: 'utf-8' codec can't decode"):
        open_table(tmp_path / "pairs.parquet")
