"""Variants of an ensemble and their scores: single variants, or a path of greedily chosen steps."""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...features.pipeline.matrix import FeatureMatrix
from ..core.combination import Combination
from ..core.folds import grouped_folds
from ..evaluation.metrics import pearson
from .member_fits import Fits

By = Literal["family", "column", "member"]


@dataclass(frozen=True)
class Variant:
    """Columns and members, named by the dropped, added or only part."""

    what: str
    columns: tuple[str, ...]
    members: tuple[str, ...]


@dataclass(frozen=True)
class VariantScores:
    """Scores of n pairs by a variant for each seed, shape (n,), or (K, n) in K orders; and their seconds."""

    variant: Variant
    seeds: tuple[np.ndarray, ...]
    seconds: tuple[float, ...]

    @property
    def mean(self) -> np.ndarray:
        """The mean over the seeds."""
        return np.mean(self.seeds, axis=0)


@dataclass(frozen=True)
class Study:
    """Set of variants of a whole on the same fits.

    Attributes
    ----------
    fits
        Fits of the members.
    whole
        All columns and members.
    by
        Kind of part.
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

    def greedy(self, items: Sequence[str]) -> list[VariantScores]:
        """Return the steps from nothing until no part raises the correlation of the mean over the seeds."""
        path: list[VariantScores] = []
        chosen: list[str] = []
        best = -math.inf
        while rest := [item for item in items if item not in chosen]:
            steps = self.run([self.variant(item, {*chosen, item}) for item in rest])
            figures = [quiet_pearson(self.truth, step.mean) for step in steps]
            # Among equals the first, in the order of the matrix.
            k = int(np.argmax(figures))
            if figures[k] <= best:
                break
            best = figures[k]
            chosen.append(rest[k])
            path.append(steps[k])
        return path

    def run(self, variants: Sequence[Variant]) -> list[VariantScores]:
        """Return the scores of variants."""
        variant_fits = [
            [[self.fits.fit(name, variant.columns, seed) for name in variant.members] for seed in self.seeds]
            for variant in variants
        ]
        scores = self.fits.run(fit for seeds in variant_fits for fits in seeds for fit in fits)
        return [
            VariantScores(
                variant,
                tuple(Combination().apply(np.column_stack([scores[fit].values for fit in fits])) for fits in seeds),
                tuple(sum(scores[fit].seconds for fit in fits) for fits in seeds),
            )
            for variant, seeds in zip(variants, variant_fits, strict=True)
        ]


def nested(study: Study, matrix: FeatureMatrix, groups: np.ndarray, items: Sequence[str]) -> list[VariantScores]:
    """Return the greedy steps on all pairs, with each pair scored by steps chosen without it (Stone, 1974)."""
    path = study.greedy(items)
    seeds = [[np.empty(len(matrix)) for _ in study.seeds] for _ in path]
    seconds = [[0.0 for _ in study.seeds] for _ in path]
    for rows, held_out in grouped_folds(groups):
        folds = grouped_folds(groups[rows])
        if not folds:
            raise ValueError(
                "every fold must have pairs of at least two groups, got a fold with one; give dev, or more pairs"
            )
        part, gold = matrix.take(rows), study.truth[rows]
        inner = Study(study.fits.beside(part, part, gold, folds), study.whole, study.by, gold, study.seeds)
        steps = [step.variant for step in inner.greedy(items)][: len(path)]
        everything = (np.arange(len(rows)), np.arange(len(held_out)))
        outer = study.fits.beside(part, matrix.take(held_out), gold, [everything])
        scored = Study(outer, study.whole, study.by, study.truth[held_out], study.seeds).run(steps)
        for k in range(len(path)):
            step_scores = scored[min(k, len(scored) - 1)]
            for s in range(len(study.seeds)):
                seeds[k][s][held_out] = step_scores.seeds[s]
                seconds[k][s] += step_scores.seconds[s]
    return [VariantScores(step.variant, tuple(seeds[k]), tuple(seconds[k])) for k, step in enumerate(path)]


def quiet_pearson(truth: np.ndarray, score: np.ndarray) -> float:
    """Return the Pearson correlation, or 0 without a warning if a side is constant."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pearson(truth, score)


def mean_pearson(truth: np.ndarray, scores: np.ndarray) -> float:
    """Return the correlation with scores of shape (n,), or the mean of the correlations with K rows of scores."""
    return float(np.mean([quiet_pearson(truth, row) for row in np.atleast_2d(scores)]))
