"""Duplicates of tables in files: nothing is lost, and a killed run goes on."""

import csv
import json

import pyarrow.parquet as pq
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.matching.dedupe_files import dedupe_file
from samewise.ensemble.matching.options import DedupeOptions
from samewise.ensemble.tables.table_reader import TableError
from typer.testing import CliRunner

ROWS = [
    ("k1", "How do I descale the coffee machine?"),
    ("k2", "How can I descale a coffee machine?"),
    ("k3", "Room 12 is too cold."),
    ("k4", "Room 14 is too cold."),
    ("k5", "How do I descale  the coffee machine?"),
    ("k6", "The lift does not stop on the third floor."),
    ("k7", "Is there a bus to the airport?"),
    ("k8", "Is there any bus to the airport?"),
    ("k9", "The lift stops on the third floor."),
]
LOOSE = DedupeOptions(same_from=3.2, unsure_from=2.0)


def write(path, rows=ROWS):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["nr", "question"])
        writer.writerows(rows)
    return path


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def files(folder):
    return {name: folder / f"out{name}.csv" for name in ("", ".removed", ".review")}


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dedupe")
    summary = dedupe_file(write(folder / "in.csv"), folder / "out.csv", model="fast", id="nr", options=LOOSE)
    return folder, summary


def test_kept_and_removed_are_the_table(done):
    folder, summary = done
    kept, removed = read(files(folder)[""]), read(files(folder)[".removed"])
    rows = sorted(kept + removed, key=lambda row: int(row["row"]))
    assert [(row["nr"], row["question"]) for row in rows] == ROWS
    assert (summary.rows, summary.kept, summary.removed) == (9, len(kept), len(removed))
    assert [int(row["row"]) for row in rows] == list(range(1, 10))


def test_groups_are_those_that_a_reader_expects(done):
    folder, summary = done
    group = {row["nr"]: row["group"] for row in read(files(folder)[""]) + read(files(folder)[".removed"])}
    assert group["k1"] == group["k2"] == group["k5"] == "1"
    assert group["k7"] == group["k8"]
    assert len({group[name] for name in ("k1", "k3", "k4", "k6", "k7", "k9")}) == 6
    members = {row["nr"]: int(row["members"]) for row in read(files(folder)[""])}
    assert members["k1"] == 3
    assert sum(members.values()) == 9
    assert summary.equal == 1


def test_evidence_of_removed_rows(done):
    removed = {row["nr"]: row for row in read(files(done[0])[".removed"])}
    assert (removed["k5"]["score"], removed["k5"]["flags"]) == ("5.0", "identical")
    assert 3.2 <= float(removed["k2"]["score"]) < 5.0
    assert float(removed["k2"]["low"]) <= float(removed["k2"]["score"]) <= float(removed["k2"]["high"])


def test_a_number_keeps_texts_apart_and_is_named_in_the_review(done):
    review = {(row["id1"], row["id2"]): row for row in read(files(done[0])[".review"])}
    rooms = review["k3", "k4"]
    assert rooms["reason"] == "number"
    assert json.loads(rooms["differences"])[0] == {"kind": "number", "a": "12", "b": "14"}
    assert (rooms["sentence1"], rooms["sentence2"]) == ("Room 12 is too cold.", "Room 14 is too cold.")


def test_without_apart_the_score_alone_decides(tmp_path):
    options = DedupeOptions(same_from=2.0, keep_apart=())
    dedupe_file(write(tmp_path / "in.csv"), tmp_path / "out.csv", model="fast", options=options)
    group = {row["nr"]: row["group"] for row in read(tmp_path / "out.csv") + read(tmp_path / "out.removed.csv")}
    assert group["k3"] == group["k4"]


