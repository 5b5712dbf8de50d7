"""Scores of candidates: in their order, in batches, and from a journal where it has them."""

import numpy as np
import pyarrow as pa
import pytest
from samewise.ensemble.differences.facts import Difference
from samewise.ensemble.matching import pair_scores
from samewise.ensemble.matching.candidates import Candidates
from samewise.ensemble.matching.options import MatchOptions
from samewise.ensemble.matching.pair_scores import ScoredPairs, differences_between, score_candidates
from samewise.ensemble.matching.pipeline import Search
from samewise.ensemble.matching.texts import TextCollection
from samewise.ensemble.scoring.worker_processes import Workers

from ..scoring.test_predict_files import Lengths

TEXTS = TextCollection.of(["", "a", "bb", "ccc", "dddd", "eeeeeeeee"])
PAIRS = [(one, other) for one in range(6) for other in range(one + 1, 6)]
CANDIDATES = Candidates(TEXTS, *np.array(PAIRS, dtype=np.int64).T, {})


class Differing(Lengths):
    """Texts differ in their words if these are longer than two letters; counts the pairs that it is asked about."""

    def __init__(self):
        self.asked = []

    def predict_pairs(self, pairs):
        self.asked += pairs
        return super().predict_pairs(pairs)

    def differences(self, pairs):
        return [(Difference("name", a, b, (0,), (0,)),) if len(a) > 2 else () for a, b in pairs]


class Memory:
    """A journal that is none: has the scores of some batches, and takes those of others."""

    def __init__(self, batches=()):
        self.batches, self.added, self.steps = list(batches), [], set()

    def replay(self, step):
        return iter(self.batches)

    def add(self, scores, step):
        self.added.append(scores)
        self.steps.add(step)


def scores(size, journal=None, model=None, progress=None):
    with Workers(model or Lengths(), 1) as pool:
        return score_candidates(CANDIDATES, pool, journal, progress, batch_size=size)


@pytest.mark.parametrize("size", [1, 4, 15, 100])
def test_scores_by_hand_in_batches_of_any_size(size):
    calls = []
    found = scores(size, progress=lambda done, count: calls.append((done, count)))
    gaps = [len(TEXTS.texts[other]) - len(TEXTS.texts[one]) for one, other in PAIRS]
    np.testing.assert_array_equal(found.score, [5 / (1 + gap) for gap in gaps])
    np.testing.assert_array_equal(found.low, found.score / 3)
    np.testing.assert_array_equal(found.high, np.minimum(found.score * 1.1, 5))
    assert not found.deviation.any()
    assert [found.flag_sets[place] for place in found.flags] == [("empty",) if one == 0 else () for one, _ in PAIRS]
    assert sorted(found.flag_sets) == [(), ("empty",)]
    assert found.resumed == 0
    assert calls == [(min(start + size, 15), 15) for start in range(0, 15, size)]


def test_what_a_journal_has_is_not_scored_again():
    first, model = Memory(), Differing()
    whole = scores(4, first)
    second = Memory(first.added[:2])
    found = scores(4, second, model)
    assert found.resumed == 8
    assert model.asked == [(TEXTS.texts[one], TEXTS.texts[other]) for one, other in PAIRS[8:]]
    assert [batch.num_rows for batch in second.added] == [4, 3]
    for name in ("score", "low", "high", "deviation", "flags"):
        np.testing.assert_array_equal(getattr(found, name), getattr(whole, name))


def test_a_screening_has_its_own_scores_in_the_journal():
    memory = Memory()
    search = Search(Lengths(), MatchOptions(probability_of=3.0, views=("words",), prefilter="none"), workers=1)
    search.screen = Lengths()
    search.screened(CANDIDATES, memory)
    assert memory.steps == {"screening"}
    scores(4, memory)
    assert memory.steps == {"screening", "scoring"}


def test_no_candidates():
    nothing = Candidates(TEXTS, np.empty(0, np.int64), np.empty(0, np.int64), {})
    with Workers(Lengths(), 1) as pool:
        found = score_candidates(nothing, pool)
    assert len(found.score) == 0
    assert found.batch(np.array([-1]), 5.0).column("score").to_pylist() == [5.0]


def test_batches_of_scores_by_hand():
    columns = (np.array(values) for values in ([3.5, 4.5], [3.0, 4.0], [4.0, 5.0], [0.5, 0.25]))
    found = ScoredPairs(CANDIDATES, *columns, np.array([1, 0], np.int32), [(), ("long", "empty")], 0)
    batch = found.batch(np.array([1, -1, 0, 0]), 5.0)
    assert batch.to_pylist() == [
        {"score": 4.5, "low": 4.0, "high": 5.0, "flags": [], "deviation": 0.25},
        {"score": 5.0, "low": 5.0, "high": 5.0, "flags": ["identical"], "deviation": 0.0},
        {"score": 3.5, "low": 3.0, "high": 4.0, "flags": ["long", "empty"], "deviation": 0.5},
        {"score": 3.5, "low": 3.0, "high": 4.0, "flags": ["long", "empty"], "deviation": 0.5},
    ]
    assert found.batch(np.empty(0, np.int64)).schema == batch.schema


@pytest.mark.parametrize("size", [2, 100])
def test_differences_in_the_order_of_the_pairs(monkeypatch, size):
    monkeypatch.setattr(pair_scores, "BATCH", size)
    first, second = np.array([3, 1, 5, 4, 0]), np.array([1, 3, 4, 5, 0])
    calls = []
    with Workers(Differing(), 1) as pool:
        found = differences_between(TEXTS.arrow(), first, second, pool, lambda *done: calls.append(done))
    assert isinstance(found, pa.Array)
    assert [[item["a"] for item in row] for row in found.to_pylist()] == [["ccc"], [], ["eeeeeeeee"], ["dddd"], []]
    assert calls[-1] == (5, 5)
    with Workers(Differing(), 1) as pool:
        nothing = differences_between(TEXTS.arrow(), first[:0], second[:0], pool)
    assert (len(nothing), nothing.type) == (0, found.type)
