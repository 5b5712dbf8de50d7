"""Text in UTF-16 and UTF-32 is read as UTF-8, with and without a mark."""

import bz2
import gzip
import io
import lzma

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.tables.encodings import as_utf8, encoding_of
from samewise.ensemble.tables.sources import TableError

from .written_tables import read, write

ENCODINGS = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]

TEXT = 'id,sentence1,sentence2\r\n1,Çay soğudu.,"Das ist schön, 😀"\r\n2,雨が降る。,Дождь идёт.\r\n'


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_delimited_text(tmp_path, encoding, mark):
    path = write(tmp_path / "t.csv", (mark + TEXT).encode(encoding))
    rows, pairs, rejects, lines = read(path, batch_size=1)
    assert pairs == [("Çay soğudu.", "Das ist schön, 😀"), ("雨が降る。", "Дождь идёт.")]
    assert (rows[0]["id"], rejects, lines) == ("1", [], [2, 3])


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", ["t.jsonl", "-"])
def test_json_lines_and_pipes(tmp_path, encoding, name, monkeypatch):
    content = '{"sentence1": "ğ", "sentence2": "b"}\n{"sentence1": "c", "sentence2": "d", "n": 1}\n'.encode(encoding)
    if name == "-":
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content))))
    else:
        name = write(tmp_path / name, content)
    assert read(name)[1] == [("ğ", "b"), ("c", "d")]


@pytest.mark.parametrize("text", [TEXT, "", "a", "a,b\n", "a\0b\0c,d\0\n" * 20, "\0\0\0\0" * 9])
def test_utf8_is_left_alone(text):
    assert encoding_of(text.encode()) is None and encoding_of(b"\xef\xbb\xbf" + text.encode()) is None


def test_a_stream_is_read_again():
    stream = as_utf8(io.BytesIO((TEXT * 9_000).encode("utf-16-le")), "utf-16-le", "t")
    assert stream.read(5) == b"id,se"
    stream.seek(0)
    assert stream.read() == (TEXT * 9_000).encode()


def test_a_file_that_is_cut_short(tmp_path):
    path = write(tmp_path / "t.csv", TEXT.encode("utf-16-le")[:-1])
    with pytest.raises(TableError, match="must be UTF-16-LE text up to its end, got other bytes"):
        read(path)


def test_what_is_no_character_is_a_reject(tmp_path):
    content = TEXT.encode("utf-16-le") + "3,".encode("utf-16-le") + b"\x00\xd8" + ",x\r\n".encode("utf-16-le")
    [reject] = read(write(tmp_path / "t.csv", content))[2]
    assert reject.line == 4 and "not UTF-8" in reject.reason


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_text_in_files_and_pipes(tmp_path, monkeypatch, pack, encoding, mark):
    jsonl = '{"sentence1": "ğ", "sentence2": "b"}\n{"sentence1": "c", "sentence2": "d"}\n'
    tsv = "id\tsentence1\tsentence2\n1\tğ\tb\n2\tc\td\n"
    for name, text in {"t.jsonl": jsonl, "t.tsv": tsv}.items():
        content = pack((mark + text).encode(encoding))
        ending = {gzip.compress: "gz", bz2.compress: "bz2", lzma.compress: "xz"}[pack]
        assert read(write(tmp_path / f"{name}.{ending}", content))[1] == [("ğ", "b"), ("c", "d")]
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content))))
        assert read("-")[1] == [("ğ", "b"), ("c", "d")]


@pytest.mark.parametrize("encoding", ["cp1252", "WINDOWS-1254", "latin-1", "shift_jis", "cp037", "utf-8", "utf-16"])
def test_a_named_encoding(tmp_path, monkeypatch, encoding):
    word = "雨" if encoding == "shift_jis" else "Öl"
    content = f"sentence1,sentence2\n{word},b\n".encode(encoding)
    assert read(write(tmp_path / "t.csv", content), encoding=encoding)[1] == [(word, "b")]
    assert read(write(tmp_path / "t.csv.gz", gzip.compress(content)), encoding=encoding)[1] == [(word, "b")]
    for piped in (content, gzip.compress(content)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(piped))))
        assert read("-", encoding=encoding)[1] == [(word, "b")]


def test_a_named_encoding_holds_for_every_file_and_for_json(tmp_path):
    (tmp_path / "parts").mkdir()
    for name in "ab":
        write(tmp_path / "parts" / f"{name}.jsonl", f'{{"sentence1": "{name}ß", "sentence2": "é"}}\n'.encode("cp1252"))
    assert read(tmp_path / "parts", encoding="cp1252")[1] == [("aß", "é"), ("bß", "é")]
    pq.write_table(pa.table({"sentence1": ["ß"], "sentence2": ["é"]}), tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet", encoding="cp1252")[1] == [("ß", "é")]


def test_bytes_that_the_named_encoding_lacks(tmp_path):
    path = write(tmp_path / "t.csv", b"sentence1,sentence2\na,b\n\x81,b\n")
    _, pairs, [reject], _ = read(path, encoding="cp1252")
    assert pairs == [("a", "b")]
    assert (reject.line, reject.reason) == (3, "bytes that are not cp1252; name another encoding")
    with pytest.raises(TableError, match="header of .* is not cp1252"):
        read(write(tmp_path / "h.csv", b"sentence1,sentence2,\x81\na,b,c\n"), encoding="cp1252")


@pytest.mark.parametrize("encoding", ["klingon", "hex", "rot13", "undefined", "cp1252\0", ""])
def test_an_unknown_encoding(tmp_path, encoding):
    path = write(tmp_path / "t.csv", "sentence1,sentence2\na,b\n")
    with pytest.raises(TableError, match="the encoding must be a name such as cp1252"):
        read(path, encoding=encoding)
