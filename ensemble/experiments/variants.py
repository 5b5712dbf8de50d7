"""The variants of a whole and their scores: each alone, or a path of steps that is chosen greedily."""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...features.matrix import FeatureMatrix
from ..core.combination import Combination
from ..core.folds import grouped_folds
from ..evaluation.metrics import pearson
from .member_fits import Fits

By = Literal["family", "column", "member"]


@dataclass(frozen=True)
class Variant:
    """Columns and members, named by the part that is dropped, alone or added."""

    what: str
    columns: tuple[str, ...]
    members: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """The scores of n pairs by a variant, shape (n,) a seed, or (K, n) in K orders, and the seconds that they took."""

    variant: Variant
    seeds: tuple[np.ndarray, ...]
    seconds: tuple[float, ...]

    @property
    def mean(self) -> np.ndarray:
        """The mean over the seeds."""
        return np.mean(self.seeds, axis=0)


@dataclass(frozen=True)
class Study:
    """Variants of a whole on the same fits.

    Attributes
    ----------
    fits
        What fits them.
    whole
        All columns and members.
    by
        What a part is.
    truth
        Gold scores of the pairs that are scored.
    seeds
        The seeds.
    """

    fits: Fits
    whole: Variant
    by: By
    truth: np.ndarray
    seeds: Sequence[int]

    def variant(self, what: str, items: set[str]) -> Variant:
        """Return the variant with these parts only."""
        if self.by == "member":
            return Variant(what, self.whole.columns, tuple(name for name in self.whole.members if name in items))
        length = 1 if self.by == "family" else None
        kept = (name for name in self.whole.columns if ".".join(name.split(".")[:length]) in items)
        return Variant(what, tuple(kept), self.whole.members)

    def greedy(self, items: Sequence[str]) -> list[Found]:
        """Return the steps from nothing to where no part raises the correlation of the mean over the seeds."""
        path: list[Found] = []
        chosen: list[str] = []
        best = -math.inf
        while left := [item for item in items if item not in chosen]:
            tried = self.run([self.variant(item, {*chosen, item}) for item in left])
            figures = [quiet_pearson(self.truth, found.mean) for found in tried]
            # The first of equals, in the order of the matrix.
            k = int(np.argmax(figures))
            if figures[k] <= best:
                break
            best = figures[k]
            chosen.append(left[k])
            path.append(tried[k])
        return path

    def run(self, variants: Sequence[Variant]) -> list[Found]:
        """Return the scores of variants."""
        wanted = [
            [[self.fits.fit(name, variant.columns, seed) for name in variant.members] for seed in self.seeds]
            for variant in variants
        ]
        done = self.fits.run(fit for seeds in wanted for fits in seeds for fit in fits)
        return [
            Found(
                variant,
                tuple(Combination().apply(np.column_stack([done[fit].values for fit in fits])) for fits in seeds),
                tuple(sum(done[fit].seconds for fit in fits) for fits in seeds),
            )
            for variant, seeds in zip(variants, wanted, strict=True)
        ]


def nested(study: Study, matrix: FeatureMatrix, groups: np.ndarray, items: Sequence[str]) -> list[Found]:
    """Return the greedy steps on all pairs, each with scores that no pair had a part in choosing (Stone, 1974).

    For every fold the steps are chosen again by cross-validation on the other folds alone, and its pairs are scored by
    as many of those steps. Where a fold ends earlier, its last step stands for the later ones.

    Parameters
    ----------
    study
        Variants in cross-validation on the matrix.
    matrix, groups
        n pairs and their groups.
    items
        The parts.
    """
    path = study.greedy(items)
    seeds = [[np.empty(len(matrix)) for _ in study.seeds] for _ in path]
    seconds = [[0.0 for _ in study.seeds] for _ in path]
    for rows, held_out in grouped_folds(groups):
        folds = grouped_folds(groups[rows])
        if not folds:
            raise ValueError(
                "a fold has pairs of one group only, so nothing can be chosen in it; give dev, or more pairs"
            )
        part, gold = matrix.take(rows), study.truth[rows]
        inner = Study(study.fits.beside(part, part, gold, folds), study.whole, study.by, gold, study.seeds)
        steps = [found.variant for found in inner.greedy(items)][: len(path)]
        everything = (np.arange(len(rows)), np.arange(len(held_out)))
        outer = study.fits.beside(part, matrix.take(held_out), gold, [everything])
        scored = Study(outer, study.whole, study.by, study.truth[held_out], study.seeds).run(steps)
        for k in range(len(path)):
            found = scored[min(k, len(scored) - 1)]
            for s in range(len(study.seeds)):
                seeds[k][s][held_out] = found.seeds[s]
                seconds[k][s] += found.seconds[s]
    return [Found(step.variant, tuple(seeds[k]), tuple(seconds[k])) for k, step in enumerate(path)]


def quiet_pearson(truth: np.ndarray, score: np.ndarray) -> float:
    """Return the Pearson correlation, 0 without a warning where a side is constant."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pearson(truth, score)


def mean_pearson(truth: np.ndarray, scores: np.ndarray) -> float:
    """Return the correlation with scores, shape (n,), or the mean of those with several, shape (K, n)."""
    return float(np.mean([quiet_pearson(truth, one) for one in np.atleast_2d(scores)]))