@pytest.mark.parametrize("keep", ["longest", "central"])
def test_the_order_of_rows_changes_no_group(tmp_path, keep):
    options = DedupeOptions(keep=keep, same_from=3.0)
    found = []
    for name, rows in (("a", ROWS), ("b", ROWS[::-1])):
        folder = tmp_path / name
        folder.mkdir()
        dedupe_file(write(folder / "in.csv", rows), folder / "out.csv", model="fast", options=options)
        texts = {int(row["row"]): row["question"] for row in read(folder / "out.csv")}
        removed = read(folder / "out.removed.csv")
        found.append({(" ".join(row["question"].split()), texts[int(row["group"])].strip()) for row in removed})
    pairs = [{tuple(" ".join(text.split()) for text in pair) for pair in each} for each in found]
    assert pairs[0] == pairs[1]


def test_other_formats_and_names(tmp_path, done):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps({"nr": nr, "question": text}) + "\n" for nr, text in ROWS), encoding="utf-8")
    dedupe_file(
        path, tmp_path / "out.parquet", model="fast", options=LOOSE, removed=tmp_path / "gone.csv.gz", workers=1
    )
    kept = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert [(row["nr"], str(row["group"])) for row in kept] == [
        (row["nr"], row["group"]) for row in read(files(done[0])[""])
    ]
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "gone.csv.gz",
        "in.jsonl",
        "out.parquet",
        "out.review.parquet",
    ]


