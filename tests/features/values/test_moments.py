"""Dates and times of day as they stand in sentences."""

import pytest
from samewise.features.values.reading import DATE, read_values

from .readings import sentence, values, words


def dates(text, level="tokens"):
    return [value.content for value in values(text, level) if value.kind == DATE]


def read(text, level="tokens"):
    return [moment.parts for moment in dates(text, level)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It opens on 3 May 2024.", {"day": 3, "month": 5, "year": 2024}),
        ("It opens on May 3rd, 2024.", {"day": 3, "month": 5, "year": 2024}),
        ("It opens on the 3rd of May.", {"day": 3, "month": 5}),
        ("It opens on 2024-05-03.", {"day": 3, "month": 5, "year": 2024}),
        ("It opens on 31/12/2024.", {"day": 31, "month": 12, "year": 2024}),
        ("It opens on 12/31/2024.", {"day": 31, "month": 12, "year": 2024}),
        ("It opens on Tuesday.", {"weekday": 2}),
        ("It opened in 1987.", {"year": 1987}),
        ("It opened in the summer of 1987.", {"season": 2, "year": 1987}),
        ("It opens at 9:30.", {"clock": 570}),
        ("It opens at 3 pm.", {"clock": 900}),
        ("It opens at 15:00.", {"clock": 900}),
        ("It opens at noon.", {"clock": 720}),
        ("It opened yesterday.", {"from today": -1}),
        ("It opened last week.", {"direction of week": -1}),
        ("It opens at half past six.", {"clock": 390}),
        ("It opens at a quarter to eight.", {"clock": 465}),
        ("It opens at ten to nine.", {"clock": 530}),
        ("It opens at eight in the evening.", {"clock": 1200}),
        ("It opens at 7.30 pm.", {"clock": 1170}),
        ("It opens on the first of August.", {"day": 1, "month": 8}),
        ("It opens on the twenty-first of August.", {"day": 21, "month": 8}),
        ("It opens on the first Monday in June.", {"order": 1, "weekday": 1, "month": 6}),
        ("It opens on the last day of June.", {"order": 9, "month": 6}),
        ("It opens in late autumn.", {"phase": 3, "season": 3}),
        ("It opened in the 1990s.", {"decade": 1990}),
        ("It opens on New Year's Eve.", {"day": 31, "month": 12}),
    ],
)
def test_one_date(text, parts):
    assert read(text) == [parts]
    assert read(text, "lexical") == [parts]


@pytest.mark.parametrize(
    "text",
    [
        "You may leave.",
        "They march for peace.",
        "It sold 1987 chairs.",
        "Room 12 is free.",
        "The sun is hot.",
        "It opened in the ❶0s.",
        "",
    ],
)
def test_no_date(text):
    assert read(text) == []


def test_two_dates_stand_apart():
    assert read("It runs from 3 May to 5 June.") == [{"day": 3, "month": 5}, {"day": 5, "month": 6}]


def test_the_month_of_a_span_is_that_of_both_days():
    assert read("It runs from 3 to 5 June.") == [{"day": 3, "month": 6}, {"day": 5, "month": 6}]


def test_places_are_those_of_the_words():
    one = sentence("We met on 4 March 2021 in the hall.")
    [value] = read_values(one)
    assert words(one, value.places) == "4 March 2021"
    assert words(one, value.content.places["month"]) == "March"


@pytest.mark.parametrize(
    ("a", "b", "conflicts"),
    [
        ("It ends on 3 May.", "It ends on 4 May.", ["day"]),
        ("It ends on 3 May 2024.", "It ends on May 3.", []),
        ("It ends on Monday.", "It ends on 3 May.", []),
        ("It ends on 03/05/2024.", "It ends on 5 March 2024.", []),  # a day in May, or in March
        ("It ends on 03/05/2024.", "It ends on 5 March 2023.", ["year"]),
        ("It ends on 3 May 2024.", "It ends on 5 March 2024.", ["day", "month"]),
        ("It ends at half past six.", "It ends at 18:30.", []),
        ("It ends at half past six.", "It ends at 18:40.", ["clock"]),
        ("It ends at 6:30.", "It ends at 18:30.", ["clock"]),
    ],
)
def test_conflicts(a, b, conflicts):
    [x], [y] = dates(a), dates(b)
    assert sorted(x.conflicts(y)) == conflicts
    assert sorted(y.conflicts(x)) == conflicts
