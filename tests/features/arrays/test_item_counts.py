"""Counts of the items of two rows, worked by hand."""

import numpy as np
import pytest
from samewise.features.arrays.joins import meet
from samewise.features.arrays.ragged import Ragged


@pytest.mark.parametrize("locate", [False, True])
def test_meet_counts_both_sides(locate):
    # Row 0: {5, 5, 9} and {9, 2}; row 1: nothing and {5}.
    a = Ragged(np.array([5, 9, 5]), np.array([0, 3, 3]))
    b = Ragged(np.array([9, 2, 5]), np.array([0, 2, 3]))
    met = meet(a, b, locate)
    assert met.row.tolist() == [0, 0, 0, 1]
    assert met.item.tolist() == [2, 5, 9, 5]
    assert met.count_a.tolist() == [0, 2, 1, 0]
    assert met.count_b.tolist() == [1, 0, 1, 1]
    if locate:
        np.testing.assert_array_equal(np.concatenate([a.values, b.values])[met.place], met.item)
