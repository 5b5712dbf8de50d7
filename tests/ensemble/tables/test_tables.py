import gzip
import io
import json
import os
import sys
import threading
import tracemalloc
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from samewise.ensemble.tables import row_groups as groups
from samewise.ensemble.tables import text_rows as rows_module
from samewise.ensemble.tables.labelled_pairs import read_pairs
from samewise.ensemble.tables.opening import TableError, open_table
from samewise.ensemble.tables.table_files import check_target
from samewise.ensemble.tables.table_source import fingerprint
from samewise.ensemble.tables.table_writer import TableWriter

FORMATS = ("csv", "tsv", "jsonl", "parquet")


def write(path, content):
    path.write_bytes(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)
    return path


def read(path, **options):
    with open_table(path, **options) as reader:
        chunks = list(reader)
        rows = [row for chunk in chunks for row in chunk.batch.to_pylist()]
        pairs = [pair for chunk in chunks for pair in zip(chunk.a, chunk.b, strict=True)]
        rejects = [reject for chunk in chunks for reject in chunk.rejects]
        lines = [line for chunk in chunks for line in chunk.lines]
        assert all(chunk.batch.schema == reader.schema for chunk in chunks)
    assert len(rows) == len(pairs) == len(lines)
    return rows, pairs, rejects, lines


class TestLayouts:
    def test_header(self, tmp_path):
        path = write(tmp_path / "t.csv", "id,sentence2,sentence1,score\n7,The cat sleeps.,A cat naps.,4.0\n")
        rows, pairs, rejects, lines = read(path)
        assert rows == [{"id": "7", "sentence2": "The cat sleeps.", "sentence1": "A cat naps.", "score": "4.0"}]
        assert pairs == [("A cat naps.", "The cat sleeps.")]
        assert (rejects, lines) == ([], [2])

    def test_sick(self, tmp_path):
        head = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
        path = write(tmp_path / "s.txt", head + "1\tA boy runs\tA boy is running\t5\tX\n2\tA boy runs\tRain\t1\tX\n")
        pairs, scores, table = read_pairs(path)
        assert pairs == [("A boy runs", "A boy is running"), ("A boy runs", "Rain")]
        assert scores.tolist() == [5.0, 0.0]
        assert table.column_names[0] == "pair_ID"

    def test_benchmark_in_a_csv(self, tmp_path):
        rows = [
            'main\tf\t2012\t0001\t2.5\tA "bare quote\tTwo, commas, here',
            "main\tf\t2012\t2\t0\tB\tC\tfree\thttp://x",
        ]
        path = write(tmp_path / "sts.csv", "\n".join(rows) + "\n")
        pairs, scores, table = read_pairs(path)
        assert pairs == [('A "bare quote', "Two, commas, here"), ("B", "C")]
        assert scores.tolist() == [2.5, 0.0]
        assert table.column("license1").to_pylist() == ["", "free"]
        assert table.column("id").to_pylist() == ["0001", "2"]  # as written

    def test_companion(self, tmp_path):
        path = write(tmp_path / "sts.csv", "f\t2012\t0001\t2.5\tLeft\tRight\nf\t2012\t0002\t1\tA\tB\tfree\turl\n")
        pairs, scores, _ = read_pairs(path)
        assert pairs == [("Left", "Right"), ("A", "B")]
        assert scores.tolist() == [2.5, 1.0]

    def test_score_first(self, tmp_path):
        pairs, scores, _ = read_pairs(write(tmp_path / "a.tsv", '1.80\t"Quoted ""\tthe end\n2\tA\tB\n'))
        assert pairs == [('"Quoted ""', "the end"), ("A", "B")]
        assert scores.tolist() == [1.8, 2.0]

    def test_two_columns_and_gold(self, tmp_path):
        path = write(tmp_path / "input.txt", "A\tB\nC\tD\nE\tF\n")
        gold = write(tmp_path / "gs.txt", "1.0\r\n5\r\n")
        pairs, scores, table = read_pairs(path, gold=gold)
        assert pairs == [("A", "B"), ("C", "D")]
        assert scores.tolist() == [1.0, 5.0]
        assert table.num_rows == 2
        assert len(read_pairs(path)[0]) == 3

    @pytest.mark.parametrize("columns", ["q,p", ["q", "p"], "3,2"])
    def test_columns(self, tmp_path, columns):
        path = write(tmp_path / "t.tsv", "id\tp\tq\n1\tleft\tright\n")
        if columns == "3,2":  # numbers mean a file without header
            assert read(path, columns=columns)[1] == [("q", "p"), ("right", "left")]
        else:
            assert read(path, columns=columns)[1] == [("right", "left")]

    def test_numbers_of_a_known_header(self, tmp_path):
        path = write(tmp_path / "t.csv", "sentence1,sentence2,other\na,b,c\n")
        assert read(path, columns="1,3")[1] == [("a", "c")]

    def test_a_bad_row_does_not_hide_the_layout(self, tmp_path):
        good = "main\tf\t2012\t1\t2.5\tA\tB\n"
        rows, _, rejects, _ = read(write(tmp_path / "x.csv", good + "stray\n" + good))
        assert len(rows) == 2
        assert [(r.line, r.raw) for r in rejects] == [(2, "stray")]

    @pytest.mark.parametrize(
        ("name", "n"),
        [
            ("stsbenchmark/sts-train.csv", 5749),
            ("stsbenchmark/sts-dev.csv", 1500),
            ("stsbenchmark/sts-test.csv", 1379),
            ("stscompanion/sts-mt.csv", 1836),
            ("stscompanion/sts-other.csv", 3814),
            ("sts2015/answers-students.tsv", 750),
            ("sick/SICK_train.txt", 4500),
            ("sick/SICK_trial.txt", 500),
        ],
    )
    def test_counts(self, data, name, n):
        pairs, scores, table = read_pairs(data / name)
        assert len(pairs) == len(scores) == table.num_rows == n
        assert 0 <= scores.min() < scores.max() == 5

    def test_semicolons(self, tmp_path):
        # As Excel writes it where numbers have commas, here with the mark of UTF-8.
        content = 'sentence1;sentence2;score\r\nHola, amigo;"a; ""b""\r\nc";3,5\r\nx;y\r\n\r\nd;e;4.5\r\n'
        path = write(tmp_path / "t.csv", b"\xef\xbb\xbf" + content.encode())
        rows, pairs, [reject], lines = read(path, batch_size=1)
        assert pairs == [("Hola, amigo", 'a; "b"\r\nc'), ("d", "e")]
        assert [row["score"] for row in rows] == ["3,5", "4.5"]
        assert lines == [2, 6]
        assert (reject.line, reject.reason, reject.raw) == (4, "2 fields instead of 3", "x;y")
        packed = write(tmp_path / "t.csv.gz", gzip.compress(path.read_bytes(), mtime=0))
        assert read(packed, columns="sentence2,sentence1")[1] == [pair[::-1] for pair in pairs]

    def test_semicolons_elsewhere_are_text(self, tmp_path):
        for content in ("sentence1,sentence2;\n", "sentence1,sentence2\n"):
            path = write(tmp_path / "t.csv", content + "a;b,c;d\n")
            assert read(path, columns="1,2")[1][-1] == ("a;b", "c;d")
        for name in ("t.tsv", "t.csv"):
            path = write(tmp_path / name, "sentence1\tsentence2\tn;m\na;b\tc;d\te\n")
            assert read(path)[1] == [("a;b", "c;d")]

    def test_semicolons_by_name_and_by_number(self, tmp_path):
        path = write(tmp_path / "t.csv", "n;oración;cümle\n1;a;b,c\n")
        assert read(path, columns="oración,cümle")[1] == [("a", "b,c")]
        assert read(write(tmp_path / "u.csv", "a;b\nc;d, e\n"), columns="1,2")[1] == [("a", "b"), ("c", "d, e")]
        with pytest.raises(TableError, match="no column 'sentence1'; its columns are: n, oración, cümle; name the two"):
            read(path)

    def test_track_6(self, data):
        folder = data / "sts2017"
        pairs, scores, _ = read_pairs(folder / "STS.input.track6.tr-en.txt", gold=folder / "STS.gs.track6.tr-en.txt")
        assert len(pairs) == len(scores) == 250


