"""Texts of several columns, joined."""

import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.scoring.frames import column_texts
from samewise.ensemble.tables.table_reader import TableError
from samewise.ensemble.tables.text_tables import joined_text, open_texts

ROWS = [
    {"nr": "1", "subject": "Lamp", "body": "It is broken."},
    {"nr": "2", "subject": None, "body": "Only a body"},
    {"nr": "3", "subject": "Only a subject?", "body": None},
    {"nr": "4", "subject": None, "body": " "},
    {"nr": "5", "subject": "Why?", "body": "Because."},
]
JOINED = ["Lamp. It is broken.", "Only a body", "Only a subject?", "Why? Because."]


def write(folder, suffix):
    path = folder / f"in.{suffix}"
    if suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    elif suffix == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    else:
        pd.DataFrame(ROWS).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("column", ["subject+body", "2+3"])
def test_joined_columns_of_files(tmp_path, suffix, column):
    with open_texts(write(tmp_path, suffix), column, "nr") as reader:
        chunks = list(reader)
        assert reader.a_name == "subject+body"
        assert [text for chunk in chunks for text in chunk.a] == JOINED
        assert [row["nr"] for chunk in chunks for row in chunk.batch.to_pylist()] == ["1", "2", "3", "5"]
        [reject] = [reject for chunk in chunks for reject in chunk.rejects]
        assert (reader.id_of(reject), reject.reason) == ("4", "subject and body are blank")


def test_a_part_that_is_no_text_rejects_its_row(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"a": "x", "b": 5}\n{"a": "y", "b": "z"}\n', encoding="utf-8")
    with open_texts(path, "a+b") as reader:
        [chunk] = list(reader)
        assert (chunk.a, [reject.reason for reject in chunk.rejects]) == (["y. z"], ["b is an int, not text"])


def test_a_part_that_is_no_column(tmp_path):
    with pytest.raises(TableError, match="has no column 'boddy'"):
        open_texts(write(tmp_path, "csv"), "subject+boddy")


def test_joined_columns_in_memory():
    wanted = [*JOINED[:3], None, JOINED[3]]
    for table in (ROWS, pd.DataFrame(ROWS), pa.Table.from_pylist(ROWS)):
        assert column_texts(table, "subject+body") == wanted
    assert column_texts([{"a+b": "one", "a": "x", "b": "y"}], "a+b") == ["one"]


def test_a_part_ends_as_a_sentence():
    assert joined_text(["a ", " ", "b:", "c", None]) == "a. b: c"
    assert joined_text([None, "\u200b"]) is None
