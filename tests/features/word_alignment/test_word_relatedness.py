"""Relatedness of two words by form, stem, lemma and the paraphrase table."""

import pytest

from .made_sentences import one_way, parsed, plain


def related(a, b):
    a, b = (plain(side) if isinstance(side, str) else side for side in (a, b))
    state = one_way(a, b)
    p, q = state.places(state.related)
    return dict(zip(zip(p.tolist(), q.tolist(), strict=True), state.value.tolist(), strict=True))


@pytest.mark.parametrize(
    ("a", "b", "value"),
    [
        ("Car", "car", 1.0),
        ("U.S.", "US", 1.0),  # without . - ,
        ("co-operate", "cooperate", 1.0),
        ("connected", "connections", 1.0),  # the stem "connect"
        ("purchase", "buy", 0.9),
        ("buy", "purchase", 0.9),
        ("1999", "2001", 0.0),
        ("banana", "car", 0.0),
        (",", ".", 0.0),
        ("?", "?", 1.0),
    ],
)
def test_relatedness_of_two_words(a, b, value):
    assert related(a, b).get((0, 0), 0.0) == value


def test_a_function_word_is_no_paraphrase_of_a_content_word():
    # The table lists "both" and "conference" with "the".
    assert related("the", "conference") == {}
    assert related("the", "both") == {(0, 0): 0.9}


def test_two_numbers_are_never_paraphrases():
    two, couple = (parsed(f"{word}/CD/0/root") for word in ("two", "couple"))
    assert related(two, couple) == {}


def test_relatedness_is_the_greatest_over_form_and_lemma():
    assert related(parsed("went/go/VBD/0/root"), parsed("going/go/VBG/0/root")) == {(0, 0): 1.0}