class TestRejects:
    def test_counts_add_up(self, tmp_path):
        lines = ["sentence1\tsentence2\tn", "a\tb\t1", "a\tb", "", "a\tb\t3\t4", "a\0\t\t5", "é\tb\t6", "\udce9\tb\t7"]
        rows, pairs, rejects, good = read(write(tmp_path / "t.tsv", "\n".join(lines) + "\n\n\n"))
        assert [r.line for r in rejects] == [3, 4, 5, 8]
        assert [r.reason for r in rejects] == [
            "2 fields instead of 3",
            "empty line",
            "4 fields instead of 3",
            "bytes that are not UTF-8; convert the file, as by iconv -f WINDOWS-1254 -t UTF-8 (Arabic: WINDOWS-1256)",
        ]
        assert rejects[-1].raw == "\udce9\tb\t7"
        assert good == [2, 6, 7]
        assert pairs == [("a", "b"), ("a\0", ""), ("é", "b")]

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
    def test_other_encodings_are_told_with_a_remedy(self, tmp_path, name, content):
        [reject] = read(write(tmp_path / name, content.encode("cp1254")))[2]
        assert reject.line == 2
        assert "not UTF-8; convert the file, as by iconv -f WINDOWS-1254 -t UTF-8" in reject.reason

    def test_mixed_line_ends(self, tmp_path):
        for name in ("t.csv", "t.tsv"):
            cut = "," if name == "t.csv" else "\t"
            content = f"sentence1{cut}sentence2\r\na{cut}b\nc{cut}d\re{cut}f\r\ng{cut}h".encode()
            assert read(write(tmp_path / name, b"\xef\xbb\xbf" + content))[1] == [
                ("a", "b"),
                ("c", "d"),
                ("e", "f"),
                ("g", "h"),
            ]

    def test_unusual_line_separators_are_data(self, tmp_path):
        text = "a\x0b\x0c\x1c\x85\u2028z"
        for name, cut in (("t.csv", ","), ("t.tsv", "\t")):
            assert read(write(tmp_path / name, f"sentence1{cut}sentence2\n{text}{cut}b\n"))[1] == [(text, "b")]

    def test_quoted_newlines(self, tmp_path):
        path = write(tmp_path / "t.csv", 'sentence1,sentence2\n"a\r\nb","say ""x"""\nc,d,e\n\nf,g\n')
        _, pairs, rejects, lines = read(path)
        assert pairs == [("a\r\nb", 'say "x"'), ("f", "g")]
        assert lines == [2, 6]
        assert [(r.line, r.raw) for r in rejects] == [(4, "c,d,e")]

    def test_a_quote_that_never_closes(self, tmp_path):
        path = write(tmp_path / "t.csv", 'sentence1,sentence2\na,b\nc,"d\ne,f\n')
        _, pairs, [reject], _ = read(path)
        assert pairs == [("a", "b")]
        assert (reject.line, reject.raw) == (3, 'c,"d\ne,f\n')
        assert "never closed" in reject.reason

    def test_json(self, tmp_path):
        good = {"sentence1": "a", "sentence2": "b", "n": 1, "deep": {"x": [1, None]}}
        lines = [
            json.dumps(good),
            "{not json",
            "[1]",
            '{"sentence1": "a"}',
            '{"sentence1": "a", "sentence2": 3}',
            '{"sentence1": "a", "sentence2": null}',
            '{"sentence1": "a", "sentence2": "\\ud800"}',
            '{"\\ud800": 1}',
            "[" * 100_000,
            '{"n": ' + "9" * 5000 + "}",
            "  ",
            json.dumps({"sentence2": "", "sentence1": "x\0", "n": 2.5, "late": True}),
        ]
        rows, pairs, rejects, _ = read(write(tmp_path / "t.jsonl", "\n".join(lines)))
        assert [r.line for r in rejects] == [2, 3, 4, 5, 6, 7, 8, 9, 10]
        assert pairs == [("a", "b"), ("x\0", "")]
        assert rows[0]["n"] == 1.0
        assert json.loads(rows[0]["deep"]) == good["deep"]
        assert rows[1]["late"] is True

    def test_parquet(self, tmp_path):
        path = tmp_path / "t.parquet"
        table = pa.table(
            {"sentence1": ["a", None, "c"], "k": pa.array([1, 2, 3], pa.int8()), "sentence2": ["x", "y", ""]}
        )
        pq.write_table(table, path)
        rows, _, [reject], lines = read(path, batch_size=2)
        assert rows == [table.to_pylist()[0], table.to_pylist()[2]]
        assert (reject.line, reject.reason, lines) == (2, "sentence1 is missing", [1, 3])
        assert json.loads(reject.raw) == {"sentence1": None, "k": 2, "sentence2": "y"}

    def test_parquet_with_bytes_that_are_no_text(self, tmp_path):
        bad = pa.Array.from_buffers(pa.string(), 2, pa.array([b"ok", b"\xff\xfe"]).buffers())
        path = tmp_path / "t.parquet"
        pq.write_table(pa.table({"sentence1": bad, "sentence2": ["x", "y"]}), path)
        rows, _, [reject], _ = read(path)
        assert len(rows) == 1
        assert (reject.line, reject.reason) == (2, "bytes that are not UTF-8")

    def test_categories_are_texts(self, tmp_path):
        path = tmp_path / "t.parquet"
        table = pa.table({"sentence1": pa.array(["a", "b", "a"]).dictionary_encode(), "sentence2": ["x", "y", "z"]})
        pq.write_table(table, path)
        assert read(path)[1] == [("a", "x"), ("b", "y"), ("a", "z")]

    def test_a_long_sentence(self, tmp_path):
        text = "word " * 200_000
        for name, cut in (("t.csv", ","), ("t.tsv", "\t")):
            assert read(write(tmp_path / name, f"sentence1{cut}sentence2\n{text}{cut}b\n"))[1] == [(text, "b")]

    def test_chunks_of_huge_lines_are_short(self, tmp_path):
        text = "x" * (1 << 20)
        path = write(tmp_path / "t.tsv", "sentence1\tsentence2\n" + f"{text}\tb\n" * 20)
        with open_table(path) as reader:
            assert [len(chunk.a) for chunk in reader] == [16, 4]


