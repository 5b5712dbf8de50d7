"""Several files read as one table."""

import pytest
from samewise.ensemble.tables.sources import TableError, open_table

from .written_tables import PACK, parts, read, write

A = {"sentence1": ["a", None, "c"], "sentence2": ["x", "y", "z"], "n": [1, 2, 3]}


B = {"sentence1": ["d", "e"], "sentence2": ["u", None], "n": [4, 5]}


@pytest.mark.parametrize("how", ["", "*.parquet", "**/part-*"])
def test_parquet(tmp_path, how):
    folder = parts(tmp_path / "in", A, B)
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


def test_order_is_that_of_the_names(tmp_path):
    for name in ("b/1", "a/2", "a/10", "a-b/0"):
        parts(tmp_path / "in", {"sentence1": [name], "sentence2": ["x"]})
        place = tmp_path / "in" / f"{name}.parquet"
        place.parent.mkdir(exist_ok=True)
        (tmp_path / "in" / "part-0.parquet").rename(place)
    assert [a for a, _ in read(tmp_path / "in")[1]] == ["a/10", "a/2", "a-b/0", "b/1"]


def test_folders_of_keys(tmp_path):
    for folder, table in (("k=1/c=a%2Fb", A), (f"k=2/c={'__HIVE_DEFAULT_PARTITION__'}", B)):
        (tmp_path / "in" / folder).parent.mkdir(parents=True, exist_ok=True)
        parts(tmp_path / "in" / folder, table)
    rows, _, rejects, _ = read(tmp_path / "in", id="k")
    assert [(row["n"], row["k"], row["c"]) for row in rows] == [(1, "1", "a/b"), (3, "1", "a/b"), (4, "2", None)]
    with open_table(tmp_path / "in", id="k") as reader:
        assert [reader.id_of(reject) for reject in rejects] == ["1", "2"]
    parts(tmp_path / "in", A)
    with pytest.raises(TableError, match="part-0.parquet and k=1/c=a%2Fb/part-0.parquet must be in folders with the"):
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
def test_a_file_that_differs(tmp_path, other, message):
    folder = parts(tmp_path / "in", A, other)
    with pytest.raises(TableError, match=message):
        open_table(folder)


def test_formats(tmp_path):
    folder = parts(tmp_path / "in", A)
    write(folder / "z.csv", "sentence1,sentence2,n\n")
    with pytest.raises(TableError, match="part-0.parquet is parquet and z.csv is csv"):
        open_table(folder)
    (folder / "z.csv").rename(folder / "z")
    with pytest.raises(TableError, match="holds z, whose name does not show its format"):
        open_table(folder)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz", "tsv.zst"])
def test_delimited(tmp_path, suffix):
    cut = "," if "csv" in suffix else "\t"
    pack = PACK.get(suffix[4:], lambda data: data)
    texts = (["1,a,b", "2", "3,c,d"], ["4,e,f", "", "5", "6,g,h", ""])
    contents = [pack("\n".join(["n,sentence1,sentence2", *lines, ""]).replace(",", cut).encode()) for lines in texts]
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


def test_json(tmp_path):
    first = '{"sentence1": "a", "sentence2": "b", "n": 1}\n{"sentence1": "c"}\n'
    second = '\n{"sentence1": "d", "sentence2": "e", "n": 1.5, "late": [1]}\n'
    folder = parts(tmp_path / "in", first, second, suffix="jsonl")
    rows, _, [reject], lines = read(folder)
    assert [(row["n"], row["late"]) for row in rows] == [(1.0, None), (1.5, "[1]")]
    assert (lines, reject.line) == ([1, 4], 2)


def test_a_file_that_changes(tmp_path):
    folder = parts(tmp_path / "in", A, B)
    with open_table(folder) as reader:
        parts(folder, A, {"sentence1": ["a"]})
        with pytest.raises(TableError, match="no column 'sentence2'"):
            list(reader)
