"""Journals: whose folder and lock they are, what they trust, and what they remove."""

import json
import os

import numpy as np
import pyarrow as pa
import pytest
from samewise.ensemble.core.scale import POINTS, Scale
from samewise.ensemble.scoring import journal, journal_folder, predict_files
from samewise.ensemble.scoring.batches import PREDICTION
from samewise.ensemble.scoring.journal import Journal
from samewise.ensemble.scoring.journal_parts import entry_of, packed, unpacked
from samewise.ensemble.tables.sources import TableError

from .test_predict_files import Lengths
from .test_resume import Stopping, run, settled, table


@pytest.fixture(autouse=True)
def _settled(monkeypatch):
    settled(monkeypatch)


@pytest.fixture
def stopped(tmp_path):
    """An input, an output, and the folder of its unfinished run."""
    source, target = table(tmp_path / "in.csv", 40), tmp_path / "out.csv"
    with pytest.raises(KeyboardInterrupt):
        run(source, target, Stopping(3))
    return source, target, tmp_path / "out.csv.unfinished"


def test_seconds_that_are_none(tmp_path):
    with pytest.raises(ValueError, match="the seconds between checkpoints must be at least 0, got nan"):
        Journal(tmp_path / "out.csv", table(tmp_path / "in.csv"), {}, every=float("nan"))


def test_the_lock_is_held_until_the_folder_is_gone(tmp_path, monkeypatch):
    source, target = table(tmp_path / "in.csv"), tmp_path / "out.csv"
    real, refusals = journal_folder.remove, []

    def remove(folder):
        with pytest.raises(TableError, match="another process is at work") as refusal:
            Journal(target, source, {})
        refusals.append(refusal)
        real(folder)
        assert not folder.exists()

    monkeypatch.setattr(journal, "remove", remove)
    run(source, target)
    assert len(refusals) == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locks")
def test_the_lock_of_a_folder_that_has_just_been_removed_is_no_lock(tmp_path, monkeypatch):
    folder = tmp_path / "out.csv.unfinished"
    real, calls = journal_folder.locked, []

    def locked(file):
        # The run that had the folder ends between the opening of its lock and this.
        if not calls:
            calls.append(file)
            journal_folder.remove(folder)
        return real(file)

    monkeypatch.setattr(journal_folder, "locked", locked)
    lock = journal_folder.claim(folder)
    assert os.fstat(lock.fileno()).st_ino == (folder / "lock").stat().st_ino
    with pytest.raises(TableError, match="another process is at work"):
        journal_folder.claim(folder)
    lock.close()


def test_another_version_is_refused(stopped, monkeypatch):
    source, target, folder = stopped
    names = json.loads((folder / "run.json").read_text())
    assert {"version of samewise", "version of numpy", "version of onnxruntime", "code of samewise"} < set(names)
    now = predict_files.score_versions()
    for name in ("version of samewise", "version of numpy", "code of samewise"):
        monkeypatch.setattr(predict_files, "score_versions", lambda name=name: {**now, name: "9.9"})
        with pytest.raises(TableError, match=f"the {name} must be that of the unfinished run .*, got 9.9; restore it"):
            run(source, target, resume=True)
    monkeypatch.undo()
    settled(monkeypatch)
    assert run(source, target, resume=True).resumed == 24 - 2  # two of these rows are rejects


def test_files_of_others_in_the_folder_stay(stopped):
    source, target, folder = stopped
    (folder / "thesis.txt").write_text("mine")
    (folder / "part-1.scores").write_text("mine")
    run(source, target, resume=True)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"thesis.txt": "mine", "part-1.scores": "mine"}


@pytest.mark.parametrize("name", ["journal.jsonl", "part-000000.scores"])
def test_a_folder_in_the_place_of_a_file_stays(tmp_path, name):
    source, folder = table(tmp_path / "in.csv"), tmp_path / "out.csv.unfinished"
    folder.mkdir()
    journal_folder.claim(folder).close()
    (folder / name).mkdir()
    (folder / name / "thesis.txt").write_text("mine")
    with pytest.raises(TableError, match=f"{name} must be a plain file with one name, got a link, folder"):
        run(source, tmp_path / "out.csv")
    assert (folder / name / "thesis.txt").read_text() == "mine"


@pytest.mark.parametrize("content", ["my notes\n", '{"reason": "mine"}\n', '[{"line": 1, "reason": "x"}]'])
def test_a_file_where_rejects_would_go_stays(tmp_path, content):
    source, rejects = table(tmp_path / "in.csv"), tmp_path / "out.csv.rejects.jsonl"
    rejects.write_text(content)
    with pytest.raises(TableError, match="must be a list of rejects of an earlier run"):
        run(source, tmp_path / "out.csv")
    assert rejects.read_text() == content
    assert not (tmp_path / "out.csv").exists()


