"""Lines of text in other encodings, and of any length."""

import gzip
import tracemalloc

import pytest
from samewise.ensemble.tables import text_rows as rows_module
from samewise.ensemble.tables.sources import TableError, open_table

from .written_tables import CONTENT, read, write


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", "sentence1,sentence2\nIşık söndü.,El niño.\n"),
        ("t.tsv", "sentence1\tsentence2\nIşık söndü.\tEl niño.\n"),
        (
            "t.jsonl",
            '{"sentence1": "a", "sentence2": "b"}\n{"sentence1": "Işık söndü.", "sentence2": "El niño."}\n',
        ),
    ],
)
def test_other_encodings_are_told_with_a_remedy(tmp_path, name, content):
    [reject] = read(write(tmp_path / name, content.encode("cp1254")))[2]
    assert reject.line == 2
    assert "not UTF-8; name the encoding, as in --encoding WINDOWS-1252" in reject.reason


def test_chunks_of_huge_lines_are_short(tmp_path):
    text = "x" * (1 << 20)
    path = write(tmp_path / "t.tsv", "sentence1\tsentence2\n" + f"{text}\tb\n" * 20)
    with open_table(path) as reader:
        assert [len(chunk.a) for chunk in reader] == [16, 4]


def test_a_bomb(tmp_path, monkeypatch):
    monkeypatch.setattr(rows_module, "FIELD_LIMIT", 1 << 20)
    head = b"sentence1\tsentence2\n"
    path = write(tmp_path / "t.tsv.gz", gzip.compress(head + bytes(3 << 25) + b"\na\tb\n", 1, mtime=0))
    tracemalloc.start()
    _, pairs, [reject], lines = read(path)
    assert tracemalloc.get_traced_memory()[1] < 1 << 25
    tracemalloc.stop()
    assert (pairs, lines) == ([("a", "b")], [3])
    assert (reject.line, len(reject.raw)) == (2, 1_000)
    assert "longer than 1,048,576 characters" in reject.reason


def test_no_such_thing_as_a_first_line(tmp_path):
    path = write(tmp_path / "t.tsv.gz", gzip.compress(b"x" * (1 << 25), 1, mtime=0))
    with pytest.raises(TableError, match="first line of .* must have at most"):
        read(path)


@pytest.mark.parametrize("format", CONTENT)
def test_long_lines(tmp_path, monkeypatch, format):
    monkeypatch.setattr(rows_module, "FIELD_LIMIT", 100)
    cut = {"csv": ",", "tsv": "\t"}.get(format)
    row = f"a{cut}b" if cut else '{"sentence1": "a", "sentence2": "b"}'
    head = f"sentence1{cut}sentence2\n" if cut else ""
    long = row + " " * (101 - len(row))
    content = f"{head}{row}\n{long}\n{long}{'x,' * 999}\n{row}\n"
    _, pairs, rejects, lines = read(write(tmp_path / f"t.{format}", content))
    start = 2 if cut else 1
    assert lines == [start, start + 3]
    assert [(r.line, r.raw) for r in rejects] == [(start + 1, long), (start + 2, long)]
