"""Claims of the docs that are counts of the code."""

import ast
import re

import pytest
from samewise.features.catalogue import all_features, resolve

from .conftest import ROOT

SAME_SEED = (
    "The same seed and data give the same model, byte for byte, on one installation; with a network among the members, "
    "on one kind of processor and with the same number of threads (`n_jobs`) too."
)


def _plain(path):
    return " ".join((ROOT / path).read_text(encoding="utf-8").replace("``", "`").split())


@pytest.mark.parametrize("profile", ["surface", "fast", "full"])
def test_no_shipped_profile_parses(profile):
    features, _ = resolve(profile)
    assert {value.level for value in features} <= {"text", "tokens", "lexical"}
    assert "a parser that no shipped profile uses" in _plain("README.md")


def test_how_many_families_read_the_aligner():
    families = {value.family for value in all_features()}
    aligned = set()
    for family in families:
        tree = ast.parse((ROOT / "features" / "families" / f"{family}.py").read_text(encoding="utf-8"))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        if any("word_alignment" in (node.module or "").split(".") for node in imports):
            aligned.add(family)
    stated = re.search(r"which (\d+) of the (\d+) families of features read", _plain("README.md"))
    assert stated is not None
    assert (int(stated[1]), int(stated[2])) == (len(aligned), len(families))


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/architecture.md",
        "docs/training.md",
        "models/pretrained/README.md",
        "ensemble/core/estimator.py",
    ],
)
def test_the_promise_of_the_same_seed_has_its_limits_in_the_same_words(page):
    assert SAME_SEED in _plain(page)
