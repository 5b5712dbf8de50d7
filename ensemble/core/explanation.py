"""Explanations of scores: points by family of features, by Shapley values, and the words that are aligned.

Shapley values of the trees (`models.tree_ensembles.attribution`), weighted by the members' shares in the combination,
and the rules that follow it add up to the score.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..._messages import short_repr
from ..._notebook_html import html_in_notebooks
from ...features.alignment.coverage import links
from ...features.base.sentences import PairBatch
from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import Member
from ..differences.facts import Difference
from .combination import Combination
from .prediction import Prediction
from .scale import LARGEST, POINTS, Scale

RULES = "rules"
"""Name of the contribution that belongs to no feature: the ends of the scale, and the rules for texts."""

MEMBER_MEANS = "member_means"
"""Key of the manifest: the mean score of each network over the training pairs, by its name."""


class Explanation(NamedTuple):
    """Parts of the score of one pair: ``base`` and the contributions add up to ``score``.

    Attributes
    ----------
    score, low, high, flags
        As in `Prediction`, of this pair.
    base
        Score that the model expects before it reads the pair: about the mean score of the training pairs.
    contributions
        Points, on the scale of the score, by family of columns, by name of a network, and by `RULES`, the largest
        first.
    alignment
        Places ``(i, j)`` of aligned tokens, in order; see `features.alignment.aligner.align`.
    tokens
        The tokens of both texts, or of their translations.
    translations
        Translation into English that was read instead of either text; None where the text itself was read.
    differences
        Words in which the texts, or their translations, differ in meaning, with their places among the tokens; none
        for a pair that was not read as English.
    scale
        Scale of the scores.
    """

    score: float
    low: float
    high: float
    flags: tuple[str, ...]
    base: float
    contributions: dict[str, float]
    alignment: list[tuple[int, int]]
    tokens: tuple[tuple[str, ...], tuple[str, ...]]
    translations: tuple[str | None, str | None] = (None, None)
    differences: tuple[Difference, ...] = ()
    scale: Scale = POINTS

    def __repr__(self) -> str:
        facts = {name: value for name, value in self._asdict().items() if value != (None, None)}
        kinds = [difference.kind for difference in self.differences]
        return short_repr(self, **{**facts, "differences": kinds, "scale": str(self.scale)})

    def _repr_html_(self) -> str:
        return html_in_notebooks(self)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values; the scale, which all pairs of a model share, is left out."""
        plain = {"flags": list(self.flags), "alignment": [list(link) for link in self.alignment]}
        tokens, translations = [list(side) for side in self.tokens], list(self.translations)
        differences = [difference.as_dict() for difference in self.differences]
        facts = {**self._asdict(), **plain, "tokens": tokens, "translations": translations, "differences": differences}
        del facts["scale"]
        return facts


def contribution_names(columns: Sequence[str], members: Sequence[Member], combination: Combination) -> tuple[str, ...]:
    """Return the names of all contributions: families in the order of the columns, networks, and `RULES`."""
    families = [column.partition(".")[0] for column in columns]
    networks = [member.name for _, member, _ in _weighted(members, combination) if not member.reads_columns]
    return tuple(dict.fromkeys([*families, *networks, RULES]))


def check_explainable(members: Sequence[Member], combination: Combination, means: Mapping[str, Any]) -> None:
    """Raise ValueError if a network that has a weight lacks its mean score."""
    for _, member, _ in _weighted(members, combination):
        mean = means.get(member.name) if isinstance(means, Mapping) else None
        has_mean = isinstance(mean, float) and abs(mean) <= LARGEST
        if not (member.reads_columns or member.corrects or has_mean):
            raise ValueError(f"the member {member.name} must have a mean score, got {mean!r}; train the model again")


