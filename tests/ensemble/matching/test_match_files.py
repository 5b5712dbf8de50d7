"""Matches of two tables, in files and in memory, and against an index."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.matching import match_files, matches
from samewise.ensemble.matching.index import Index
from samewise.ensemble.matching.index_folder import IndexFileError
from samewise.ensemble.matching.match_files import match_file
from samewise.ensemble.matching.options import MatchOptions
from samewise.ensemble.tables.table_reader import TableError
from typer.testing import CliRunner

import samewise

ASKED = ["When does the pharmacy close?", "My parcel is lost.", "When does the pharmacy close?", "Do cats like rain?"]
KNOWN = [
    "What time does the pharmacy close?",
    "When does the pharmacy open?",
    "The parcel never arrived.",
    "My parcel is lost.",
    "Where can I buy a stamp?",
]


def write(path, name, texts):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["nr", name])
        writer.writerows([(f"{name[0]}{place}", text) for place, text in enumerate(texts)])
    return path


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def tables(tmp_path):
    return write(tmp_path / "a.csv", "question", ASKED), write(tmp_path / "b.csv", "text", KNOWN)


def test_the_best_rows_of_each_row(tables, tmp_path):
    out = tmp_path / "out.csv"
    summary = match_file(*tables, out, model="fast", ids=("nr", "nr"), options=MatchOptions(top=2))
    rows = read(out)
    best = {row["row1"]: row for row in reversed(rows)}
    assert best["1"]["id2"] == best["3"]["id2"] == "t0"
    assert (best["2"]["id2"], best["2"]["score"], best["2"]["flags"]) == ("t3", "5.0", "identical")
    assert all(sum(row["row1"] == one for row in rows) <= 2 for one in best)
    for one in best:
        scores = [float(row["score"]) for row in rows if row["row1"] == one]
        assert scores == sorted(scores, reverse=True)
    assert (summary.rows, summary.others, summary.pairs) == (4, 5, len(rows))


def test_scores_are_those_of_predict(tables, tmp_path):
    match_file(*tables, tmp_path / "out.csv", model="fast")
    model = samewise.load("fast")
    for row in read(tmp_path / "out.csv"):
        assert float(row["score"]) == model.predict([(row["sentence1"], row["sentence2"])])[0]


def test_all_matches_can_be_exchanged(tables, tmp_path):
    options = MatchOptions(top=None, probability_of=2.0)
    pairs = []
    for name, (a, b) in (("one", tables), ("other", tables[::-1])):
        match_file(a, b, tmp_path / name, model="fast", options=options, target_format="csv")
        pairs.append({(row["row1"], row["row2"], row["score"]) for row in read(tmp_path / name)})
    assert len(pairs[0]) >= 6
    assert pairs[0] == {(two, one, score) for one, two, score in pairs[1]}


def test_an_index_gives_the_same_matches(tables, tmp_path):
    index = Index.build(KNOWN[:2], ["t0", "t1"]).appended(KNOWN[2:], ["t2", "t3", "t4"])
    index.save(tmp_path / "known")
    opened = Index.open(tmp_path / "known")
    assert opened.signature == index.signature
    assert (len(opened), opened.ids.to_pylist()) == (5, ["t0", "t1", "t2", "t3", "t4"])
    for options in (MatchOptions(top=3), MatchOptions(top=None, probability_of=2.5, differences=True)):
        outputs = []
        for name, second in (("table", tables[1]), ("index", tmp_path / "known")):
            target = tmp_path / f"{name}.csv"
            match_file(tables[0], second, target, model="fast", options=options, ids=("nr", "nr"))
            outputs.append(target.read_bytes())
        assert outputs[0] == outputs[1]


def test_in_memory_as_in_files(tables, tmp_path):
    match_file(*tables, tmp_path / "out.csv", model="fast", options=MatchOptions(top=1))
    expected = [(int(row["row1"]) - 1, int(row["row2"]) - 1, float(row["score"])) for row in read(tmp_path / "out.csv")]
    frames = pd.read_csv(tables[0]), pd.read_csv(tables[1])
    for a, b in ((ASKED, KNOWN), frames):
        found = samewise.match(a, b, model="fast", top=1)
        columns = [found.column(name).to_pylist() for name in ("row1", "row2", "score")]
        assert list(zip(*columns, strict=True)) == expected


def test_rows_without_a_text_have_no_match_and_are_kept():
    found = samewise.match([None, ASKED[0]], [None, None, KNOWN[0]], model="fast", top=1)
    assert (found.column("row1").to_pylist(), found.column("row2").to_pylist()) == ([1], [2])
    kept = samewise.dedupe([None, "The tap drips.", " ", "The tap  drips."], model="surface")
    assert kept.kept.tolist() == [0, 1, 2]
    assert kept.representatives.tolist() == [0, 1, 2, 1]
    np.testing.assert_array_equal(kept.score, 5.0)


def test_columns_that_are_asked_for(tables, tmp_path):
    options = MatchOptions(top=1, probability_of=3.0, differences=True)
    match_file(*tables, tmp_path / "out.csv", model="fast", options=options)
    rows = read(tmp_path / "out.csv")
    assert [*rows[0]][-3:] == ["probability", "differences", "flags"]
    assert all(float(row["score"]) >= 3.0 and 0.0 <= float(row["probability"]) <= 1.0 for row in rows)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"top": 0}, "the number of matches must be at least 1, got 0"),
        ({"top": None}, "all matches must be bounded"),
    ],
)
def test_questions_that_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        MatchOptions(**settings)


def test_two_streams_are_refused():
    with pytest.raises(TableError, match="only one of the two tables can be standard input"):
        match_file("-", "-", "-", model="surface")


def test_texts_that_are_none():
    with pytest.raises(TableError, match="a text must be a string, got 3 at position 1"):
        samewise.match(["a", 3], ["b"], model="surface")
    with pytest.raises(ValueError, match="a text must be a string, got None at position 1"):
        Index.build(["a", None])


def test_a_changed_or_foreign_index_is_refused(tmp_path):
    Index.build(KNOWN).save(tmp_path / "known")
    manifest = tmp_path / "known" / "index.json"
    facts = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps({**facts, "views": {**facts["views"], "words": "0" * 64}}), encoding="utf-8")
    with pytest.raises(IndexFileError, match="must be made with the tables of this version for the view words"):
        Index.open(tmp_path / "known")
    manifest.write_text(json.dumps(facts), encoding="utf-8")
    with (tmp_path / "known" / facts["codes"]["words"]).open("ab") as file:
        file.write(b"x")
    with pytest.raises(IndexFileError, match=r"codes-words-[0-9a-f]{64}\.npy must be as it was written"):
        Index.open(tmp_path / "known")
    with pytest.raises(IndexFileError, match="got a folder without index.json"):
        Index.open(tmp_path)
    with pytest.raises(IndexFileError, match="must be an empty folder or an index"):
        Index.build(KNOWN).save(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": 1, "views": {"words": ""}, "files": 3}'])
def test_a_manifest_that_is_none(tmp_path, content):
    (tmp_path / "index.json").write_text(content, encoding="utf-8")
    with pytest.raises(IndexFileError):
        Index.open(tmp_path)


def test_names_of_rows_are_all_or_none():
    with pytest.raises(ValueError, match="ids must have one name a row, got 1 for 5 rows"):
        Index.build(KNOWN, ["only"])
    with pytest.raises(ValueError, match="ids must be given for all rows of an index or for none"):
        Index.build(KNOWN).appended(["one more"], ["n"])


def test_names_of_rows_keep_their_values():
    numbered = Index.build(KNOWN[:2], [1, 2])
    assert numbered.appended(KNOWN[2:3], ["3"]).ids.to_pylist() == [1, 2, 3]
    for name in ("007", "x"):
        with pytest.raises(ValueError, match="ids must be of the type of those of the index, int64, got string"):
            numbered.appended(KNOWN[2:3], [name])


def test_the_signature_tells_where_a_text_ends():
    assert Index.build(["aa bx", "cdd"]).signature != Index.build(["aa b", "xcdd"]).signature


def test_other_views_than_those_of_the_index_are_refused():
    known = Index.build(KNOWN)
    with pytest.raises(IndexFileError, match="the views must be those of the index, rare_words, words, got characters"):
        samewise.match(ASKED, known, model="surface", views=("characters",))


def test_on_the_command_line(tables, tmp_path):
    run = CliRunner().invoke
    known = str(tmp_path / "known")
    made = run(app, ["index", str(tables[1]), "-o", known, "--id", "nr", "--views", "words,rare_words", "--json"])
    facts = json.loads(made.stdout)
    assert (facts["rows"], facts["column"]) == (5, "text"), made.output
    again = run(app, ["index", str(tables[1]), "-o", known])
    assert (again.exit_code, "add --append" in again.stderr) == (1, True)
    found = run(app, ["match", str(tables[0]), known, "--model", "fast", "--top", "1", "--json"])
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    assert [row["id2"] for row in rows if row["row1"] == 2] == ["t3"]
    refused = run(app, ["match", str(tables[0]), known, "--top", "0"])
    assert "give --probability-of 4" in refused.stderr


def test_an_equal_text_is_found_in_an_index_whatever_the_view():
    texts = ["你好世界", "😀", "...", "Can I pay?"]
    for second in (texts, Index.build(texts), Index.build(texts[:2]).appended(texts[2:])):
        found = samewise.match([*texts, "nothing of these"], second, model="surface", top=1).to_pylist()
        assert [(row["row1"], row["row2"], row["score"]) for row in found[:4]] == [(n, n, 5.0) for n in range(4)]


def test_ties_do_not_depend_on_the_order_in_which_rows_were_appended():
    texts = [f"The {thing} hums." for thing in ("fan", "tap", "lamp", "bell")] * 2
    texts += ["the Gate Squeaks", "The gate squeaks", "THE GATE SQUEAKS", "the gate squeaks"]  # the same to every view
    found = []
    for order in (texts, texts[::-1], [*texts[5:], *texts[:5]]):
        index = Index.build([])
        for text in order:
            index = index.appended([text])
        table = samewise.match(["Gate squeaks"], index, model="surface", top=2, per_view=1)
        found.append([(row["sentence2"], row["score"]) for row in table.to_pylist()])
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 2


def test_all_matches_are_written_in_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(matches, "AT_A_TIME", 10)
    asked, known = ["A tap drips.", "It rains."] * 4, ["It rains.", "A tap drips.", "A tap drips"] * 5
    sizes = []
    table = match_files.match_table
    monkeypatch.setattr(match_files, "match_table", lambda *args: sizes.append(len(args[2].a)) or table(*args))
    paths = write(tmp_path / "a.csv", "text", asked), write(tmp_path / "b.csv", "text", known)
    options = MatchOptions(top=None, probability_of=4.0)
    summary = match_file(*paths, tmp_path / "out.csv", model="surface", options=options)
    assert (max(sizes), sum(sizes), len(sizes)) == (15, 60, 6)
    rows = read(tmp_path / "out.csv")
    keys = [(int(row["row1"]), -float(row["score"]), int(row["row2"])) for row in rows]
    assert keys == sorted(keys)
    assert (summary.matched, summary.pairs) == (8, 60)
    assert {(one, two) for one, _, two in keys} == {
        (one, two)
        for one, text in enumerate(asked, 1)
        for two, other in enumerate(known, 1)
        if text.rstrip(".") == other.rstrip(".")
    }
