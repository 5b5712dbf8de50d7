"""Choice of the kinds of differences that keep texts apart, and of the thresholds beside them, on labelled pairs.

Three sets are compared: the kinds of `KEEP_APART` less those that the labels contradict, all of them, and none. A kind
is contradicted if keeping its pairs apart costs more in missed pairs than it saves in false ones, by `Rule.ratio`. Sets
that cost more than none by cross-validation are left out. Of the others, the one with the least cost is taken: by
cross-validation, or for a bound that of the threshold which is shown to keep it. Of equal sets it is the first.

A bound must hold for whichever set is taken, so the sets share the chance of error: none has half of it, all kinds a
quarter, and the kinds that labels leave a quarter, divided by the number of sets that they could leave.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..differences.facts import KEEP_APART, KINDS, Difference
from ..differences.keeping_apart import all_kinds
from .decision import Rule
from .scale import Scale
from .threshold_choice import Tally, Thresholds, choose_thresholds

FOLDS, REPEATS = 5, 10
"""Folds of the cross-validation, and how often the pairs are divided into folds anew."""


class Chosen(NamedTuple):
    """Thresholds, the kinds that keep texts apart, and the counts that the thresholds follow from."""

    found: Thresholds
    kinds: tuple[str, ...]
    tally: Tally


class _KindSet(NamedTuple):
    kinds: tuple[str, ...]
    share: float  # of the chance that a bound is broken, 0..1


@dataclass(frozen=True)
class ComparedPairs:
    """Labelled pairs, n of them.

    Attributes
    ----------
    scores, scale
        Shape (n,), and the scale that they are on.
    same
        Shape (n,), bool: whether the texts are the same.
    differs
        Shape (n, len(KINDS)), bool: kinds in which the texts differ.
    """

    scores: np.ndarray
    scale: Scale
    same: np.ndarray
    differs: np.ndarray

    def tally(self, kinds: tuple[str, ...] = ()) -> Tally:
        """Return the counts at each threshold if some kinds keep texts apart."""
        return Tally.of(self.scores, self.same, self.scale, self.apart(kinds))

    def apart(self, kinds: tuple[str, ...]) -> np.ndarray:
        """Return whether some kinds keep the texts of each pair apart, shape (n,)."""
        return np.asarray(self.differs[:, [KINDS.index(kind) for kind in kinds]].any(axis=1))

    def sets(self, ratio: float, given: tuple[str, ...] | None = None) -> list[_KindSet]:
        """Return the sets to compare, where a false pair costs as much as `ratio` missed ones; or the one given."""
        if given is not None:
            return [_KindSet(given, 1.0)]
        seen = sum(bool(self.apart((kind,)).any()) for kind in KEEP_APART)
        called = self.scores >= self.tally().cheapest(ratio)
        left = []
        for kind in KEEP_APART:
            same = self.same[called & self.apart((kind,))]
            if same.sum() <= ratio * (~same).sum():
                left.append(kind)
        return [_KindSet(tuple(left), 0.25 / 2**seen), _KindSet(KEEP_APART, 0.25), _KindSet((), 0.5)]

    def costs(self, ratio: float, given: tuple[str, ...] | None = None) -> np.ndarray:
        """Return the mean cost of a pair for each of `sets`, on pairs that neither it nor its threshold was chosen on.

        The folds have about the same share of pairs that are the same.
        """
        random, count = np.random.default_rng(0), len(self.scores)
        costs = np.zeros(len(self.sets(ratio, given)))
        for _ in range(REPEATS):
            fold = np.empty(count, dtype=np.int64)
            fold[np.lexsort((random.random(count), self.same))] = np.arange(count) % FOLDS
            for number in range(FOLDS):
                rest, out = self._take(fold != number), self._take(fold == number)
                for place, one in enumerate(rest.sets(ratio, given)):
                    called = (out.scores >= rest.tally(one.kinds).cheapest(ratio)) & ~out.apart(one.kinds)
                    costs[place] += ratio * (called & ~out.same).sum() + (~called & out.same).sum()
        return costs / (REPEATS * count)

    def _take(self, rows: np.ndarray) -> "ComparedPairs":
        return ComparedPairs(self.scores[rows], self.scale, self.same[rows], self.differs[rows])


def kinds_in(differences: Iterable[Iterable[Difference]]) -> np.ndarray:
    """Return the kinds of `KINDS` that the differences of each pair count as, shape (n, len(KINDS)), bool."""
    found = [[kind in kinds for kind in KINDS] for kinds in map(all_kinds, differences)]
    return np.asarray(found, dtype=bool).reshape(-1, len(KINDS))


def choose(pairs: ComparedPairs, rule: Rule, confidence: float, keep_apart: tuple[str, ...] | None = None) -> Chosen:
    """Return the thresholds that a rule asks for, and kinds that keep texts apart.

    Parameters
    ----------
    pairs
        Labelled pairs.
    rule, confidence
        As for `choose_thresholds`. For the rule ``cost``, only the highest score is that of texts that are the same if
        no other threshold costs less by cross-validation.
    keep_apart
        The kinds; None to choose them.

    Raises
    ------
    ValueError
        If all labels are alike, or no threshold is shown to keep the bound.
    """
    pairs.tally().check()
    if keep_apart is None and not pairs.apart(KEEP_APART).any():
        keep_apart = ()
    ratio = rule.ratio
    sets, costs = pairs.sets(ratio, keep_apart), pairs.costs(ratio, keep_apart)
    answers: list[tuple[float, int, Chosen]] = []
    refusals: list[ValueError] = []
    for place in np.flatnonzero(costs <= costs[-1]).tolist():
        kinds, share = sets[place]
        tally = pairs.tally(kinds)
        top = rule.kind == "cost" and costs[place] >= tally.costs(ratio)[-1]
        try:
            found = choose_thresholds(tally, rule, confidence, share, top)
        except ValueError as error:
            refusals.append(error)
            continue
        cost = costs[place] if rule.kind == "cost" else tally.costs(ratio)[tally.thresholds == found.same_from][0]
        answers.append((float(cost), place, Chosen(found, kinds, tally)))
    if not answers:
        raise refusals[-1]  # that of the set which needs the fewest labels
    return min(answers)[2]