class TestErrors:
    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("t.csv", "", "is empty"),
            ("t.csv", "\ufeff\n\n", "is empty"),
            ("t.jsonl", "", "is empty"),
            ("t.parquet", "", "is empty"),
            ("t.csv", "left,right\na,b\n", "no column 'sentence1'; its columns are: left, right; .* --columns A,B"),
            ("t.jsonl", '{"a": 1}\n', "no column 'sentence1'; its columns are: a; name the two"),
            ("t.jsonl", "nothing here\n", "no line with a JSON object"),
            ("t.csv", "sentence1,sentence2,x,x\n", "two columns named 'x'"),
            ("t.parquet", b"PAR1 and then nothing", "not a Parquet file"),
            ("t.csv", b"PAR1" + bytes(100), "a Parquet file, not UTF-8 text"),
            ("t.csv", b"\x1f\x8b\x08" + bytes(100), "compressed by gzip"),
            ("t.tsv", bytes(range(256)) * 20, "a binary file"),
            ("t.txt", "sentence1\tsentence2".encode("utf-16"), "is UTF-16 text, .* iconv -f UTF-16 -t UTF-8"),
            ("t.csv", "sentence1,sentence2,\udce9\na,b,c\n", "header of .* is not UTF-8; .* iconv"),
            ("t.csv", b"\x28\xb5\x2f\xfd" + bytes(100), "compressed by zstd"),
            ("t.csv.gz", "sentence1,sentence2\na,b\n", "is not compressed by gzip"),
            ("t.csv.zst", gzip.compress(b"sentence1,sentence2\n", mtime=0), "is not compressed by zstd"),
            ("t.csv.gz", gzip.compress(b"", mtime=0), "is empty"),
            ("t.csv.gz", "", "is empty"),
            ("t.parquet.gz", gzip.compress(b"PAR1", mtime=0), "Parquet within gzip"),
            ("t.doc", "x", "does not tell its format"),
            ("t.gz", gzip.compress(b"x", mtime=0), "does not tell its format"),
        ],
    )
    def test_message(self, tmp_path, name, content, message):
        path = write(tmp_path / name, content)
        with pytest.raises(TableError, match=message):
            read(path)

    def test_no_file(self, tmp_path):
        with pytest.raises(TableError, match="there is no file"):
            open_table(tmp_path / "absent.csv")
        with pytest.raises(TableError, match="holds no files"):
            open_table(tmp_path)
        with pytest.raises(TableError, match="no file fits it as a pattern"):
            open_table(tmp_path / "*.csv")

    def test_parquet_of_numbers(self, tmp_path):
        pq.write_table(pa.table({"sentence1": [1], "sentence2": ["a"]}), tmp_path / "t.parquet")
        with pytest.raises(TableError, match="'sentence1' .* holds int64, not text"):
            open_table(tmp_path / "t.parquet")

    def test_parquet_cut_short(self, tmp_path):
        path = tmp_path / "t.parquet"
        pq.write_table(pa.table({"sentence1": ["a"] * 50, "sentence2": ["b"] * 50}), path)
        damaged = bytearray(path.read_bytes())
        damaged[4:60] = bytes(56)
        path.write_bytes(damaged)
        with pytest.raises(TableError, match="t.parquet is"):
            read(path)

    def test_columns_and_id(self, tmp_path):
        path = write(tmp_path / "t.csv", "sentence1,sentence2\na,b\n")
        assert read(write(tmp_path / "u.csv", '"a, b","c, d"\n1,2\n'), columns=["a, b", "c, d"])[1] == [("1", "2")]
        with pytest.raises(TableError, match="no column 'id'; its columns are: sentence1, sentence2$"):
            open_table(path, id="id")
        with pytest.raises(TableError, match="name the two columns"):
            open_table(path, columns="one")

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("sentence1,sentence2,score\n", "holds no pairs"),
            ("sentence1,sentence2,score\na,b,1\na\n", "line 3 of .*: 1 fields instead of 3"),
            ("sentence1,sentence2,score\na,b,\n", "line 2 of .*: the score '' is not a number"),
            ("sentence1,sentence2,score\na,b,nan\n", "is not a number from 0 to 5"),
            ("sentence1,sentence2,score\na,b,5.5\n", "is not a number from 0 to 5$"),
            ("sentence1;sentence2;score\na;b;3,5\n", "'3,5' is not a number from 0 to 5; write it with a point"),
        ],
    )
    def test_training_loses_nothing(self, tmp_path, content, message):
        with pytest.raises(TableError, match=message):
            read_pairs(write(tmp_path / "t.csv", content))

    def test_more_gold_than_pairs(self, tmp_path):
        path = write(tmp_path / "t.txt", "a\tb\n")
        with pytest.raises(TableError, match="2 scores for the 1 pairs"):
            read_pairs(path, gold=write(tmp_path / "g", "1\n2\n"))

    def test_score_by_name(self, tmp_path):
        path = write(tmp_path / "t.csv", "p,q,mark\na,b,2\n")
        assert read_pairs(path, columns="p,q,mark")[1].tolist() == [2.0]
        assert read_pairs(path, columns="p,q")[1] is None
        with pytest.raises(TableError, match="no column 'grade'"):
            read_pairs(path, columns="p,q", score="grade")


