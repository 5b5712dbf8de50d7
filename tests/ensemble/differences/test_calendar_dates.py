"""Dates and times of day as they stand in sentences."""

import pytest
from samewise.ensemble.differences.calendar_dates import dates

from .readings import sentence, words


def read(text):
    return [fact.value.parts for fact in dates(sentence(text))]


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
    ],
)
def test_one_date(text, parts):
    assert read(text) == [parts]


@pytest.mark.parametrize(
    "text",
    ["You may leave.", "They march for peace.", "It sold 1987 chairs.", "Room 12 is free.", "The sun is hot.", ""],
)
def test_no_date(text):
    assert read(text) == []


def test_two_dates_stand_apart():
    assert read("It runs from 3 May to 5 June.") == [{"day": 3, "month": 5}, {"day": 5, "month": 6}]


def test_places_are_those_of_the_words():
    one = sentence("We met on 4 March 2021 in the hall.")
    [fact] = dates(one)
    assert words(one, fact.places) == "4 March 2021"
    assert words(one, fact.value.places["month"]) == "March"


@pytest.mark.parametrize(
    ("a", "b", "conflicts"),
    [
        ("It ends on 3 May.", "It ends on 4 May.", ["day"]),
        ("It ends on 3 May 2024.", "It ends on May 3.", []),
        ("It ends on Monday.", "It ends on 3 May.", []),
        ("It ends on 03/05/2024.", "It ends on 5 March 2024.", []),  # a day in May, or in March
        ("It ends on 03/05/2024.", "It ends on 5 March 2023.", ["year"]),
        ("It ends on 3 May 2024.", "It ends on 5 March 2024.", ["day", "month"]),
    ],
)
def test_conflicts(a, b, conflicts):
    [x], [y] = dates(sentence(a)), dates(sentence(b))
    assert sorted(x.value.conflicts(y.value)) == conflicts
    assert sorted(y.value.conflicts(x.value)) == conflicts
