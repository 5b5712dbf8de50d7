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


def words_of(text):
    """Return whether each token is a content word, a mark and a number."""
    tokens = [token.split("/") for token in text.split()]
    made = parsed(" ".join(f"{form}/{tag}/0/root" for form, tag in tokens))
    sentences = one_way(made, made).input
    word = sentences.word[: len(tokens)]
    return [
        column[word].tolist()
        for column in (sentences.words.content, sentences.words.punctuation, sentences.words.number)
    ]


def test_function_words_are_stop_words_and_clitics():
    clitics = "n't 's 'm 're 've 'll 'd na ca wo".split()
    content, marks, _ = words_of(" ".join(f"{word}/RB" for word in [*clitics, "the", "dog", "Dog", "nt", "...", "x."]))
    assert content == [False] * 11 + [True] * 3 + [False, True]
    assert marks == [False] * 14 + [True, False]


def test_numbers_are_tagged_or_made_of_digits():
    *_, number = words_of("two/CD two/NN 1,000/NN 3.5/JJ 1-2/NN 7th/JJ ,/, a2/NN")
    assert number == [True, False, True, True, True, False, False, False]


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        ("1,000", "1000", True), ("a.m.", "am", True), ("well-known", "wellknown", True), ("can't", "cant", False),
        ("x;y", "xy", False), (".", "-", False), ("running", "runs", True), ("ran", "runs", False),
    ],
)  # fmt: skip
def test_equal_words_but_for_dots_hyphens_and_commas(a, b, equal):
    assert related(a, b) == ({(0, 0): 1.0} if equal else {})


def test_forms_and_lemmas_are_compared_in_all_four_ways():
    # purchase and buy are paraphrases; forms of either side that are not have a lemma that is, or the reverse.
    for x in ("purchase/xyz", "xyz/purchase"):
        for y in ("buy/plugh", "plugh/buy"):
            assert related(parsed(f"{x}/NN/0/root"), parsed(f"{y}/NN/0/root")) == {(0, 0): 0.9}
    assert related(parsed("ab/cd/NN/0/root"), parsed("cd/ef/NN/0/root")) == {(0, 0): 1.0}
    assert related(parsed("ab/cd/NN/0/root"), parsed("ef/gh/NN/0/root")) == {}
    # A digit that is tagged a noun is a number as well; of two numbers one needs to be no number.
    assert related(parsed("two/CD/0/root"), parsed("couple/NN/0/root")) == related("two", "couple")


def test_relatedness_of_many_words_at_once():
    found = related("the purchase of 2 Cars , banana", "car buy a 3 banana the ,")
    assert found == {(0, 5): 1, (1, 1): 0.9, (4, 0): 1, (5, 6): 1, (6, 4): 1} | {
        at: value for at, value in found.items() if at in {(0, 2), (2, 2), (2, 5)}
    }  # the paraphrase table lists some pairs of function words
