"""Tables with one text a row: their column is found or named, and bad rows stand aside."""

import io
import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.tables.table_reader import TableError
from samewise.ensemble.tables.text_tables import open_texts

from .written_tables import write


def texts(path, column=None, id=None, **options):
    with open_texts(path, column, id, **options) as reader:
        chunks = list(reader)
        assert all(chunk.a == chunk.b for chunk in chunks)
        assert reader.a_name == reader.b_name
        return reader.a_name, [text for chunk in chunks for text in chunk.a]


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("nr,text", "text"),
        ("question,sentence", "sentence"),
        ("body,question", "question"),
        ("description,title", "title"),
        ("body,description", "description"),
        ("nr,body", "body"),
        ("body,text", "text"),
    ],
)
def test_the_first_of_the_usual_names(tmp_path, header, name):
    path = write(tmp_path / "t.csv", f"{header}\nleft,right\n")
    place = header.split(",").index(name)
    assert texts(path) == (name, [("left", "right")[place]])


def test_a_column_by_name(tmp_path):
    path = write(tmp_path / "t.csv", 'text,"a, b"\nleft,right\n')
    assert texts(path, "a, b") == ("a, b", ["right"])
    assert texts(path, "text") == ("text", ["left"])


def test_a_number_is_a_column_of_a_file_without_a_header(tmp_path):
    path = write(tmp_path / "t.csv", "left,right\nup,down\n")
    assert texts(path, "2", header=False)[1] == ["right", "down"]
    assert texts(path, "2")[1] == ["down"]
    pq.write_table(pa.table({"left": ["up"], "right": ["down"]}), tmp_path / "t.parquet")
    assert texts(tmp_path / "t.parquet", "2") == ("right", ["down"])


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet", "csv.gz"])
def test_all_columns_of_every_format(tmp_path, suffix):
    rows = [{"k": str(row), "text": f"The lamp {row} hums."} for row in range(7)]
    path = tmp_path / f"t.{suffix}"
    if suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif suffix == "jsonl":
        write(path, "".join(json.dumps(row) + "\n" for row in rows))
    else:
        separator = "\t" if suffix == "tsv" else ","
        content = "".join(f"{row['k']}{separator}{row['text']}\n" for row in [{"k": "k", "text": "text"}, *rows])
        path.write_bytes(
            pa.compress(content.encode(), "gzip", asbytes=True) if suffix == "csv.gz" else content.encode()
        )
    with open_texts(path, id="k", batch_size=3) as reader:
        chunks = list(reader)
    assert reader.id_name == "k"
    assert [chunk.batch.num_rows for chunk in chunks] == [3, 3, 1]
    assert [row for chunk in chunks for row in chunk.batch.to_pylist()] == rows


def test_rows_without_a_text_are_set_aside(tmp_path):
    path = write(tmp_path / "t.jsonl", '{"k": 1, "text": "a"}\n{"k": 2, "text": null}\nno row\n{"k": 4, "text": "b"}\n')
    with open_texts(path, id="k") as reader:
        [chunk] = reader
    assert (chunk.a, chunk.lines) == (["a", "b"], [1, 4])
    assert [reject.line for reject in chunk.rejects] == [2, 3]


def test_standard_input_has_a_text(monkeypatch):
    for content, column, expected in ((b"text,question\na,b\n", None, "a"), (b"text,question\na,b\n", "question", "b")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert texts("-", column, format="csv")[1] == [expected]


@pytest.mark.parametrize(
    ("column", "id", "message"),
    [
        (None, None, "no column 'text'; its columns are: left, right.*; name the one with the text, as in --column"),
        ("answer", None, "no column 'answer'; its columns are: left, right"),
        ("3", None, "no column '3'"),
        ("left", "nr", "no column 'nr'; its columns are: left, right$"),
    ],
)
def test_columns_that_are_missing(tmp_path, column, id, message):
    path = write(tmp_path / "t.csv", "left,right\na,b\n")
    with pytest.raises(TableError, match=message):
        open_texts(path, column, id)


def test_a_missing_name_of_rows_is_not_taken_for_a_missing_text(tmp_path):
    path = write(tmp_path / "t.csv", "body,right\na,b\n")
    with pytest.raises(TableError, match="no column 'nr'"):
        open_texts(path, id="nr")


def test_tables_that_are_none(tmp_path):
    with pytest.raises(TableError, match="there is no file"):
        open_texts(tmp_path / "absent.csv")
    with pytest.raises(TableError, match="is empty"):
        open_texts(write(tmp_path / "t.csv", ""))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", 'id,text\na,Who is there?\nb,\nc,"  "\nd,Nobody.\n'),
        (
            "t.jsonl",
            '{"id":"a","text":"Who is there?"}\n{"id":"b","text":""}\n'
            '{"id":"c","text":"  "}\n{"id":"d","text":"Nobody."}\n',
        ),
    ],
)
def test_a_row_with_a_blank_text_is_a_reject(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with open_texts(path, id="id") as reader:
        [chunk] = reader
        assert chunk.a == ["Who is there?", "Nobody."]
        assert chunk.batch.column("id").to_pylist() == ["a", "d"]
        assert [(reader.id_of(reject), reject.reason) for reject in chunk.rejects] == [
            ("b", "text is blank"),
            ("c", "text is blank"),
        ]
        assert reader.lines >= 4
