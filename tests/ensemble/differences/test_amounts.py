"""Amounts as they stand in sentences: value, unit, form and words."""

import pytest
from samewise.ensemble.differences.amounts import Amount, amounts
from samewise.ensemble.differences.measures import UNITS, same_size, unit_of

from .readings import sentence, words


def read(text):
    one = sentence(text)
    return [
        (fact.value.number, fact.value.unit and fact.value.unit.quantity, fact.value.form, words(one, fact.places))
        for fact in amounts(one, frozenset())
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
        ("A 10-mile walk helps.", 10, "length", "count", "10-mile"),
        ("Take 20mg at night.", 20, "mass", "count", "20mg"),
        ("The fee is $2.5 million.", 2.5e6, "dollars", "count", "$ 2.5 million"),
        ("The fee is \u00a3900.", 900, "pounds", "count", "\u00a3900"),
        ("Prices rose by 5%.", 5, "ratio", "count", "5 %"),
        ("Prices rose by five per cent.", 5, "ratio", "count", "five per cent"),
        ("It drove at 90 kilometres an hour.", 90, "speed", "count", "90 kilometres an hour"),
        ("It was ready within a week.", 1, "time", "count", "a week"),
        ("He won the third race.", 3, None, "ordinal", "third"),
        ("He won the 21st race.", 21, None, "ordinal", "21st"),
        ("She called twice.", 2, None, "frequency", "twice"),
        ("She called two times.", 2, None, "frequency", "two"),
        ("The shop is cleaned daily.", None, "time", "rate", "daily"),
        ("Guests pay by the hour.", None, "time", "rate", "hour"),
    ],
)
def test_one_amount(text, number, quantity, form, span):
    assert read(text) == [(number, quantity, form, span)]


@pytest.mark.parametrize("text", ["No one knew the new one.", "Once the paint dries, we leave.", "It runs fast.", ""])
def test_no_amount(text):
    assert read(text) == []


def test_an_amount_is_about_the_noun_that_it_counts():
    one = sentence("Three old lamps lit seven rooms.")
    assert [one.words[fact.anchor] for fact in amounts(one, frozenset())] == ["lamps", "rooms"]


def test_words_of_dates_are_no_amounts():
    one = sentence("It opened in 1998.")
    assert amounts(one, frozenset({3})) == []


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
    ("word", "lemma", "unit"),
    [("kilos", "kilos", "kilo"), ("feet", "foot", "feet"), ("as", "as", None), ("", "", None)],
)
def test_spelling_of_units(word, lemma, unit):
    assert unit_of(word, lemma) == unit
