import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features import class_alignment
from samewise.features.class_alignment import ENTITIES, PARTS_OF_SPEECH, scores
from samewise.features.comparison.grids import content_grid, terms
from samewise.features.pairs import PairBatch
from samewise.features.views import vocabulary

from .sentences import sentence

words = st.lists(st.sampled_from("oak elm fir yew ash".split()), max_size=5)


def batch(*sides):
    places = np.arange(len(sides))
    return PairBatch(sides, places[::2], places[1::2])


def by_length(pairs, x, y):
    """Compare words by a made-up table in which ties and zeros occur."""
    names = "ash elm fir oak yew".split()
    table = np.asarray([[9, 5, 5, 0, 1], [5, 9, 7, 2, 5], [5, 7, 9, 5, 0], [0, 2, 5, 9, 6], [1, 5, 0, 6, 9]]) / 9
    items = vocabulary(pairs, "words").items
    place = np.asarray([names.index(items[word]) for word in terms(pairs).words])
    return table[place[x], place[y]]


def slow(pairs, row, distinct):
    """Align the distinct words of one pair one by one; of equal partners the first in the order of the terms."""
    every, pair = terms(pairs), pairs[row]
    starts = np.cumsum([0, *(len(s.tokens) for s in pairs.sentences)])
    a, b = (every.of_token[starts[s] : starts[s + 1]].tolist() for s in (pairs.left[row], pairs.right[row]))

    def value(x, y):
        return float(by_length(pairs, np.asarray([x]), np.asarray([y]))[0])

    def claimed(short, long):
        taken = {}
        for x in set(short):
            partner = max(sorted(set(long)), key=lambda y: value(x, y), default=None)
            if partner is not None and value(x, partner) >= 0.01:
                taken[partner] = max(taken.get(partner, 0), value(x, partner))
        kept = list(set(taken.values()) if distinct else taken.values())
        return sum(kept) / len(kept) if kept else 0.0

    lengths = [len(side.tokens) for side in pair]
    if lengths[0] == lengths[1]:
        return (claimed(a, b) + claimed(b, a)) / 2
    return claimed(a, b) if lengths[0] < lengths[1] else claimed(b, a)


@given(pairs=st.lists(st.tuples(words, words), min_size=1, max_size=4), distinct=st.booleans())
def test_scores_equal_those_of_a_plain_loop(pairs, distinct):
    made = batch(*(sentence(" ".join(side), tags="NN " * len(side)) for pair in pairs for side in pair))
    found = scores(made, content_grid(made), by_length, distinct)
    np.testing.assert_allclose(found, [slow(made, row, distinct) for row in range(len(made))], rtol=1e-12)


def named(value, names):
    return dict(zip(names, value.tolist(), strict=True))


def test_parts_of_speech_by_hand():
    # Nouns: the one poodle takes dog (1/2) before cat. Verbs: none alike. Only one side has an adjective.
    a = sentence("He saw a poodle", "he see a poodle", "PRP VBD DT NN")
    b = sentence("He ran hot dogs , cats", "he run hot dog , cat", "PRP VBD JJ NNS , NNS")
    found = class_alignment.part_of_speech(batch(a, b))[0]
    expected = dict.fromkeys(["all", *PARTS_OF_SPEECH], 0.0) | {"noun": 0.5, "pronoun": 1.0, "all": 0.5}
    assert named(found, class_alignment.part_of_speech.names) == pytest.approx(expected)
    # Reach: 1/2 for two of three nouns; 1/2 of all of poodle, dogs and none of saw, ran, hot, cats; no proper noun.
    reach = named(class_alignment.part_of_speech_reach(batch(a, b))[0], class_alignment.part_of_speech_reach.names)
    expected = {"noun": 1 / 3, "verb": 0, "pronoun": 1, "adjective": 0, "proper_noun": 0.5, "number": 0.5}
    assert {name: reach[name] for name in expected} == pytest.approx(expected)
    content = [w for side in (a, b) for w in ("saw", "poodle", "ran", "hot", "dogs", "cats") if w in side.words]
    assert reach["all"] == pytest.approx(2 * 0.5 / len(content))


def test_a_partner_that_two_claim_keeps_the_better():
    # poodle (1/2) and dog (1) both take dog; the shorter side is the one of two nouns.
    a, b = sentence("poodle dog", tags="NN NN"), sentence("dog piano car", tags="NN NN NN")
    noun = class_alignment.part_of_speech.names.index("noun")
    assert class_alignment.part_of_speech(batch(a, b))[0, noun] == 1
    # Both ways with two nouns each: dog keeps 1; back, piano has no partner, so the mean is of dog alone.
    c = sentence("dog piano", tags="NN NN")
    assert class_alignment.part_of_speech(batch(a, c))[0, noun] == 1


def test_entities_by_hand():
    a = sentence(
        "Ada met Bob in Paris", tags="NNP VBD NNP IN NNP", entities=[(0, 1, "PERSON"), (2, 3, "PERSON"), (4, 5, "GPE")]
    )
    b = sentence("Paris met Ada", tags="NNP VBD NNP", entities=[(0, 1, "LOC"), (2, 3, "PERSON")])
    c = sentence("Paris in May", tags="NNP IN NNP", entities=[(0, 1, "ORG"), (2, 3, "LANGUAGE")])
    pairs = batch(a, b, a, c)
    found = class_alignment.entity(pairs)
    assert named(found[0], ENTITIES) == dict.fromkeys(ENTITIES, 0.0) | {"person": 1, "place": 1}
    assert not found[1].any()
    reach = class_alignment.entity_reach(pairs)
    none = dict.fromkeys(ENTITIES, 0.5)
    assert named(reach[0], ENTITIES) == pytest.approx(none | {"person": 2 / 3, "place": 1})
    assert named(reach[1], ENTITIES) == pytest.approx(none | {"person": 0, "place": 0, "organisation": 0})
