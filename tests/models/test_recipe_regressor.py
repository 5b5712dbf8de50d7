"""The recipe of a regressor: one file and its test; then it trains, explains, is read elsewhere and serves."""

import ast
import csv
import os
import re
import subprocess

import pytest

from ..conftest import ROOT
from ..recipes import lines_of, pytest_of, run_recipe
from ..tutorials import blocks

PAGE = "adding-a-regressor.md"


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    folder = tmp_path_factory.mktemp("regressor")
    return folder, *run_recipe(PAGE, folder, files=("library.csv",))


@pytest.mark.slow
def test_one_file_and_its_test_are_all_that_is_added(recipe):
    _, _, added = recipe
    assert added == ["models/regressors/extra.py", "tests/models/regressors/test_extra.py"]
    assert lines_of(PAGE)["models/regressors/extra.py"] < 30


def test_it_prints_what_the_page_shows(recipe):
    _, printed, _ = recipe
    tested, _, explained, _, _ = printed
    assert re.search(r"\b1 passed\b", tested)
    [shown] = [text for kind, text in blocks(PAGE) if kind == "text"]
    assert explained == shown


def test_the_processes_of_the_service_explain_with_it(recipe):
    pytest.importorskip("fastapi")
    _, printed, _ = recipe
    [answer] = ast.literal_eval(printed[-1])
    assert answer["note"] is None
    assert answer["base"] + sum(answer["contributions"].values()) == pytest.approx(answer["score"], abs=1e-6)


def test_worker_processes_score_every_row(recipe):
    folder, _, _ = recipe
    with (folder / "work" / "scores.csv").open(encoding="utf-8", newline="") as file:
        scores = [float(row["samewise_score"]) for row in csv.DictReader(file)]
    assert len(scores) == 84 and len(set(scores)) > 40
    assert all(0 <= score <= 5 for score in scores)


@pytest.mark.slow
def test_the_contract_holds_for_it(recipe):
    folder, _, _ = recipe
    environment = {**os.environ, "PYTHONPATH": str(folder / "package")}
    command = [*pytest_of([ROOT / "tests" / "models" / "test_member.py"]), "-k", "extra"]
    done = subprocess.run(command, cwd=folder / "work", env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 12
