"""Folder of an index: whole whenever its writer stops, and written by one process at a time."""

import errno
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from samewise.ensemble.matching import index as index_module
from samewise.ensemble.matching.index import Index, index_file
from samewise.ensemble.matching.index_folder import IndexFileError, locked_folder, read_manifest, store, store_table

KNOWN = Index.build(["Where do trams stop?", "The lift is out of order."], ["t", "l"])
MORE = KNOWN.appended(["Is the lift broken?", "Who sells tickets?"], ["b", "s"])


def used(folder):
    facts = read_manifest(folder)
    graphs = [name for graph in facts["graphs"].values() for name in graph["files"]]
    return {facts["texts"], facts["rows"], *facts["codes"].values(), *graphs, "index.json", "index.lock"}


def failing(monkeypatch, step, for_good):
    """Let a step of writing fail, and those after it if `for_good`, as if the process had ended there."""
    steps = []

    def counted(function):
        def call(*arguments, **options):
            steps.append(function)
            if len(steps) == step or (for_good and len(steps) > step):
                raise OSError(errno.ENOSPC, "no space left")
            return function(*arguments, **options)

        return call

    for owner, names in ((Path, ("open", "replace", "unlink")), (os, ("fsync",))):
        for name in names:
            monkeypatch.setattr(owner, name, counted(getattr(owner, name)))
    return steps


@pytest.mark.parametrize("for_good", [False, True])
@pytest.mark.parametrize("first", [False, True])
def test_a_failure_at_each_step(tmp_path, first, for_good):
    KNOWN.save(tmp_path / "known")
    step, done = 0, False
    while not done:
        step += 1
        folder = tmp_path / str(step)
        if not first:
            shutil.copytree(tmp_path / "known", folder)
        with pytest.MonkeyPatch.context() as patch:
            steps = failing(patch, step, for_good)
            try:
                MORE.save(folder)
            except OSError:
                pass
            else:
                done = len(steps) < step
        if (folder / "index.json").exists():
            assert Index.open(folder).signature in {KNOWN.signature, MORE.signature}
        else:
            assert first
        MORE.save(folder)
        assert Index.open(folder).signature == MORE.signature
        assert set(os.listdir(folder)) == used(folder)
    assert step > 15


def test_only_files_of_an_index_are_removed(tmp_path):
    KNOWN.save(tmp_path / "known")
    others = {"notes.txt", "texts-old.arrow", f"mine-{'0' * 64}.arrow"}
    for name in others:
        (tmp_path / "known" / name).write_text("by hand", encoding="utf-8")
    before = used(tmp_path / "known")
    MORE.save(tmp_path / "known")
    assert set(os.listdir(tmp_path / "known")) == used(tmp_path / "known") | others
    assert len(before - used(tmp_path / "known")) == 3


def test_another_index_json_stays(tmp_path):
    (tmp_path / "index.json").write_text('{"pages": []}', encoding="utf-8")
    with pytest.raises(IndexFileError, match="must describe an index, got other content"):
        KNOWN.save(tmp_path)
    assert (tmp_path / "index.json").read_text(encoding="utf-8") == '{"pages": []}'


def test_an_index_replaced_while_it_is_opened(tmp_path, monkeypatch):
    KNOWN.save(tmp_path / "known")
    check = index_module.check_files

    def replaced(place, facts):
        monkeypatch.setattr(index_module, "check_files", check)
        MORE.save(place)
        check(place, facts)

    monkeypatch.setattr(index_module, "check_files", replaced)
    assert Index.open(tmp_path / "known").signature == MORE.signature


def test_a_second_writer_is_refused(tmp_path):
    KNOWN.save(tmp_path / "known")
    table = tmp_path / "more.csv"
    table.write_text("id,text\nw,Where is the exit?\n", encoding="utf-8")
    with locked_folder(tmp_path / "known"):
        for write in (
            lambda: index_file(table, tmp_path / "known", model="surface", id="id", append=True),
            lambda: MORE.save(tmp_path / "known"),
        ):
            with pytest.raises(IndexFileError, match="must be written by one process at a time, got another at work"):
                write()
    index_file(table, tmp_path / "known", model="surface", id="id", append=True)
    assert Index.open(tmp_path / "known").ids.to_pylist() == ["t", "l", "w"]


