"""Shares of one text that another says, and of what the other adds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.ensemble.differences.covered_words import covers
from samewise.features.analysis.analysis import analyse


def shares(*pairs):
    return covers(analyse(list(pairs), level="lexical"))


@pytest.mark.parametrize(
    ("a", "b", "covered", "added"),
    [
        # lamp, broken; lamp, broken, kitchen.
        ("The lamp is broken.", "The lamp in the kitchen is broken.", 1.0, 1 / 3),
        ("The lamp in the kitchen is broken.", "The lamp is broken.", 2 / 3, 0.0),
        # A synonym, and words that are written otherwise.
        ("He bought a car.", "He bought an automobile.", 1.0, 0.0),
        ("The data base failed.", "The database failed.", 1.0, 0.0),
        ("A lamp, a red lamp.", "A lamp.", 2 / 3, 0.0),
        ("Yesterday the résumé arrived.", "The resume arrived.", 2 / 3, 0.0),
        # What is contradicted is not said: broken; 300; goat and hen, of three words; doors.
        ("The lamp is broken.", "The lamp is not broken.", 0.5, 0.5),
        ("Pay 300 euros.", "Pay 450 euros.", 2 / 3, 1 / 3),
        ("The goat followed the hen.", "The hen followed the goat.", 1 / 3, 2 / 3),
        ("Every door is shut.", "Some doors are shut.", 0.5, 0.5),
        # Nothing in common; only function words; no words at all.
        ("A dog barks.", "Shares fell.", 0.0, 1.0),
        ("It is he.", "It is he and so it was.", 1.0, 3 / 7),
        ("", "A dog barks.", 1.0, 1.0),
        ("A dog barks.", "", 0.0, 0.0),
        ("", "", 1.0, 0.0),
        ("?!", "A dog", 0.0, 1.0),
    ],
)
def test_shares_by_hand(a, b, covered, added):
    np.testing.assert_allclose(shares((a, b)), [[covered, added]], atol=1e-12)


words = st.sampled_from("the dog dogs cat not no every some 3 three 4 euros may must car automobile . , é".split())
texts = st.one_of(st.lists(words, max_size=9).map(" ".join), st.text(max_size=20))


@settings(max_examples=20)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=3))
def test_shares_are_bounded_and_turn_with_the_texts(pairs):
    found = shares(*pairs)
    assert found.shape == (len(pairs), 2)
    assert ((found >= 0) & (found <= 1)).all()
    for row, (a, b) in enumerate(pairs):
        np.testing.assert_array_equal(shares((a, b))[0], found[row])
        turned = shares((b, a))[0]
        if analyse([(a, b)])[0].a.tokens and analyse([(a, b)])[0].b.tokens:
            np.testing.assert_allclose(turned, 1 - found[row][::-1], atol=1e-12)


@given(texts)
def test_a_text_says_all_of_itself(text):
    assert shares((text, f" {text.upper()} " if text.isascii() else text)).tolist() == [[1.0, 0.0]]


def test_what_is_appended_only_adds():
    a = "The lamp is broken."
    more = [f"{a} {end}" for end in ("The window too.", "The door is old and the roof leaks.")]
    found = shares(*((a, b) for b in more))
    assert found[:, 0].tolist() == [1.0, 1.0]
    assert 0 < found[0, 1] < found[1, 1] < 1


def test_sentences_without_tags_are_refused():
    with pytest.raises(ValueError, match="of the level 'lexical', got 'tokens'"):
        covers(analyse([("a dog", "a cat")]))
