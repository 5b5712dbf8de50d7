import math

import numpy as np
import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.families import number

from ..golden import check


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


A, B = "Then Ada saw Bern and the U.S. there", "Yesterday Ada slept"
# fmt: off
GOLDEN = [
    # {3, 40} and {3}: P = 1/2, R = 1: F1 = 2/3; all of the right side match; 40 does not.
    (number.match, "3 of 40 cows", "3 cows", [2 / 3, 1, 1, 0]),
    (number.match, "cows", "sheep", [1, 0, 0, 0]),
    (number.match, "3 cows", "sheep", [0, 0, 0, 0]),
    (number.match, "born in 1971", "born in 1985", [0, 0, 1, 1]),
    (number.match, "3 cows", "3 sheep", [1, 1, 0, 0]),
    # 2 of 3 match and 2 of 3: P = R = 2/3, neither side whole.
    (number.match, "3 5 9 cows", "3 5 11 cows", [2 / 3, 0, 1, 0]),
    # 2.4 matches 2 (rounded), and 2 both of 2.4 and 2.3: P = 1, R = 1.
    (number.match, "2.4 or 2.3 cows", "2 cows", [1, 1, 0, 0]),
    # {1, 7, 8} and {1}: P = 1/3, R = 1, F1 = 1/2.
    (number.match, "1 7 8 cows", "1 cow", [1 / 2, 1, 1, 0]),
    # |3 - 5| / 8
    (number.difference, "three cows", "5 cows", [0.25]),
    (number.difference, "three cows", "3 cows", [0]),
    (number.difference, "zero cows", "0 cows", [0]),
    (number.difference, "three cows", "many cows", [1]),
    # Capitals but the first: {Ada, Bern} and {Ada}: 2 * 1 / 3. "U.S." ends in a dot.
    (number.names, A, B, [2 / 3, 1]),
    (number.log_count, A, B, [0, math.log(4), 0]),
    (number.names, "index .ABC fell", "index .XYZ fell", {number.names.names[1]: 0}),
    (number.log_count, "index .ABC fell 3", "index .XYZ fell", {number.log_count.names[2]: math.log(3)}),
    # Years are the last column: two of four digits that differ, of 1000 to 2099.
    *((number.match, f"in {a} .", f"in {b} .", {number.match.names[3]: differ}) for a, b, differ in (
        ("1066", "1215", 1), ("1000", "2099", 1), ("999", "1000", 0), ("2100", "2000", 0), ("1971.5", "1972", 0),
        ("11971", "1972", 0), ("1971 1985", "1971", 1), ("1971 1985", "1985 1971", 0))),
]
# fmt: on


@pytest.mark.parametrize(("value", "a", "b", "expected"), GOLDEN)
def test_golden(value, a, b, expected):
    check(value, a, b, expected)


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


def test_what_looks_like_a_number():
    for token in ("1", "1,000.50", "-7", "3/4", "..5", "2019-20", "5."):
        assert number._is_number(token), token
    for token in ("-", "...", ",/", "1e5.", "a1", "١", "1x1", "1" * 20_000 + "x1"):
        assert not number._is_number(token), token


def test_the_words_of_english_for_numbers():
    small = (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen"
    ).split()
    assert [number._amount((word,)) for word in small] == list(range(20))
    tens = "ten twenty thirty forty fifty sixty seventy eighty ninety".split()
    assert [number._amount((word,)) for word in tens] == [10, 20, 30, 40, 50, 60, 70, 80, 90]
    scales = "hundred thousand million billion trillion".split()
    assert [number._amount(("two", word)) for word in scales] == [2e2, 2e3, 2e6, 2e9, 2e12]
    # Each is also a number where `difference` looks for the sentences that have one.
    for word in (*small, *tens, *scales, "twenty-one", "7", "1,000", "a-hundred"):
        check(number.difference, f"cows {word}", f"cows {word}", [0])
    for word in ("tenth", "well-known", "oxen", "-", "and"):
        check(number.difference, f"cows {word}", f"cows {word}", [1])


def test_amounts_are_bounded():
    # 100 ** 9 = 1e18 is cut to 1e15; so are 16 digits, and 17 digits are no amount at all.
    assert number._amount(("hundred",) * 9) == 1e15
    assert number._amount(("9" * 16,)) == 1e15
    assert number._amount(("9" * 17,)) == 0
    assert number._amount(("five", "9" * 17)) == 5
    assert number._amount("one hundred and two and three".split()) == 105
    assert number._amount(("one", "5", "two")) == 8


@pytest.mark.parametrize(
    ("token", "value", "decimals"),
    [
        ("1,234.50", 1234.5, 2),
        ("-3", -3, 0),
        (".5", 0.5, 1),
        ("5.", None, 0),
        ("1.2.3", None, 0),
        ("5-6", None, 0),
        ("1/2", None, 0),
        ("1" * 16, 1111111111111111, 0),
        ("1" * 17, None, 0),
    ],
)
def test_parse(token, value, decimals):
    assert number._parse(token) == (token, value, decimals)


def test_names_of_several_pairs():
    pairs = [
        ("", "Ada slept"),
        ("then Ada Byron met Bo", "then Ada met bo Byron"),
        ("Ada", "then Ada"),
        ("so Bern won", "so Rome won"),
        ("so Bern won", "nobody won"),
        ("Index .ABC rose", "index .abc rose"),
        ("index .ABC .DE rose", "index .ABC rose"),
    ]
    found = number.names(analyse(pairs))
    # Capitals without the first token: none; {Ada, Byron, Bo} and {Ada, Byron}, 2 * 2 / 5; none; {Bern}, {Rome}; ...
    np.testing.assert_allclose(found[:, 0], [1, 4 / 5, 1, 0, 1, 1, 1], rtol=1e-6)
    # Tickers: {.ABC} and none, as .abc is a word; {.ABC, .DE} and {.ABC}, 2 * 1 / 3.
    np.testing.assert_allclose(found[:, 1], [1, 1, 1, 1, 1, 1, 2 / 3], rtol=1e-6)
    counts = number.log_count(analyse([*pairs, ("7 8 Ann", "x 7")]))
    np.testing.assert_allclose(np.expm1(counts[:, 1]), [0, 5, 1, 2, 1, 0, 0, 1], atol=1e-6)
    np.testing.assert_allclose(np.expm1(counts[:, 2]), [0, 0, 0, 0, 0, 1, 3, 0], atol=1e-6)
    np.testing.assert_allclose(np.expm1(counts[:, 0]), [0, 0, 0, 0, 0, 0, 0, 3], atol=1e-6)
