"""The recipe for a new feature, carried out on a copy of the package."""

import json

import pytest

from ..recipes import lines_of, run_recipe
from ..tutorials import blocks, needs_bash

PAGE = "adding-a-feature.md"


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recipe")
    printed, added = run_recipe(PAGE, folder, ["library.csv"])
    return folder / "work", printed, added


@pytest.mark.slow
@needs_bash
def test_a_feature_is_one_file_and_one_test(recipe):
    _, printed, added = recipe
    assert added == ["features/families/interrogative.py", "tests/features/families/test_interrogative.py", "ending.py"]
    assert lines_of(PAGE)["features/families/interrogative.py"] <= 20
    assert printed[0].splitlines()[-1].startswith("5 passed")


@needs_bash
def test_the_catalogue_lists_it_as_the_page_shows(recipe):
    (shown,) = [block.text for block in blocks(PAGE) if block.kind == "text"]
    assert recipe[1][1].split() == shown.split()


@needs_bash
def test_a_model_reads_it(recipe):
    work, printed, _ = recipe
    columns = json.loads((work / "my-model" / "manifest.json").read_text())["columns"]
    assert columns[-2:] == ["interrogative.words.shared", "interrogative.words.one_sided"]
    assert 0 <= score_of(printed[2]) <= 5


@needs_bash
def test_a_file_outside_the_package_declares_one_too(recipe):
    work, printed, _ = recipe
    manifest = json.loads((work / "own-model" / "manifest.json").read_text())
    assert manifest["columns"][-1] == "ending.mark.same"
    assert manifest["own_features"]["ending.mark"]["file"] == "ending.py"
    assert 0 <= score_of(printed[3]) <= 5


def score_of(text):
    (line,) = [line for line in text.splitlines() if line.startswith("score ")]
    return float(line.split()[1])
