"""Folders of unfinished runs, damaged or forged: a run that goes on writes the right output, or says one sentence."""

import copy
import json
import os
import random
import shutil
from functools import cache

import numpy as np
from hypothesis import strategies as st
from samewise.ensemble.scoring import journal, journal_parts, predict_file
from samewise.ensemble.tables.sources import TableError

from .fuzzing import fuzzed
from .scorers import Lengths, fresh_folder
from .tables import damaged

TRIES = 5
ROWS = 18
RUN, LOG, LOCK = "run.json", "journal.jsonl", "lock"
OPTIONS = {"batch_size": 4, "checkpoint": 0, "workers": 1}
JUNK = [None, True, False, 0, -1, 1, 2, 3, 1.5, -0.0, 10**30, 2**63, "", "2", "../lock", [], {}, [[]], ["\ud800"]]
JUNK += [float("nan"), float("inf"), "part-000000.scores", "\x1b[31m", "x" * 5000, {"a": {"b": [1]}}, [0, 10**18]]
NUMBERS = (float("nan"), float("inf"), -float("inf"), -1.0, 5.000001, 1e308, -1e-300, 2.0)
BESIDE = ("out.csv.rejects.jsonl.bak", ".out.csv.gz.0123456789abcdef.partial", ".out.csv.old.partial", "out.csv~")


def digest_at_once(call, *arguments):
    future = journal.Future()
    future.set_result(call(*arguments))
    return future


def run(folder, model, **options):
    return predict_file(folder / "in.csv", folder / "out.csv", model=model, **OPTIONS, **options)


@cache
def unfinished():
    """Return the input, the output of an undisturbed run, and the files of an unfinished one, as bytes by name."""
    lines = ["k,sentence1,sentence2", *(f"{i},{'x' * (i % 7)},{'y' * (i % 5)}" for i in range(ROWS)), "99,only one"]
    with fresh_folder() as folder:
        (folder / "in.csv").write_text("\n".join(lines) + "\n")
        run(folder, Lengths())
        whole = (folder / "out.csv").read_bytes()
        (folder / "out.csv").unlink()
        try:
            run(folder, Lengths(4))
        except KeyboardInterrupt:
            files = {path.name: path.read_bytes() for path in (folder / "out.csv.unfinished").iterdir()}
        return (folder / "in.csv").read_bytes(), whole, files


def changed(chance, value, depth=0):
    """Return a JSON value with one place in it changed, removed or added."""
    if isinstance(value, dict) and value and depth < 4 and chance.random() < 0.85:
        value = dict(value)
        key = chance.choice(list(value))
        kind = chance.randrange(6)
        if kind == 0:
            del value[key]
        elif kind == 1:
            value[chance.choice(("part", "rows", "digest", "x", "\n"))] = chance.choice(JUNK)
        else:
            value[key] = changed(chance, value[key], depth + 1)
        return value
    if isinstance(value, list) and value and depth < 4 and chance.random() < 0.7:
        value = list(value)
        place = chance.randrange(len(value))
        kind = chance.randrange(4)
        if kind == 0:
            del value[place]
        elif kind == 1:
            value.insert(place, chance.choice(JUNK))
        else:
            value[place] = changed(chance, value[place], depth + 1)
        return value
    if type(value) is int and chance.random() < 0.6:
        return value + chance.choice((-1, 1, 4, -4, 1000))
    return chance.choice(JUNK)


def forged_part(chance, data):
    """Return a part with other numbers in one row, or another length."""
    rows = np.frombuffer(data, journal_parts.ROW).copy()
    kind = chance.randrange(4)
    if kind == 0:
        return rows[: chance.randrange(len(rows))].tobytes()
    if kind == 1:
        return np.concatenate([rows, rows[:1]]).tobytes()
    row, name = chance.randrange(len(rows)), chance.choice(journal_parts.ROW.names)
    if name == "flags":
        rows[row]["flags"] = chance.choice((1, 2, 7, 2**32 - 1))
    else:
        rows[row][name] = chance.choice(
            (float("nan"), float("inf"), -float("inf"), -1.0, 5.000001, 1e308, -1e-300, 2.0)
        )
    return rows.tobytes()


def part(number):
    return f"part-{number:06d}.scores"


def mutated(chance, files):
    """Return the files of an unfinished run after some changes, and whether scores may have been forged."""
    files, forged = dict(files), False
    for _ in range(chance.choice((1, 1, 2, 3))):
        entries = [line for line in files.get(LOG, b"").split(b"\n") if line]
        kind = chance.randrange(9)
        name = chance.choice(sorted(files)) if files else RUN
        if kind == 0 and name in files:
            files[name] = damaged(chance, files[name])
        elif kind == 1:
            files.pop(name, None)
        elif kind == 2 and RUN in files:
            try:
                files[RUN] = json.dumps(changed(chance, json.loads(files[RUN]))).encode()
            except (ValueError, RecursionError):
                files[RUN] = b"[" * 100_000
        elif kind == 3 and entries:
            chance.shuffle(entries) if chance.random() < 0.5 else entries.insert(0, chance.choice(entries))
            files[LOG] = b"".join(line + b"\n" for line in entries)
        elif kind == 4:
            one, two = chance.choice(sorted(files) or [RUN]), chance.choice((part(0), part(1), part(5), RUN, LOG, "x"))
            if one in files:
                files[two] = files[one]
        elif kind == 5:
            deep = chance.choice((b"[", b'{"rows":')) * chance.choice((10, 900, 100_000))
            files[chance.choice((RUN, LOG))] = deep + chance.choice((b"", b"\n"))
        elif entries:
            # A change of an entry or of its part under a digest that fits.
            place = chance.randrange(len(entries))
            try:
                entry = json.loads(entries[place])
                data = files[part(place)]
                if chance.random() < 0.5:
                    entry = changed(chance, entry)
                else:
                    data = forged_part(chance, data)
                facts = {key: value for key, value in entry.items() if key != "digest"}
                entry["digest"] = journal_parts._digest(facts, data, files[RUN])
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                continue
            files[part(place)], forged = data, True
            entries[place] = json.dumps(entry).encode()
            files[LOG] = b"".join(line + b"\n" for line in entries)
    return files, forged


