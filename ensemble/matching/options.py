"""Options of matches and of duplicates, and the rule by which scored pairs are called the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..core.decision import DIFFERENT, SAME, UNSURE
from ..core.model_decision import decision_of
from ..differences.facts import KINDS
from ..loading import Model
from ..scoring.added_columns import AddedColumns, added_columns
from .text_index import MOST, CandidateSettings
from .texts import least_similarity, views_of

SHARE = 0.8
"""Place on the scale from which a pair is the same, if nothing is said: 4 of 0 to 5."""

APART = ("date", "unit", "number", "code", "sign", "name", "modality", "quantifier", "negation", "role", "antonym")
"""Kinds of differences that keep two texts apart, if nothing is said: all but words that one text adds."""


@dataclass(frozen=True)
class PairRule:
    """Thresholds of the score, and differences that no score outweighs.

    Attributes
    ----------
    same_from
        Score, on the scale of the model, from which a pair is the same.
    unsure_from
        Score from which a pair that is not the same is left for review; at most `same_from`.
    apart
        Kinds of differences (`differences.KINDS`): a pair that has one is left for review, whatever its score.
    """

    same_from: float
    unsure_from: float
    apart: tuple[str, ...] = ()

    def verdicts(self, scores: np.ndarray) -> np.ndarray:
        """Return for each score, shape (n,), one of ``same``, ``unsure`` and ``different``."""
        return np.select([scores >= self.same_from, scores >= self.unsure_from], [SAME, UNSURE], DIFFERENT)


def pair_rule(
    model: Model,
    decide: bool = False,
    at_least: float | None = None,
    review_from: float | None = None,
    apart: Sequence[str] = (),
) -> PairRule:
    """Return the rule that is asked for.

    Parameters
    ----------
    model
        The fitted model.
    decide
        Whether the thresholds are those of the model's decision.
    at_least, review_from
        Scores otherwise: `PairRule.same_from`, by default the place `SHARE` on the scale, and `PairRule.unsure_from`,
        by default the same.
    apart
        Kinds of differences.

    Raises
    ------
    ValueError
        If a score is off the scale, the thresholds are out of order, or a kind is unknown.
    samewise.models.bundle.BundleError
        If a decision is asked for and the model has none.
    """
    unknown = next((kind for kind in apart if kind not in KINDS), None)
    if unknown is not None:
        raise ValueError(f"a kind of difference must be one of {', '.join(KINDS)}, got {unknown!r}; name one of these")
    scale = model.scale
    if decide:
        if at_least is not None or review_from is not None:
            raise ValueError("the thresholds must be those of the decision or be given, got both; leave one out")
        decision = decision_of(model.parts)
        if decision.same_from is None:
            raise ValueError(
                "the decision of the model must call some pairs the same, got none; run samewise threshold with "
                "another rule"
            )
        below = decision.same_from if decision.different_below is None else decision.different_below
        return PairRule(decision.same_from, below, tuple(apart))
    same_from = scale.low + SHARE * (scale.high - scale.low) if at_least is None else at_least
    unsure_from = same_from if review_from is None else review_from
    if not scale.low <= unsure_from <= same_from <= scale.high:
        raise ValueError(
            f"the scores for review and for sameness must be in order from {scale.low:g} to {scale.high:g}, got "
            f"{unsure_from:g} and {same_from:g}; correct them"
        )
    return PairRule(same_from, unsure_from, tuple(apart))


AUTO, NONE = "auto", "none"
"""Values of `SearchOptions.screen` besides profiles: as fits the model, and no screening."""

_LEAST = 0.3


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """Options of every search.

    Attributes
    ----------
    at_least
        Score that a pair must have.
    decide
        Whether the thresholds are those of the model's decision.
    views, candidates, exact
        As for `CandidateSettings`; by default the views of `views_of` and `most_candidates`.
    screen
        As for `screening_source`.
    """

    at_least: float | None = None
    decide: bool = False
    views: Sequence[str] | None = None
    candidates: int | None = None
    exact: bool | None = None
    screen: str = AUTO

    @property
    def most_candidates(self) -> int:
        """Close texts of a text in each view, if nothing is said."""
        return MOST

    def lowest(self, model: Model) -> float | None:
        """Return the score that a pair must have to count at all; None for any."""
        return self.at_least

    def settings(self, model: Model) -> CandidateSettings:
        """Return how candidates are searched.

        Raises
        ------
        ValueError
            If a setting is out of its range.
        samewise.models.bundle.BundleError
            If a decision is asked for and the model has none.
        """
        lowest, views = self.lowest(model), tuple(self.views or views_of(model))
        least = _LEAST if lowest is None else least_similarity(lowest, model.scale, views)
        most = self.most_candidates if self.candidates is None else self.candidates
        return CandidateSettings(views, most, least, self.exact)


Keep = Literal["first", "longest", "central"]

KEEPS: tuple[Keep, ...] = ("first", "longest", "central")
"""Members that may stand for a group: the first in the table, the longest, or the one that most others are like."""


@dataclass(frozen=True, kw_only=True)
class DedupeOptions(SearchOptions):
    """Texts that count as duplicates, and how they are searched.

    Attributes
    ----------
    keep
        Member that stands for a group: ``first``, ``longest`` or ``central``.
    review_from, apart
        As for `pair_rule`.

    Raises
    ------
    ValueError
        If `keep` is something else.
    """

    keep: Keep = "first"
    review_from: float | None = None
    apart: Sequence[str] = APART

    def __post_init__(self) -> None:
        if self.keep not in KEEPS:
            raise ValueError(f"keep must be one of {', '.join(KEEPS)}, got {self.keep!r}; name one of these")

    def rule(self, model: Model) -> PairRule:
        """Return which pairs are the same; see `pair_rule`."""
        return pair_rule(model, self.decide, self.at_least, self.review_from, self.apart)

    def lowest(self, model: Model) -> float:
        """Return the score from which a pair is left for review."""
        return self.rule(model).unsure_from


TOP = 5
"""Rows of the second table for each row of the first, if nothing is said."""


@dataclass(frozen=True, kw_only=True)
class MatchOptions(SearchOptions):
    """Pairs and columns that are asked for.

    With a score, the column ``probability`` is added. Pairs that the decision calls ``different`` are left out. Nothing
    is screened unless a score or a decision bounds the pairs.

    Attributes
    ----------
    top
        Largest number of rows of the second table for each row of the first, from 1; None for all, with which the two
        tables can be exchanged.
    differences
        Whether the column ``differences`` is added.

    Raises
    ------
    ValueError
        If `top` is below 1, or no bound is given although all pairs are requested.
    """

    top: int | None = TOP
    differences: bool = False

    def __post_init__(self) -> None:
        if self.top is not None and self.top < 1:
            raise ValueError(f"the number of matches must be at least 1, got {self.top}; give one such as {TOP}")
        if self.top is None and self.at_least is None and not self.decide:
            raise ValueError(
                "all matches must be bounded by a score or a decision, got neither; give --probability-of 4"
            )

    @property
    def most_candidates(self) -> int:
        """Close texts of a text in each view, if nothing is said."""
        return max(MOST, 2 * (self.top or 0))

    def lowest(self, model: Model) -> float | None:
        """Return the score that a pair must have at least; None for any."""
        bounds = [self.at_least]
        if self.decide:
            decision = decision_of(model.parts)
            bounds.append(decision.same_from if decision.different_below is None else decision.different_below)
        return max((bound for bound in bounds if bound is not None), default=None)

    def added(self, model: Model) -> AddedColumns:
        """Return the columns that are added."""
        return added_columns(model, self.decide, self.at_least, self.differences)
