"""Assertions that texts mean the same, as functions and as fixtures of pytest."""

import subprocess
import sys
from importlib.metadata import entry_points

import pytest
from samewise.apps.integrations import pytest_plugin
from samewise.apps.integrations.assertions import assert_means, assert_not_means
from samewise.apps.integrations.meaning_check import check_meaning
from samewise.ensemble.core.decision import Rule
from samewise.ensemble.core.model_decision import with_thresholds

from samewise import load

from ...ensemble.core.test_model_decision import labelled

CLOSED = "The museum is closed on Mondays."
SHUT = "On Mondays the museum is closed."
SHARES = "Shares fell in Tokyo."


def test_texts_of_one_meaning_pass_and_others_fail():
    assert_means(CLOSED, SHUT, model="surface", at_least=2)
    assert_not_means(CLOSED, SHARES, model="surface")
    with pytest.raises(AssertionError, match="the texts must mean the same, got score 0"):
        assert_means(CLOSED, SHARES, model="surface")
    with pytest.raises(AssertionError, match="the texts must differ in meaning, got score"):
        assert_not_means(CLOSED, CLOSED, model="surface")


def test_a_failure_shows_texts_differences_and_aligned_words():
    with pytest.raises(AssertionError) as failure:
        assert_means(
            "Returns take 30 days.", "Returns take 60 days.", model="surface", at_least=1, keep_apart=("number",)
        )
    shown = str(failure.value)
    assert "actual:   Returns take 30 days." in shown
    assert "expected: Returns take 60 days." in shown
    assert "differs:  number: 30 — 60" in shown
    assert "Returns — Returns" in shown


def test_words_that_only_the_actual_text_has_are_added():
    pair = ("Returns take 30 days.", "Returns of shoes take 30 days.")
    assert "differs:  missing: shoes" in check_meaning(*pair, model="surface").report()
    assert "differs:  added: shoes" in check_meaning(*pair[::-1], model="surface").report()


def test_a_difference_keeps_texts_apart_only_if_asked():
    pair = ("Returns take 30 days.", "Returns take 60 days.")
    assert check_meaning(*pair, model="surface", at_least=0).same
    assert not check_meaning(*pair, model="surface", at_least=0, keep_apart=("number",)).same


def test_the_threshold_is_that_of_the_decision():
    assert check_meaning(CLOSED, SHUT, model=load("surface")).threshold == 4.0
    decided, *_ = with_thresholds(load("surface"), labelled(), Rule("max_false", 0.3), 4.0)
    threshold = check_meaning(CLOSED, SHUT, model=decided).threshold
    assert threshold == decided.manifest["decision"]["same_from"]
    assert threshold != 4.0


def test_differences_keep_apart_by_the_decision_unless_others_are_named():
    pairs = labelled()._replace(differences=[[]] * 400)
    decided, *_ = with_thresholds(load("surface"), pairs, Rule("cost", 1.0), 1.0, keep_apart=["number"])
    pair = ("Returns take 30 days.", "Returns take 60 days.")
    check = check_meaning(*pair, model=decided)
    assert not check.same and [one.kind for one in check.apart] == ["number"]
    assert check_meaning(*pair, model=decided, keep_apart=()).same
    assert_means(*pair, model=decided, keep_apart=("name",))
    lone = ("Returns take days.", "Returns take days, from 1 May to 3 June.")
    assert check_meaning(*lone, model="surface", at_least=0, keep_apart=("number", "date")).apart


FIXTURES = """
def test_same(assert_means, assert_not_means, samewise_model):
    assert_means("A dog barks.", "A dog barks.")
    assert_not_means("A dog barks.", "Shares fell.")
    assert samewise_model.ref.model == "surface"

def test_failing(assert_means):
    assert_means("A dog barks.", "Shares fell.")
"""


@pytest.mark.slow
@pytest.mark.parametrize("by", ["option", "setting"])
def test_the_plugin_gives_fixtures(tmp_path, by):
    (tmp_path / "test_mine.py").write_text(FIXTURES)
    (tmp_path / "pytest.ini").write_text(f"[pytest]\nsamewise_model = {'surface' if by == 'setting' else 'full'}\n")
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        pytest_plugin.__name__,
        "test_mine.py",
    ]
    words += ["--samewise-model", "surface"] if by == "option" else []
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "the texts must mean the same, got score" in done.stdout
    assert "test_mine.py:8: AssertionError" in done.stdout


def test_the_plugin_is_loaded_only_where_it_is_named():
    assert not [each for each in entry_points(group="pytest11") if each.value.startswith("samewise")]