def test_columns_that_are_taken_and_rows_without_a_text(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("row,group,text\n9,x,The door squeaks.\n8,y\n7,z,The door squeaks.\n", encoding="utf-8")
    summary = dedupe_file(path, tmp_path / "out.csv", model="surface")
    assert (summary.rows, summary.rejects, summary.removed) == (2, 1, 1)
    [kept] = read(tmp_path / "out.csv")
    assert kept["row"] == "9"
    assert kept["samewise_row"] == "1"
    [reject] = (tmp_path / "out.csv.rejects.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(reject)["line"] == 3


def test_no_rows_at_all(tmp_path):
    summary = dedupe_file(write(tmp_path / "in.csv", []), tmp_path / "out.csv", model="surface")
    assert (summary.rows, summary.kept, summary.candidates) == (0, 0, 0)
    assert read(tmp_path / "out.review.csv") == []


@pytest.mark.parametrize(
    ("source", "target", "other", "message"),
    [
        ("-", "out.csv", {}, "the table must be a file"),
        ("in.csv", "-", {}, "the output must be a file"),
        ("in.csv", "in.csv", {}, "must not be a file of the input"),
        ("in.csv", "out.csv", {"removed": "in.csv"}, "must not be a file of the input"),
        ("in.csv", "out.csv", {"review": "out.csv"}, "the outputs must be different files"),
        ("in.csv", "out.csv", {"removed": "out.csv.rejects.jsonl"}, "the outputs must be different files"),
        ("in.csv", "out.csv", {"column": "answer"}, "has no column 'answer'"),
    ],
)
def test_places_that_are_refused(tmp_path, monkeypatch, source, target, other, message):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "in.csv")
    with pytest.raises(TableError, match=message):
        dedupe_file(source, target, model="surface", **other)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv"]


def test_on_the_command_line(tmp_path):
    source = write(tmp_path / "in.csv")
    settings = ["--model", "fast", "--same-from", "3.2", "--unsure-from", "2", "--id", "nr"]
    done = CliRunner().invoke(app, ["dedupe", str(source), "-o", str(tmp_path / "out.csv"), *settings, "--json"])
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    assert facts["rows"] == 9
    assert facts["kept"] + facts["removed"] == 9
    dry = CliRunner().invoke(app, ["dedupe", str(source), "-o", str(tmp_path / "x.csv"), *settings, "--dry-run"])
    assert "9 rows, 8 different texts" in dry.stdout
    assert not (tmp_path / "x.csv").exists()
    wrong = CliRunner().invoke(app, ["dedupe", str(source), "-o", str(tmp_path / "x.csv"), "--keep", "last"])
    assert wrong.exit_code == 2


def test_keep_must_be_known():
    with pytest.raises(ValueError, match="keep must be one of first, longest, central, .*, got 'last'"):
        DedupeOptions(keep="last")


@pytest.mark.parametrize("change", ["another order", "one more", "another column"])
def test_a_table_that_is_replaced_during_the_run(tmp_path, change):
    source = write(tmp_path / "in.csv")
    rows = {
        "another order": ROWS[::-1],
        "one more": [*ROWS, ("k10", "Who locks up?")],
        "another column": [("x", text) for _, text in ROWS],
    }

    def replaced(title):
        write(source, rows[change])

    with pytest.raises(TableError, match=r"in\.csv must stay as it is during the run, got a change; run it again"):
        dedupe_file(source, tmp_path / "out.csv", model="surface", progress=replaced)
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_blank_cells_are_rejects_and_not_lost(tmp_path):
    rows = [("a", "Hello there"), ("b", ""), ("c", ""), ("d", "   "), ("e", "Bye")]
    summary = dedupe_file(write(tmp_path / "in.csv", rows), tmp_path / "out.csv", model="surface", id="nr")
    assert (summary.kept, summary.removed, summary.rejects) == (2, 0, 3)
    rejects = (tmp_path / "out.csv.rejects.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in rejects] == ["b", "c", "d"]


def test_the_output_names_the_column_and_what_other_thresholds_remove(tmp_path):
    source = write(tmp_path / "in.csv", [*ROWS, ("k10", "\u200b \u00ad")])
    settings = ["--model", "fast", "--same-from", "3.2", "--keep-apart", "none", "-o", str(tmp_path / "out.csv")]
    done = CliRunner().invoke(app, ["dedupe", str(source), *settings])
    assert done.exit_code == 0, done.output
    removed, review = read(tmp_path / "out.removed.csv"), read(tmp_path / "out.review.csv")
    assert f"9 rows by column question, 1 rejected: {9 - len(removed)} kept, {len(removed)} removed" in done.stderr
    [reject] = (tmp_path / "out.csv.rejects.jsonl").read_text(encoding="utf-8").splitlines()
    assert (json.loads(reject)["line"], json.loads(reject)["reason"]) == (11, "question is blank")
    unsure = [row for row in review if row["reason"] == "unsure"]
    assert unsure and all(2.2 <= float(row["score"]) < 3.2 for row in unsure)
    assert f"{len(unsure)} more pair" in done.stderr and f"look at {tmp_path / 'out.review.csv'}" in done.stderr
    table = dict(line.split()[:2] for line in done.stderr.partition("another --same-from removes:")[2].splitlines()[1:])
    assert list(table) == ["2.2", *(f"{k / 4:g}" for k in range(9, 13)), "3.2", *(f"{k / 4:g}" for k in range(13, 21))]
    assert int(table["3.2"]) == len(removed) <= int(table["2.2"])
    for same_from in ("2.2", "4.5"):
        again = CliRunner().invoke(
            app, ["dedupe", str(source), *settings, "--same-from", same_from, "--unsure-from", "2.2", "--json"]
        )
        facts = json.loads(again.stdout)
        assert facts["removed"] == int(table[same_from])
        assert facts["columns"] == ["question"]


def test_what_a_killed_run_left_is_removed(tmp_path):
    names = ("out.csv", "out.removed.csv", "out.review.csv", "out.csv.rejects.jsonl")
    left = [f".{name}.{'0a' * 8}.partial" for name in names]
    others = [f".mine.csv.{'0a' * 8}.partial", ".out.removed.csv.backup.partial"]
    for name in (*left, *others):
        (tmp_path / name).write_text("half", encoding="utf-8")
    dedupe_file(write(tmp_path / "in.csv", ROWS[:2]), tmp_path / "out.csv", model="surface")
    assert {path.name for path in tmp_path.glob(".*")} == set(others)
