"""A run that was stopped, whatever stopped it, goes on and writes what an undisturbed run writes."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.scoring import UNFINISHED, predict_file, worker_processes
from samewise.ensemble.scoring.added_columns import counted_scores
from samewise.ensemble.scoring.loky_pool import new_pool
from samewise.ensemble.scoring.worker_processes import Workers
from samewise.ensemble.tables.sources import TableError

from .test_predict_files import Lengths


class Stopping(Lengths):
    """Scores so many batches, then fails."""

    def __init__(self, batches, error=KeyboardInterrupt):
        self.left, self.error = batches, error

    def predict_pairs(self, pairs):
        if self.left == 0:
            raise self.error("stopped")
        self.left -= 1
        return super().predict_pairs(pairs)


def table(path, rows=100):
    # Every tenth row cannot be read, which must be told once, however often the run is stopped.
    lines = ["k,sentence1,sentence2"]
    lines += [f"{i},only one" if i % 10 == 9 else f"{i},{'x' * (i % 7)},{'y' * (i % 5)}" for i in range(rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def run(source, target, model=None, **options):
    options = {"batch_size": 8, "checkpoint": 0, "workers": 1, **options}
    return predict_file(source, target, model=model or Lengths(), **options)


def kept(target):
    """Return the number of rows in the journal of an output."""
    with sqlite3.connect(target.with_name(target.name + UNFINISHED)) as journal:
        return journal.execute("SELECT sum(rows) FROM chunks").fetchone()[0]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz", ".jsonl.zst"])
def test_the_same_bytes_after_any_number_of_stops(tmp_path, suffix):
    source, whole, target = table(tmp_path / "in.csv"), tmp_path / f"whole{suffix}", tmp_path / f"out{suffix}"
    undisturbed = run(source, whole)
    stops = 0
    while not target.exists():
        try:
            summary = run(source, target, Stopping(2), resume=True)
        except KeyboardInterrupt as stop:
            stops += 1
            [note] = stop.__notes__
            assert "--resume" in note
            assert not target.exists()
    assert stops >= 5
    assert target.read_bytes() == whole.read_bytes()
    rejects = [path.with_name(f"{path.name}.rejects.jsonl").read_bytes() for path in (whole, target)]
    assert rejects[0] == rejects[1]
    assert (summary.rows, summary.rejects, summary.flags) == (undisturbed.rows, undisturbed.rejects, undisturbed.flags)
    assert summary.resumed >= summary.rows - 16
    assert {path.name for path in tmp_path.iterdir()} == {
        path + end for path in (whole.name, target.name) for end in ("", ".rejects.jsonl")
    } | {"in.csv"}


def test_an_unfinished_run_is_not_thrown_away(tmp_path):
    source, target = table(tmp_path / "in.csv"), tmp_path / "out.csv"
    with pytest.raises(KeyboardInterrupt):
        run(source, target, Stopping(3))
    with pytest.raises(TableError, match="has an unfinished run; add --resume"):
        run(source, target)
    (tmp_path / f"out.csv{UNFINISHED}").unlink()
    assert run(source, target).resumed == 0


def test_resume_without_a_run_begins(tmp_path):
    assert run(table(tmp_path / "in.csv"), tmp_path / "out.csv", resume=True).resumed == 0


def test_what_may_not_change(tmp_path):
    source, target = table(tmp_path / "in.csv"), tmp_path / "out.csv"
    with pytest.raises(KeyboardInterrupt):
        run(source, target, Stopping(3))

    class Other(Lengths):
        signature = "other"

    with pytest.raises(
        TableError, match='the model must be that of the unfinished run .*"lengths", got "other"; restore'
    ):
        run(source, target, Other(), resume=True)
    with pytest.raises(TableError, match="the batch size must be that of the unfinished run of .*, 8, got 9"):
        run(source, target, batch_size=9, resume=True)
    with pytest.raises(TableError, match="the columns must be that of the unfinished run"):
        run(source, target, columns="sentence2,sentence1", resume=True)
    text = source.read_text()
    source.write_text(text.replace("97,", "98,", 1))
    with pytest.raises(TableError, match="the input must be that of the unfinished run"):
        run(source, target, resume=True)
    source.write_text(text)
    assert run(source, target, resume=True).resumed > 0


def test_only_files_can_be_resumed(tmp_path, monkeypatch):
    source = table(tmp_path / "in.csv")
    with pytest.raises(TableError, match="only a run from files to a file"):
        run(source, "-", resume=True, format="csv")
    with pytest.raises(TableError, match="only a run from files to a file"):
        run(source, os.devnull, resume=True, format="csv")


def test_a_failure_before_anything_is_scored_leaves_nothing(tmp_path):
    source = table(tmp_path / "in.csv")
    with pytest.raises(ValueError, match="stopped"):
        run(source, tmp_path / "out.csv", Stopping(0, ValueError))
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


# Below, real processes: they are stopped at known places, so that the speed of the machine does not matter.

HERE = Path(__file__).parent
WAIT = 300
"""Seconds: far more than any of the processes takes on a busy machine."""

OPTIONS = {"batch_size": 64, "checkpoint": 0}
COMMAND = ("--model", "surface", "--batch-size", "64", "--checkpoint", "0")


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """A file of ten batches, and what an undisturbed run makes of it."""
    folder = tmp_path_factory.mktemp("lines")
    chance = random.Random(5)
    words = "a the dog cat man plays guitar river runs over under green field not two three near with".split()
    texts = [" ".join(chance.choices(words, k=chance.randrange(4, 14))) for _ in range(640)]
    source, whole = folder / "in.parquet", folder / "whole.parquet"
    pq.write_table(pa.table({"n": range(640), "sentence1": texts, "sentence2": texts[1:] + texts[:1]}), source)
    predict_file(source, whole, model="surface", workers=1, **OPTIONS)
    assert pq.read_table(whole).column("n").to_pylist() == list(range(640))
    return source, whole


def stopped(number, chunk, source, target, *options):
    """Run the command line until so many chunks are kept and the signal is sent; its status, output and errors."""
    command = ["predict", source, "-o", target, "--workers", "2", *COMMAND, *options]
    script = [sys.executable, HERE / "signal_at_chunk.py", signal.Signals(number).name, str(chunk)]
    done = subprocess.run([*script, *command], capture_output=True, text=True, timeout=WAIT)
    return done.returncode, done.stdout, done.stderr


def resume(source, target):
    return predict_file(source, target, model="surface", workers=1, resume=True, **OPTIONS)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are found by /proc")
def test_a_killed_run_goes_on_and_its_workers_end(lines, tmp_path):
    source, whole = lines
    target = tmp_path / "out.parquet"
    status, printed, _ = stopped(signal.SIGKILL, 3, source, target)
    assert status == -signal.SIGKILL
    assert len(printed.split()) == 1  # beside the process that is killed
    limit = time.monotonic() + WAIT
    while any(Path(f"/proc/{child}").exists() for child in printed.split()):
        assert time.monotonic() < limit, "a worker outlives its parent"
        time.sleep(0.1)
    assert resume(source, target).resumed == 3 * 64
    assert target.read_bytes() == whole.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]


@pytest.mark.slow
def test_workers_that_are_killed_are_replaced(lines, tmp_path, monkeypatch, other_processes):
    source, whole = lines
    score = worker_processes._score_in_worker
    seen = tmp_path / "seen"
    seen.mkdir()

    def dying(texts, *place):
        # At its first, third and fifth piece. It travels whole: it is no function of a module that a worker could
        # import.
        pieces = len(os.listdir(seen))
        (seen / str(pieces)).touch()
        if pieces in (0, 2, 4):
            os.kill(os.getpid(), signal.SIGKILL)
        return score(texts, *place)

    monkeypatch.setattr(worker_processes, "_score_in_worker", dying)
    target = tmp_path / "out.parquet"
    predict_file(source, target, model="surface", workers=2, **OPTIONS)
    assert target.read_bytes() == whole.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"out.parquet", "seen"}
    assert len(os.listdir(seen)) > 5


def test_an_interrupt_in_the_midst_of_a_submission(monkeypatch):
    failures = []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    pool = new_pool(1)
    pool.submit(int).result()
    time.sleep(0.2)  # the pool's own thread waits again to be woken
    wakeup = pool._executor_manager_thread_wakeup.wakeup
    calls = iter([KeyboardInterrupt()])

    def interrupted():
        for error in calls:
            raise error
        wakeup()

    monkeypatch.setattr(pool._executor_manager_thread_wakeup, "wakeup", interrupted)
    texts = pa.record_batch({"a": ["x"], "b": ["y"]})
    with pytest.raises(KeyboardInterrupt), Workers(Lengths(), 2) as workers:
        workers._pool, workers._place = pool, None
        workers._submit(counted_scores, texts)
    assert pool._flags.shutdown
    assert not failures


@pytest.mark.slow
def test_a_signal_says_how_to_go_on(lines, tmp_path):
    source, whole = lines
    target = tmp_path / "out.parquet"
    for number, status, rows in ((signal.SIGINT, 130, 0), (signal.SIGTERM, 143, 128)):
        found, _, said = stopped(number, 2, source, target, "--resume")
        assert found == status, said
        assert "the same command with --resume goes on from there" in said
        assert "Traceback" not in said
        assert not target.exists()
        assert kept(target) >= rows + 128
    assert resume(source, target).resumed >= 256
    assert target.read_bytes() == whole.read_bytes()


@pytest.mark.slow
def test_a_full_disk(lines, tmp_path):
    source, whole = lines
    disk = tmp_path / "disk"
    disk.mkdir()
    command = f"{sys.executable} -m samewise predict {source} -o {disk}/out.parquet --workers 1 {' '.join(COMMAND)}"
    # A file system of this size in a name space of its own; it is full before the run is over, and then grows.
    script = f"""
        mount -t tmpfs -o size={whole.stat().st_size + (24 << 10)} tmpfs {disk} || exit 99
        {command}; echo status $?
        mount -o remount,size=64m {disk}
        {command} --resume; echo status $?
        ls -A {disk}; cmp {disk}/out.parquet {whole} && echo same
    """
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("no unshare, by which a small file system is made")
    found = subprocess.run([unshare, "-rm", "sh", "-c", script], capture_output=True, text=True, timeout=WAIT)
    if found.returncode == 99 or "unshare" in found.stderr:
        pytest.skip(f"no file system can be made here: {found.stderr.strip()}")
    assert found.stdout.split("\n")[:4] == ["status 1", "status 0", "out.parquet", "same"], found.stderr
    assert "No space left on device" in found.stderr
    assert "--resume goes on" in found.stderr
    assert "scored before" in found.stderr
    assert "Traceback" not in found.stderr
