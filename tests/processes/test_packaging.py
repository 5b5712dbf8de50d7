"""Installed packages are those of the repository, and nothing heavy is imported early."""

import importlib.metadata
import subprocess
import sys
import tomllib

import pytest

from ..conftest import ROOT

LAYERS = ("features", "models", "ensemble", "apps", "research")


@pytest.mark.parametrize("top", LAYERS)
def test_every_folder_with_modules_is_a_package(top):
    # setuptools finds packages by their __init__.py; a folder without one would be left out of a wheel.
    assert (ROOT / "src" / "samewise" / top).resolve() == ROOT / top
    folders = {path.parent for path in (ROOT / top).rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


WEIGHTS = sorted(path.parent for path in (ROOT / "weights").glob("*/pyproject.toml"))


def test_every_distribution_of_weights_is_known():
    assert [folder.name for folder in WEIGHTS] == ["benchmark", "best", "languages"]


@pytest.mark.parametrize("folder", WEIGHTS, ids=lambda folder: folder.name)
def test_a_distribution_of_weights_lists_every_file(folder):
    tool = tomllib.loads((folder / "pyproject.toml").read_text())["tool"]["setuptools"]
    [package] = tool["packages"]
    on_disk = {path for path in (folder / package).rglob("*") if path.is_file() and path.suffix not in {".py", ".pyc"}}
    assert on_disk == {path for pattern in tool["package-data"][package] for path in (folder / package).glob(pattern)}
    assert max(path.stat().st_size for path in on_disk) < 50_000_000


@pytest.mark.parametrize("folder", WEIGHTS, ids=lambda folder: folder.name)
def test_make_installs_a_distribution_of_weights(folder):
    makefile = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    [rule] = [line for line in makefile.splitlines() if line.startswith("$(VENV)/.installed:")]
    assert f"weights/{folder.name}/pyproject.toml" in rule.split()
    [install] = [line for line in makefile.splitlines() if " --editable '.[fit]' " in line]
    assert f"--editable ./weights/{folder.name}" in " ".join(install.split())


PARSING = {"pandas", "pyarrow", "spacy"}
NETWORKS = {"onnxruntime", "tokenizers"}


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("from samewise.ensemble.commands import cli", {"numpy", "pyarrow", "Stemmer", "rapidfuzz"}),
        ("import samewise; samewise.load('surface').predict([('a dog', 'a cat')])", {*PARSING, *NETWORKS}),
        ("import samewise; samewise.load('fast').predict([('a dog', 'a cat')])", {*PARSING, *NETWORKS}),
        ("import samewise; samewise.load('full').predict([('a dog', 'a cat')])", PARSING),
    ],
    ids=["help", "surface", "fast", "full"],
)
def test_nothing_heavy_is_imported_before_it_is_needed(code, heavy):
    heavy = {*heavy, "nltk", "scipy", "sklearn", "torch", "wordfreq", "xgboost"}
    code = f"import sys; {code}; found = {heavy!r} & set(sys.modules); sys.exit(str(found) if found else 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_version_is_the_one_of_the_changelog():
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert f"## {importlib.metadata.version('samewise')}" in changelog
