"""Links of words that are split in two or misspelt, worked by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.alignment.coverage import covered, links
from samewise.features.alignment.spelling_links import spelling_links
from samewise.features.analysis.analysis import analyse


def linked(a, b, free_a=None, free_b=None):
    """Return the linked words, from all tokens or from those that are free."""
    [(one, other)] = analyse([(a, b)], level="lexical")
    free_a = range(len(one.tokens)) if free_a is None else free_a
    free_b = range(len(other.tokens)) if free_b is None else free_b
    places = spelling_links(one, other, free_a, free_b)
    return [(" ".join(one.tokens[i] for i in p), " ".join(other.tokens[j] for j in q)) for p, q in places]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("The data base is slow.", "A slow database.", [("data base", "database")]),
        ("one t shirt", "one tshirt", [("t shirt", "tshirt")]),
        ("no wi fi here", "no wi-fi here", [("wi fi", "wi-fi")]),
        ("two sun glasses", "her sunglasses", [("sun glasses", "sunglasses")]),
        ("a Co-Operative bank, data base", "DataBase cooperative", [("data base", "DataBase")]),
        # An article is no part of a word, and numbers are not joined.
        ("a part of it", "apart from it", []),
        ("rooms 10 5", "rooms 105", []),
        ("he can run", "a canrunner", []),
    ],
)
def test_words_that_make_one(a, b, expected):
    assert linked(a, b) == expected
    assert linked(b, a) == sorted((y, x) for x, y in expected)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Passwerd forgotten", "password forgotten", [("Passwerd", "password")]),
        ("my pasworrd", "my password", [("pasworrd", "password")]),  # one letter lost, one twice
        ("the invocie", "the invoice", [("invocie", "invoice")]),  # two letters exchanged
        ("it is slwo", "it is slow", [("slwo", "slow")]),
        ("it is sxyw", "it is slow", []),  # four letters, two wrong
        ("a refnudd pleese", "please refund", [("refnudd", "refund"), ("pleese", "please")]),
        # Two English words, two other ones, names, codes, and what starts with another letter.
        ("the form", "the from", []),
        ("take zorbexine", "take zorbexane", []),
        ("meet Mr Hanssenn", "meet Mr Hanssen", []),
        ("the NATTO", "the nation", []),
        ("part ab12x", "part ab12", []),
        ("a zassword", "a password", []),
        ("low hypocalcemiaa", "low hypercalcemia", []),
        # Who uses both words means two things.
        ("pasworrd or password", "password", []),
        ("pasworrd", "password or pasworrd", []),
    ],
)
def test_typing_errors(a, b, expected):
    assert linked(a, b) == expected
    assert sorted(linked(b, a)) == sorted((y, x) for x, y in expected)


def test_only_free_tokens_are_linked():
    assert linked("my pasworrd", "my password", free_a=[0]) == []
    assert linked("my pasworrd", "my password", free_b=[0]) == []
    assert linked("data base", "database", free_a=[1], free_b=[]) == [("data base", "database")]
    assert linked("data base", "database", free_a=[], free_b=[0]) == []


def test_the_nearest_of_equal_words_is_linked_once():
    assert linked("the pasworrd", "password and password")[0][0] == "pasworrd"
    [(one, other)] = analyse([("new pasworrd", "password lost, new password")])
    assert spelling_links(one, other, range(2), range(5)) == [((1,), (4,))]


words = st.sampled_from(
    "data base database my pasworrd password passwords sun glasses sunglasses , 3 refnud refund".split()
)
texts = st.lists(words, max_size=7).map(" ".join)


@settings(max_examples=40)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_batches_and_both_orders_have_the_same_links(pairs):
    batch = analyse(pairs, level="lexical")
    found = links(batch, parsed=False)
    for row, (a, b) in enumerate(pairs):
        one = links(analyse([(a, b)], level="lexical"), parsed=False)
        two = links(analyse([(b, a)], level="lexical"), parsed=False)
        own = found.row == row
        table = set(zip(found.i[own].tolist(), found.j[own].tolist(), found.stage[own].tolist(), strict=True))
        assert table == set(zip(one.i.tolist(), one.j.tolist(), one.stage.tolist(), strict=True))
        assert table == set(zip(two.j.tolist(), two.i.tolist(), two.stage.tolist(), strict=True))
    assert (np.diff(found.row) >= 0).all()


def test_linked_words_are_covered():
    batch = analyse([("The data base lost my pasworrd", "The database lost my password")], level="lexical")
    for side in covered(batch, parsed=False):
        assert (side == 1).all()
    none = analyse([("The shop lost my parcel", "The shop lost my letter")], level="lexical")
    assert [side.tolist() for side in covered(none, parsed=False)] == [[1, 1, 1, 1, 0]] * 2
