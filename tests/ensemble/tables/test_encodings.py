"""Text in UTF-16 and UTF-32 is read as UTF-8, with and without a mark."""

import io

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
