"""Streams without a name, and digests of files."""

import io
import os
import sys
import threading

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.tables.sources import TableError, fingerprint

from .written_tables import parts, read, write


@pytest.mark.parametrize(
    ("content", "format"),
    [
        ("sentence1,sentence2\na,b\n", None),
        ("sentence1\tsentence2\na\tb\n", None),
        ('{"sentence1": "a", "sentence2": "b"}\n', None),
        ("sentence1\tsentence2\na\tb\n", "tsv"),
    ],
)
def test_standard_input(monkeypatch, content, format):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    assert read("-", format=format)[1] == [("a", "b")]


def test_parquet_on_standard_input(monkeypatch):
    buffer = io.BytesIO()
    pq.write_table(pa.table({"sentence1": ["a"], "sentence2": ["b"]}), buffer)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(buffer.getvalue())))
    assert read("-")[1] == [("a", "b")]


def test_a_named_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = "sentence1\tsentence2\n" + "a\tb\n" * 50_000
    writer = threading.Thread(target=lambda: pipe.write_text(content))
    writer.start()
    assert len(read(pipe)[1]) == 50_000
    writer.join()


def test_a_file_is_its_content(tmp_path):
    path = write(tmp_path / "a.csv", "x")
    first = fingerprint(path)
    assert len(first) == 32
    assert fingerprint(str(path.rename(tmp_path / "b.csv"))) == first
    assert fingerprint(write(tmp_path / "b.csv", "y")) != first


def test_a_folder_is_its_names_and_contents(tmp_path):
    folder = parts(tmp_path / "in", "ab", "c", suffix="csv")
    first = fingerprint(folder)
    assert fingerprint(folder / "*.csv") == first
    assert fingerprint(folder.rename(tmp_path / "moved")) == first
    found = {first}
    for contents in (["a", "bc"], ["c", "ab"], ["abc", ""], ["ab", "c", ""]):
        found.add(fingerprint(parts(tmp_path / "moved", *contents, suffix="csv")))
    assert len(found) == 5
    (tmp_path / "moved" / "_SUCCESS").touch()
    assert fingerprint(tmp_path / "moved") in found
    (tmp_path / "moved" / "part-2.csv").rename(tmp_path / "moved" / "part-3.csv")
    assert fingerprint(tmp_path / "moved") not in found


def test_errors(tmp_path):
    with pytest.raises(TableError, match="standard input cannot be read twice"):
        fingerprint("-")
    with pytest.raises(TableError, match="there is no file"):
        fingerprint(tmp_path / "absent")
    with pytest.raises(TableError, match="is a pipe or a device"):
        fingerprint(os.devnull)
