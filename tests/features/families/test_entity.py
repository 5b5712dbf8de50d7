import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.families import entity

from ..golden import check, row
from ..sentences import sentence

ALL = [value for value in vars(entity).values() if hasattr(value, "full_name")]
PARTS = st.lists(
    st.tuples(
        st.sampled_from(
            ["Ada Byron", "Byron", "the UN", "United Nations", "U.N.", "Paris", "4 May", "sees", ". .", "'s"]
        ),
        st.sampled_from(["", "PERSON", "ORG", "GPE", "DATE", "NORP"]),
    ),
    max_size=5,
)
BATCHES = st.lists(st.tuples(PARTS, PARTS), min_size=1, max_size=4)


def named(*parts):
    """Build a sentence of (text, entity label or blank)."""
    entities, size = [], 0
    for text, label in parts:
        length = len(text.split())
        if label:
            entities.append((size, size + length, label))
        size += length
    return sentence(" ".join(text for text, _ in parts), entities=entities)


VISIT = named(
    ("Barack Obama", "PERSON"), ("visited", ""), ("the United Nations", "ORG"), ("on", ""), ("Tuesday", "DATE")
)
SPEECH = named(("Obama", "PERSON"), ("spoke at the", ""), ("UN", "ORG"), ("on", ""), ("4 May", "DATE"))


ALPS = named(
    *(("Ada", "PERSON"), ("left", ""), ("the Alps", "LOC"), ("for", ""), ("Rome", "GPE"), ("'s hills in", "")),
    ("May", "DATE"),
)
SWISS = named(
    *(("ADA", "PERSON"), ("saw", ""), ("Alps", "LOC"), ("and", ""), ("Oslo", "GPE"), ("two", "CARDINAL")),
    ("Swiss", "NORP"),
)
ROME, FALL = named(("Rome", "GPE"), ("fell", "")), named(("the fall of Rome", ""))
PERSON, CITY = named(("Paris", "PERSON")), named(("Paris", "GPE"))
BOTH = named(("Paris", "PERSON"), ("and", ""), ("Paris", "GPE"))
PLAIN, OSLO = named(("dogs bark", "")), named(("Oslo", "GPE"))

# fmt: off
GOLDEN = [
    # One of one person; Alps of Alps, Rome and of Alps, Oslo; no amount of one each; in all two of four and of five.
    (entity.overlap, ALPS, SWISS, {"person": 1, "organisation": 1, "place": 1 / 2, "amount": 0, "all": 4 / 9}),
    # Articles and possessives are left out, and nothing is left of an article alone.
    (entity.overlap, named(("Google 's", "ORG"), ("home", "")), named(("the Google", "ORG")), {"organisation": 1}),
    (entity.overlap, named(("the", "ORG")), named(("dogs", "")), {"all": 1}),
    # Surnames and acronyms are mentioned; the days alone are not in the other sentence.
    (entity.overlap, VISIT, SPEECH, {"person": 0, "organisation": 0, "place": 1, "amount": 0, "all": 0}),
    (entity.mentioned, VISIT, SPEECH, {"all_min": 2 / 3, "all_max": 2 / 3, "names_min": 1, "names_max": 1}),
    (entity.unmentioned, VISIT, SPEECH, {"all_min": 1, "all_max": 1, "names_min": 0, "names_max": 0}),
    # What no label marks is mentioned too.
    (entity.overlap, ROME, FALL, {"place": 0}),
    (entity.mentioned, ROME, FALL, {"all_min": 1, "all_max": 1, "names_min": 1, "names_max": 1}),
    (entity.mismatch, PERSON, CITY, {"kind": 1}),
    (entity.mismatch, CITY, named(("paris", "LOC")), {"kind": 0}),
    (entity.mismatch, CITY, BOTH, {"kind": 0}),
    (entity.overlap, PERSON, CITY, {"all": 1}),
    # Without entities.
    *((value, PLAIN, other, [share] * len(value.names)) for other in (PLAIN, named()) for value, share in (
        (entity.overlap, 1), (entity.mentioned, 1), (entity.unmentioned, 0), (entity.mismatch, 0))),
    (entity.mentioned, PLAIN, OSLO, {"all_min": 0, "all_max": 1, "names_min": 0, "names_max": 1}),
]
# fmt: on


@pytest.mark.parametrize(("value", "a", "b", "expected"), GOLDEN)
def test_golden(value, a, b, expected):
    check(value, a, b, expected)


@pytest.mark.parametrize(
    ("name", "label", "other", "is_mentioned"),
    [
        ("U.S.", "GPE", "US troops", 1),
        ("US", "GPE", "U.S. troops", 1),
        ("US", "GPE", "they told us", 0),
        ("DOJ", "ORG", "the Department of Justice", 0),  # small words have no initial
        ("DJ", "ORG", "the Department of Justice", 1),
        ("Ann Rice", "PERSON", "Rice wrote it", 1),
        ("Ann Rice", "PERSON", "rice is cheap", 0),
        ("Ann Rice", "ORG", "Rice wrote it", 0),
        ("Oslo", "GPE", "Oslo-born", 0),
        ("May", "DATE", "May 4", 1),
        ("May", "DATE", "it may rain", 0),
        ("Oslo", "GPE", "oslo", 1),
    ],
)
def test_mentions_by_hand(name, label, other, is_mentioned):
    a, b = named((name, label)), named((other, ""))
    assert row(entity.mentioned, a, b)["all_min"] == is_mentioned
    assert row(entity.unmentioned, b, a)["all_max"] == 1 - is_mentioned
    assert row(entity.unmentioned, b, a)["names_max"] == (0 if label == "DATE" else 1 - is_mentioned)


@settings(max_examples=30)
@given(BATCHES)
def test_each_row_is_symmetric_and_stands_alone(pairs):
    pairs = [(named(*a), named(*b)) for a, b in pairs]
    for value in ALL:
        together = value(pairs)
        np.testing.assert_array_equal(together, value([(b, a) for a, b in pairs]))
        np.testing.assert_array_equal(together, np.concatenate([value([pair]) for pair in pairs]))


@settings(max_examples=30)
@given(PARTS)
def test_a_sentence_equals_itself(parts):
    pair = [(named(*parts), named(*parts))]
    assert (entity.overlap(pair) == 1).all()
    assert (entity.mentioned(pair) == 1).all()
    assert not entity.unmentioned(pair).any()
    assert not entity.mismatch(pair).any()
