"""Numbers as text: the digits of scores and of 32-bit floats."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.tables.plain_values import AS_SCORE, rounded, text_values


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.5104062151021385, "3.51041"),
        (5.0, "5.0"),
        (0.0, "0.0"),
        (1 / 3, "0.333333"),
        (99.99999, "100.0"),
        (-0.25, "-0.25"),
    ],
)
def test_a_score_has_six_significant_digits(value, text):
    field = pa.field("score", pa.float64(), metadata=AS_SCORE)
    assert list(map(repr, text_values(pa.array([value]), field))) == [text]


def test_other_numbers_and_missing_scores_stay_as_they_are():
    long = 3.5104062151021385
    assert text_values(pa.array([long, None]), pa.field("x", pa.float64())) == [long, None]
    assert text_values(pa.array([long, None]), pa.field("x", pa.float64(), metadata=AS_SCORE)) == [3.51041, None]


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_short_float_has_the_fewest_digits_that_give_it_back(value):
    [found] = text_values(pa.array([value], pa.float32()), pa.field("x", pa.float32()))
    assert np.float32(found) == np.float32(value)
    assert significant_digits(found) <= significant_digits(value)


def significant_digits(value):
    return len(Decimal(repr(value)).normalize().as_tuple().digits)


@given(st.lists(st.floats(0, 100), min_size=3, max_size=3).map(sorted))
def test_an_interval_stays_around_its_score(numbers):
    low, score, high = rounded(numbers)
    assert low <= score <= high
    assert rounded([low, score, high]) == [low, score, high]
