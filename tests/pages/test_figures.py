"""The pages print the recorded figures, which are those of the models that ship."""

import json
import re
import subprocess
import sys

import pytest
from samewise.models.bundle import signature
from samewise.models.profiles import ALL_PROFILES, is_installed, profile_folder

from samewise import load

from ..conftest import ROOT

MODELS = json.loads((ROOT / "docs" / "results" / "figures.json").read_text(encoding="utf-8"))["models"]


def test_pages_print_the_recorded_figures_and_no_others():
    words = [sys.executable, ROOT / "docs" / "make_results.py", "--check"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", [name for name in ALL_PROFILES if name in MODELS])
def test_recorded_figures_are_of_the_model_that_ships(name):
    if not is_installed(name):
        pytest.skip(f"the distribution with {name} is not installed")
    manifest = json.loads((profile_folder(name) / "manifest.json").read_text(encoding="utf-8"))
    assert signature(manifest) == MODELS[name], "run make results and record what it finds"


def test_the_page_about_scores_shows_those_of_the_default_profile():
    page = (ROOT / "docs" / "scores.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d\.\d) \| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    assert rows
    scores = load("full").predict([(a, b) for _, a, b in rows])
    # Networks differ a little between processors.
    assert scores.tolist() == pytest.approx([float(shown) for shown, _, _ in rows], abs=0.15)


def test_what_was_found_again_is_recorded_as_it_is_printed(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from recorded_figures import Figures

    series = {
        "a": {"kind": "repeated", "run": "r", "form": ".3f", "values": {"x": 0.1, "y": 0.2}},
        "b": {"kind": "repeated", "run": "r", "form": ".1%", "values": {"x": 0.5}},
        "c": {"kind": "repeated", "run": "r", "form": "d", "values": {"x": 4}},
        "d": {"kind": "repeated", "run": "r", "form": "+.2f", "values": {"x": 4.0}},
    }
    found = {"a": {"y": 0.81249, "z": 0.5}, "b": {"x": 0.91234}, "c": {"x": 7.0}, "d": {"x": -1.005}}
    again = Figures({"m": "old", "n": "same"}, {}, series).with_found(found, {"m": "new"})
    values = {name: one["values"] for name, one in again.series.items()}
    assert values == {"a": {"x": 0.1, "y": 0.812, "z": 0.5}, "b": {"x": 0.912}, "c": {"x": 7}, "d": {"x": -1.0}}
    assert again.models == {"m": "new", "n": "same"} and series["a"]["values"] == {"x": 0.1, "y": 0.2}
    assert again.printed("b", "x") == "91.2 %" and again.printed("d", "x") == "−1.00"
