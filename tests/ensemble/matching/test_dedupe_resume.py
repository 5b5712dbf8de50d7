"""A search for duplicates that was killed goes on, and writes what an undisturbed run with any workers writes."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from samewise.ensemble.matching.dedupe_files import dedupe_file
from samewise.ensemble.matching.options import DedupeOptions
from samewise.ensemble.tables.table_reader import TableError

KILLER = Path(__file__).parents[1] / "scoring" / "signal_at_chunk.py"
OUTPUTS = ("out.csv", "out.removed.csv", "out.review.csv")
QUESTION = DedupeOptions(same_from=3.2, unsure_from=3.1, views=("words",), per_view=99, keep="longest")
OPTIONS = ["--same-from", "3.2", "--unsure-from", "3.1", "--views", "words", "--per-view", "99", "--keep", "longest"]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A table of 150 sentences, so alike that several thousand pairs are scored: more than one batch."""
    path = tmp_path_factory.mktemp("table") / "in.csv"
    lines = [
        f"The {thing} in the {room} {state}."
        for thing in ("lamp", "fan", "tap", "door", "clock")
        for room in ("hall", "cellar", "kitchen", "attic", "office")
        for state in ("hums", "is broken", "has stopped", "stinks", "is new", "leaks")
    ]
    path.write_text("\n".join(["text", *lines]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def whole(source, tmp_path_factory):
    """The outputs of an undisturbed run of one process."""
    folder = tmp_path_factory.mktemp("whole")
    summary = dedupe_file(source, folder / "out.csv", model="surface", options=QUESTION, workers=1)
    assert summary.candidates > 2 * 2_048
    assert summary.removed > 0
    assert sum(summary.review.values()) > 0
    return contents(folder)


@pytest.fixture(scope="module")
def killed(source, tmp_path_factory):
    """The folder of a run that was killed as soon as its first chunk was on disk."""
    folder = tmp_path_factory.mktemp("killed")
    command = ["dedupe", source, "-o", folder / "out.csv", "--model", "surface", "--workers", "1", *OPTIONS]
    script = [sys.executable, KILLER, "SIGKILL", "1", *command, "--checkpoint", "0"]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300)
    assert done.returncode == -signal.SIGKILL, done.stderr
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def resumed(source, folder, **changes):
    settings = {"model": "surface", "options": QUESTION, "workers": 1, "resume": True, **changes}
    return dedupe_file(source, folder / "out.csv", **settings)


@pytest.fixture
def copy(killed, tmp_path):
    return shutil.copytree(killed, tmp_path / "copy")


@pytest.mark.slow
def test_a_killed_run_goes_on_with_the_same_bytes(source, whole, killed, copy):
    assert set(contents(killed)) <= {"out.csv.unfinished", "out.csv.unfinished-journal"}
    assert resumed(source, copy).resumed == 2_048
    assert contents(copy) == whole
    assert sorted(whole) == sorted(OUTPUTS)


@pytest.mark.slow
def test_two_processes_write_the_same_bytes(source, whole, tmp_path, other_processes):
    resumed(source, tmp_path, workers=2, resume=False)
    assert contents(tmp_path) == whole


def test_it_goes_on_only_if_that_is_asked_for(source, copy):
    with pytest.raises(TableError, match="out.csv has an unfinished run; add --resume to go on"):
        resumed(source, copy, resume=False)
    assert resumed(source, copy).resumed == 2_048


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"keep": "first"}, 'the keep must be that of the unfinished run of .*, "longest", got "first"'),
        ({"same_from": 3.5}, "the rule must be that of the unfinished run"),
        ({"keep_apart": ("number",)}, "the rule must be that of the unfinished run"),
        ({"views": ("words", "rare_words")}, "the views must be that of the unfinished run"),
        ({"per_view": 98}, "the number per view must be that of the unfinished run of .*, 99, got 98"),
    ],
)
def test_what_may_not_change(source, copy, change, message):
    with pytest.raises(TableError, match=message):
        resumed(source, copy, options=DedupeOptions(**{**vars(QUESTION), **change}))
    assert "out.csv.unfinished" in contents(copy)


def test_another_table_is_refused(source, copy, tmp_path):
    other = tmp_path / "in.csv"
    other.write_bytes(source.read_bytes().replace(b"The lamp in the hall hums", b"The lamp in the barn hums"))
    with pytest.raises(TableError, match="the input must be that of the unfinished run"):
        resumed(other, copy)