class TestStreams:
    @pytest.mark.parametrize(
        ("content", "format"),
        [
            ("sentence1,sentence2\na,b\n", None),
            ("sentence1\tsentence2\na\tb\n", None),
            ('{"sentence1": "a", "sentence2": "b"}\n', None),
            ("sentence1\tsentence2\na\tb\n", "tsv"),
        ],
    )
    def test_standard_input(self, monkeypatch, content, format):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
        assert read("-", format=format)[1] == [("a", "b")]

    def test_parquet_on_standard_input(self, monkeypatch):
        buffer = io.BytesIO()
        pq.write_table(pa.table({"sentence1": ["a"], "sentence2": ["b"]}), buffer)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(buffer.getvalue())))
        assert read("-")[1] == [("a", "b")]

    def test_a_named_pipe(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        content = "sentence1\tsentence2\n" + "a\tb\n" * 50_000
        writer = threading.Thread(target=lambda: pipe.write_text(content))
        writer.start()
        assert len(read(pipe)[1]) == 50_000
        writer.join()


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    ['"', '""', ",", "a,b", "a\r", "\r\nb", "\n", " ", '"a', "\0", "\ufeff", "\x85", "1.0"]
)


class TestRoundTrip:
    @pytest.mark.parametrize("format", FORMATS)
    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        rows=st.lists(
            st.tuples(TEXT, TEXT, st.floats(allow_nan=False), st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=12
        )
    )
    def test_rows_come_back(self, tmp_path, format, rows):
        path = tmp_path / f"t.{format}"
        names = ["sentence1", "sentence2", "x", "k"]
        types = [pa.string(), pa.string(), pa.float64(), pa.int64()]
        columns = [pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), types, strict=True)]
        batch = pa.record_batch(columns, names)
        with TableWriter(path) as writer:
            left_out = set(writer.write(batch))
        kept = [row for i, row in enumerate(rows) if i not in left_out]
        assert all(any(c in text for text in rows[i][:2] for c in "\t\r\n") for i in left_out)
        assert format == "tsv" or not left_out
        found, pairs, rejects, _ = read(path, batch_size=5)
        assert rejects == []
        assert pairs == [row[:2] for row in kept]
        assert [float(row["x"]) for row in found] == [row[2] for row in kept]
        assert [int(row["k"]) for row in found] == [row[3] for row in kept]

    def test_nested_and_mixed_json(self, tmp_path):
        rows = [
            {"sentence1": "a", "sentence2": "b", "m": 1, "big": 2**70, "d": {"é": [1, 2.5, None]}},
            {"sentence1": "c", "sentence2": "d", "m": "one", "big": 1, "d": None},
        ]
        path = write(tmp_path / "in.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        with open_table(path) as reader, TableWriter(tmp_path / "out.jsonl") as writer:
            for chunk in reader:
                writer.write(chunk.batch)
        assert [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()] == rows

    def test_other_types_as_text(self, tmp_path):
        batch = pa.record_batch(
            [pa.array([1], pa.timestamp("ns")), pa.array([True]), pa.array([None], pa.string()), pa.array([[1]])],
            ["t", "b", "n", "l"],
        )
        for format in ("csv", "jsonl"):
            with TableWriter(tmp_path / f"t.{format}") as writer:
                writer.write(batch)
        assert (tmp_path / "t.csv").read_text() == "t,b,n,l\n1970-01-01 00:00:00.000000001,true,,[1]\n"
        assert json.loads((tmp_path / "t.jsonl").read_text())["b"] is True


CONTENT = {
    "csv": "sentence1,sentence2,n\n" + "".join(f'"a ""{i}""",b,{i}\n' for i in range(9_000)),
    "tsv": "sentence1\tsentence2\tn\n" + "".join(f'a "{i}"\tb\t{i}\n' for i in range(9_000)),
    "jsonl": "".join(json.dumps({"sentence1": f'a "{i}"', "sentence2": "b", "n": i}) + "\n" for i in range(9_000)),
}


PACK = {"gz": gzip.compress, "zst": lambda data: pa.Codec("zstd").compress(data, asbytes=True)}

SUFFIXES = ("csv", "tsv", "jsonl", "parquet", "csv.gz", "tsv.zst", "jsonl.gz", "jsonl.zst")

CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n"), max_size=6)

FUSSY = settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def copy(source, target, **options):
    """Read one table and write it as another."""
    with open_table(source, **options) as reader, TableWriter(target) as writer:
        for chunk in reader:
            assert not chunk.rejects
            assert writer.write(chunk.batch) == []


class TestEveryPairOfFormats:
    @pytest.mark.parametrize("last", SUFFIXES)
    @pytest.mark.parametrize("first", SUFFIXES)
    @FUSSY
    @given(rows=st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=5))
    def test_texts(self, tmp_path, first, last, rows):
        names = ["sentence1", "sentence2", "other, one"]
        batch = pa.record_batch([pa.array(column, pa.string()) for column in zip(*rows, strict=True)], names)
        with TableWriter(tmp_path / f"a.{first}") as writer:
            writer.write(batch)
        copy(tmp_path / f"a.{first}", tmp_path / f"b.{last}", batch_size=2)
        found = read(tmp_path / f"b.{last}")
        assert found[0] == [dict(zip(names, row, strict=True)) for row in rows]
        assert found[2] == []

    @pytest.mark.parametrize("pack", ["", ".gz", ".zst"])
    def test_json_keeps_its_values(self, tmp_path, pack):
        rows = [
            {"sentence1": "a", "sentence2": "b", "n": 2**62, "x": 0.1, "t": True, "deep": {"l": [1, {"é": None}]}},
            {"sentence1": "c", "sentence2": "d", "n": -1, "x": -0.0, "t": None, "deep": [[], {}, "1", 1, 1.0]},
        ]
        content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        path = write(tmp_path / f"a.jsonl{pack}", PACK[pack[1:]](content) if pack else content)
        copy(path, tmp_path / "b.jsonl")
        assert [json.loads(line) for line in (tmp_path / "b.jsonl").read_text().splitlines()] == rows

    @pytest.mark.parametrize("format", ["csv", "tsv"])
    def test_fields_stay_as_written(self, tmp_path, format):
        cut = "," if format == "csv" else "\t"
        fields = ["007", "1e3", "NaN", "null", " x ", "", "0.10", "TRUE", "2024-1-1", "'q'", "-0"]
        names = ["sentence1", "sentence2", *(f"c{k}" for k in range(len(fields)))]
        content = cut.join(names) + "\n" + cut.join(["a", "b", *fields]) + "\n"
        copy(write(tmp_path / f"a.{format}", content), tmp_path / f"b.{format}")
        assert (tmp_path / f"b.{format}").read_text() == content

    def test_parquet_keeps_its_types(self, tmp_path):
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
        schema = pa.schema(
            [pa.field(n, c.type, metadata={"unit": n}) for n, c in columns.items()], {"origin": "a test"}
        )
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


