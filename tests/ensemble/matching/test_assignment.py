"""Matches in which each row stands once: the best sum, against all assignments by hand."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.ensemble.core.scale import POINTS
from samewise.ensemble.matching.assignment import one_to_one
from samewise.ensemble.matching.candidates import Candidates
from samewise.ensemble.matching.pair_scores import ScoredPairs
from samewise.ensemble.matching.texts import TextCollection

import samewise


def scored(pairs, rows=6):
    first, second = np.array([(a, rows + b) for a, b, _ in pairs], np.int64).reshape(-1, 2).T
    texts = TextCollection([str(place) for place in range(2 * rows)], [np.arange(rows), np.arange(rows, 2 * rows)])
    score = np.array([score for _, _, score in pairs], np.float64)
    nothing = np.zeros(len(pairs), np.int32)
    return ScoredPairs(Candidates(texts, first, second, {}), score, score, score, score, nothing, [()], 0)


def test_the_best_sum_is_not_the_best_pair_first():
    found = one_to_one(scored([(0, 0, 4.0), (0, 1, 3.5), (1, 0, 3.9)]), None, POINTS)
    assert (found.a.tolist(), found.b.tolist(), found.pairs.tolist()) == ([0, 1], [1, 0], [1, 2])


def test_a_bound_leaves_pairs_out():
    found = one_to_one(scored([(0, 0, 4.0), (0, 1, 3.5), (1, 0, 3.9)]), 3.8, POINTS)
    assert (found.a.tolist(), found.b.tolist()) == ([0], [0])
    assert len(one_to_one(scored([]), None, POINTS).a) == 0


CELLS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), unique=True, max_size=7)


@given(CELLS, st.data())
@settings(max_examples=100, deadline=None)
def test_no_assignment_has_a_larger_sum(cells, data):
    pairs = [(a, b, data.draw(st.sampled_from([0.0, 1.25, 2.5, 4.0, 5.0]))) for a, b in sorted(cells)]
    found = one_to_one(scored(pairs), None, POINTS)
    assert len(set(found.a.tolist())) == len(set(found.b.tolist())) == len(found.a)
    best = 0.0
    for count in range(len(pairs) + 1):
        for part in combinations(pairs, count):
            if len({a for a, _, _ in part}) == len({b for _, b, _ in part}) == count:
                best = max(best, sum(score for _, _, score in part))
    assert sum(pairs[place][2] for place in found.pairs) == best


def test_each_row_once():
    a = ["When does the pharmacy close?", "When does the pharmacy shut?"]
    b = ["When does the pharmacy close?", "At what time does the pharmacy close?"]
    table = samewise.match(a, b, model="fast", one_to_one=True, workers=1)
    assert sorted(zip(table["row1"].to_pylist(), table["row2"].to_pylist(), strict=True)) == [(0, 0), (1, 1)]
