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
