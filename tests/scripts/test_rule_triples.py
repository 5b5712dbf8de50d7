"""Triples that the start of the cross-encoder is taught from."""

import random
import sys

import pytest

from ..conftest import ROOT

if not (ROOT / "scripts").is_dir():
    pytest.skip("the training scripts are in the repository only", allow_module_level=True)

TEXTS = [
    "A dog chases a cat.",
    "The committee must approve the budget before 5 May.",
    "All members may vote if they have paid.",
    "She sold the old car to her brother for 3,000 dollars.",
    "Twelve soldiers guarded the bridge during the night.",
    "He opened the window because the room was hot.",
]


@pytest.fixture
def triples(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import rule_triples

    yield rule_triples
    sys.modules.pop("rule_triples")


MOST = dict.fromkeys(
    "antonym co_hyponym condition intent modality name negation number quantifier roles time_order unit".split(), 2
)


def test_a_near_copy_has_the_same_score_beside_the_sentence_and_its_paraphrase(triples):
    pairs = triples.rule_triples(TEXTS, MOST, random.Random(0), 1)
    scores = {(a, b): score for a, b, score in pairs}
    changed = [(a, b) for a, b, score in pairs if a in TEXTS and score <= 2.5]
    kept = {a: b for a, b, score in pairs if a in TEXTS and score > 2.5}
    assert len(changed) == len(TEXTS) and kept
    for base, twin in changed:
        assert base != twin
        if base in kept:
            assert scores[kept[base], twin] == scores[base, twin]
    assert set(scores.values()) <= {1.5, 2.0, 2.5, 4.6}


def test_the_number_of_processes_changes_nothing(triples, monkeypatch):
    monkeypatch.setattr(triples, "_AT_A_TIME", 2)
    one, two = (triples.rule_triples(TEXTS, MOST, random.Random(0), jobs) for jobs in (1, 2))
    assert one == two


def test_a_sentence_goes_to_the_kind_that_lacks_most(triples):
    """Every sentence can be negated, and one alone names a number: it is given to that kind, once."""
    most = dict.fromkeys(MOST, 0)
    texts = ["He paid 300 dollars.", "She is at home.", "The door was open.", "They are late."]
    pairs = triples.rule_triples(texts, most | {"negation": 2, "number": 1}, random.Random(0), 1)
    changed = {a: score for a, b, score in pairs if a in texts and score <= 2.5}
    assert sorted(changed.values()) == [2.0, 2.0, 2.5]
    assert changed["He paid 300 dollars."] == 2.5


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("A dog ran home", "A cat ran home", True),
        ("A dog ran home", "a DOG ran", True),
        ("A dog ran home", "home ran a dog", True),
        ("A dog ran home", "A cat walked home", False),
        ("A dog ran home", "A dog ran home at last", False),
    ],
)
def test_near_copies_differ_in_one_word(triples, a, b, expected):
    assert triples.near_copy(a, b) is expected
    assert triples.near_copy(b, a) is expected
