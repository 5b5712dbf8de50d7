from math import log

import pytest
from samewise.features.families import length

from ..golden import check

A, B = "the old dog sleeps", "dog dog"


def logs(low, high):
    return [low, high, high - low, log(1 + low), log(1 + high), log(1 + high) - log(1 + low)]


GOLDEN = [
    # Tokens 4 and 2; without "the" 3 and 2; characters 18 and 7.
    (length.size, A, B, [*logs(2, 4), *logs(2, 3), *logs(7, 18)]),
    (length.size, "", "", [0] * 18),
    (length.relative_difference, A, B, [2 / 4, 1 / 3, 11 / 18]),
    (length.relative_difference, "", "dog", [1, 1, 1]),
    (length.relative_difference, "", "", [0, 0, 0]),
    # All 4 words differ: 1; one of two: .5.
    (length.variety, A, B, [0.5, 0.5]),
    (length.variety, "", "dog", [0, 1]),
]


@pytest.mark.parametrize(("value", "a", "b", "expected"), GOLDEN)
def test_golden(value, a, b, expected):
    check(value, a, b, expected)
