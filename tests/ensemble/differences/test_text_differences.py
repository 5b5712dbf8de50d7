"""Differences between two texts: one example of each kind, equal meanings, and promises for any text."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.ensemble.differences.facts import KINDS, MIRRORED
from samewise.ensemble.differences.text_differences import LEVEL, differences
from samewise.features.analysis.analysis import analyse

REST = ("added", "missing")


def found(a, b):
    """Return the differences of a pair, and check that those of the pair turned round mirror them."""
    here, there = differences(analyse([(a, b), (b, a)], LEVEL))
    assert sorted(one.swapped() for one in there) == sorted(here)
    return here


def short(a, b):
    return [(one.kind, one.a, one.b) for one in found(a, b)]


@pytest.mark.parametrize(
    ("a", "b", "difference"),
    [
        ("The hall seats 300 guests.", "The hall seats 450 guests.", ("number", "300", "450")),
        ("The rope is 6 metres long.", "The rope is 6 inches long.", ("unit", "metres", "inches")),
        ("The fair opens on 2 June.", "The fair opens on 9 June.", ("date", "2", "9")),
        ("We rented a flat in Lima.", "We rented a flat in Quito.", ("name", "Lima", "Quito")),
        ("The lamp is broken.", "The lamp is not broken.", ("negation", "", "not")),
        ("The lamp is on.", "The lamp is not on.", ("negation", "", "not")),
        ("All lamps were sold.", "Some lamps were sold.", ("quantifier", "All", "Some")),
        ("Guests must pay in cash.", "Guests may pay in cash.", ("modality", "must", "may")),
        ("The soup is hot.", "The soup is cold.", ("antonym", "hot", "cold")),
        ("The goose followed the farmer.", "The farmer followed the goose.", ("role", "goose farmer", "farmer goose")),
        ("The lamp fell.", "The lamp fell on the carpet.", ("added", "", "carpet")),
        ("The green lamp fell.", "The lamp fell.", ("missing", "green", "")),
    ],
)
def test_one_example_of_each_kind(a, b, difference):
    assert short(a, b) == [difference]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The goose followed the farmer.", "The farmer was followed by the goose."),
        ("The hall seats three hundred guests.", "The hall seats 300 guests."),
        ("It costs 1,000 euros.", "It costs 1000 euros."),
        ("The fair opens on 2 June.", "The fair opens on June 2nd."),
        ("The fair opens at 3 pm.", "The fair opens at 15:00."),
        ("The walk is 5 km long.", "The walk is 5000 m long."),
        ("Guests must pay in cash.", "Guests have to pay in cash."),
        ("The lamp isn't broken.", "The lamp is not broken."),
        ("The result was not positive.", "The result was negative."),
        ("Max lent the bike to Eva.", "Eva borrowed the bike from Max."),
        ("The cook could not come.", "The cook was unable to come."),
        ("At least four lamps fell.", "No fewer than four lamps fell."),
    ],
)
def test_other_words_of_one_meaning(a, b):
    assert [one for one in short(a, b) if one[0] not in REST] == []


def test_the_words_stand_as_in_the_text():
    [one] = found("The fee is $20 now.", "The fee is $30 now.")
    assert (one.kind, one.a, one.b, one.places_a, one.places_b) == ("number", "20", "30", (4,), (4,))
    [one] = found("The lamp fell.", "The lamp fell off a tall wooden shelf.")
    assert (one.b, one.places_b) == ("tall wooden shelf", (5, 6, 7))


def test_several_differences_stand_in_the_order_of_the_text():
    a, b = "On Monday two cooks must leave.", "On Friday five cooks may leave."
    assert short(a, b) == [("date", "Monday", "Friday"), ("number", "two", "five"), ("modality", "must", "may")]


@pytest.mark.parametrize(
    ("b", "names"),
    [
        # Any word of a title has a capital: one is a name only where the rest corresponds.
        ("Oakley Red Watering Can for Indoor Plants 2 l", [("name", "Green", "Red")]),
        ("GIESSKANNE OAKLEY GRUEN PFLANZEN 2 l", []),
    ],
)
def test_names_in_titles(b, names):
    assert [one for one in short("Oakley Green Watering Can for Indoor Plants 2 l", b) if one[0] == "name"] == names


def test_exchanged_numbers_differ():
    a, b = "The farm has 12 cows and 30 goats.", "The farm has 30 cows and 12 goats."
    assert short(a, b) == [("number", "12", "30"), ("number", "30", "12")]


def test_plain_json_values():
    [one] = found("The soup is hot.", "The soup is cold.")
    plain = {"kind": "antonym", "a": "hot", "b": "cold", "places_a": [3], "places_b": [3]}
    assert json.loads(json.dumps(one.as_dict())) == plain


def test_sentences_without_tags_are_refused():
    with pytest.raises(ValueError, match="must be of the level 'lexical', got 'tokens' for 'A lamp.'"):
        differences(analyse([("A lamp.", "A rug.")], "tokens"))


def test_an_empty_batch():
    assert differences(analyse([], LEVEL)) == []


PIECES = """not must may all some no never three 3 30% May Monday Berlin Paris dog cat chased by the was from to buy
sell hot cold than 5 km 12:30 $ 40 unless and , . half a dozen "quoted" don't 10-mile 2024-05-03 who that given is
been more less at least only without fail forbidden impossible \u4f60\u597d \U0001f600""".split()
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join),
    st.text(max_size=30),
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS)
def test_promises_for_any_two_texts(a, b):
    batch = analyse([(a, b), (b, a), (a, a)], LEVEL)
    here, there, none = differences(batch)
    assert none == []
    assert sorted(one.swapped() for one in there) == sorted(here)
    assert [one for one in here if one.kind not in KINDS] == []
    for side, sentence in enumerate(batch[0]):
        places = [place for one in here for place in (one.places_a, one.places_b)[side]]
        assert len(places) == len(set(places))
        assert all(0 <= place < len(sentence.tokens) for place in places)
    for one in here:
        assert (one.a == "") == (one.places_a == ())
        assert (one.b == "") == (one.places_b == ())
        assert one.a or one.b
        assert {"added": not one.a, "missing": not one.b}.get(one.kind, True)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_a_pair_does_not_depend_on_its_batch(pairs):
    together = differences(analyse(pairs, LEVEL))
    assert together == [differences(analyse([pair], LEVEL))[0] for pair in pairs]


def test_mirrored_kinds():
    assert MIRRORED == {"added": "missing", "missing": "added"}
    assert set(MIRRORED) <= set(KINDS)


@pytest.mark.parametrize("word", ["lamp", "must", "3", "Lima", "not", "\u4f60\u597d"])
def test_long_texts(word):
    one = " ".join([word] * 10_000)
    assert found(one, one) == []
    assert len(found(one, "The lamp fell.")) < 3_000
