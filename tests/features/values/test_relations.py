"""Equal and contradicting values, and how the values of two sentences correspond."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.analysis.analysis import analyse
from samewise.features.values.reading import read_values, values_of
from samewise.features.values.relations import contradict, correspondence, equal, exchanged

from .readings import values


@pytest.mark.parametrize(
    ("a", "b", "same", "opposed"),
    [
        ("5 km", "5000 m", True, False),
        ("750 ml", "0.75 l", True, False),
        ("180 \u00b0C", "356 \u00b0F", True, False),
        ("three", "3", True, False),
        ("half a dozen", "6", True, False),
        ("1/2", "50 %", True, False),
        ("-250 euros", "minus 250 euros", True, False),
        ("-250 euros", "250 euros", False, True),
        ("\u00b15 mm", "5 mm", False, True),
        ("at least 50", "50 or more", True, False),
        ("at least 50", "at most 50", False, True),
        ("40 mg", "40 g", False, True),
        ("40 mg", "40 ml", False, False),  # not of one quantity
        ("20 dollars", "20 euros", False, True),
        ("2024-03-04", "March 4th, 2024", True, False),
        ("4 March 2024", "5 March 2024", False, True),
        ("3 pm", "15:00", True, False),
        ("monthly", "once a month", True, False),
        ("monthly", "weekly", False, True),
        ("version 2.10", "version 2.1", False, True),
        ("version 2.0", "version 2", False, False),  # a plain number is not known to be a version
        ("T-1049", "T-1094", False, True),
        ("T-1049", "t1049", True, False),
        ("T-1049", "555-0134", False, False),
        ("Ctrl+S", "Ctrl-S", True, False),
        ("Ctrl+S", "Ctrl+X", False, True),
        ("eva@lamp.example", "max@lamp.example", False, True),
        ("\U0001f600", "\U0001f621", False, True),
        ("\U0001f686", "\U0001f697", False, False),
        ("x > 3", "x < 3", False, True),
    ],
)
def test_two_values(a, b, same, opposed):
    x, y = values(a)[0], values(b)[0]
    assert (equal(x, y), equal(y, x)) == (same, same)
    assert (contradict(x, y), contradict(y, x)) == (opposed, opposed)


def test_equal_values_come_before_those_that_contradict():
    a, b = values("The farm has 3 cows and 7 goats."), values("The farm has 7 goats and 4 cows.")
    found = correspondence(a, b)
    assert [(x.content.number, y.content.number) for x, y in found.same] == [(7, 7)]
    assert [(x.content.number, y.content.number) for x, y in found.opposed] == [(3, 4)]


def test_exchanged_slots():
    a = values("The box is 2 m wide and 3 m high.")
    assert exchanged(correspondence(a, values("The box is 3 m wide and 2 m high.")).same)
    assert not exchanged(correspondence(a, values("It is 2 m wide and 3 m high, the box.")).same)


PIECES = """3 three 3% -4 half a dozen 5 km 2m 12:30 May 3rd 2024 Monday twice a week every other T-1049 v2.10 ab@c.de
Ctrl+S {x} < > 7 \u2192 \U0001f600 \u274c :) chapter IV between and 10-12 \u00bd $ 40 per at least 1/0 ... ,""".split()
TEXTS = st.one_of(st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join), st.text(max_size=40))


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS)
def test_promises_for_any_two_texts(a, b):
    batch = analyse([(a, b)])
    x, y = values_of(batch)[batch.left[0]], values_of(batch)[batch.right[0]]
    assert (x, y) == (read_values(batch[0].a), read_values(batch[0].b))
    for sentence, side in ((batch[0].a, x), (batch[0].b, y)):
        for value in side:
            assert value.places
            assert list(value.places) == sorted(set(value.places))
            assert value.places[-1] < len(sentence.tokens)
            assert not contradict(value, value)
    here, there = correspondence(x, y), correspondence(y, x)
    assert [sorted((v, u) for u, v in side) for side in there] == [sorted(side) for side in here]
    assert all(equal(u, v) for u, v in here.same)
    assert sum(map(len, here)) <= min(len(x), len(y))
