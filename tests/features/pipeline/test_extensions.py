"""Extensions: found by name, listed, and not read where the core has what is asked for."""

import subprocess
import sys

import pytest
from samewise.features import FEATURE_SETS, resolve
from samewise.features.base.extensions import Extended
from samewise.features.pipeline import catalogue
from samewise.features.pipeline.registry import RESOURCES, SHIPPED_TABLES


def test_the_core_comes_first_and_is_not_extended_before_it_must():
    def added():
        read.append(1)
        return {"c": 3, "b": 4}

    read = []
    names = Extended({"a": 1, "b": 2}, added)
    assert (names["a"], "b" in names, read) == (1, True, [])
    assert (names["c"], list(names), names["b"], len(names)) == (3, ["a", "b", "c"], 2, 3)
    with pytest.raises(KeyError, match="d"):
        names["d"]


@pytest.fixture
def unread(monkeypatch):
    """Extensions that must not be read."""

    def refused():
        raise AssertionError("extensions are read")

    monkeypatch.setattr(catalogue, "extensions", refused)
    monkeypatch.setattr("samewise.features.base.extensions.extensions", refused)
    catalogue.all_features.cache_clear()


@pytest.mark.parametrize("spec", ["full", "multilingual", ["bow", "-bow.kept"], ["fast", "-*.*relational*"]])
def test_patterns_on_core_families_read_no_extension(spec, unread):
    assert resolve(spec)[1]


@pytest.mark.parametrize("spec", ["ecnu", "dependency.triples_idf", "*.overlap", ["bow", "-tree_kernel"]])
def test_other_patterns_read_extensions(spec, unread):
    with pytest.raises(AssertionError, match="extensions are read"):
        resolve(spec)


def test_all_are_listed():
    assert {"full", "ecnu", "parsed"} <= set(FEATURE_SETS)
    assert {"wordnet", "glosses"} <= set(SHIPPED_TABLES)
    assert {"idf", "lemma_ngram_counts"} <= set(RESOURCES)
    families = catalogue.all_families()
    assert families == sorted(families) == list(dict.fromkeys(value.family for value in catalogue.all_features()))
    with pytest.raises(ValueError, match="the sets are surface, .*ecnu.* and the families alignment, .*did you mean"):
        resolve("tree_kernels")


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["full", "multilingual"])
def test_a_score_reads_no_extension(profile):
    code = (
        f"import sys, samewise; samewise.load({profile!r}).predict([('A dog runs.', 'A cat sleeps.')]); "
        "print([name for name in sys.modules if name.startswith('samewise.research')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
