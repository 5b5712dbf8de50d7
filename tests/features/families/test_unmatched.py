"""Words without a partner, worked by hand."""

import math

import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.families import unmatched
from samewise.features.statistics.counts import Idf

# Of four sentences "red" is in all, "hill" in two, "boat", "fish" and "moon" in one: ln((4 + 1) / (df + 1)) + 1.
IDF = Idf.fit(analyse([("red boat", "red fish"), ("red hill", "red hill moon")]).sentences)
RED, HILL, RARE, UNSEEN = (math.log(5 / (df + 1)) + 1 for df in (4, 2, 1, 0))

PAIRS = [
    # Content words red boat boat hill against red sun hill hill fish moon.
    ("the red boat and boat hill", "a red sun hill of hill fish moon"),
    ("red boat", "boats red"),
    ("", "moon fish"),
    # "other" is a stop word and the stem of "others", which therefore has a partner; it is no shared content word.
    ("others sang", "the other birds"),
    ("red", "red"),
]


def rows(value):
    return value(analyse(PAIRS), idf=IDF).tolist()


def test_words_without_a_partner():
    # Two boats against sun, fish and moon; none; none against two; sang against birds; none.
    assert rows(unmatched.words) == [[2, 3, 5], [0, 0, 0], [0, 2, 2], [1, 1, 2], [0, 0, 0]]


def test_their_idf():
    boats, others = 2 * RARE, UNSEEN + 2 * RARE
    expected = [[boats, others, boats + others], [0, 0, 0], [0, 2 * RARE, 2 * RARE], [UNSEEN, UNSEEN, 2 * UNSEEN]]
    expected.append([0, 0, 0])
    assert rows(unmatched.mass) == [pytest.approx(row) for row in expected]
    expected = [[RARE, UNSEEN], [0, 0], [0, RARE], [UNSEEN, UNSEEN], [0, 0]]
    assert rows(unmatched.peak) == [pytest.approx(row) for row in expected]


def test_shared_words():
    # red once, and hill as often as the sentence with fewer of it; then red and boat.
    expected = [[2, RED + HILL, HILL, RED], [2, RED + RARE, RARE, RED], [0] * 4, [0] * 4, [1, RED, RED, RED]]
    assert rows(unmatched.shared) == [pytest.approx(row) for row in expected]


def test_the_sides_may_be_exchanged():
    there, back = analyse(PAIRS), analyse([(b, a) for a, b in PAIRS])
    for value in (unmatched.words, unmatched.mass, unmatched.peak, unmatched.shared):
        assert value(there, idf=IDF).tolist() == value(back, idf=IDF).tolist()
