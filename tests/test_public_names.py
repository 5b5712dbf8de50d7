"""The names that a reader of a notebook meets: `samewise.` completes to all of them, and to nothing else."""

import importlib.metadata
import rlcompleter
import subprocess
import sys

import pytest
import samewise.ensemble

import samewise

NAMES = """FeatureMatrix Index Pair PairFeatures SentenceKFold SimilarityClassifier SimilarityEnsemble dedupe evaluate
    feature load match score score_table"""


def test_dir_has_the_public_names_alone():
    assert dir(samewise) == sorted([*NAMES.split(), "__version__"])


def test_completion_finds_them():
    completer = rlcompleter.Completer({"samewise": samewise})
    completions = [completer.complete("samewise.", place) for place in range(len(NAMES.split()))]
    assert {text.removeprefix("samewise.").rstrip("()") for text in completions} == set(NAMES.split())
    assert completer.complete("samewise.", len(completions)) is None
    assert completer.complete("samewise.__v", 0) == "samewise.__version__"


@pytest.mark.parametrize("name", NAMES.split())
def test_every_name_leads_to_something_documented(name):
    assert getattr(samewise, name).__doc__


def test_the_version_is_that_of_the_distribution():
    assert samewise.__version__ == importlib.metadata.version("samewise")


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'scores'"):
        samewise.scores  # noqa: B018


def test_dir_of_the_product_has_its_names_alone():
    assert {"Evaluation", "Prediction", "Predictor", "load", "score"} < set(dir(samewise.ensemble))
    assert all(hasattr(samewise.ensemble, name) for name in dir(samewise.ensemble))
    assert "import_module" not in dir(samewise.ensemble)


@pytest.mark.slow
def test_neither_dir_nor_the_version_imports_the_package():
    code = (
        "import sys, samewise; dir(samewise); samewise.__version__; "
        "sys.exit(str({name for name in sys.modules if name.startswith('samewise.')}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.stderr.strip() == "set()"
    code = "import sys, samewise; samewise.__version__; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=600).returncode == 0
