"""Kinds of differences that are learned from labelled pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.ensemble.core.decision import Rule
from samewise.ensemble.core.kind_choice import ComparedPairs, choose
from samewise.ensemble.core.scale import POINTS
from samewise.ensemble.differences.facts import KEEP_APART, KINDS

COST = Rule("cost", 1.0)


def pairs_of(*groups):
    """Return pairs of groups: (score, kinds, number of pairs that are the same, number that are not)."""
    scores = np.concatenate([np.full(same + other, score) for score, _, same, other in groups])
    labels = np.concatenate([np.arange(same + other) < same for _, _, same, other in groups])
    differs = [[kind in kinds for kind in KINDS] for _, kinds, same, other in groups for _ in range(same + other)]
    return ComparedPairs(scores, POINTS, labels, np.asarray(differs))


def test_a_kind_that_tells_pairs_apart_is_learned():
    pairs = pairs_of((5.0, (), 40, 0), (5.0, ("number",), 0, 20), (1.0, (), 0, 40))
    found = choose(pairs, COST, 0.95)
    assert "number" in found.kinds
    assert found.found.cost == 0.0
    assert choose(pairs, COST, 0.95, ()).found.cost == pytest.approx(20 / 100)


def test_a_kind_that_labels_contradict_is_left_out():
    pairs = pairs_of((5.0, (), 40, 0), (5.0, ("number",), 0, 20), (5.0, ("name",), 30, 2), (1.0, (), 0, 40))
    assert choose(pairs, COST, 0.95).kinds == tuple(kind for kind in KEEP_APART if kind != "name")


def test_no_kind_is_learned_where_differences_say_nothing():
    # Each kind is in the pairs that are the same more often than in the others: keeping them apart costs more.
    pairs = pairs_of((5.0, KEEP_APART, 40, 10), (5.0, (), 20, 5), (1.0, (), 0, 40))
    assert choose(pairs, COST, 0.95).found.cost == pytest.approx(15 / 115)
    without = pairs_of((5.0, (), 40, 10), (5.0, ("added",), 20, 5), (1.0, (), 0, 40))
    assert choose(without, COST, 0.95).kinds == ()


def test_kinds_that_are_given_are_taken():
    pairs = pairs_of((5.0, (), 40, 0), (5.0, ("number",), 0, 20), (1.0, (), 0, 40))
    assert choose(pairs, COST, 0.95, ("name",)).kinds == ("name",)


def test_scores_that_say_nothing_call_only_the_highest_score_the_same():
    random = np.random.default_rng(1)
    scores, same = np.round(4.9 * random.random(75), 2), random.random(75) < 0.4
    found = choose(ComparedPairs(scores, POINTS, same, np.zeros((75, len(KINDS)), bool)), COST, 0.95).found
    assert (found.same_from, found.different_below) == (5.0, 5.0)


def test_a_bound_that_only_kinds_can_keep():
    # A third of the pairs with the highest score are false, all of them by a number.
    pairs = pairs_of((5.0, (), 300, 0), (5.0, ("number",), 0, 150), (1.0, (), 0, 100))
    found = choose(pairs, Rule("max_false", 0.05), 0.95)
    assert found.kinds == KEEP_APART
    with pytest.raises(ValueError, match="at most 5 %"):
        choose(pairs, Rule("max_false", 0.05), 0.95, ())


def test_a_bound_without_use_for_kinds_finds_as_many_pairs_as_without():
    pairs = pairs_of((5.0, (), 150, 0), (4.0, ("name",), 50, 0), (1.0, (), 0, 100))
    found = choose(pairs, Rule("max_false", 0.1), 0.95)
    assert "name" not in found.kinds
    assert found.tally.unfound[found.tally.thresholds == found.found.same_from] == 0


@pytest.mark.parametrize("same", [0, 10])
def test_labels_of_one_kind_are_refused(same):
    with pytest.raises(ValueError, match=r"must include pairs that are the same and pairs that are not"):
        choose(pairs_of((5.0, ("number",), same, 10 - same)), COST, 0.95)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.floats(0.1, 0.4))
def test_the_bound_holds_on_the_labelled_pairs_with_the_kinds_that_were_chosen(seed, bound):
    random = np.random.default_rng(seed)
    scores, differs = 5 * random.random(300), random.random((300, len(KINDS))) < 0.1
    number = differs[:, KINDS.index("number")]
    same = (random.random(300) < scores / 5) & ~(number & (random.random(300) < 0.9))
    pairs = ComparedPairs(scores, POINTS, same, differs)
    try:
        found = choose(pairs, Rule("max_false", bound), 0.9)
    except ValueError as error:
        assert "label more" in str(error)
        return
    called = (scores >= found.found.same_from) & ~pairs.apart(found.kinds)
    assert called.any()
    assert (~same[called]).mean() <= bound
