"""Licences: the expression, the texts and the files of the distributions agree, and every folder of data has terms."""

import importlib.metadata
import re
import tomllib

import pytest

from .conftest import ROOT

PROJECTS = {
    "samewise": ROOT,
    "samewise-languages": ROOT / "weights" / "languages",
    "samewise-best": ROOT / "weights" / "best",
    "samewise-benchmark": ROOT / "weights" / "benchmark",
}
DATA = (
    "features",
    "models",
    "ensemble",
    "apps",
    "research",
    "weights/languages/samewise_languages",
    "weights/best/samewise_best",
    "weights/benchmark/samewise_benchmark",
    "data",
    "docs/examples",
    "tests/challenge",
)
CODE = {".py", ".pyc", ".md", ".typed"}


def _identifiers(expression):
    return set(re.split(r" (?:AND|OR) ", expression))


@pytest.mark.parametrize("name", PROJECTS)
def test_the_expression_names_the_texts_that_are_there(name):
    facts = tomllib.loads((PROJECTS[name] / "pyproject.toml").read_text())["project"]
    assert _identifiers(facts["license"]) == {path.stem for path in (PROJECTS[name] / "LICENSES").iterdir()}
    assert {"NOTICE", "LICENSES/*.txt"} <= set(facts["license-files"])


@pytest.mark.parametrize("name", PROJECTS)
def test_an_installed_distribution_has_the_texts(name):
    installed = importlib.metadata.distribution(name)
    facts = tomllib.loads((PROJECTS[name] / "pyproject.toml").read_text())["project"]
    assert installed.metadata["License-Expression"] == facts["license"]
    texts = {f"LICENSES/{path.name}" for path in (PROJECTS[name] / "LICENSES").iterdir()}
    assert {*texts, "NOTICE"} <= set(installed.metadata.get_all("License-File"))


def test_samewise_languages_has_the_same_notice():
    assert (PROJECTS["samewise-languages"] / "NOTICE").read_bytes() == (ROOT / "NOTICE").read_bytes()


@pytest.mark.parametrize("name", PROJECTS)
def test_a_licence_has_the_same_text_everywhere(name):
    for path in (PROJECTS[name] / "LICENSES").iterdir():
        assert path.read_bytes() == (ROOT / "LICENSES" / path.name).read_bytes()


@pytest.mark.parametrize("name", ["samewise", "samewise-best", "samewise-benchmark"])
def test_the_notice_has_a_part_for_each_licence(name):
    headings = {line for line in (PROJECTS[name] / "NOTICE").read_text().splitlines() if line and " " not in line}
    assert headings - {name} == {path.stem for path in (PROJECTS[name] / "LICENSES").iterdir()}


def _folders_of_data():
    for top in DATA:
        for folder in [ROOT / top, *(path for path in (ROOT / top).rglob("*") if path.is_dir())]:
            if any(path.is_file() and path.suffix not in CODE for path in folder.iterdir()):
                yield folder


def _has_terms(folder):
    if (folder / "LICENSE").is_file():
        return True
    page = folder / "README.md"
    return (
        page.is_file()
        and re.search(r"^(## .*[Tt]erms|\\*\\*(Terms|Licence))", page.read_text(), re.MULTILINE) is not None
    )


def test_every_folder_of_data_has_terms():
    tops = {ROOT / top for top in DATA}
    folders = list(_folders_of_data())
    assert len(folders) > 20
    for folder in folders:
        nearest = folder
        while not _has_terms(nearest):
            assert nearest not in tops, (
                f"{folder.relative_to(ROOT)} has no terms: add a README.md with a part '## Terms'"
            )
            nearest = nearest.parent


def test_terms_name_licences_whose_texts_are_there():
    # In the words that people use for them.
    words = {
        "Apache-2.0": "Apache",
        "CC-BY-SA-4.0": r"CC[- ]BY[- ]SA[- ]4\.0|ShareAlike 4\.0",
        "CC-BY-3.0-US": r"Attribution 3\.0 United States",
        "BSD-3-Clause": "BSD-3-Clause",
        "CC-BY-4.0": r"CC BY 4\.0",
        "LicenseRef-WordNet": "WordNet licence|`LICENSE`",
    }
    pages = [path for top in DATA for path in (ROOT / top).rglob("README.md")]
    for page in pages:
        assert any(re.search(pattern, page.read_text()) for pattern in words.values()), page


def test_the_stop_words_called_ecnu_are_those_of_known_lists():
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
    from spacy.lang.en.stop_words import STOP_WORDS

    lists = {}
    for name in ("ecnu", "nltk"):
        lines = (ROOT / "features" / "data" / f"stopwords-{name}.txt").read_text().splitlines()
        lists[name] = {line for line in lines if not line.startswith("# ")}
    words = {word for word in lists["ecnu"] if word.isalpha()}
    assert len(lists["ecnu"]) == 260
    assert words - lists["nltk"] - ENGLISH_STOP_WORDS - STOP_WORDS == {"like", "ought", "shall"}
