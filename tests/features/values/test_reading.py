"""Plain numbers are read in a shorter way, and it gives the same values."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.analysis.analysis import analyse
from samewise.features.values import reading
from samewise.features.values.telling import NUMBERS, PLAIN, told_by

from .readings import sentence

PIECES = """two 3 12 dogs lamps of the at between and to in , . half more than red past at run times twelve fifty up
from by out o or 400 a""".split()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join))
def test_plain_numbers_are_those_of_the_whole_reading(text):
    one = sentence(text)
    plain = reading.plain_numbers(one)
    told = 0
    for token in one.tokens:
        told |= told_by(token)
    if plain is not None and told == PLAIN:
        assert plain == reading._read(one, PLAIN | NUMBERS, reading.Cutter())


@pytest.mark.parametrize(
    ("text", "is_plain"),
    [("Two dogs saw 3 cats.", True), ("Two dozen cats.", False), ("At 8 we eat.", False), ("It is 5 km long.", False)],
)
def test_which_numbers_are_plain(text, is_plain):
    assert (reading.plain_numbers(sentence(text)) is not None) is is_plain


@pytest.mark.parametrize("text", ["A lamp fell.", "The cook sang a song, and all went well.", ""])
def test_most_sentences_are_not_read(text, monkeypatch):
    monkeypatch.setattr(reading, "_read", None)
    batch = analyse([(text, text)])
    assert reading.values_of(batch) == [()]
    assert reading.read_values(batch[0].a) == ()
