import math

import numpy as np
import pytest
from samewise.features.analysis import analyse
from samewise.features.families import number


def row(value, a, b):
    return value(analyse([(a, b)]))[0]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("7", "7", True),
        ("1,000", "1000", True),
        ("2.13", "2.1", True),  # both 2.1 to one decimal
        ("2.6", "3", True),  # both 3 to none
        ("2.4", "3", False),
        ("2.95", "3.0", False),  # other integer parts, both with decimals
        ("0", "0.4", False),  # zero matches zero only
        ("0", "0.0", True),
        ("5", "7", False),
        ("1/2", "1/2", True),
        ("1/2", "0.5", False),  # compared as written
        ("9" * 40, "9" * 40, True),
        ("9" * 40, "8" * 40, False),
    ],
)
def test_numbers_match(a, b, expected):
    x, y = number._parse(a), number._parse(b)
    assert number._same(x, y) is expected
    assert number._same(y, x) is expected


def test_match():
    # {3, 40} and {3}: P = 1/2, R = 1: F1 = 2/3; all of the right side match; 40 does not.
    np.testing.assert_allclose(row(number.match, "3 of 40 cows", "3 cows"), [2 / 3, 1, 1, 0], rtol=1e-6)
    assert row(number.match, "cows", "sheep").tolist() == [1, 0, 0, 0]
    assert row(number.match, "3 cows", "sheep").tolist() == [0, 0, 0, 0]
    assert row(number.match, "born in 1971", "born in 1985").tolist() == [0, 0, 1, 1]
    assert row(number.match, "3 cows", "3 sheep").tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("twenty-five cows", 25),
        ("two hundred and five thousand", 205_000),
        ("two hundred thousand five hundred", 200_500),
        ("one cow and two sheep", 3),
        ("a thousand cows", 1000),
        ("1,200 and 3.5", 1203.5),
        ("-4 degrees", 4),
        ("no cows", 0),
        (" ".join(["trillion"] * 9), 9e12),
    ],
)
def test_amount(text, amount):
    assert number._amount(tuple(text.split())) == amount


def test_difference():
    # |3 - 5| / 8
    assert row(number.difference, "three cows", "5 cows")[0] == 0.25
    assert row(number.difference, "three cows", "3 cows")[0] == 0
    assert row(number.difference, "zero cows", "0 cows")[0] == 0
    assert row(number.difference, "three cows", "many cows")[0] == 1


def test_names_and_counts():
    # Capitals but the first: {Ada, Bern} and {Ada}: 2 * 1 / 3. "U.S." ends in a dot.
    a, b = "Then Ada saw Bern and the U.S. there", "Yesterday Ada slept"
    np.testing.assert_allclose(row(number.names, a, b), [2 / 3, 1], rtol=1e-6)
    np.testing.assert_allclose(row(number.log_count, a, b), [0, math.log(4), 0], rtol=1e-6)
    assert row(number.names, "index .ABC fell", "index .XYZ fell")[1] == 0
    assert row(number.log_count, "index .ABC fell 3", "index .XYZ fell")[2] == pytest.approx(math.log(3))


def test_what_looks_like_a_number():
    from samewise.features.families.number import _is_number

    for token in ("1", "1,000.50", "-7", "3/4", "..5", "2019-20", "5."):
        assert _is_number(token), token
    for token in ("-", "...", ",/", "1e5.", "a1", "١", "1x1", "1" * 20_000 + "x1"):
        assert not _is_number(token), token
