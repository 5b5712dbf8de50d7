"""Amounts as they stand in sentences: value, unit, form and words."""

import pytest
from samewise.features.values.amount_values import Amount
from samewise.features.values.reading import NUMBER, QUANTITY, read_values
from samewise.features.values.units import UNITS, measure_alike, same_size, unit_of

from .readings import sentence, values, words


def read(text, level="tokens"):
    one = sentence(text, level)
    return [
        (
            value.content.number,
            value.content.unit and value.content.unit.quantity,
            value.content.form,
            words(one, value.places),
        )
        for value in read_values(one)
        if value.kind in (NUMBER, QUANTITY)
    ]


@pytest.mark.parametrize(
    ("text", "number", "quantity", "form", "span"),
    [
        ("We sold 1,250 chairs.", 1250, None, "count", "1,250"),
        ("We sold three million chairs.", 3e6, None, "count", "three million"),
        ("It holds two hundred and fifty guests.", 250, None, "count", "two hundred and fifty"),
        ("It holds forty-two guests.", 42, None, "count", "forty-two"),
        ("It lost half a million customers.", 5e5, None, "count", "half a million"),
        ("She bought a dozen eggs.", 12, None, "count", "a dozen"),
        ("A walk of 5 km helps.", 5, "length", "count", "5 km"),
        ("A pan of 12in is enough.", 12, "length", "count", "12in"),
        ("A shelf, 30 in wide, is enough.", 30, "length", "count", "30 in"),
        ("We have 30 in stock.", 30, None, "count", "30"),
        ("A 10-mile walk helps.", 10, "length", "count", "10-mile"),
        ("Take 20mg at night.", 20, "mass", "count", "20mg"),
        ("The fee is $2.5 million.", 2.5e6, "dollars", "count", "$ 2.5 million"),
        ("The fee is \u00a3900.", 900, "pounds", "count", "\u00a3900"),
        ("Prices rose by 5%.", 5, "ratio", "count", "5 %"),
        ("Prices rose by five per cent.", 5, "ratio", "count", "five per cent"),
        ("It drove at 90 kilometres an hour.", 90, "speed", "count", "90 kilometres an hour"),
        ("It was ready within a week.", 1, "time", "count", "a week"),
        ("It takes half an hour.", 0.5, "time", "count", "half an hour"),
        ("It takes three quarters of an hour.", 0.75, "time", "count", "three quarters hour"),
        ("It takes 1 h 20 min.", 80, "time", "count", "1 h 20 min"),
        ("She cut half a dozen roses.", 6, None, "count", "half a dozen"),
        ("Add 2\u00bd cups.", 2.5, "volume", "count", "2 1/2 cups"),
        ("Pages: \uff11\uff12.", 12, None, "count", "12"),
        ("Pages: \u0663\u0664.", 34, None, "count", "\u0663\u0664"),
        ("One in five failed.", 0.2, "ratio", "count", "One in five"),
        ("It fell to minus 7 degrees.", -7, "degrees", "count", "minus 7 degrees"),
        ("It fell to \u22127 \u00b0C.", -7, "celsius", "count", "-7 \u00b0C"),
        ("A 24V lamp glows.", 24, "voltage", "count", "24V"),
        ("A 128GB card is enough.", 128, "data", "count", "128GB"),
        ("Read chapter IV.", 4, None, "count", "IV"),
        ("It costs 0,75 euros.", 0.75, "euros", "count", "0,75 euros"),
        ("The firm lost \u20ac1.2bn.", 1.2e9, "euros", "count", "\u20ac1.2bn"),
        ("He won the third race.", 3, None, "ordinal", "third"),
        ("He won the 21st race.", 21, None, "ordinal", "21st"),
        ("She called twice.", 2, None, "frequency", "twice"),
        ("She called two times.", 2, None, "frequency", "two"),
        ("The shop is cleaned daily.", 1, "time", "rate", "daily"),
        ("Guests pay by the hour.", 1, "time", "rate", "hour"),
        ("We meet twice a year.", 2, "time", "rate", "twice year"),
        ("We meet every two years.", 0.5, "time", "rate", "two years"),
        ("We meet every other Monday.", 0.5, "time", "rate", "other"),
    ],
)
def test_one_amount(text, number, quantity, form, span):
    assert read(text) == [(number, quantity, form, span)]
    assert read(text, "lexical") == [(number, quantity, form, span)]


