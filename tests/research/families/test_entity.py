import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.research.families import entity

from ...features.golden import check
from ...features.sentences import sentence

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
PLAIN = named(("dogs bark", ""))

# fmt: off
GOLDEN = [
    # One of one person; Alps of Alps, Rome and of Alps, Oslo; no amount of one each; in all two of four and of five.
    (entity.overlap, ALPS, SWISS, {"person": 1, "organisation": 1, "place": 1 / 2, "amount": 0, "all": 4 / 9}),
    # Articles and possessives are left out, and nothing is left of an article alone.
    (entity.overlap, named(("Google 's", "ORG"), ("home", "")), named(("the Google", "ORG")), {"organisation": 1}),
    (entity.overlap, named(("the", "ORG")), named(("dogs", "")), {"all": 1}),
    (entity.overlap, VISIT, SPEECH, {"person": 0, "organisation": 0, "place": 1, "amount": 0, "all": 0}),
    # What no label marks does not count.
    (entity.overlap, ROME, FALL, {"place": 0}),
    (entity.overlap, PERSON, CITY, {"all": 1}),
    # Without entities.
    *((entity.overlap, PLAIN, other, [1] * 5) for other in (PLAIN, named())),
]
# fmt: on


@pytest.mark.parametrize(("value", "a", "b", "expected"), GOLDEN)
def test_golden(value, a, b, expected):
    check(value, a, b, expected)


@settings(max_examples=30)
@given(BATCHES)
def test_each_row_is_symmetric_and_stands_alone(pairs):
    pairs = [(named(*a), named(*b)) for a, b in pairs]
    together = entity.overlap(pairs)
    np.testing.assert_array_equal(together, entity.overlap([(b, a) for a, b in pairs]))
    np.testing.assert_array_equal(together, np.concatenate([entity.overlap([pair]) for pair in pairs]))


@settings(max_examples=30)
@given(PARTS)
def test_a_sentence_equals_itself(parts):
    pair = [(named(*parts), named(*parts))]
    assert (entity.overlap(pair) == 1).all()