def test_rejects_of_an_earlier_run_go(tmp_path):
    bad, good = table(tmp_path / "bad.csv"), tmp_path / "good.csv"
    good.write_text("sentence1,sentence2\na,b\n")
    for options in ({}, {"id": "k"}):
        run(bad, tmp_path / "out.csv", **options)
        assert (tmp_path / "out.csv.rejects.jsonl").exists()
        run(good, tmp_path / "out.csv")
        assert not (tmp_path / "out.csv.rejects.jsonl").exists()


def scores(rows, flags=()):
    values = np.linspace(1.0, 3.0, rows)
    columns = [
        pa.array(values),
        pa.array(values / 2),
        pa.array(values + 1),
        pa.array([list(flags)] * rows, PREDICTION.types[3]),
        pa.array(values / 8),
    ]
    return pa.record_batch(columns, schema=PREDICTION)


def test_parts_give_back_what_they_were_given():
    batches = [scores(3, ["long", "empty"]), scores(0), scores(2)]
    entry, data = packed(batches, 7, b"run")
    assert entry["rows"] == [7, 12]
    assert entry["chunks"] == [3, 0, 2]
    assert entry["flags"] == [["long", "empty"], []]
    assert len(data) == 5 * (4 * 8 + 4)
    line = json.dumps(entry).encode() + b"\n"
    again = unpacked(entry_of(line, 7, 3), data, b"run", POINTS)
    assert [batch.to_pydict() for batch in again] == [batch.to_pydict() for batch in batches]
    assert unpacked(entry, data, b"another run", POINTS) is None
    assert unpacked({**entry, "rows": [8, 13]}, data, b"run", POINTS) is None
    assert unpacked(entry, data[:-1], b"run", POINTS) is None


@pytest.mark.parametrize(
    "change",
    [
        {"rows": [6, 11]},
        {"rows": [7, 13]},
        {"rows": [7.0, 12]},
        {"rows": [7, 10**30]},
        {"rows": 7},
        {"chunks": []},
        {"chunks": [6, -1]},
        {"chunks": [5, False]},
        {"chunks": [1, 4]},
        {"flags": "long"},
        {"flags": [["\x1b[31m"]]},
        {"flags": [[1]]},
        {"digest": 5},
        {"part": "../other"},
    ],
)
def test_entries_that_no_run_writes(change):
    entry, _ = packed([scores(3), scores(2)], 7, b"run")
    assert entry_of(json.dumps(entry).encode() + b"\n", 7, 3) == entry
    assert entry_of(json.dumps({**entry, **change}).encode() + b"\n", 7, 3) is None


def test_lines_that_no_run_writes():
    entry, _ = packed([scores(3)], 0, b"run")
    line = json.dumps(entry).encode()
    short = json.dumps({key: entry[key] for key in ("rows", "chunks", "digest")}).encode()
    for bad in (line, b"\n", b"null\n", b"5\n", b"[]\n", b"\xff\n", b"[" * 100_000 + b"\n", short + b"\n"):
        assert entry_of(bad, 0, 8) is None


@pytest.mark.parametrize(
    ("score", "low", "high", "deviation"),
    [
        (float("nan"), 1, 2, 0),
        (1, float("nan"), 2, 0),
        (1, 0, float("inf"), 0),
        (1, 2, 3, 0),
        (3, 1, 2, 0),
        (1, -0.1, 2, 0),
        (5.1, 1, 5.1, 0),
        (1, 0, 2, -0.1),
        (1, 0, 2, float("nan")),
        (1, 0, 2, float("inf")),
    ],
)
def test_numbers_that_are_no_prediction(score, low, high, deviation):
    entry, data = packed([one_row(score, low, high, deviation)], 0, b"run")
    assert unpacked(entry, data, b"run", POINTS) is None


def one_row(score, low, high, deviation):
    columns = [pa.array([float(value)]) for value in (score, low, high)]
    columns += [pa.array([[]], PREDICTION.types[3]), pa.array([float(deviation)])]
    return pa.record_batch(columns, schema=PREDICTION)


def test_parts_are_on_the_scale_of_the_model():
    entry, data = packed([one_row(73.1, 60.0, 80.0, 5.0)], 0, b"run")
    assert unpacked(entry, data, b"run", POINTS) is None
    [batch] = unpacked(entry, data, b"run", Scale(0.0, 100.0))
    assert batch.to_pydict() == {"score": [73.1], "low": [60.0], "high": [80.0], "flags": [[]], "deviation": [5.0]}


def test_long_runs_are_cut_into_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "MOST_ROWS", 16)
    source, target = table(tmp_path / "in.csv", 100), tmp_path / "out.csv"
    with pytest.raises(KeyboardInterrupt):
        run(source, target, Stopping(9), checkpoint=1e9)
    lines = (tmp_path / "out.csv.unfinished" / "journal.jsonl").read_text().splitlines()
    assert len(lines) >= 3
    assert run(source, target, Lengths(), resume=True).resumed > 48
