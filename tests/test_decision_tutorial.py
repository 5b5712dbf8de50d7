"""The tutorial on decisions runs as it stands, and prints what it shows; so does the page on adapting."""

import csv
import importlib.util
import math
import re
import shlex
import subprocess

import pytest
from samewise.ensemble.commands.cli import app
from typer.testing import CliRunner

from .conftest import ROOT
from .tutorials import EXAMPLES, blocks, needs_bash, run_page

PAGE = "decision-tutorial.md"
TABLES = ("tickets.csv", "tickets-new.csv", "tickets-other.csv")
NUMBER = re.compile(r"(?<![\w.])[+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")


def assert_shown(shown, printed):
    """Compare what a page shows with what is printed: figures to their last digit; `...` stands for any text."""
    assert len(shown.splitlines()) == len(printed.splitlines()), printed
    for expected, line in zip(shown.splitlines(), printed.splitlines(), strict=True):
        start, cut, _ = expected.partition("...")
        wanted, got = NUMBER.findall(start), NUMBER.findall(line)
        words, of_line = (" ".join(NUMBER.sub(" # ", text).split()) for text in (start, line))
        assert of_line == words or (cut and of_line.startswith(words)), line
        for one, other in zip(wanted, got[: len(wanted)], strict=True):
            assert figure(other) == pytest.approx(figure(one), rel=0.02, abs=1.01 * last_digit(one)), line


def figure(text):
    return float(text.replace(",", ""))


def last_digit(text):
    if "e" in text:
        return math.inf  # the order of a p-value is no promise
    return 10.0 ** -len(text.partition(".")[2])


def run_errors(text):
    """Run the commands of a block of errors in this process; return them with what they print."""
    printed, statuses = [], []
    for line in re.findall(r"^\$ (.*)$", text, flags=re.MULTILINE):
        printed.append(f"$ {line}\n")
        if line.startswith("samewise "):
            done = CliRunner().invoke(app, shlex.split(line)[1:], prog_name="samewise")
            printed.append(done.stdout + done.stderr)
            statuses.append(done.exit_code)
        else:
            subprocess.run(["bash", "-euc", line], check=True)
    return "".join(printed), statuses


@pytest.mark.slow
@needs_bash
def test_every_block_runs_in_order_and_prints_what_is_shown(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    ran = iter(run_page(PAGE, TABLES, tmp_path, monkeypatch, capsys))
    outputs, errors, last = 0, 0, ""
    for block in blocks(PAGE):
        if block.kind != "text":
            same, out, err = next(ran)
            assert same == block
            last = out + err
        elif block.text.startswith("$ "):
            printed, statuses = run_errors(block.text)
            assert_shown(block.text, printed)
            assert statuses and not {0} & set(statuses)
            errors += len(statuses)
        else:
            assert_shown(block.text, last)
            outputs += 1
    assert (outputs, errors) == (10, 22)


@pytest.mark.parametrize(
    ("shown", "printed", "fits"),
    [
        ("same  0.808, 142 pairs", "same 0.809, 143 pairs", True),
        ("same  0.808, 142 pairs", "same 0.811, 142 pairs", True),
        ("same  0.20", "same 0.22", False),
        ("same  142 pairs", "different 142 pairs", False),
        ("model samewise:...", "model samewise:0.1.0|x", True),
        ("model samewise:...", "signature samewise:0.1.0|x", False),
        ("got 8; label more", "got 8; label more\nand more", False),
        ("p = 9e-14", "p = 4e-15", True),
    ],
)
def test_what_counts_as_shown(shown, printed, fits):
    if fits:
        assert_shown(shown, printed)
    else:
        with pytest.raises(AssertionError):
            assert_shown(shown, printed)


def test_the_tables_are_those_of_their_script(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("make_tickets", EXAMPLES / "make_tickets.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.chdir(tmp_path)
    module.write_tables()
    for name in TABLES:
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes()


def test_labels_cannot_be_told_by_the_words_in_common():
    with (EXAMPLES / "tickets.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1200 and all(0 <= float(row["label"]) <= 1 for row in rows)
    shared = {True: [], False: []}
    for row in rows:
        one, two = (set(re.findall(r"\w+", row[key].lower())) for key in ("ticket", "earlier"))
        shared[float(row["label"]) >= 0.6].append(len(one & two) / len(one | two))
    # Of ten pairs that are the same at least one has hardly a word in common, and some of the others have many.
    assert sum(share < 0.1 for share in shared[True]) > 0.1 * len(shared[True])
    assert max(shared[False]) > 0.3


@pytest.mark.slow
def test_python_of_the_page_on_adapting_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    [block] = [block for block in blocks("adapting.md") if block.kind == "python"]
    exec(compile(block.text, "adapting.md", "exec"), {"__name__": "page"})
    first, *tried = capsys.readouterr().out.splitlines()
    assert "0..1" in first and first.split()[0] in {line.split()[0] for line in tried}
    assert (tmp_path / "my-model" / "manifest.json").is_file()


def test_every_change_that_is_tried_is_on_the_page():
    from samewise.ensemble.commands.adapt_command import _CHANGES

    page = (ROOT / "docs" / "adapting.md").read_text(encoding="utf-8")
    for words in _CHANGES.values():
        assert f"| {words} |" in page