@pytest.mark.parametrize(
    "text", ["No one knew the new one.", "At once, please.", "Once the paint dries, we leave.", "It runs fast.", ""]
)
def test_no_amount(text):
    assert read(text) == []


def test_two_amounts_with_one_unit():
    assert read("Carry 10 to 12 kg.") == [(10, "mass", "count", "10"), (12, "mass", "count", "12 kg")]


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("Bring at least 4 chairs.", [">"]),
        ("Bring up to 4 chairs.", ["<"]),
        ("Bring 4 or more chairs.", [">"]),
        ("Bring between 4 and 6 chairs.", [">", "<"]),
        ("Bring 4-6 chairs.", [">", "<"]),
        ("Keep x < 4 here.", ["<"]),
        ("Grind to \u00b14 here.", ["\u00b1"]),
        ("Bring 4 chairs.", [""]),
    ],
)
def test_bounds(text, bounds):
    assert [value.content.bound for value in values(text) if value.kind != "sign"] == bounds


@pytest.mark.parametrize(
    ("text", "tokens_level", "lexical_level"),
    [
        ("The old one broke.", [1.0], []),  # without tags, "one" before "broke" may count something
        ("One chair broke.", [1.0], [1.0]),
    ],
)
def test_tags_tell_the_pronoun_from_the_number(text, tokens_level, lexical_level):
    assert [value.content.number for value in values(text)] == tokens_level
    assert [value.content.number for value in values(text, "lexical")] == lexical_level


def test_words_of_dates_are_no_amounts():
    assert read("It opened in 1998.") == []


def amount(number, unit=None, form="count"):
    return Amount(number, UNITS[unit] if unit else None, form, (0,), (1,) if unit else ())


@pytest.mark.parametrize(
    ("x", "y", "equal"),
    [
        (amount(5, "km"), amount(5000, "metre"), True),
        (amount(2, "week"), amount(14, "day"), True),
        (amount(10, "metre"), amount(33, "foot"), True),  # 10.06 m
        (amount(3, "month"), amount(90, "day"), True),  # 91.3 days
        (amount(1, "month"), amount(4, "week"), False),  # 30.4 and 28 days
        (amount(100, "gram"), amount(101, "gram"), False),
        (amount(5, "km"), amount(5, "kg"), False),
        (amount(5, "km"), amount(5), True),
        (amount(50, "pound"), amount(50, "\u00a3"), True),
        (amount(3), amount(3, form="ordinal"), False),
        (amount(180, "celsius"), amount(356, "fahrenheit"), True),
        (amount(-40, "celsius"), amount(-40, "fahrenheit"), True),
        (amount(18, "celsius"), amount(19, "celsius"), False),
        (amount(50, "percent"), amount(0.5), True),
        (amount(1, "month", "rate"), amount(0.25, "week", "rate"), True),  # once a month, once in four weeks
        (amount(1, "month", "rate"), amount(1, "week", "rate"), False),
        (amount(None, "week", "rate"), amount(1 / 7, "day", "rate"), True),
    ],
)
def test_equal_amounts(x, y, equal):
    assert x.equals(y) is equal
    assert y.equals(x) is equal


def test_sizes_of_units():
    assert same_size(12, UNITS["inch"], 1, UNITS["foot"])
    assert not same_size(1, UNITS["dollar"], 1, UNITS["euro"])
    assert same_size(250, UNITS["cent"], 2.5, UNITS["dollar"])


@pytest.mark.parametrize(
    ("word", "unit"),
    [("kilos", "kilo"), ("feet", "feet"), ("centuries", "century"), ("inches", "inch"), ("as", None), ("", None)],
)
def test_spelling_of_units(word, unit):
    assert unit_of(word) == unit


def test_one_letter_is_a_unit_after_digits():
    assert unit_of("m", after_digits=True) == "m"
    assert unit_of("m", after_digits=False) is None


def test_units_that_measure_alike():
    assert measure_alike(UNITS["km"], UNITS["mile"])
    assert measure_alike(UNITS["dollar"], UNITS["euro"])
    assert measure_alike(None, None)
    assert not measure_alike(UNITS["km"], UNITS["kg"])
    assert not measure_alike(UNITS["km"], None)
