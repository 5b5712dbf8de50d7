"""Layouts of delimited text are recognised by the header or by the shape of the rows."""

import gzip

import pytest
from samewise.ensemble.tables.labelled_pairs import read_pairs
from samewise.ensemble.tables.sources import TableError

from .written_tables import read, write


def test_header(tmp_path):
    path = write(tmp_path / "t.csv", "id,sentence2,sentence1,score\n7,The cat sleeps.,A cat naps.,4.0\n")
    rows, pairs, rejects, lines = read(path)
    assert rows == [{"id": "7", "sentence2": "The cat sleeps.", "sentence1": "A cat naps.", "score": "4.0"}]
    assert pairs == [("A cat naps.", "The cat sleeps.")]
    assert (rejects, lines) == ([], [2])


def test_benchmark_in_a_csv(tmp_path):
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


def test_companion(tmp_path):
    path = write(tmp_path / "sts.csv", "f\t2012\t0001\t2.5\tLeft\tRight\nf\t2012\t0002\t1\tA\tB\tfree\turl\n")
    pairs, scores, _ = read_pairs(path)
    assert pairs == [("Left", "Right"), ("A", "B")]
    assert scores.tolist() == [2.5, 1.0]


def test_score_first(tmp_path):
    pairs, scores, _ = read_pairs(write(tmp_path / "a.tsv", '1.80\t"Quoted ""\tthe end\n2\tA\tB\n'))
    assert pairs == [('"Quoted ""', "the end"), ("A", "B")]
    assert scores.tolist() == [1.8, 2.0]


@pytest.mark.parametrize("columns", ["q,p", ["q", "p"], "3,2"])
def test_columns(tmp_path, columns):
    path = write(tmp_path / "t.tsv", "id\tp\tq\n1\tleft\tright\n")
    assert read(path, columns=columns)[1] == [("right", "left")]


@pytest.mark.parametrize(("name", "between"), [("t.tsv", "\t"), ("t.csv", ","), ("t.csv", ";")])
def test_a_table_without_header(tmp_path, name, between):
    path = write(tmp_path / name, between.join("7pq") + "\n" + between.join("8rs") + "\n")
    rows, pairs, _, lines = read(path, columns="2,3", header=False)
    assert (pairs, lines) == ([("p", "q"), ("r", "s")], [1, 2])
    assert rows[1] == {"column1": "8", "column2": "r", "column3": "s"}
    with pytest.raises(TableError, match="no column 'sentence1'; its columns are: column1, column2, column3"):
        read(path, header=False)


def test_delimiter(tmp_path):
    path = write(tmp_path / "t.txt", 'sentence1|sentence2\n"a | b"|c, d; e\n')
    assert read(path, delimiter="|")[1] == [("a | b", "c, d; e")]
    for wrong in ("", "||", '"', "\n"):
        with pytest.raises(TableError, match="the delimiter must be one character other than a quote, got"):
            read(path, delimiter=wrong)


@pytest.mark.parametrize("between", [";", ",", "\t", "|"])
def test_the_line_by_which_excel_names_the_delimiter(tmp_path, between):
    lines = [f"sep={between}", between.join(["sentence1", "sentence2"]), between.join(['"a"', "b"]), "alone"]
    path = write(tmp_path / "t.csv", "\r\n".join(lines) + "\r\n")
    _, pairs, [reject], numbers = read(path)
    assert (pairs, numbers) == ([("a", "b")], [3])
    assert (reject.line, reject.reason) == (4, "1 fields instead of 2")
    with pytest.raises(TableError, match="no column 'sentence1'"):
        read(write(tmp_path / "u.csv", f"sep={between}\n"))


def test_columns_without_a_name(tmp_path):
    path = write(tmp_path / "t.csv", ",sentence1,sentence2,,\n1,a,b,,\n2,c,d\n3,e,f,,,,\n4,g\n5,h,i,,,j\n")
    rows, pairs, rejects, _ = read(path)
    assert pairs == [("a", "b"), ("c", "d"), ("e", "f")]
    assert rows[1] == {"column1": "2", "sentence1": "c", "sentence2": "d", "column4": "", "column5": ""}
    assert [(reject.line, reject.reason) for reject in rejects] == [
        (5, "2 fields instead of 3 to 5"),
        (6, "6 fields instead of 3 to 5"),
    ]


@pytest.mark.parametrize("cell", ['"He said \\"go\\" now."', '"He said "go" now."', '"a"b', '"a" '])
def test_text_after_a_closing_quote(tmp_path, cell):
    path = write(tmp_path / "t.csv", f"sentence1,sentence2\na,b\n{cell},c\nd,e\n")
    _, pairs, [reject], _ = read(path)
    assert pairs == [("a", "b"), ("d", "e")]
    assert (reject.line, reject.reason) == (
        3,
        'text after the quote that closes a cell; in a quoted cell, write a quote as ""',
    )


def test_numbers_of_a_known_header(tmp_path):
    path = write(tmp_path / "t.csv", "sentence1,sentence2,other\na,b,c\n")
    assert read(path, columns="1,3")[1] == [("a", "c")]


def test_a_bad_row_does_not_hide_the_layout(tmp_path):
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
def test_counts(data, name, n):
    pairs, scores, table = read_pairs(data / name)
    assert len(pairs) == len(scores) == table.num_rows == n
    assert 0 <= scores.min() < scores.max() == 5


def test_semicolons(tmp_path):
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


def test_semicolons_elsewhere_are_text(tmp_path):
    for content in ("sentence1,sentence2;\n", "sentence1,sentence2\n"):
        path = write(tmp_path / "t.csv", content + "a;b,c;d\n")
        assert read(path, columns="1,2")[1] == [("a;b", "c;d")]
    for name in ("t.tsv", "t.csv"):
        path = write(tmp_path / name, "sentence1\tsentence2\tn;m\na;b\tc;d\te\n")
        assert read(path)[1] == [("a;b", "c;d")]


def test_semicolons_by_name_and_by_number(tmp_path):
    path = write(tmp_path / "t.csv", "n;oración;cümle\n1;a;b,c\n")
    assert read(path, columns="oración,cümle")[1] == [("a", "b,c")]
    assert read(write(tmp_path / "u.csv", "a;b\nc;d, e\n"), columns="1,2")[1] == [("c", "d, e")]
    with pytest.raises(TableError, match="no column 'sentence1'; its columns are: n, oración, cümle; name the two"):
        read(path)
