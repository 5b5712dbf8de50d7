"""Runs that kill themselves at one step of writing after the other: ``kill_at_steps.py SOURCE FOLDER``.

A step is whatever changes the folder of the output: a file opened, flushed, named or removed, a folder made or removed.
First a run from the beginning is killed before each of its steps, then a run that goes on with half of the parts. After
each kill a run with ``resume`` ends undisturbed. Standard output gets a JSON line for each kill.
"""

import importlib
import json
import os
import shutil
import signal
import sys
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from pathlib import Path

import numpy as np
from samewise.ensemble.core.predictor import Prediction
from samewise.ensemble.core.scale import POINTS
from samewise.ensemble.scoring import UNFINISHED, journal, predict_file


class Lengths:
    """A model: how similar two texts are in length."""

    signature = "lengths"
    scale = POINTS

    def predict_pairs(self, pairs):
        score = np.array([5.0 / (1 + abs(len(a) - len(b))) for a, b in pairs])
        return Prediction(score, score / 3, np.minimum(score * 1.1, 5.0), [()] * len(pairs))


class Killer:
    """Names each step that changes a folder, and kills this process before the step with the given number."""

    def __init__(self, folder, doomed, report):
        self.folder, self.doomed, self.report, self.steps = folder, doomed, report, 0

    def step(self, name):
        self.steps += 1
        if self.steps == self.doomed:
            os.write(self.report, name.encode())
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(self, event, details):
        if event == "open":
            path, _, flags = details
            if isinstance(path, str) and flags & (os.O_WRONLY | os.O_RDWR) and path.startswith(self.folder):
                self.step(f"open {Path(path).name}")
        elif event in ("os.rename", "os.remove", "os.mkdir", "os.rmdir"):
            path = os.fspath(details[0])
            if path.startswith(self.folder) or not os.path.isabs(path):  # those are of `shutil.rmtree`
                self.step(f"{event} {Path(path).name}")

    def install(self):
        sys.addaudithook(self.audit)
        flush, fsync = journal.on_disk, os.fsync

        def before_flush(file):
            self.step(f"flush {Path(getattr(file, 'name', file)).name}")
            flush(file)

        def before_fsync(handle):
            self.step("sync")
            fsync(handle)

        journal.on_disk, os.fsync = before_flush, before_fsync


def digest_at_once(call, *arguments):
    """Take the place of the background thread, so that each run has the same steps."""
    future = Future()
    future.set_result(call(*arguments))
    return future


def run(source, target, doomed=0):
    """Score in a process of its own; return the step that it was killed before, or None, and the rows it took over."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        before = set(sys.modules)
        try:
            journal._in_background = digest_at_once
            Killer(f"{target.parent}{os.sep}", doomed, writing).install()
            options = {"batch_size": 8, "checkpoint": 0, "workers": 1, "resume": True}
            summary = predict_file(source, target, model=Lengths(), **options)
            os.write(writing, json.dumps([summary.resumed, sorted(set(sys.modules) - before)]).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with open(reading) as report:
        text = report.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if doomed == 0 and status != 0:
        raise SystemExit(f"the run after a kill ended with status {status}")
    if status == -signal.SIGKILL:
        return text, 0
    resumed, imported = json.loads(text)
    for name in imported:  # here, once, and not in each process again
        with suppress(ImportError):
            importlib.import_module(name)
    return None, resumed


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def main(source, folder):
    whole, killed = folder / "whole", folder / "killed"
    whole.mkdir()
    run(source, whole / "out.csv")
    expected, half = contents(whole), None
    for kind in ("from the beginning", "with half of the parts"):
        for doomed in count(1):
            shutil.rmtree(killed, ignore_errors=True)
            if half is None:
                killed.mkdir()
            else:
                shutil.copytree(half, killed)
            step, _ = run(source, killed / "out.csv", doomed)
            if step is None:
                break
            log = killed / f"out.csv{UNFINISHED}" / "journal.jsonl"
            parts = [json.loads(line) for line in log.read_bytes().split(b"\n")[:-1]] if log.is_file() else []
            saved = parts[-1]["rows"][1] if parts else 0
            if kind == "from the beginning" and len(parts) == 2 and not (folder / "half").exists():
                shutil.copytree(killed, folder / "half")
            _, resumed = run(source, killed / "out.csv")
            same = contents(killed) == expected
            print(json.dumps({"run": kind, "step": step, "saved": saved, "resumed": resumed, "same": same}))
        half = folder / "half"


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
