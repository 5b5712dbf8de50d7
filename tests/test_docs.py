"""The examples of the README and of the docstrings run."""

import doctest
import importlib
import pkgutil
import re
import shlex
import subprocess
import sys

import pytest
import samewise.ensemble
import samewise.features
import samewise.models
import samewise.research
from samewise.features import FEATURE_SETS, all_features

from .conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
FOLDERS = "features|models|ensemble|research|weights|tests|benchmarks"
PACKAGES = (samewise.features, samewise.models, samewise.ensemble, samewise.research)
MODULES = [
    name for package in PACKAGES for _, name, _ in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("block", BLOCKS)
def test_python_of_the_readme_runs(block):
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})


@pytest.mark.slow
def test_the_feature_of_the_readme_trains_and_predicts(tmp_path):
    source = next(block for block in BLOCKS if block.startswith("# vowels.py"))
    (tmp_path / "vowels.py").write_text(source)
    rows = [f"A man plays song {i}.,Someone plays song {i % 7}.,{i % 6}" for i in range(40)]
    (tmp_path / "mine.csv").write_text("\n".join(["sentence1,sentence2,score", *rows]))
    for command in (
        "train mine.csv --features length.*,vowels.py --members gbm -o my-model",
        "predict mine.csv --model my-model --own vowels.py -o scored.csv",
    ):
        words = [sys.executable, "-m", "samewise", *shlex.split(command)]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
    assert len((tmp_path / "scored.csv").read_text().splitlines()) == 41


@pytest.mark.slow
def test_the_score_of_the_readme_is_what_the_command_prints():
    shown = re.search(r"```text\n\$ (samewise score .*?)\n(.*?)```", README, flags=re.DOTALL)
    assert shown is not None
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(shown[1])], capture_output=True, text=True, timeout=600, check=True
    )
    assert done.stdout == shown[2]


def _modules():
    for name in MODULES:
        try:
            yield importlib.import_module(name)
        except ModuleNotFoundError as error:
            # An extra that is not installed, such as torch.
            assert error.name is not None and not error.name.startswith("samewise"), name


@pytest.mark.slow
def test_docstring_examples():
    results = [doctest.testmod(module) for module in _modules()]
    assert sum(result.attempted for result in results) > 0
    assert sum(result.failed for result in results) == 0


def test_documents_mention_no_file_that_is_not_there():
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        text = document.read_text(encoding="utf-8")
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", text):
            assert (document.parent / link).exists(), f"{document.name} links to {link}"
        for path in re.findall(
            r"`((?:features|models|ensemble|research|weights|tests|benchmarks)/[\w/.-]+\.(?:py|txt))`", text
        ):
            assert (ROOT / path).exists(), f"{document.name} names {path}"


def test_the_catalogue_has_a_row_for_every_set_definition_and_feature():
    spec = importlib.util.spec_from_file_location("make_features", ROOT / "docs" / "make_features.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sets, definitions, *families = re.split(r"^## .*$", module.tables(), flags=re.MULTILINE)[1:]
    rows = [re.findall(r"^\| `?([\w]+)`? \|.*\|$", part, re.MULTILINE) for part in (sets, definitions)]
    assert rows == [["set", *FEATURE_SETS], ["definition", *module.DEFINITIONS]]
    assert {name for value in all_features() for name in value.section.split()} == set(module.DEFINITIONS)
    names = [name for family in families for name in re.findall(r"^\| `(\w+)` \|", family, re.MULTILINE)]
    assert names == [value.name for value in all_features()]
