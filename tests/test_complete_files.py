"""Files that appear when they are complete, with two writers of the same one at once."""

import os
import subprocess
import sys

import pytest
from samewise._files import check_writable, complete_file, remove_abandoned

WRITER = """
import sys
from samewise._files import complete_file
with complete_file(sys.argv[1]) as file:
    file.write(sys.argv[2].encode() * 1000)
    file.flush()
    print("written", flush=True)
    sys.stdin.readline()
"""


def writer(target, text):
    """Start a process that has written a text to a target and waits for a line before it ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(target), text], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "written\n"
    return process


@pytest.mark.slow
def test_two_processes_write_one_file(tmp_path):
    target = tmp_path / "scores.csv"
    first, second = writer(target, "a"), writer(target, "b")
    assert not target.exists()
    for process, text in ((second, "b"), (first, "a")):
        process.communicate("\n", timeout=600)
        assert process.returncode == 0
        assert target.read_text() == text * 1000
    assert list(tmp_path.iterdir()) == [target]


def test_a_failed_writer_leaves_the_old_file(tmp_path):
    target = tmp_path / "scores.csv"
    target.write_text("before")
    with pytest.raises(RuntimeError), complete_file(target) as file:
        file.write(b"half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == [target]
    assert target.read_text() == "before"


def test_the_mode_is_that_of_an_ordinary_file(tmp_path):
    with complete_file(tmp_path / "complete"):
        pass
    (tmp_path / "ordinary").touch()
    assert os.stat(tmp_path / "complete").st_mode == os.stat(tmp_path / "ordinary").st_mode


def test_long_names(tmp_path):
    target = tmp_path / ("x" * 250)
    with complete_file(target) as file:
        file.write(b"content")
    remove_abandoned(target)
    assert target.read_bytes() == b"content"


def test_only_what_writers_of_the_target_left_is_removed(tmp_path):
    target, mark = tmp_path / "o.csv", "0123456789abcdef.partial"
    abandoned = tmp_path / f".o.csv.{mark}"
    others = [tmp_path / f".o.csv.gz.{mark}", tmp_path / f".o.csv.rejects.jsonl.{mark}", tmp_path / f"o.csv.{mark}"]
    others += [tmp_path / f".o.csv.{mark}~", tmp_path / ".o.csv.0123456789ABCDEF.partial"]
    for path in (abandoned, *others):
        path.write_text("content")
    folder = tmp_path / ".o.csv.bbbbbbbbbbbbbbbb.partial"
    folder.mkdir()
    remove_abandoned(target)
    assert set(tmp_path.iterdir()) == {*others, folder}


@pytest.mark.parametrize("letter", ["x", "\u015f", "\u732b"])
def test_neighbours_of_two_long_names_are_told_apart(tmp_path, letter):
    longest = 250 // len(letter.encode())
    one, two = (tmp_path / (letter * (longest - 1) + end) for end in "ab")
    with complete_file(one) as file:
        file.write(b"one")
        [partial] = tmp_path.iterdir()
    partial.write_text("of a killed writer")
    remove_abandoned(two)
    assert partial.exists()
    remove_abandoned(one)
    assert not partial.exists()
    assert one.read_bytes() == b"one"


def test_a_check_leaves_nothing(tmp_path):
    check_writable(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileNotFoundError):
        check_writable(tmp_path / "none" / "new")
