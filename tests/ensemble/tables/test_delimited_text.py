"""Rows of CSV and TSV: every one is read or set aside with its line and a reason."""

import json

import pyarrow as pa
import pytest
from samewise.ensemble.tables.table_writer import TableWriter

from .written_tables import copy, read, write


def test_counts_add_up(tmp_path):
    lines = ["sentence1\tsentence2\tn", "a\tb\t1", "a\tb", "", "a\tb\t3\t4", "a\0\t\t5", "é\tb\t6", "\udce9\tb\t7"]
    rows, pairs, rejects, good = read(write(tmp_path / "t.tsv", "\n".join(lines) + "\n\n\n"))
    assert [r.line for r in rejects] == [3, 4, 5, 8]
    assert [r.reason for r in rejects] == [
        "2 fields instead of 3",
        "empty line",
        "4 fields instead of 3",
        "bytes that are not UTF-8; name the encoding, as in --encoding WINDOWS-1252 "
        "(Turkish: WINDOWS-1254, Arabic: WINDOWS-1256)",
    ]
    assert rejects[-1].raw == "\udce9\tb\t7"
    assert good == [2, 6, 7]
    assert pairs == [("a", "b"), ("a\0", ""), ("é", "b")]


def test_mixed_line_ends(tmp_path):
    for name in ("t.csv", "t.tsv"):
        cut = "," if name == "t.csv" else "\t"
        content = f"sentence1{cut}sentence2\r\na{cut}b\nc{cut}d\re{cut}f\r\ng{cut}h".encode()
        assert read(write(tmp_path / name, b"\xef\xbb\xbf" + content))[1] == [
            ("a", "b"),
            ("c", "d"),
            ("e", "f"),
            ("g", "h"),
        ]


def test_unusual_line_separators_are_data(tmp_path):
    text = "a\x0b\x0c\x1c\x85\u2028z"
    for name, cut in (("t.csv", ","), ("t.tsv", "\t")):
        assert read(write(tmp_path / name, f"sentence1{cut}sentence2\n{text}{cut}b\n"))[1] == [(text, "b")]


def test_quoted_newlines(tmp_path):
    path = write(tmp_path / "t.csv", 'sentence1,sentence2\n"a\r\nb","say ""x"""\nc,d,e\n\nf,g\n')
    _, pairs, rejects, lines = read(path)
    assert pairs == [("a\r\nb", 'say "x"'), ("f", "g")]
    assert lines == [2, 6]
    assert [(r.line, r.raw) for r in rejects] == [(4, "c,d,e")]


def test_a_quote_that_never_closes(tmp_path):
    path = write(tmp_path / "t.csv", 'sentence1,sentence2\na,b\nc,"d\ne,f\n')
    _, pairs, [reject], _ = read(path)
    assert pairs == [("a", "b")]
    assert (reject.line, reject.raw) == (3, 'c,"d\ne,f\n')
    assert "never closed" in reject.reason


def test_a_long_sentence(tmp_path):
    text = "word " * 200_000
    for name, cut in (("t.csv", ","), ("t.tsv", "\t")):
        assert read(write(tmp_path / name, f"sentence1{cut}sentence2\n{text}{cut}b\n"))[1] == [(text, "b")]


@pytest.mark.parametrize("format", ["csv", "tsv"])
def test_fields_stay_as_written(tmp_path, format):
    cut = "," if format == "csv" else "\t"
    fields = ["007", "1e3", "NaN", "null", " x ", "", "0.10", "TRUE", "2024-1-1", "'q'", "-0"]
    names = ["sentence1", "sentence2", *(f"c{k}" for k in range(len(fields)))]
    content = cut.join(names) + "\n" + cut.join(["a", "b", *fields]) + "\n"
    copy(write(tmp_path / f"a.{format}", content), tmp_path / f"b.{format}")
    assert (tmp_path / f"b.{format}").read_text() == content


def test_other_types_as_text(tmp_path):
    batch = pa.record_batch(
        [pa.array([1], pa.timestamp("ns")), pa.array([True]), pa.array([None], pa.string()), pa.array([[1]])],
        ["t", "b", "n", "l"],
    )
    for format in ("csv", "jsonl"):
        with TableWriter(tmp_path / f"t.{format}") as writer:
            writer.write(batch)
    assert (tmp_path / "t.csv").read_text() == "t,b,n,l\n1970-01-01 00:00:00.000000001,true,,[1]\n"
    assert json.loads((tmp_path / "t.jsonl").read_text())["b"] is True
