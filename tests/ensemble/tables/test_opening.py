"""Refusal of tables that cannot be opened, each in one sentence."""

import gzip
import json
import os

import pytest
from samewise.ensemble.tables.sources import TableError, open_table

from .written_tables import read, write


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", "", "is empty"),
        ("t.csv", "\ufeff\n\n", "is empty"),
        ("t.jsonl", "", "is empty"),
        ("t.parquet", "", "is empty"),
        ("t.csv", "left,right\na,b\n", "no column 'sentence1'; its columns are: left, right; .* --column A,B"),
        ("t.jsonl", '{"a": 1}\n', "no column 'sentence1'; its columns are: a; name the two"),
        ("t.jsonl", "nothing here\n", "no line with a JSON object"),
        ("t.csv", "sentence1,sentence2,x,x\n", "two columns named 'x'"),
        ("t.parquet", b"PAR1 and then nothing", "not a Parquet file"),
        ("t.csv", b"PAR1" + bytes(100), "is Parquet, not text"),
        ("t.csv", b"\x1f\x8b\x08" + bytes(100), "compressed by gzip"),
        ("t.tsv", bytes(range(256)) * 20, "must be UTF-8 text, got a binary file"),
        ("t.csv", "sentence1,sentence2,\udce9\na,b,c\n", "header of .* is not UTF-8; .* --encoding"),
        ("t.csv", b"\x28\xb5\x2f\xfd" + bytes(100), "compressed by zstd"),
        ("t.csv.gz", "sentence1,sentence2\na,b\n", "is not compressed by gzip"),
        ("t.csv.zst", gzip.compress(b"sentence1,sentence2\n", mtime=0), "is not compressed by zstd"),
        ("t.csv.gz", gzip.compress(b"", mtime=0), "is empty"),
        ("t.csv.gz", "", "is empty"),
        ("t.parquet.gz", gzip.compress(b"PAR1", mtime=0), "Parquet within gzip"),
        ("t.doc", "x", "does not show its format"),
        ("t.gz", gzip.compress(b"x", mtime=0), "does not show its format"),
    ],
)
def test_message(tmp_path, name, content, message):
    path = write(tmp_path / name, content)
    with pytest.raises(TableError, match=message):
        read(path)


def test_no_file(tmp_path):
    with pytest.raises(TableError, match="there is no file"):
        open_table(tmp_path / "absent.csv")
    with pytest.raises(TableError, match="holds no files"):
        open_table(tmp_path)
    with pytest.raises(TableError, match="no file matches it as a pattern"):
        open_table(tmp_path / "*.csv")


def test_columns_and_id(tmp_path):
    path = write(tmp_path / "t.csv", "sentence1,sentence2\na,b\n")
    assert read(write(tmp_path / "u.csv", '"a, b","c, d"\n1,2\n'), columns=["a, b", "c, d"])[1] == [("1", "2")]
    with pytest.raises(TableError, match="no column 'id'; its columns are: sentence1, sentence2$"):
        open_table(path, id="id")
    with pytest.raises(TableError, match="name the two columns"):
        open_table(path, columns="one")


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize("size", [700, 30_000])
def test_table_changed_in_place(tmp_path, suffix, size):
    rows = {"csv": "kettle,pot\n", "tsv": "kettle\tpot\n", "jsonl": '{"sentence1": "kettle", "sentence2": "pot"}\n'}
    heads = {"csv": "sentence1,sentence2\n", "tsv": "sentence1\tsentence2\n", "jsonl": ""}
    path = write(tmp_path / f"t.{suffix}", heads[suffix] + rows[suffix] * 5_000)
    with open_table(path, batch_size=10) as reader:
        chunks = iter(reader)
        next(chunks)
        os.truncate(path, size)
        with pytest.raises(TableError, match="must stay as it is during the run, got a change; run it again"):
            list(chunks)


def test_table_replaced(tmp_path):
    # What is read is the file that was opened.
    path = write(tmp_path / "t.csv", "sentence1,sentence2\n" + "kettle,pot\n" * 5_000)
    with open_table(path, batch_size=10) as reader:
        write(tmp_path / "new.csv", "sentence1,sentence2\n").replace(path)
        assert sum(len(chunk.a) for chunk in reader) == 5_000


def test_objects_with_few_keys_in_common(tmp_path):
    wide = json.dumps({"sentence1": "a", "sentence2": "b", **{f"k{i}": i for i in range(9_000)}})
    path = write(tmp_path / "t.jsonl", wide + "\n" + '{"sentence1": "a", "sentence2": "b"}\n' * 1_500)
    with pytest.raises(TableError, match=r"hold 1% of all keys on average, got 10,864 values in 932 objects .*; nest"):
        open_table(path)
