import io
import json
import os
import sys
import threading
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from samewise.ensemble.tables.labelled import read_pairs
from samewise.ensemble.tables.reading import TableError, open_table
from samewise.ensemble.tables.writing import TableWriter

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
            "bytes that are not UTF-8",
        ]
        assert rejects[-1].raw == "\udce9\tb\t7"
        assert good == [2, 6, 7]
        assert pairs == [("a", "b"), ("a\0", ""), ("é", "b")]

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
            ("t.csv", "left,right\na,b\n", "no column 'sentence1'; its columns are: left, right"),
            ("t.jsonl", '{"a": 1}\n', "no column 'sentence1'; its columns are: a"),
            ("t.jsonl", "nothing here\n", "no line with a JSON object"),
            ("t.csv", "sentence1,sentence2,x,x\n", "two columns named 'x'"),
            ("t.parquet", b"PAR1 and then nothing", "not a Parquet file"),
            ("t.csv", b"PAR1" + bytes(100), "a Parquet file, not UTF-8 text"),
            ("t.csv", b"\x1f\x8b\x08" + bytes(100), "compressed by gzip"),
            ("t.tsv", bytes(range(256)) * 20, "a binary file"),
            ("t.txt", "sentence1\tsentence2".encode("utf-16"), "UTF-16"),
            ("t.csv", "sentence1,sentence2,\udce9\na,b,c\n", "header of .* is not UTF-8"),
            ("t.doc", "x", "does not tell its format"),
        ],
    )
    def test_message(self, tmp_path, name, content, message):
        path = write(tmp_path / name, content)
        with pytest.raises(TableError, match=message):
            read(path)

    def test_no_file(self, tmp_path):
        with pytest.raises(TableError, match="there is no file"):
            open_table(tmp_path / "absent.csv")
        with pytest.raises(TableError, match="is a folder"):
            open_table(tmp_path)

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
        with pytest.raises(TableError, match="no column 'id'"):
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
            ("sentence1,sentence2,score\na,b,5.5\n", "is not a number from 0 to 5"),
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


class TestWriter:
    @pytest.mark.parametrize("format", FORMATS)
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
