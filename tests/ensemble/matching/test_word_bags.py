"""Words of many texts: counted one by one, whatever stands beside a text."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.matching.search import WordBags

TEXTS = st.lists(st.text(st.sampled_from("aB7_ .,-é\n字"), max_size=20) | st.text(max_size=20), max_size=6)


def by_letter(text):
    """Count runs of letters, digits and underscores, and every other mark alone, letter by letter."""
    words, run = Counter(), ""
    for letter in text.lower() + " ":
        if letter.isalnum() or letter == "_":
            run += letter
            continue
        words.update([run] if run else [])
        words.update([] if letter.isspace() else [letter])
        run = ""
    return words


def counted(bags):
    return [
        Counter({bags.words[column]: int(count) for column, count in enumerate(row) if count})
        for row in bags.counts.toarray()
    ]


@given(TEXTS)
def test_against_counting_letter_by_letter(texts):
    bags = WordBags.of(texts)
    assert counted(bags) == list(map(by_letter, texts))
    assert len(set(bags.words)) == len(bags.words)
    assert bags.counts.shape == (len(texts), len(bags.words))


@given(TEXTS)
def test_a_text_has_the_same_words_alone(texts):
    assert counted(WordBags.of(texts)) == [counted(WordBags.of([text]))[0] for text in texts]


def test_words_stand_in_the_order_in_which_they_first_occur():
    assert WordBags.of(["two one", "three one"]).words == ["two", "one", "three"]


def test_a_long_text_is_cut():
    bags = WordBags.of(["x" * 800_000, "tap " * 600])
    assert (bags.words, bags.counts.sum(axis=1).tolist()) == (["x" * 2_000, "tap"], [1, 500])


@pytest.mark.parametrize("texts", [[], [""], [" ", "\n"]])
def test_no_words(texts):
    bags = WordBags.of(texts)
    assert (bags.words, bags.counts.shape) == ([], (len(texts), 0))
