"""Texts that differ in form alone are equal; what may mean something else is not."""

import itertools
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.matching.texts import TextCollection, equal_form
from samewise.ensemble.tables.text_tables import is_blank

import samewise


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("UNLOCK THE GATE", "unlock the gate"),
        ("Unlock the gate.", "  unlock   the gate!!! "),
        ("Unlock the ga\u00adte", "unlock\u200b the gate\ufeff"),
        ("Caf\u00e9 \u2026", "CAFE\u0301"),
        ("\ufb01ve \uff21\uff22\uff23", "five abc"),
        ("Die Stra\u00dfe", "DIE STRASSE;"),
        ("room\u00a07", "room 7"),
    ],
)
def test_form_alone(one, other):
    assert equal_form(one) == equal_form(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The gate is locked.", "The gate is locked?"),
        ("ano", "a\u00f1o"),
        ("10\u00b2 boxes", "102 boxes"),
        ("It is 5!", "It is 5."),
        ("room A", "room B"),
        ("C+", "C-"),
        ("...", "?"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
         "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"),  # flags of England and Scotland
    ],
)  # fmt: skip
def test_what_may_mean_something_else(one, other):
    assert equal_form(one) != equal_form(other)


@given(st.text(max_size=12))
def test_a_form_is_its_own_form_in_every_unicode_form(text):
    form = equal_form(text)
    assert equal_form(form) == form
    for name in ("NFC", "NFD"):
        assert equal_form(unicodedata.normalize(name, text)) == form


@pytest.mark.parametrize("text", ["", " \t\n", "\u200b", "\u00ad \ufeff", "\u2800\u3164", "\u00a0"])
def test_nothing_to_see(text):
    assert is_blank(text)
    assert not is_blank(f"{text}-{text}")


def test_the_plainest_text_stands_for_equal_ones():
    rows = ["OPEN THE DOOR", "Open the door!", "open the door", "Open the door", "Shut the door"]
    for order in itertools.permutations(rows):
        texts = TextCollection.of(order, form=equal_form)
        assert texts.texts == ["Open the door", "Shut the door"]
        assert [texts.texts[place][:4] for place in texts.rows[0]] == [text[:4].capitalize() for text in order]


def test_rows_without_a_text_are_kept_alone():
    found = samewise.dedupe(["\u200b", "Mind the step.", " ", "MIND THE STEP", None], model="surface", workers=1)
    assert found.representatives.tolist() == [0, 1, 2, 1, 4]
    assert found.review.num_rows == 0