class TestRowGroups:
    @pytest.mark.parametrize("size", [1, 64, 999, 2_048, 250_000])
    def test_same_rows_same_bytes(self, tmp_path, monkeypatch, size):
        monkeypatch.setattr(groups, "GROUP_ROWS", 4_000)
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

    def test_long_texts(self, tmp_path):
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

    def test_no_rows(self, tmp_path):
        with TableWriter(tmp_path / "a.parquet") as writer:
            writer.write(pa.record_batch({"x": pa.array([], pa.int8())}))
        assert pq.read_table(tmp_path / "a.parquet").schema == pa.schema([("x", pa.int8())])


class TestCompression:
    @pytest.mark.parametrize("suffix", PACK)
    @pytest.mark.parametrize("format", CONTENT)
    def test_parts_one_after_the_other(self, tmp_path, format, suffix):
        # As `cat a.gz b.gz` and parallel packers make them.
        data = CONTENT[format].encode()
        plain = read(write(tmp_path / f"t.{format}", data))
        cuts = [0, 1, 5, 60_000, len(data), len(data)]
        packed = b"".join(PACK[suffix](data[a:b]) for a, b in zip(cuts, cuts[1:], strict=False))
        assert read(write(tmp_path / f"t.{format}.{suffix.upper()}", packed)) == plain
        assert len(plain[0]) == 9_000

    @pytest.mark.parametrize("suffix", PACK)
    @pytest.mark.parametrize("format", CONTENT)
    @pytest.mark.parametrize("given", [True, False])
    def test_standard_input(self, tmp_path, monkeypatch, format, suffix, given):
        # Random bytes do not shrink: the first block of zstd is then longer than what is looked at of other streams.
        noise = np.random.default_rng(0).integers(32, 127, 600_000, dtype=np.uint8).tobytes().decode()
        noise = noise.translate(dict.fromkeys(map(ord, '",\\'), "x"))
        data = CONTENT[format].replace(",b,7\n", f",{noise},7\n", 1).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PACK[suffix](data))))
        assert read("-", format=format if given else None) == read(write(tmp_path / f"t.{format}", data))

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (gzip.compress(b"", mtime=0), "standard input is empty"),
            (b" \n", "no column 'sentence1'"),
            (gzip.compress(b"PAR1", mtime=0), "standard input is Parquet within gzip"),
            (b"\x1f\x8b\x08rubbish", "standard input cannot be unpacked by gzip"),
            (b"\x28\xb5\x2f\xfdrubbish", "standard input cannot be unpacked by zstd"),
        ],
    )
    def test_bad_standard_input(self, monkeypatch, content, message):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        with pytest.raises(TableError, match=message):
            read("-")

    @pytest.mark.parametrize("suffix", PACK)
    def test_a_named_pipe(self, tmp_path, suffix):
        pipe = tmp_path / f"pipe.jsonl.{suffix}"
        os.mkfifo(pipe)
        writer = threading.Thread(target=lambda: pipe.write_bytes(PACK[suffix](CONTENT["jsonl"].encode())))
        writer.start()
        assert len(read(pipe)[1]) == 9_000
        writer.join()

    @pytest.mark.parametrize("suffix", PACK)
    @pytest.mark.parametrize("format", CONTENT)
    def test_damage(self, tmp_path, format, suffix):
        packed = PACK[suffix](CONTENT[format].encode())
        path = tmp_path / f"t.{format}.{suffix}"
        path.write_bytes(packed[:5])
        with pytest.raises(TableError, match=f"cannot be unpacked by {'gzip' if suffix == 'gz' else 'zstd'}"):
            read(path)
        for damaged in (packed[:-3], packed[:-30], packed + b"rubbish"):
            path.write_bytes(damaged)
            with pytest.raises(
                TableError, match=r"is cut short or damaged after line [\d,]+ \(byte [\d,]+ of the text\)"
            ):
                read(path)
        flipped = bytearray(PACK["gz"](CONTENT[format].encode()))
        flipped[-6] ^= 1  # the check sum
        path = write(tmp_path / f"u.{format}.gz", bytes(flipped))
        with pytest.raises(TableError, match="after line 9,00[01] .*CRC"):
            read(path)

    @pytest.mark.parametrize("suffix", PACK)
    @settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(place=st.integers(0, 400), bit=st.integers(0, 8), end=st.integers(0, 400))
    def test_any_damage(self, tmp_path, suffix, place, bit, end):
        packed = bytearray(PACK[suffix](CONTENT["jsonl"][:2_000].encode()))
        if bit < 8:
            packed[place % len(packed)] ^= 1 << bit
        path = write(tmp_path / f"t.jsonl.{suffix}", bytes(packed[: end or None]))
        try:
            read(path)
        except TableError as error:
            assert str(path) in str(error)

    def test_rejects(self, tmp_path):
        path = write(tmp_path / "t.csv.gz", gzip.compress(b"sentence1,sentence2\na,b\nc\nd,e\n", mtime=0))
        _, pairs, [reject], lines = read(path)
        assert (pairs, lines) == ([("a", "b"), ("d", "e")], [2, 4])
        assert (reject.line, reject.reason, reject.raw) == (3, "1 fields instead of 2", "c")

    @pytest.mark.parametrize("suffix", PACK)
    @pytest.mark.parametrize("format", CONTENT)
    def test_same_rows_same_bytes(self, tmp_path, format, suffix):
        rows = pa.record_batch([pa.array([f"text {i}" for i in range(100_000)])], ["x"])
        found = []
        for name, size in (("first", 100_000), ("second", 999)):
            path = tmp_path / f"{name}.{format}.{suffix}"
            with TableWriter(path) as writer:
                for start in range(0, 100_000, size):
                    writer.write(rows.slice(start, size))
            found.append(path.read_bytes())
        assert found[0] == found[1]
        if suffix == "gz":  # no name, no time
            assert found[0][3:8] == bytes(5)

    def test_a_bomb(self, tmp_path, monkeypatch):
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

    def test_no_such_thing_as_a_first_line(self, tmp_path):
        path = write(tmp_path / "t.tsv.gz", gzip.compress(b"x" * (1 << 25), 1, mtime=0))
        with pytest.raises(TableError, match="first line .* is longer"):
            read(path)

    @pytest.mark.parametrize("format", CONTENT)
    def test_long_lines(self, tmp_path, monkeypatch, format):
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