def contributions_to(
    prediction: Prediction,
    matrix: FeatureMatrix,
    member_scores: np.ndarray,
    members: Sequence[Member],
    combination: Combination,
    means: Mapping[str, float],
) -> tuple[float, np.ndarray]:
    """Return the base and the contributions to n scores, shape (n, names), in the order of `contribution_names`."""
    place = {name: k for k, name in enumerate(contribution_names(matrix.columns, members, combination))}
    table = np.zeros((len(matrix), len(place)))
    base = combination.offset
    for column, member, weight in _weighted(members, combination):
        parts = member.contributions(matrix)
        if parts is None:
            parts = means[member.name], {member.name: member_scores[:, column] - means[member.name]}
        mean, points_of = parts
        base += weight * mean
        for name, points in points_of.items():
            table[:, place[name]] += weight * points
    # The calibration changes all contributions of a pair by one factor: its mean slope between base and score.
    total = table.sum(axis=1)
    calibrated, expected = combination.calibrated(base + total), float(combination.calibrated(np.asarray([base]))[0])
    table *= np.divide(calibrated - expected, total, out=np.ones_like(total), where=np.abs(total) > 1e-9)[:, None]
    scale = prediction.scale
    expected, table = scale.low + float(scale.lengths(np.asarray(expected))), scale.lengths(table)
    unruled = scale.low + scale.lengths(combination.apply(member_scores, clip=False))
    table[:, place[RULES]] += prediction.score - unruled
    if not (math.isfinite(expected) and np.isfinite(table).all()):
        raise ValueError("the points of an explanation must be finite, got NaN or infinity; do not use this model")
    return expected, table


def _weighted(members: Sequence[Member], combination: Combination) -> Iterator[tuple[int, Member, float]]:
    # Place, member and weight; a member of weight 0 does not change the score.
    for place, (member, weight) in enumerate(zip(members, combination.weights_of(len(members)), strict=True)):
        if weight != 0:
            yield place, member, weight


def explanations(
    prediction: Prediction, batch: PairBatch, level: str, names: Sequence[str], base: float, table: np.ndarray
) -> list[Explanation]:
    """Return one explanation a pair of a batch that was analysed to a level, from `contributions_to`."""
    columns = (prediction.score.tolist(), prediction.low.tolist(), prediction.high.tolist(), prediction.flags)
    rows = zip(*columns, table.tolist(), batch, alignments(batch, level), strict=True)
    explained = []
    for score, low, high, flags, points, pair, aligned in rows:
        contributions = _largest_first(zip(names, points, strict=True))
        tokens = (pair.a.tokens, pair.b.tokens)
        explanation = Explanation(score, low, high, flags, base, contributions, aligned, tokens)
        explained.append(explanation._replace(scale=prediction.scale))
    return explained


def _largest_first(points: Any) -> dict[str, float]:
    return dict(sorted(points, key=lambda named: -abs(named[1])))


def mean_explanation(parts: Sequence[Explanation], weights: Sequence[float], names: Sequence[str]) -> Explanation:
    """Return the explanation of a weighted mean of scores from those of the scores, at least one."""
    shares = np.asarray(weights) / sum(weights)
    weighted = list(zip(shares.tolist(), parts, strict=True))
    points = {name: sum(share * part.contributions.get(name, 0.0) for share, part in weighted) for name in names}
    base = sum(share * part.base for share, part in weighted)
    return parts[-1]._replace(base=base, contributions=_largest_first(points.items()))


def member_means(members: Sequence[Member], scores: np.ndarray) -> dict[str, float]:
    """Return the mean of the scores of each network, shape (n, m); regressors store their own means."""
    columns = zip(members, scores.T, strict=True)
    return {member.name: float(column.mean()) for member, column in columns if not member.reads_columns}


def alignments(batch: PairBatch, level: str) -> list[list[tuple[int, int]]]:
    """Return the aligned tokens of each pair of a batch that was analysed to a level."""
    if level in ("text", "tokens"):
        # Without lemmas and tags words stand for lemmas, as in `features.alignment.aligner.align`.
        words = [each._replace(lemmas=each.words, tags=("",) * len(each.words)) for each in batch.sentences]
        batch = PairBatch(words, batch.left, batch.right)
    linked = links(batch, parsed=level == "parsed")
    ends = np.searchsorted(linked.row, np.arange(len(batch) + 1)).tolist()
    pairs = list(zip(linked.i.tolist(), linked.j.tolist(), strict=True))
    return [sorted(pairs[ends[k] : ends[k + 1]]) for k in range(len(batch))]
