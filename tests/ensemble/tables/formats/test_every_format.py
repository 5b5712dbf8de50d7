"""Promises that every format keeps."""

import gzip
import io
import re
import sys

import hypothesis.strategies as st
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from samewise.ensemble.tables.sources import TableError, open_table
from samewise.ensemble.tables.table_format import format_of_name, sniff, table_formats
from samewise.ensemble.tables.table_writer import TableWriter

from ..written_tables import copy, read

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    ['"', '""', ",", "a,b", "a\r", "\r\nb", "\n", " ", '"a', "\0", "\ufeff", "\x85", "1.0"]
)


CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n"), max_size=6)


NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that an OpenDocument spreadsheet cannot hold."""


FUSSY = settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


SUFFIXES = (*table_formats(), "csv.gz", "tsv.zst", "jsonl.gz", "jsonl.zst")


@pytest.mark.slow
@pytest.mark.parametrize("format", table_formats())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(
        st.tuples(TEXT, TEXT, st.floats(allow_nan=False), st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=12
    )
)
def test_rows_come_back(tmp_path, format, rows):
    path = tmp_path / f"t.{format}"
    names = ["sentence1", "sentence2", "x", "k"]
    types = [pa.string(), pa.string(), pa.float64(), pa.int64()]
    columns = [pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), types, strict=True)]
    batch = pa.record_batch(columns, names)
    with TableWriter(path) as writer:
        left_out = set(writer.write(batch))
    kept = [row for i, row in enumerate(rows) if i not in left_out]
    refused = NOT_XML if format == "ods" else "[\t\r\n]"
    assert all(any(re.search(refused, text) for text in rows[i][:2]) for i in left_out)
    assert table_formats()[format].cannot_hold or not left_out
    found, pairs, rejects, _ = read(path, batch_size=5)
    assert rejects == []
    assert pairs == [row[:2] for row in kept]
    assert [float(row["x"]) for row in found] == [row[2] for row in kept]
    assert [int(row["k"]) for row in found] == [row[3] for row in kept]


@pytest.mark.parametrize("last", SUFFIXES)
@pytest.mark.parametrize("first", SUFFIXES)
@FUSSY
@given(rows=st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=5))
def test_texts(tmp_path, first, last, rows):
    if "ods" in (first, last):
        rows = [[NOT_XML.sub("", cell) for cell in row] for row in rows]
    names = ["sentence1", "sentence2", "other, one"]
    batch = pa.record_batch([pa.array(column, pa.string()) for column in zip(*rows, strict=True)], names)
    with TableWriter(tmp_path / f"a.{first}") as writer:
        writer.write(batch)
    copy(tmp_path / f"a.{first}", tmp_path / f"b.{last}", batch_size=2)
    found = read(tmp_path / f"b.{last}")
    assert found[0] == [dict(zip(names, row, strict=True)) for row in rows]
    assert found[2] == []


@pytest.mark.parametrize("format", table_formats().values(), ids=table_formats())
def test_a_stream_is_recognised(tmp_path, monkeypatch, format):
    batch = pa.record_batch({"sentence1": ["The tide is low."], "sentence2": ["It is low tide."], "n": ["1"]})
    with TableWriter(tmp_path / "table", format.name) as writer:
        writer.write(batch)
    head = (tmp_path / "table").read_bytes()
    assert sniff(head) is format
    assert sniff(head[:128]) is format or not format.binary
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(head)))
    assert read("-")[0] == batch.to_pylist()
    for suffix in format.suffixes:
        assert format_of_name(f"pairs{suffix.upper()}") == (format.name, None)


@pytest.mark.parametrize("format", table_formats().values(), ids=table_formats())
def test_a_binary_format_is_not_packed(tmp_path, format):
    for suffix in format.suffixes:
        path = tmp_path / f"table{suffix}.gz"
        if format.binary:
            path.write_bytes(gzip.compress(format.magic + bytes(100)))
            for call in (open_table, TableWriter):
                with pytest.raises(TableError, match=f"must not be {format.title} within gzip"):
                    call(path)
        else:
            assert TableWriter(path).compression == "gzip"


@pytest.mark.parametrize("format", [value.name for value in table_formats().values() if value.binary])
def test_a_damaged_binary_file_is_named(tmp_path, format):
    rows = {"sentence1": [f"Boat {k} sails." for k in range(99)], "sentence2": ["Boats sail."] * 99}
    path = tmp_path / f"t.{format}"
    with TableWriter(path) as writer:
        writer.write(pa.record_batch(rows))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(TableError, match=str(path)):
        read(path)