def parts(folder, *contents, suffix="parquet"):
    """Write tables, dicts of columns or texts, as files of a folder."""
    folder.mkdir(exist_ok=True)
    for k, content in enumerate(contents):
        path = folder / f"part-{k}.{suffix}"
        if suffix == "parquet":
            pq.write_table(pa.table(content), path)
        else:
            write(path, content)
    return folder


class TestSeveral:
    A = {"sentence1": ["a", None, "c"], "sentence2": ["x", "y", "z"], "n": [1, 2, 3]}
    B = {"sentence1": ["d", "e"], "sentence2": ["u", None], "n": [4, 5]}

    @pytest.mark.parametrize("how", ["", "*.parquet", "**/part-*"])
    def test_parquet(self, tmp_path, how):
        folder = parts(tmp_path / "in", self.A, self.B)
        for name in ("_SUCCESS", ".part-0.parquet.crc", "_temporary/part-9.parquet", ".hidden/x.parquet"):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(b"not a table")
        rows, pairs, rejects, lines = read(folder / how if how else folder, batch_size=2)
        assert [row["n"] for row in rows] == [1, 3, 4]
        assert pairs == [("a", "x"), ("c", "z"), ("d", "u")]
        assert lines == [1, 3, 4]
        assert [(r.line, r.reason) for r in rejects] == [
            (2, "sentence1 is missing (row 2 of part-0.parquet)"),
            (5, "sentence2 is missing (row 2 of part-1.parquet)"),
        ]
        with open_table(folder / "part-?.parquet") as reader:
            assert reader.total == 5

    def test_order_is_that_of_the_names(self, tmp_path):
        for name in ("b/1", "a/2", "a/10", "a-b/0"):
            parts(tmp_path / "in", {"sentence1": [name], "sentence2": ["x"]})
            place = tmp_path / "in" / f"{name}.parquet"
            place.parent.mkdir(exist_ok=True)
            (tmp_path / "in" / "part-0.parquet").rename(place)
        assert [a for a, _ in read(tmp_path / "in")[1]] == ["a/10", "a/2", "a-b/0", "b/1"]

    def test_folders_of_keys(self, tmp_path):
        for folder, table in (("k=1/c=a%2Fb", self.A), (f"k=2/c={'__HIVE_DEFAULT_PARTITION__'}", self.B)):
            (tmp_path / "in" / folder).parent.mkdir(parents=True, exist_ok=True)
            parts(tmp_path / "in" / folder, table)
        rows, _, rejects, _ = read(tmp_path / "in", id="k")
        assert [(row["n"], row["k"], row["c"]) for row in rows] == [(1, "1", "a/b"), (3, "1", "a/b"), (4, "2", None)]
        with open_table(tmp_path / "in", id="k") as reader:
            assert [reader.id_of(reject) for reject in rejects] == ["1", "2"]
        parts(tmp_path / "in", self.A)
        with pytest.raises(TableError, match="part-0.parquet and k=1/c=a%2Fb/part-0.parquet are not in folders of the"):
            open_table(tmp_path / "in")

    @pytest.mark.parametrize(
        ("other", "message"),
        [
            ({"sentence1": ["a"], "sentence2": ["b"]}, "part-1.parquet has no further column where .* has 'n'"),
            ({"sentence1": ["a"], "sentence2": ["b"], "m": [1]}, "part-1.parquet has the column 'm' where .* has 'n'"),
            ({"sentence1": ["a"], "sentence2": ["b"], "n": ["1"]}, "'n' holds string in part-1.parquet and int64 in"),
            ({**B, "z": [1, 2]}, "part-1.parquet has the column 'z' where part-0.parquet has none"),
        ],
    )
    def test_a_file_that_differs(self, tmp_path, other, message):
        folder = parts(tmp_path / "in", self.A, other)
        with pytest.raises(TableError, match=message):
            open_table(folder)

    def test_formats(self, tmp_path):
        folder = parts(tmp_path / "in", self.A)
        write(folder / "z.csv", "sentence1,sentence2,n\n")
        with pytest.raises(TableError, match="part-0.parquet is parquet and z.csv is csv"):
            open_table(folder)
        (folder / "z.csv").rename(folder / "z")
        with pytest.raises(TableError, match="holds z, whose name does not tell its format"):
            open_table(folder)

    @pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz", "tsv.zst"])
    def test_delimited(self, tmp_path, suffix):
        cut = "," if "csv" in suffix else "\t"
        pack = PACK.get(suffix[4:], lambda data: data)
        texts = (["1,a,b", "2", "3,c,d"], ["4,e,f", "", "5", "6,g,h", ""])
        contents = [
            pack("\n".join(["n,sentence1,sentence2", *lines, ""]).replace(",", cut).encode()) for lines in texts
        ]
        folder = parts(tmp_path / "in", *contents, suffix=suffix)
        rows, pairs, rejects, lines = read(folder, batch_size=1)
        assert [row["n"] for row in rows] == ["1", "3", "4", "6"]
        assert lines == [2, 4, 6, 9]  # as in what `cat` gives
        reasons = [(r.line, r.reason) for r in rejects if "empty" not in r.reason]
        assert reasons == [
            (3, f"1 fields instead of 3 (line 3 of part-0.{suffix})"),
            (8, f"1 fields instead of 3 (line 4 of part-1.{suffix})"),
        ]
        other = pack(f"sentence1{cut}sentence2{cut}n\n".encode())
        with pytest.raises(TableError, match="part-2.* has the column 'sentence1' where part-0.* has 'n'"):
            open_table(parts(folder, *contents, other, suffix=suffix))

    def test_json(self, tmp_path):
        first = '{"sentence1": "a", "sentence2": "b", "n": 1}\n{"sentence1": "c"}\n'
        second = '\n{"sentence1": "d", "sentence2": "e", "n": 1.5, "late": [1]}\n'
        folder = parts(tmp_path / "in", first, second, suffix="jsonl")
        rows, _, [reject], lines = read(folder)
        assert [(row["n"], row["late"]) for row in rows] == [(1.0, None), (1.5, "[1]")]
        assert (lines, reject.line) == ([1, 4], 2)

    def test_a_file_that_changes(self, tmp_path):
        folder = parts(tmp_path / "in", self.A, self.B)
        with open_table(folder) as reader:
            parts(folder, self.A, {"sentence1": ["a"]})
            with pytest.raises(TableError, match="no column 'sentence2'"):
                list(reader)

    def test_no_target_among_the_files(self, tmp_path):
        folder = parts(tmp_path / "in", self.A, self.B)
        (tmp_path / "link").symlink_to(folder)
        for source, target in (
            (folder, folder / "out.parquet"),
            (folder, tmp_path / "link" / "sub" / "out.csv"),
            (tmp_path / "link", folder / "out.parquet"),
            (folder / "*.parquet", folder / "part-1.parquet"),
            (folder / "part-1.parquet", tmp_path / "link" / "part-1.parquet"),
        ):
            with pytest.raises(TableError, match="name another output|write it to another folder"):
                check_target(source, target)
        for source, target in ((folder, tmp_path / "in.parquet"), (folder, "-"), ("-", folder / "part-0.parquet")):
            check_target(source, target)

    def test_a_name_that_exists_is_no_pattern(self, tmp_path):
        (tmp_path / "[ab]*.csv").write_text("sentence1,sentence2\na,b\n")
        assert len(read(tmp_path / "[ab]*.csv")[0]) == 1


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


