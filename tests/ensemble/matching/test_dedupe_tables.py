"""Duplicates of tables in every format: the kept rows and the removed ones, put together, are the table."""

import csv
import gzip
import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.core.prediction import Prediction
from samewise.ensemble.core.scale import POINTS
from samewise.ensemble.matching.dedupe_files import dedupe_file
from samewise.ensemble.matching.options import DedupeOptions

NAMES = ("row", "text", "score", "group", "more")
ROWS = [
    {"row": row, "text": text, "score": score, "group": group, "more": {"of": [row, None]}}
    for row, (text, score, group) in enumerate(
        [
            ("The lift is out of order.", 0.25, "x"),
            ("The lift is out of order!", None, 'a "quoted", name'),
            ("Who repairs the blinds?", 1e-7, ""),
            ("The lift  is out of order.", 3.0, None),
            ("Caf\u00e9, ch\u00e2teau; na\u00efve?", -1.5, "z"),
            ("Who repairs the blinds", 12.0, "two\nlines"),
            ("Zwei Aufz\u00fcge stehen still.", 0.1, "z"),
        ],
        41,
    )
]
PLAIN = [{name: "" if row[name] is None else str(row[name]) for name in NAMES} for row in ROWS]
OWN = {"samewise_row": [1, 2, 3, 4, 5, 6, 7], "samewise_group": [1, 1, 3, 1, 5, 3, 7]}


class Letters:
    """A model: texts with the same letters are the same, whatever stands between these."""

    signature, scale, source, readable_languages, parts = "letters", POINTS, None, ("en",), {}

    def predict_pairs(self, pairs):
        same = [[*filter(str.isalpha, a.lower())] == [*filter(str.isalpha, b.lower())] for a, b in pairs]
        score = np.where(same, 4.5, 1.0)
        return Prediction(score, score - 0.5, score + 0.25, [("long",) if each else () for each in same])

    def differences(self, pairs):
        return [[] for _ in pairs]


def as_csv(rows):
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode()


def written(folder, suffix):
    """Write the rows in a format; return the path and what a reader of the format sees."""
    path, rows = folder / f"in.{suffix}", ROWS
    if suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    elif suffix == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    else:
        rows = PLAIN
        data = as_csv(PLAIN)
        path.write_bytes(gzip.compress(data, mtime=0) if suffix.endswith(".gz") else data)
    return path, rows


def read(path):
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if ".jsonl" in path.name:
        return list(map(json.loads, data.splitlines()))
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def dedupe(source, target, **settings):
    options = DedupeOptions(views=("words", "rare_words"), prefilter="none", **settings.pop("options", {}))
    return dedupe_file(source, target, model=Letters(), workers=1, options=options, **settings)


SCORES = ("samewise_score", "samewise_low", "samewise_high")


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "jsonl", "parquet"])
def test_kept_and_removed_rows_are_the_table(tmp_path, suffix):
    source, expected = written(tmp_path, suffix)
    summary = dedupe(source, tmp_path / f"out.{suffix}")
    kept, removed = (read(tmp_path / f"out{name}.{suffix}") for name in ("", ".removed"))
    assert list(kept[0]) == [*NAMES, "samewise_row", "samewise_group", "members"]
    assert list(removed[0]) == [*NAMES, "samewise_row", "samewise_group", *SCORES, "flags"]
    rows = sorted(kept + removed, key=lambda row: int(row["samewise_row"]))
    assert [{name: row[name] for name in NAMES} for row in rows] == expected
    assert {name: [int(row[name]) for row in rows] for name in OWN} == OWN
    assert [int(row["members"]) for row in kept] == [3, 2, 1, 1]
    assert [float(row["samewise_score"]) for row in removed] == [5.0, 5.0, 4.5]
    assert [float(row["samewise_low"]) for row in removed] == [5.0, 5.0, 4.0]
    flags = [["identical"], ["identical"], ["long"]]
    assert [row["flags"] for row in removed] == (flags if suffix[0] in "jp" else [each for [each] in flags])
    assert (summary.kept, summary.removed, summary.equal, summary.groups) == (4, 3, 2, 2)
    assert summary.signature == "letters"


