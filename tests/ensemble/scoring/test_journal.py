"""Journals: what a run may go on from, whose file it is, and what becomes of a damaged one."""

import random
import sqlite3
from types import SimpleNamespace

import pyarrow as pa
import pytest
from samewise.ensemble.scoring import journal
from samewise.ensemble.scoring.batches import scores_of
from samewise.ensemble.scoring.journal import SCREENING, Journal
from samewise.ensemble.tables.sources import TableError

from .test_predict_files import Lengths
from .test_resume import Stopping, run, table


@pytest.fixture
def stopped(tmp_path):
    """An input, an output, and the file of its unfinished run."""
    source, target = table(tmp_path / "in.csv", 40), tmp_path / "out.csv"
    with pytest.raises(KeyboardInterrupt):
        run(source, target, Stopping(3))
    return source, target, tmp_path / "out.csv.unfinished"


def test_seconds_that_are_none(tmp_path):
    with pytest.raises(ValueError, match="the seconds between checkpoints must be at least 0, got nan"):
        Journal(tmp_path / "out.csv", table(tmp_path / "in.csv"), {}, every=float("nan"))


def batches():
    """Batches of scores."""
    rows = [("a", "abc"), ("abcdefgh", "b"), ("", "x")]
    return [scores_of(*map(pa.array, zip(*pairs, strict=True)), Lengths()) for pairs in (rows, rows[:1], rows[1:])]


def test_each_step_gets_its_own_scores_back(tmp_path):
    source, target = table(tmp_path / "in.csv"), tmp_path / "out.csv"
    first, second, third = batches()
    with pytest.raises(KeyboardInterrupt) as stop, Journal(target, source, {}, every=0) as run_journal:
        run_journal.add(first)
        run_journal.add(second, SCREENING)
        run_journal.add(third, SCREENING)
        run_journal.add(third)
        raise KeyboardInterrupt
    assert stop.value.__notes__ == ["8 pairs are scored; the same command with --resume goes on from there"]
    with Journal(target, source, {}, resume=True) as again:
        assert list(again.replay()) == [first, third]
        assert list(again.replay(SCREENING)) == [second, third]
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_a_run_that_ends_before_its_first_commit_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(table(tmp_path / "in.csv"), tmp_path / "out.csv", Stopping(2), checkpoint=1e9)
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_seconds_between_commits(tmp_path, monkeypatch):
    now, source = [0.0], table(tmp_path / "in.csv")
    monkeypatch.setattr(journal, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with Journal(tmp_path / "out.csv", source, {}, every=10) as run_journal:
        for second, kept in ((9, 0), (10, 2), (19, 2), (21, 4)):
            now[0] = second
            run_journal.add(batches()[1])
            assert run_journal._kept == kept


def test_a_full_disk_keeps_what_was_committed(tmp_path):
    source, target = table(tmp_path / "in.csv"), tmp_path / "out.csv"
    scores, added = batches()[0], 0
    with pytest.raises(
        TableError, match="must be writable, got 'database or disk is full'; make room, or name"
    ) as stop:
        with Journal(target, source, {}, every=0) as run_journal:
            run_journal._db.execute("PRAGMA max_page_count = 20")
            while added < 1_000:
                run_journal.add(scores)
                added += 1
    assert stop.value.__notes__[0].startswith(f"{3 * added} pairs are scored")
    with Journal(target, source, {}, resume=True) as again:
        assert list(again.replay()) == [scores] * added


def test_a_second_process_is_refused(tmp_path):
    source, target = table(tmp_path / "in.csv"), tmp_path / "out.csv"
    with Journal(target, source, {}) as first:
        for _ in range(2):
            with pytest.raises(TableError, match="another process is at work in .*; wait until it is done, or end it"):
                run(source, target, resume=True)
            first.add(batches()[0])
    assert run(source, target).rows == 90


def test_another_version_is_refused(stopped, monkeypatch):
    source, target, _ = stopped
    now = journal.versions_of_scores()
    assert {"version of samewise", "version of Python", "version of onnxruntime", "code of samewise"} < set(now)
    for name in ("version of samewise", "version of numpy", "code of samewise"):
        monkeypatch.setattr(journal, "versions_of_scores", lambda name=name: {**now, name: "9.9"})
        with pytest.raises(
            TableError, match=f'the {name} must be that of the unfinished run .*, got "9.9"; restore it'
        ):
            run(source, target, resume=True)
    monkeypatch.undo()
    assert run(source, target, resume=True).resumed == 24 - 2  # two of these rows are rejects


def foreign_database(path):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE chunks (mine)")
    database.close()


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_text("mine"),
        lambda path: path.write_text("my notes\n" * 1000),
        lambda path: path.mkdir(),
        lambda path: path.symlink_to(path.with_name("nowhere")),
        foreign_database,
    ],
)
@pytest.mark.parametrize("resume", [False, True])
def test_what_is_not_ours_stays(tmp_path, make, resume):
    source, path = table(tmp_path / "in.csv"), tmp_path / "out.csv.unfinished"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(TableError, match="must be the unfinished run of samewise, got .*; rename it, or name another"):
        run(source, tmp_path / "out.csv", resume=resume)
    assert {each.name for each in tmp_path.iterdir()} == {"in.csv", path.name}
    assert before is None or path.read_bytes() == before


def test_a_file_of_the_name_that_sqlite_uses_stays(tmp_path):
    notes = tmp_path / "out.csv.unfinished-journal"
    notes.write_text("my notes\n")
    with pytest.raises(
        TableError, match="unfinished-journal must be the unfinished run of samewise, got something else"
    ):
        run(table(tmp_path / "in.csv"), tmp_path / "out.csv")
    assert notes.read_text() == "my notes\n"


def test_a_run_that_was_killed_before_its_first_commit_begins_anew(tmp_path):
    source, target = table(tmp_path / "in.csv"), tmp_path / "out.csv"
    (tmp_path / "out.csv.unfinished").touch()
    assert run(source, target).rows == 90
    assert not (tmp_path / "out.csv.unfinished").exists()


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_file_gets_one_sentence_or_the_same_output(stopped, tmp_path, seed):
    source, target, path = stopped
    run(source, tmp_path / "whole.csv")
    chance, data = random.Random(seed), bytearray(path.read_bytes())
    if seed % 3 == 0:
        del data[chance.randrange(len(data)) :]
    for _ in range(8):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    try:
        run(source, target, resume=True)
    except TableError:
        assert path.exists()
    else:
        assert target.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_a_changed_score_is_noticed(stopped):
    source, target, path = stopped
    with sqlite3.connect(path) as database:
        [scores] = database.execute("SELECT scores FROM chunks WHERE id = 2").fetchone()
        database.execute("UPDATE chunks SET scores = ? WHERE id = 2", (scores[:-1] + b"?",))
    database.close()
    with pytest.raises(TableError, match=r"is damaged \(a checksum does not fit\); remove it to begin again"):
        run(source, target, resume=True)


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
