"""Columns of values, worked by hand."""

import numpy as np
import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.families import values


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("The lamp fell.", "A lamp fell down.", [1, 1, 0, 0]),
        ("Three lamps fell.", "The lamps fell.", [0, 1, 0, 1]),
        ("Three lamps fell.", "3 lamps fell.", [1, 1, 0, 0]),
        ("Three lamps fell.", "Four lamps fell.", [0, 0, 1, 0]),
        ("Three lamps fell on Monday.", "Three lamps fell.", [1 / 2, 1, 0, 1 / 3]),
        ("Take 40 mg.", "Take 40 ml.", [0, 0, 1, 0]),
        ("", "", [1, 1, 0, 0]),
    ],
)
def test_shares(a, b, expected):
    np.testing.assert_allclose(values.share(analyse([(a, b)])), [expected], rtol=1e-6)
    np.testing.assert_allclose(values.share(analyse([(b, a)])), [expected], rtol=1e-6)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Keep it at -5 degrees.", "Keep it at 5 degrees.", [1, 0, 0]),
        ("Bring at least 4 chairs.", "Bring at most 4 chairs.", [1, 0, 0]),
        ("Take 40 mg.", "Take 40 g.", [0, 1, 0]),
        ("Take 40 mg.", "Take 40 ml.", [0, 1, 0]),
        ("It is 2 m wide and 3 m high.", "It is 3 m wide and 2 m high.", [0, 0, 1]),
        ("It is 2 m wide and 3 m high.", "It is 3 m high and 2 m wide.", [0, 0, 0]),
        ("Take 40 mg.", "Take 60 mg.", [0, 0, 0]),
    ],
)
def test_conflicts(a, b, expected):
    assert values.conflict(analyse([(a, b)])).tolist() == [expected]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Three lamps fell.", "Five lamps fell.", [0.5 + 0.5 * 2 / 8, 0, 0, 0, 0]),
        ("It weighs 2 kg.", "It weighs 500 g.", [0, 0.5 + 0.5 * 1500 / 2500, 0, 0, 0]),
        ("It opens on 3 May 2024.", "It opens on 4 May 2024.", [0, 0, 0.5 + 0.5 / 3, 0, 0]),
        ("Ticket T-1049 is open.", "Ticket T-1094 is open.", [0, 0, 0, 1, 0]),
        ("All done \U0001f600", "All done \U0001f621", [0, 0, 0, 0, 1]),
        ("Pay weekly.", "Pay daily.", [0, 0.5 + 0.5 * 6 / 8, 0, 0, 0]),
        ("The lamp fell.", "5 lamps fell.", [0, 0, 0, 0, 0]),
    ],
)
def test_strongest_contradictions(a, b, expected):
    np.testing.assert_allclose(values.strongest(analyse([(a, b)])), [expected], rtol=1e-6)
