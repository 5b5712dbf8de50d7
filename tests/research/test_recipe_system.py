"""The recipe of a published system: one file and its test; then it is listed, and runs beside the published figures."""

import csv
import json
import re

import pytest

from ..recipes import lines_of, run_recipe
from ..tutorials import blocks

NUMBER = re.compile(r"[-+]?[0-9]+[.][0-9]+")
PAGE = "adding-a-published-system.md"


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    folder = tmp_path_factory.mktemp("system")
    return folder, *run_recipe(PAGE, folder, files=("library.csv",))


def cells(row):
    return [cell.strip().replace("\u2212", "-") for cell in row.strip().strip("|").split("|")]


def test_one_file_and_its_test_are_all_that_is_added(recipe):
    _, _, added = recipe
    assert added == ["research/systems/data/bag_of_vectors.toml", "tests/research/systems/test_bag_of_vectors.py"]
    assert lines_of(PAGE)["research/systems/data/bag_of_vectors.toml"] < 12


def test_its_test_passes_and_it_is_listed(recipe):
    folder, printed, _ = recipe
    assert re.search(r"\b1 passed\b", printed[0])
    listed = json.loads((folder / "work" / "listed.json").read_text(encoding="utf-8"))
    [facts] = [system for system in listed if system["name"] == "bag_of_vectors"]
    assert facts["runs"] == ["head"] and facts["stand_ins"] == ["fastText: distilled vectors"]


def test_it_stands_beside_the_published_figures_as_shown(recipe):
    _, printed, _ = recipe
    [shown] = [text for kind, text in blocks(PAGE) if kind == "text"]
    header, rule, *rows = shown.splitlines()
    lines = printed[2].splitlines()
    start = lines.index(header)
    assert lines[start + 1] == rule
    for row, line in zip(rows, lines[start + 2 :], strict=False):
        for expected, cell in zip(cells(row), cells(line), strict=True):
            numbers, printed_numbers = ([float(n) for n in NUMBER.findall(text)] for text in (expected, cell))
            assert printed_numbers == pytest.approx(numbers, abs=0.1)
            assert NUMBER.sub("", cell) == NUMBER.sub("", expected)


def test_its_results_are_written(recipe):
    folder, _, _ = recipe
    with (folder / "work" / "out" / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["system"], row["set"]): row for row in csv.DictReader(file)}
    assert set(rows) == {(name, f"STS Benchmark {s}") for name in ("bag_of_vectors", "cosine") for s in ("dev", "test")}
    ours = rows["bag_of_vectors", "STS Benchmark test"]
    assert float(ours["published"]) == 0.702 and -1 <= float(ours["pearson"]) <= 1
    assert float(ours["difference"]) == pytest.approx(float(ours["pearson"]) - 0.702, abs=1e-9)
