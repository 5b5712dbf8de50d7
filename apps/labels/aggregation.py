"""Gold scores from labels: annotators screened, the labels of each pair aggregated, the grades balanced."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..._messages import short_repr
from .agreement import GRADES, Aggregate, Panel, half_up, krippendorff_alpha
from .annotations import Annotations
from .screening import CONFIDENCE, MIN_COMMON, MIN_CORRELATION, MIN_KAPPA, Judgement, screen

MIN_LABELS = 3
"""Fewest labels of a pair that count (Agirre et al., 2016)."""


class GoldPair(NamedTuple):
    """Pair with its gold score.

    Attributes
    ----------
    pair
        Name.
    score
        0..5.
    labels
        Number of aggregated labels.
    spread
        Their standard deviation, 0..2.5.
    """

    pair: str
    score: float
    labels: int
    spread: float


class LeftOut(NamedTuple):
    """Pair without a gold score, kind of the reason, and reason in words."""

    pair: str
    kind: str
    reason: str


class Figures(NamedTuple):
    """Agreement of annotators.

    Attributes
    ----------
    annotators, labels
        Numbers of annotators and of labels.
    pearson
        Mean over the annotators of the correlation with the aggregate of the others; None if undefined for all.
    alpha_interval, alpha_ordinal
        Krippendorff's alpha with either distance; None if undefined.
    """

    annotators: int
    labels: int
    pearson: float | None
    alpha_interval: float | None
    alpha_ordinal: float | None


@dataclass(frozen=True)
class Gold:
    """Gold scores and the figures behind them.

    Attributes
    ----------
    pairs
        The pairs with a score, by name.
    left_out
        The pairs without a score.
    judgements
        Judgement of each annotator.
    before, after
        Agreement of all annotators, and of those kept.
    settings
        Settings of `gold`.
    """

    pairs: tuple[GoldPair, ...]
    left_out: tuple[LeftOut, ...]
    judgements: tuple[Judgement, ...]
    before: Figures
    after: Figures
    settings: dict[str, Any]

    def __repr__(self) -> str:
        return short_repr(
            self,
            pairs=len(self.pairs),
            left_out=len(self.left_out),
            annotators=self.after.annotators,
            pearson=self.after.pearson,
            alpha_interval=self.after.alpha_interval,
        )

    def by_grade(self) -> list[int]:
        """Return the number of pairs of each grade, 0 to 5, scores rounded half up."""
        grades = half_up(np.asarray([pair.score for pair in self.pairs]))
        return np.bincount(grades, minlength=GRADES).tolist()

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "pairs": [pair._asdict() for pair in self.pairs],
            "left_out": [each._asdict() for each in self.left_out],
            "annotators": [each._asdict() for each in self.judgements],
            "before": self.before._asdict(),
            "after": self.after._asdict(),
            "by_grade": self.by_grade(),
            "settings": self.settings,
        }

    def write(self, path: str | Path, texts: Mapping[str, tuple[str, str]], format: str | None = None) -> None:
        """Write a table with ``sentence1``, ``sentence2``, ``score``, ``labels``, ``spread`` and ``pair``.

        Raises
        ------
        ValueError
            If the sentences of a pair are missing, or the format cannot hold one.
        """
        import pyarrow as pa

        from ...ensemble.tables.table_writer import TableWriter

        missing = [each.pair for each in self.pairs if each.pair not in texts]
        if missing:
            raise ValueError(
                f"every pair must have its sentences, got none of {missing[0]!r}; name their table as --pairs"
            )
        columns = {
            "sentence1": pa.array([texts[each.pair][0] for each in self.pairs], pa.string()),
            "sentence2": pa.array([texts[each.pair][1] for each in self.pairs], pa.string()),
            "score": pa.array([each.score for each in self.pairs], pa.float64()),
            "labels": pa.array([each.labels for each in self.pairs], pa.int64()),
            "spread": pa.array([round(each.spread, 4) for each in self.pairs], pa.float64()),
            "pair": pa.array([each.pair for each in self.pairs], pa.string()),
        }
        with TableWriter(path, format) as writer:
            bad = writer.write(pa.record_batch(columns))
            if bad:
                raise ValueError(
                    f"a sentence must not have a tab or line break in TSV, got one in the pair "
                    f"{self.pairs[bad[0]].pair!r}; write CSV"
                )


def gold(
    annotations: Annotations,
    *,
    aggregate: Aggregate = "median",
    min_labels: int = MIN_LABELS,
    min_correlation: float = MIN_CORRELATION,
    min_kappa: float = MIN_KAPPA,
    min_common: int = MIN_COMMON,
    confidence: float = CONFIDENCE,
    known: Mapping[str, float] | None = None,
    per_grade: int | None = None,
) -> Gold:
    """Turn labels into gold scores (Agirre et al., 2016; Cer et al., 2017).

    Parameters
    ----------
    annotations
        Labels of annotators on pairs.
    aggregate
        The median of a pair's labels (English sets of 2016), or their mean (2017).
    min_labels
        Least number of labels of kept annotators for a pair.
    min_correlation, min_kappa, min_common, confidence
        Rule by which annotators are kept; as for `screening.screen`.
    known
        Scores of control pairs, 0..5, by which annotators are judged; these pairs get no gold score.
    per_grade
        Largest number of pairs of each grade 0 to 5, scores rounded half up. Pairs with more labels equal to their
        median are preferred, then those with less spread (42 in 2016). None keeps all.

    Raises
    ------
    ValueError
        If a setting is out of range.
    """
    if aggregate not in ("median", "mean"):
        raise ValueError(f"aggregate must be median or mean, got {aggregate!r}; correct it")
    for name, value in (("the least number of labels", min_labels), ("the number of pairs a grade", per_grade)):
        if value is not None and value < 1:
            raise ValueError(f"{name} must be at least 1, got {value}; give a larger number")
    rule: dict[str, Any] = {"min_correlation": min_correlation, "min_kappa": min_kappa, "min_common": min_common}
    rule["confidence"] = confidence
    judgements = screen(annotations, aggregate=aggregate, known=known, **rule)
    members = np.asarray([each.kept for each in judgements], dtype=bool)
    pairs, left_out, agreeing = _scored(annotations, members, aggregate, min_labels, frozenset(known or ()))
    if per_grade is not None:
        pairs, surplus = _balanced(pairs, agreeing, per_grade)
        left_out += surplus
    everyone = np.ones(len(members), dtype=bool)
    settings = {"aggregate": aggregate, "min_labels": min_labels, **rule, "per_grade": per_grade}
    return Gold(
        tuple(pairs),
        tuple(sorted(left_out)),
        tuple(judgements),
        figures(annotations, everyone, aggregate),
        figures(annotations, members, aggregate),
        {**settings, "controls": len(set(annotations.pairs) & set(known or ()))},
    )


def figures(annotations: Annotations, members: np.ndarray, aggregate: Aggregate = "median") -> Figures:
    """Return the agreement of some annotators, given as a mask, with each other."""
    chosen = annotations.only(members)
    pearson = Panel(chosen, aggregate).agreement(members).pearson[members]
    defined = pearson[np.isfinite(pearson)]
    return Figures(
        int(members.sum()),
        len(chosen.labels),
        float(defined.mean()) if len(defined) else None,
        *(None if np.isnan(a) else a for a in (krippendorff_alpha(chosen, level) for level in ("interval", "ordinal"))),
    )


def _scored(
    annotations: Annotations, members: np.ndarray, aggregate: Aggregate, min_labels: int, controls: frozenset[str]
) -> tuple[list[GoldPair], list[LeftOut], dict[str, int]]:
    """Return the pairs with a score, the others, and for each scored pair the number of labels equal to its median."""
    chosen = annotations.only(members)
    counts, scores = Panel(chosen, aggregate).scores(members)
    all_counts = np.bincount(annotations.what, minlength=len(annotations.pairs))
    labels: list[list[float]] = [[] for _ in annotations.pairs]
    for what, label in zip(chosen.what.tolist(), chosen.labels.tolist(), strict=True):
        labels[what].append(label)
    scored: list[GoldPair] = []
    left_out: list[LeftOut] = []
    agreeing: dict[str, int] = {}
    for k, pair in enumerate(annotations.pairs):
        if pair in controls:
            left_out.append(LeftOut(pair, "control", "its score was known"))
        elif counts[k] < min_labels:
            reason = f"{counts[k]} of {all_counts[k]} labels are of annotators kept; {min_labels} are needed"
            left_out.append(LeftOut(pair, "labels", reason))
        else:
            # Sorted, so that the order of annotators does not change the last digit.
            values = np.sort(labels[k])
            scored.append(GoldPair(pair, float(scores[k]), len(values), float(np.std(values))))
            agreeing[pair] = int((values == np.median(values)).sum())
    return scored, left_out, agreeing


def _balanced(
    pairs: list[GoldPair], agreeing: Mapping[str, int], per_grade: int
) -> tuple[list[GoldPair], list[LeftOut]]:
    def rank(pair: GoldPair) -> tuple[int, float, bytes]:
        # Last by a digest, because names often follow the order in which pairs were collected.
        return -agreeing[pair.pair], round(pair.spread, 9), hashlib.blake2b(pair.pair.encode(), digest_size=8).digest()

    sizes: Counter[int] = Counter()
    chosen: set[str] = set()
    left_out = []
    for pair in sorted(pairs, key=rank):
        grade = int(half_up(np.asarray(pair.score)))
        if sizes[grade] < per_grade:
            sizes[grade] += 1
            chosen.add(pair.pair)
        else:
            reason = f"grade {grade} has its {per_grade} pairs, on which annotators agree as much or more"
            left_out.append(LeftOut(pair.pair, "surplus", reason))
    return [pair for pair in pairs if pair.pair in chosen], left_out