def decoys(chance, folder, inside):
    """Put files of the user beside an output and into the folder of its unfinished run; return links among them."""
    outside = folder / "mine"
    outside.mkdir()
    (outside / "thesis.txt").write_text("years of work")
    for name in (
        "out.csv.rejects.jsonl.bak",
        ".out.csv.gz.0123456789abcdef.partial",
        ".out.csv.old.partial",
        "out.csv~",
    ):
        (folder / name).write_text("mine")
    (folder / "out.csv.gz.unfinished").mkdir()
    (folder / "out.csv.gz.unfinished" / "lock").write_text("mine")
    kind = chance.randrange(10)
    name = chance.choice((RUN, LOG, LOCK, part(0), part(4), part(5), part(6), "thesis.txt"))
    place = inside / name
    if kind <= 3:
        content = place.read_bytes() if place.is_file() else b"mine"
        (outside / "victim").write_bytes(content)
        place.unlink(missing_ok=True)
        os.link(outside / "victim", place) if kind == 0 else place.symlink_to(outside / "victim")
    elif kind == 4:
        place.unlink(missing_ok=True)
        place.mkdir()
        (place / "inner.txt").write_text("mine")
    elif kind == 5 and hasattr(os, "mkfifo"):
        place.unlink(missing_ok=True)
        os.mkfifo(place)
    elif kind == 6:
        (inside / "thesis.txt").write_text("mine")


def snapshot(folder, left_out):
    """Return the content of every file under a folder, apart from those of the run."""
    content = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name not in left_out:
            content[name] = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
    return content


OURS = {"out.csv", "out.csv.rejects.jsonl", "out.csv.unfinished"}
OURS |= {f"out.csv.unfinished/{name}" for name in (RUN, LOG, LOCK, *map(part, range(9)))}


@fuzzed(inputs_per_call=TRIES, seed=st.integers(0, 2**64 - 1))
def test_a_run_goes_on_from_any_folder(seed):
    chance = random.Random(seed)
    background, journal._in_background = journal._in_background, digest_at_once
    try:
        source, whole, files = unfinished()
        for number in range(TRIES):
            with fresh_folder() as folder:
                here, forged = mutated(chance, copy.copy(files)) if chance.random() < 0.9 else (files, False)
                try:
                    go_on(chance, folder, source, whole, here, forged)
                except BaseException as error:
                    error.add_note(f"try {number} of the seed {seed}")
                    raise
    finally:
        journal._in_background = background


def go_on(chance, folder, source, whole, files, forged):
    (folder / "in.csv").write_bytes(source)
    inside = folder / "out.csv.unfinished"
    inside.mkdir()
    for name, content in files.items():
        (inside / name).write_bytes(content)
    decoys(chance, folder, inside)
    before, resumable = snapshot(folder, OURS), snapshot(folder, ())
    try:
        summary = run(folder, Lengths(), resume=chance.random() < 0.9)
    except TableError as error:
        assert str(error).isprintable()
        assert len(str(error)) < 1_000
        assert not (folder / "out.csv").exists()
        # Refused: the folder is as it was, so that a remedy can still save what is in it.
        now = snapshot(folder, ())
        assert {name: now.get(name) for name in before} == before
        name = f"{inside.name}/{RUN}"
        assert name not in resumable or now.get(name) == resumable[name]
    else:
        assert (folder / "out.csv").read_bytes() == whole or forged
        assert summary.rows == ROWS
        for line in (folder / "out.csv").read_text().split("\n")[1:-1]:
            score, low, high = map(float, line.split(",")[-4:-1])
            assert 0.0 <= low <= score <= high <= 5.0
        left = snapshot(folder, OURS)
        assert left == {name: content for name, content in before.items() if (folder / name).exists()}
        gone = set(before) - set(left)
        assert all(name.startswith(f"{inside.name}/.run.json.") for name in gone)


def test_what_stands_in_the_way_of_the_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "_in_background", digest_at_once)
    source, whole, _ = unfinished()
    (tmp_path / "in.csv").write_bytes(source)
    inside = tmp_path / "out.csv.unfinished"
    for make in (
        lambda: inside.write_text("mine"),
        lambda: (inside.mkdir(), (inside / "thesis.txt").write_text("mine")),
        lambda: (inside.mkdir(), (inside / LOCK).write_text("mine")),
        lambda: (inside.mkdir(), (inside / RUN).write_text("{}")),
        lambda: inside.symlink_to(tmp_path),
        lambda: inside.symlink_to(tmp_path / "nowhere"),
    ):
        make()
        before = snapshot(tmp_path, ())
        for resume in (False, True):
            try:
                run(tmp_path, Lengths(), resume=resume)
            except TableError as error:
                assert "must be a folder that samewise made for an unfinished run" in str(error)
            else:
                raise AssertionError("the run went on")
            assert snapshot(tmp_path, ()) == before
        shutil.rmtree(inside) if inside.is_dir() and not inside.is_symlink() else inside.unlink()
    run(tmp_path, Lengths())
    assert (tmp_path / "out.csv").read_bytes() == whole
