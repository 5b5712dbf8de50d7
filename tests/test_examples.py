"""The scripts that people copy run as they stand, and print what the page shows."""

import re
import subprocess
import sys

import pytest

from .conftest import ROOT

FOLDER = ROOT / "docs" / "examples"
PAGE = (ROOT / "docs" / "examples.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"```text\n\$ python (\w+)\.py\n(.*?)```", PAGE, re.DOTALL))


def run(*words):
    done = subprocess.run([sys.executable, *words], cwd=FOLDER, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def without_scores(text):
    """Return a text with the first digit of its scores alone, for the last may differ on another machine."""
    return re.sub(r"(\d\.)\d", r"\1", text)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
def test_a_script_prints_what_the_page_shows(name):
    assert without_scores(run(f"{name}.py")) == without_scores(SHOWN[name])


@pytest.mark.slow
def test_grades_are_on_the_scale_of_the_teacher():
    right, negated, wrong = (float(line.split()[0]) for line in run("answer_grading.py").splitlines())
    assert 3 >= right > wrong >= 0
    assert "negation" in run("answer_grading.py").splitlines()[1]
    assert 3 >= negated >= 0


@pytest.mark.slow
def test_an_ablation_has_a_row_for_each_family_that_was_dropped():
    rows = [line.split() for line in run("ablation.py").splitlines()]
    assert {row[0] for row in rows} >= {"bow", "negation", "sequence", "unmatched"}
    assert all(-1 <= float(row[1]) <= 1 for row in rows)


@pytest.mark.slow
def test_the_tests_of_a_language_model_pass():
    printed = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_assistant.py")
    assert "3 passed" in printed


def test_the_page_names_every_script():
    scripts = {path.name for path in FOLDER.glob("*.py")} - {"make_tickets.py"}
    assert set(re.findall(r"\]\(examples/(\w+\.py)\)", PAGE)) == scripts
