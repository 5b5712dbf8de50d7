"""Outputs: names of open streams, and places that cannot be written."""

import os
import subprocess
import sys

import pytest
from samewise.ensemble.tables.sources import TableError
from samewise.ensemble.tables.table_writer import (
    check_output,
    check_output_folder,
    complete_output,
    is_standard_output,
    is_stream,
)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows names open files otherwise")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_names_of_standard_output(tmp_path):
    for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", f"/proc/{os.getpid()}/fd/1", "/dev/../dev/stdout"):
        assert is_standard_output(name), name
    for name in ("/dev/fd/63", "/dev/stderr"):
        assert is_stream(name)
        assert not is_standard_output(name)
    for name in ("out.csv", tmp_path / "1", "/dev/null", "fd/1", f"/proc/{os.getppid()}/fd/1"):
        assert not is_stream(name), name


def test_links_to_streams(tmp_path):
    (tmp_path / "latest.csv").symlink_to("/dev/stdout")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert is_standard_output(tmp_path / "latest.csv")
    assert not is_stream(tmp_path / "loop")


def test_an_open_file_is_written_to_and_not_replaced(tmp_path):
    path = tmp_path / "log"
    path.write_text("before\n")
    place = path.stat().st_ino
    with path.open("a") as file, complete_output(f"/dev/fd/{file.fileno()}") as output:
        output.write(b"after\n")
    assert path.read_text() == "before\nafter\n"
    assert path.stat().st_ino == place


def test_a_pipe(tmp_path):
    reading, writing = os.pipe()
    with complete_output(f"/dev/fd/{writing}") as output:
        output.write(b"rows")
    os.close(writing)
    with open(reading, "rb") as file:
        assert file.read() == b"rows"


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_predict_into_a_pipe_by_name(tmp_path, suffix):
    (tmp_path / "in.csv").write_text("sentence1,sentence2\na b,a c\nonly one\n")
    command = [sys.executable, "-m", "samewise", "predict", "in.csv", "--model", "surface", "--format", suffix, "-o"]
    done = [
        subprocess.run([*command, name], cwd=tmp_path, capture_output=True, timeout=600)
        for name in ("-", "/dev/stdout")
    ]
    assert done[0].returncode == done[1].returncode == 0, done[1].stderr
    assert done[0].stdout == done[1].stdout
    assert b'"line": 3' in done[1].stderr
    assert set(contents(tmp_path)) == {"in.csv"}


def test_places_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("mine")
    before = contents(tmp_path)
    for path, error in (
        (tmp_path, TableError),
        (tmp_path / "none" / "out.csv", FileNotFoundError),
        (tmp_path / "file" / "out.csv", NotADirectoryError),
        (tmp_path / ("x" * 300), OSError),
    ):
        with pytest.raises(error):
            check_output(path)
    with pytest.raises(TableError, match="must be a folder, got the file"):
        check_output_folder(tmp_path / "file")
    with pytest.raises(NotADirectoryError):
        check_output_folder(tmp_path / "file" / "deep" / "folder")
    for path in (tmp_path / "new.csv", tmp_path / "file", None, "-", "/dev/null"):
        check_output(path)
    check_output_folder(tmp_path / "new" / "folder")
    assert contents(tmp_path) == before
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        check_output(tmp_path / "out.csv")
    with pytest.raises(PermissionError):
        check_output_folder(tmp_path / "new")


PAIRS = "sentence1,sentence2,score,pair\na b,a c,1,p\nd e,d f,2,q\n"
LABELS = "annotator,pair,label\nx,p,1\n"


@pytest.mark.parametrize(
    "command",
    [
        "predict pairs.csv -o none/out.csv",
        "predict pairs.csv -o file/out.csv",
        "explain --table pairs.csv -o none/out.csv",
        "explain a b --report none/page.html",
        "evaluate pairs.csv --report none/page.html",
        "ablate pairs.csv -o file",
        "ablate pairs.csv -o file/folder",
        "learning-curve pairs.csv --dev pairs.csv -o file/folder",
        "label select pairs.csv --k 1 -o none/out.csv",
        "label gold labels.csv -o none/out.csv",
        "label gold labels.csv --report none/page.html",
        "label export pairs.csv -o none/tasks.csv",
        "label import pairs.csv --key pairs.csv -o none/labels.csv",
        "features extract pairs.csv -o none/out.parquet",
        "features vectors vectors.txt -o file/folder",
        "train pairs.csv -o file/model",
        "research systems run all -o file/folder --data .",
    ],
)
def test_commands_tell_before_they_work(tmp_path, monkeypatch, capsys, command):
    from samewise.ensemble import loading
    from samewise.ensemble.commands import cli
    from samewise.ensemble.tables import labelled_pairs
    from samewise.features.lexicon import vector_files

    def work(*arguments, **options):
        raise AssertionError("work began")

    monkeypatch.chdir(tmp_path)
    for name, text in (("pairs.csv", PAIRS), ("labels.csv", LABELS), ("file", "mine"), ("vectors.txt", "a 1 2\n")):
        (tmp_path / name).write_text(text)
    before = contents(tmp_path)
    for module, name in (
        (loading.ModelRef, "load"),
        (labelled_pairs, "read_pairs"),
        (vector_files, "convert_vectors"),
    ):
        monkeypatch.setattr(module, name, work)
    if command.startswith("label import"):
        monkeypatch.setattr("samewise.apps.labels.task_answers.read_key", lambda key: {})
    with pytest.raises(SystemExit) as end:
        cli.app(command.split())
    assert end.value.code == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "none" in said or "file" in said
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("ablate pairs.csv -o .", "ablation.csv"),
        ("learning-curve pairs.csv --dev pairs.csv -o .", "report.html"),
        ("research systems run all -o . --data .", "results.csv"),
    ],
)
def test_files_of_the_user_in_the_folder_of_an_experiment_stay(tmp_path, monkeypatch, capsys, command, name):
    from samewise.ensemble.commands import cli

    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.csv").write_text(PAIRS)
    (tmp_path / name).write_text("mine")
    with pytest.raises(SystemExit) as end:
        cli.app(command.split())
    assert end.value.code == 1
    assert f"samewise: {name} must be of an earlier run" in capsys.readouterr().err
    assert (tmp_path / name).read_text() == "mine"