def test_types_of_columns_stay(tmp_path):
    table = pa.table({
        "when": pa.array([1, 2, 3], pa.timestamp("ms")),
        "body": ["A tap drips.", "A tap drips", "Snow."],
        "kind": pa.array(["x", "x", "y"]).dictionary_encode(),
        "price": pa.array([None, "1.25", "2.50"]).cast(pa.decimal128(5, 2)),
    })  # fmt: skip
    pq.write_table(table, tmp_path / "in.parquet")
    dedupe(tmp_path / "in.parquet", tmp_path / "out.parquet", column="body")
    kept, removed = (pq.read_table(tmp_path / f"out{name}.parquet") for name in ("", ".removed"))
    for part in (kept, removed):
        assert part.select(table.column_names).schema.equals(pq.read_schema(tmp_path / "in.parquet"))
    both = pa.concat_tables([part.select([*table.column_names, "row"]) for part in (kept, removed)]).sort_by("row")
    assert both.drop_columns("row").to_pylist() == table.to_pylist()
    assert [row["row"] for row in removed.to_pylist()] == [2]


@pytest.mark.parametrize(("keep", "kept"), [("first", 1), ("longest", 2), ("central", 1)])
def test_which_row_is_kept(tmp_path, keep, kept):
    texts = ["The gate squeaks!", "The  gate squeaks...", "Snow falls."]  # of two as central the first by alphabet
    path = tmp_path / "in.csv"
    path.write_text("text\n" + "\n".join(texts) + "\n", encoding="utf-8")
    dedupe(path, tmp_path / "out.csv", options={"keep": keep})
    assert [int(row["row"]) for row in read(tmp_path / "out.csv")] == [kept, 3]


def test_groups_of_texts_do_not_depend_on_the_order_of_rows(tmp_path):
    rng = np.random.default_rng(5)
    texts = [f"The {thing} {what}{mark}" for thing in ("gate", "fan", "bell") for what in ("hums", "is new") for mark in
             (".", "!", " ...", "?")]  # fmt: skip
    found = []
    for turn in range(3):
        order = [texts[place] for place in rng.permutation(len(texts))]
        source = tmp_path / f"in{turn}.csv"
        source.write_text("text\n" + "\n".join(order) + "\n", encoding="utf-8")
        dedupe(source, tmp_path / f"out{turn}.csv", options={"keep": "longest"})
        groups = {}
        for row in read(tmp_path / f"out{turn}.csv") + read(tmp_path / f"out{turn}.removed.csv"):
            groups.setdefault(row["group"], []).append(row["text"])
        kept = {row["text"] for row in read(tmp_path / f"out{turn}.csv")}
        found.append((kept, {frozenset(group) for group in groups.values()}))
    assert found[0] == found[1] == found[2]
    assert found[0][0] == {text for text in texts if text.endswith(" ...")}
    assert [len(group) for group in found[0][1]] == [4] * 6


def test_the_outputs_can_have_other_names_and_formats(tmp_path):
    source, _ = written(tmp_path, "csv")
    dedupe(source, tmp_path / "a.parquet", removed=tmp_path / "b.jsonl", review=tmp_path / "c.csv.gz", id="row")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.parquet", "b.jsonl", "c.csv.gz", "in.csv"]
    assert [row["row"] for row in read(tmp_path / "b.jsonl")] == ["42", "44", "46"]
    assert [row["row"] for row in read(tmp_path / "a.parquet")] == ["41", "43", "45", "47"]


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_rejects_of_an_earlier_run_go_and_rows_are_counted_without_bad_ones(tmp_path, suffix):
    good = [{"nr": nr, "text": text} for nr, text in (("a", "A tap drips."), ("c", "A tap drips"), ("d", "Snow."))]
    bad = {"csv": b"b,A tap, drips,too\n", "jsonl": b'{"nr": "b", "text": 7}\n'}[suffix]
    lines = as_csv(good) if suffix == "csv" else "".join(json.dumps(row) + "\n" for row in good).encode()
    first, *rest = lines.splitlines(keepends=True)
    place = first if suffix == "jsonl" else first + rest.pop(0)
    source, target = tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}"
    source.write_bytes(place + bad + b"".join(rest))
    summary = dedupe(source, target, id="nr")
    assert (summary.rows, summary.rejects) == (3, 1)
    rejects = target.with_name(f"{target.name}.rejects.jsonl")
    [reject] = map(json.loads, rejects.read_text(encoding="utf-8").splitlines())
    assert reject["line"] == (3 if suffix == "csv" else 2)
    assert [row["row"] for row in read(tmp_path / f"out.removed.{suffix}")] == ["2" if suffix == "csv" else 2]
    source.write_bytes(lines)
    assert dedupe(source, target).rejects == 0
    assert not rejects.exists()
