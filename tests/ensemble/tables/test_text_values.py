"""Numbers as text: the digits of 64-bit and of 32-bit floats."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.tables.arrow_rows import text_values


def test_a_64_bit_float_and_a_missing_one_stay_as_they_are():
    assert text_values(pa.array([3.5104062151021385, None])) == [3.5104062151021385, None]


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_short_float_has_the_fewest_digits_that_give_it_back(value):
    [found] = text_values(pa.array([value], pa.float32()))
    assert np.float32(found) == np.float32(value)
    assert significant_digits(found) <= significant_digits(value)


def significant_digits(value):
    return len(Decimal(repr(value)).normalize().as_tuple().digits)
