"""Emoji, emoticons and signs as they stand in sentences."""

import pytest
from samewise.features.values.reading import SIGN

from .readings import values


def read(text):
    return [value.content for value in values(text) if value.kind == SIGN]


@pytest.mark.parametrize(
    ("text", "group", "polarity"),
    [
        ("All done \U0001f600", "emoji", 1),
        ("All done\U0001f621", "emoji", -1),
        ("Backup \u2705", "emoji", 1),
        ("Backup \u274c", "emoji", -1),
        ("Me and you \u2764\ufe0f", "emoji", 1),
        ("Me and you \U0001f494", "emoji", -1),
        ("A train \U0001f686", "emoji", 0),
        ("All done :)", "emoji", 1),
        ("All done :-(", "emoji", -1),
        ("Parcels > 20 kg go left.", "comparison", 0),
        ("Keep it \u2264 20 here.", "comparison", 0),
        ("Way out \u2192", "arrow", 0),
        ("Take a \u00f7 12 here.", "operation", 0),
    ],
)
def test_one_sign(text, group, polarity):
    assert [(sign.group, sign.polarity) for sign in read(text)] == [(group, polarity)]


@pytest.mark.parametrize("text", ["A well-known song.", "It is 20 \u00b0C.", "At 10:30 (or 11).", "Note: see above."])
def test_no_sign(text):
    assert read(text) == []


def test_a_sign_that_is_repeated_counts_once():
    assert len(read("Great \U0001f600\U0001f600\U0001f600")) == 1


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Done \U0001f600", "Done \U0001f44d", True),  # both are good
        ("Done \U0001f44d\U0001f3fd", "Done \U0001f44d", True),
        ("Done \U0001f600", "Done \U0001f621", False),
        ("By \U0001f686", "By \U0001f697", False),
        ("x > 3", "x \u2265 3", True),
        ("x > 3", "x < 3", False),
        ("Out \u2192", "Out \u2190", False),
    ],
)
def test_signs_that_say_the_same(a, b, same):
    [x], [y] = read(a), read(b)
    assert x.equals(y) is same
    assert y.equals(x) is same