class TestFingerprint:
    def test_a_file_is_its_content(self, tmp_path):
        path = write(tmp_path / "a.csv", "x")
        first = fingerprint(path)
        assert len(first) == 32
        assert fingerprint(str(path.rename(tmp_path / "b.csv"))) == first
        assert fingerprint(write(tmp_path / "b.csv", "y")) != first

    def test_a_folder_is_its_names_and_contents(self, tmp_path):
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

    def test_errors(self, tmp_path):
        with pytest.raises(TableError, match="standard input cannot be read twice"):
            fingerprint("-")
        with pytest.raises(TableError, match="there is no file"):
            fingerprint(tmp_path / "absent")
        with pytest.raises(TableError, match="is a pipe or a device"):
            fingerprint(os.devnull)


class TestWriter:
    @pytest.mark.parametrize("format", SUFFIXES)
    def test_all_or_nothing(self, tmp_path, format):
        path = tmp_path / f"t.{format}"
        path.write_text("before")
        with pytest.raises(RuntimeError), TableWriter(path) as writer:
            writer.write(pa.record_batch([pa.array(["a"])], ["x"]))
            raise RuntimeError
        assert [file.name for file in tmp_path.iterdir()] == [path.name]
        assert path.read_text() == "before"

    def test_devices_and_links_stay(self, tmp_path):
        batch = pa.record_batch([pa.array(["a"])], ["x"])
        (tmp_path / "real.csv").write_text("before")
        (tmp_path / "link.csv").symlink_to("real.csv")
        with TableWriter(tmp_path / "link.csv") as writer:
            writer.write(batch)
        assert (tmp_path / "real.csv").read_text() == "x\na\n"
        assert (tmp_path / "link.csv").is_symlink()
        with TableWriter(os.devnull, "csv") as writer:
            writer.write(batch)
        assert not Path(os.devnull).is_file()

    def test_errors(self, tmp_path):
        with pytest.raises(TableError, match="does not tell its format"):
            TableWriter(tmp_path / "t.xyz")
        with pytest.raises(TableError, match="cannot stand in TSV"), TableWriter(tmp_path / "t.tsv") as writer:
            writer.write(pa.record_batch([pa.array(["a"])], ["x\ty"]))
        (tmp_path / "folder.csv").mkdir()
        with pytest.raises(TableError, match="is a folder"), TableWriter(tmp_path / "folder.csv"):
            pass


def test_scores_of_parquet_keep_their_value(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"sentence1": ["a"], "sentence2": ["b"], "score": pa.array([0.1], pa.float32())}), path)
    assert read_pairs(path)[1].tolist() == [float(np.float32(0.1))]
