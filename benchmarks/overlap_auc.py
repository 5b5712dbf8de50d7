"""Judgement of scores where shared words tell nothing, on contrast squares and on labelled pairs.

Scores are judged by the area under the ROC curve (AUC) of one meaning against two **within bins of equal word
overlap**: a score that follows words alone, or dislikes them, has 0.5.
"""

import argparse
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from samewise.ensemble.contrasts.squares import ALIKE, SIDES, read_squares, square_pairs
from samewise.ensemble.tables.labelled_pairs import need_scores, read_pairs
from sklearn.metrics import roc_auc_score

ORDERS = {
    "near copies": (("text", "same"), ("text", "changed")),
    "kept": (("text", "kept"), ("text", "changed")),
    "cross": (("text", "same"), ("same", "changed_same")),
}
"""Pairs of a square of which the first is to score higher: near copies below paraphrases, near copies on both sides,
and other words on both sides."""

WIDTH, RESAMPLES = 0.1, 200
"""Width of a bin of word overlap, and resamples of an interval."""

System = Callable[[Sequence[tuple[str, str]]], np.ndarray]
"""Scores of n pairs, shape (n,)."""


def word_overlap(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return the share of the different words of each pair that both texts have (Jaccard), shape (n,), 0..1."""
    words = [[set(re.findall(r"[\w']+", text.lower())) for text in pair] for pair in pairs]
    return np.array([len(a & b) / max(1, len(a | b)) for a, b in words])


def matched_auc(scores: np.ndarray, same: np.ndarray, overlap: np.ndarray) -> float:
    """Return the mean AUC of the bins of overlap, each with the weight of its comparisons; NaN if there are none."""
    total = weight = 0.0
    bins = np.minimum((overlap / WIDTH + 1e-9).astype(int), round(1 / WIDTH) - 1)
    for one in np.unique(bins):
        rows = bins == one
        comparisons = float(same[rows].sum() * (~same[rows]).sum())
        if comparisons:
            total += comparisons * roc_auc_score(same[rows], scores[rows])
            weight += comparisons
    return total / weight if weight else float("nan")


class Judged(NamedTuple):
    """Matched AUC of some pairs, with the ends of the 95 % interval of resampled groups, and shares in order."""

    n: int
    auc: float
    low: float
    high: float
    orders: dict[str, float]


def judge_squares(scores: np.ndarray, overlap: np.ndarray) -> Judged:
    """Judge the scores of n squares.

    Parameters
    ----------
    scores, overlap
        Shape (10 n,): of the pairs of `squares.square_pairs`.
    """
    table, words = scores.reshape(-1, len(SIDES)), overlap.reshape(-1, len(SIDES))
    same = np.tile(np.arange(len(SIDES)) < ALIKE, (len(table), 1))

    def measure(rows: np.ndarray) -> float:
        return matched_auc(table[rows].ravel(), same[rows].ravel(), words[rows].ravel())

    places = {name: [SIDES.index(side) for side in sides] for name, sides in ORDERS.items()}
    orders = {name: float((table[:, a] > table[:, b]).mean()) for name, (a, b) in places.items()}
    return Judged(len(table), *_with_interval(measure, len(table)), orders)


def judge_pairs(scores: np.ndarray, same: np.ndarray, overlap: np.ndarray) -> Judged:
    """Judge the scores of labelled pairs, all of shape (n,)."""
    return Judged(
        len(scores), *_with_interval(lambda rows: matched_auc(scores[rows], same[rows], overlap[rows]), len(scores)), {}
    )


def _with_interval(measure: Callable[[np.ndarray], float], count: int) -> tuple[float, float, float]:
    random = np.random.default_rng(0)
    drawn = [measure(random.integers(0, count, count)) for _ in range(RESAMPLES)]
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return measure(np.arange(count)), float(low), float(high)


def print_judged(name: str, groups: dict[str, Judged]) -> None:
    """Print a line for each group of squares or pairs."""
    for group, one in groups.items():
        orders = " ".join(f"{value:12.3f}" for value in one.orders.values())
        print(f"{name:12} {group:18} {one.n:6,} {one.auc:6.3f} ({one.low:.3f}-{one.high:.3f}) {orders}", flush=True)


def judge(systems: dict[str, System], options: argparse.Namespace) -> None:
    """Print how systems tell one meaning from two at equal word overlap."""
    if options.pairs is not None:
        pairs, gold, _ = read_pairs(options.pairs)
        same = need_scores(gold, options.pairs) >= options.same_from
        rows, groups = [], {"all": np.arange(len(pairs))}
    else:
        rows = [row for path in options.squares for row in read_squares(path, None if options.whole else True)]
        pairs = square_pairs(rows)
        values = np.array([row[options.by] for row in rows] if options.by else [])
        groups = {name: np.flatnonzero(values == name) for name in np.unique(values)}
        groups["all"] = np.arange(len(rows))
    overlap = word_overlap(pairs)
    heads = " ".join(f"{name:>12}" for name in (ORDERS if rows else ()))
    print(f"{'system':12} {'group':18} {'n':>6} {'AUC at equal overlap':>22} {heads}")
    for name, system in {**systems, "word overlap": lambda _: overlap}.items():
        scores = np.asarray(system(pairs), dtype=float)
        if rows:
            table, words = scores.reshape(len(rows), -1), overlap.reshape(len(rows), -1)
            found = {group: judge_squares(table[part], words[part]) for group, part in groups.items()}
        else:
            found = {group: judge_pairs(scores, same, overlap) for group in groups}
        print_judged(name, found)
