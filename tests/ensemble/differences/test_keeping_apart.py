"""Differences that keep texts apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.differences.facts import KEEP_APART, KINDS, Difference
from samewise.ensemble.differences.keeping_apart import all_kinds, check_kinds, deciding_kind, keeping_apart


def difference(kind, a="", b=""):
    return Difference(kind, a, b, (), ())


def test_the_first_kind_decides():
    found = [difference("antonym", "hot", "cold"), difference("name", "Oslo", "Rome")]
    assert deciding_kind(found, ("antonym", "name")) == "name"
    assert deciding_kind(found, ("antonym",)) == "antonym"
    assert deciding_kind(found, ("date",)) is None
    assert deciding_kind(found, ()) is None
    assert keeping_apart(found, ("antonym",)) == found[:1]


@pytest.mark.parametrize(
    ("one", "kinds"),
    [
        (difference("added", b="used 3 hours"), {"added", "number"}),
        (difference("missing", a="for 2"), {"missing", "number"}),
        (difference("added", b="used for hours"), {"added"}),
        (difference("name", "Track 3", "Track 4"), {"name"}),
    ],
)
def test_a_digit_that_only_one_text_has_is_a_number(one, kinds):
    assert all_kinds([one]) == kinds
    assert (deciding_kind([one], ("number",)) == "number") == ("number" in kinds)


def test_kinds_come_once_and_in_order():
    assert check_kinds(["name", "date", "name"]) == ("date", "name")
    with pytest.raises(ValueError, match="must be one of date, .*, got 'colour'; name one"):
        check_kinds(["date", "colour"])


def test_only_added_and_missing_words_do_not_keep_apart_by_default():
    assert set(KINDS) - set(KEEP_APART) == {"added", "missing"}


@given(st.lists(st.sampled_from(KINDS), max_size=5), st.sets(st.sampled_from(KINDS)))
def test_a_pair_is_kept_apart_exactly_if_it_has_such_a_difference(kinds, names):
    found = [difference(kind) for kind in kinds]
    assert (deciding_kind(found, tuple(names)) is not None) == bool(names & set(kinds))
    assert bool(keeping_apart(found, tuple(names))) == bool(names & set(kinds))
