"""Differences in values: dates, amounts, codes and signs, and equal values in other forms."""

import pytest

from .test_text_differences import REST, short


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Keep it at -20 degrees.", "Keep it at 20 degrees.", ("number", "-20", "20")),
        ("Add \u00b10.2 mm here.", "Add +0.2 mm here.", ("number", "\u00b10.2", "+0.2")),
        ("The lamp is cleaned every two weeks.", "The lamp is cleaned every six weeks.", ("number", "two", "six")),
        ("We clean the lamp twice a week.", "We clean the lamp twice a year.", ("unit", "week", "year")),
        ("Dinner starts at half past six.", "Dinner starts at half past seven.", None),
        ("The fee is due on the first of June.", "The fee is due on the ninth of June.", ("date", "first", "ninth")),
        ("Boxes > 20 kg go left.", "Boxes < 20 kg go left.", ("sign", ">", "<")),
        ("The lamp test \u2705", "The lamp test \u274c", ("sign", "\u2705", "\u274c")),
        ("The way out is \u2192", "The way out is \u2190", ("sign", "\u2192", "\u2190")),
        ("Install version 2.10 today.", "Install version 2.1 today.", ("code", "2.10", "2.1")),
        ("Ticket LMP-3381 is open.", "Ticket LMP-3318 is open.", ("code", "LMP-3381", "LMP-3318")),
        ("Meet me at gate B.", "Meet me at gate D.", ("code", "B.", "D.")),
        ("Write to eva@lamp.example today.", "Write to max@lamp.example today.", None),
        ("Press Ctrl+S to go on.", "Press Ctrl+X to go on.", ("code", "Ctrl+S", "Ctrl+X")),
        ("Keep {name} as it is.", "Keep {city} as it is.", None),
    ],
)
def test_one_difference(a, b, expected):
    found = short(a, b)
    assert len(found) == 1
    assert expected is None or [(kind, x.rstrip("."), y.rstrip(".")) for kind, x, y in found] == [
        tuple(part.rstrip(".") for part in expected)
    ]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Use 1/2 of the flour.", "Use half of the flour."),
        ("Press Ctrl+S to go on.", "Press Ctrl-S to go on."),
        ("USB-C cable 2m", "USB C cable 200 cm"),
        ("Lamps, a pack of 6.", "Lamps, a pack of half a dozen."),
        ("Three lamps fell.", "3 lamps fell."),
        ("The lamp is cleaned monthly.", "The lamp is cleaned once a month."),
        ("The lamp is cleaned every other week.", "The lamp is cleaned every two weeks."),
        ("Bake it for three quarters of an hour.", "Bake it for 45 minutes."),
        ("It runs for 1 h 20 min.", "It runs for 80 min."),
        ("Bake it at 180 \u00b0C.", "Bake it at 356 \u00b0F."),
        ("One in five lamps broke.", "20% of the lamps broke."),
        ("The shop shuts at 7.30 pm.", "The shop shuts at 19:30."),
        ("The fair is on 2024-03-04.", "The fair is on March 4th, 2024."),
        ("Check sensor F-16 first.", "Check sensor F16 first."),
        ("All done \U0001f600", "All done \U0001f603"),
    ],
)
def test_equal_values(a, b):
    assert short(a, b) == []


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The disk is 8 percent free.", "92 percent of the disk is in use."),
        ("Two of the five lamps broke.", "Three of the five lamps still work."),
        ("Lamp v4 is brighter than lamp v5.", "Lamp v5 is dimmer than lamp v4."),
        ("Evening flights carry 12 bags.", "The crew repaired 3 old engines."),
    ],
)
def test_values_of_other_things_are_not_compared(a, b):
    assert [one for one in short(a, b) if one[0] not in (*REST, "antonym")] == []


def test_a_value_that_one_text_has_is_added():
    assert short("The lamp fell.", "The lamp L14 fell.") == [("added", "", "L14")]


def test_exchanged_numbers_differ_where_they_count_the_same_things():
    a, b = "Bring 12 cups and 30 plates.", "Bring 30 cups and 12 plates."
    assert short(a, b) == [("number", "12", "30"), ("number", "30", "12")]