def test_an_index_made_meanwhile_stays(tmp_path, monkeypatch):
    table = tmp_path / "more.csv"
    table.write_text("text\nWhere is the exit?\n", encoding="utf-8")
    read = index_module.read_texts
    monkeypatch.setattr(index_module, "read_texts", lambda *args: KNOWN.save(tmp_path / "known") or read(*args))
    with pytest.raises(IndexFileError, match="must be a new folder, got an index"):
        index_file(table, tmp_path / "known", model="surface")
    assert Index.open(tmp_path / "known").signature == KNOWN.signature


def append(table, folder):
    command = [sys.executable, "-m", "samewise", "index", table, "-o", folder, "--append", "--model", "surface"]
    return subprocess.Popen([*map(str, command), "--id", "id"], stderr=subprocess.PIPE, text=True)


@pytest.fixture
def tables(tmp_path):
    paths = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for path in paths:
        rows = (f"{path.stem}{number},Who waters plant {number} of hall {number % 7}?" for number in range(2_000))
        path.write_text("\n".join(["id,text", *rows, ""]), encoding="utf-8")
    return paths


@pytest.mark.slow
def test_an_append_that_is_killed(tmp_path, tables):
    KNOWN.save(tmp_path / "known")
    for seen in ("content.partial", "texts-", "rows-", "codes-"):
        folder = tmp_path / seen
        shutil.copytree(tmp_path / "known", folder)
        before = used(folder)
        process = append(tables[0], folder)
        while process.poll() is None and not any(name.startswith(seen) for name in {*os.listdir(folder)} - before):
            time.sleep(0.001)
        process.kill()
        process.communicate()
        assert Index.open(folder).signature == KNOWN.signature or len(Index.open(folder)) == 2_002
        MORE.save(folder)
        assert set(os.listdir(folder)) == used(folder)


@pytest.mark.slow
def test_two_appends_at_once(tmp_path, tables):
    KNOWN.save(tmp_path / "known")
    processes = [append(table, tmp_path / "known") for table in tables]
    errors = [process.communicate()[1] for process in processes]
    done = [process.returncode for process in processes].count(0)
    assert done >= 1
    assert len(Index.open(tmp_path / "known")) == 2 + 2_000 * done
    for process, error in zip(processes, errors, strict=True):
        assert process.returncode == 0 or "must be written by one process at a time" in error


def _rows(*places):
    return lambda place: {"rows": store_table(place, "rows", pa.table({"place": pa.array(places)}))}


def _texts(**columns):
    return lambda place: {"texts": store_table(place, "texts", pa.table(columns))}


def _words(array):
    return lambda place: {"codes": {"words": store(place, "codes-words", ".npy", lambda file: np.save(file, array))}}


def _graph(content, **facts):
    files = [] if content is None else [content]

    def write(place):
        names = [store(place, "graph-words", ".usearch", lambda file, data=data: file.write(data)) for data in files]
        return {"graphs": {"words": {"files": names, "starts": [0], **facts}}}

    return write


@pytest.mark.parametrize(
    "changed",
    [
        _rows(0, 2),
        _rows(0, -1),
        _rows("0", "1"),
        lambda place: {"rows": read_manifest(place)["texts"]},
        _texts(text=["Where do trams stop?", None]),
        _texts(text=[3, 4]),
        _texts(text=["Where do trams stop?"]),
        _texts(line=["a", "b"]),
        _words(np.zeros((2, 7), np.int8)),
        _words(np.zeros((1, 256), np.int8)),
        _words(np.zeros((2, 256))),
        _words(np.zeros(2, np.int8)),
        lambda place: {"codes": {"words": read_manifest(place)["rows"]}},
        lambda place: {"texts": store(place, "texts", ".arrow", lambda file: file.write(b"no table"))},
        _graph(None),
        _graph(b""),
        _graph(b"no graph" * 50),
        _graph(b"no graph", starts="0"),
        lambda place: {"graphs": {"words": {"files": []}}},
        lambda place: {"graphs": {"letters": {"files": [], "starts": []}}},
        lambda place: {"views": {}},
    ],
)
def test_an_index_that_was_made_up(tmp_path, changed):
    folder = tmp_path / "index"
    KNOWN.save(folder)
    manifest = {**json.loads((folder / "index.json").read_text(encoding="utf-8")), **changed(folder)}
    (folder / "index.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(IndexFileError, match="index must be an index as it was made, got|must be of this version"):
        Index.open(folder)
