"""Options of matches and of duplicates, and the rule by which scored pairs are called the same."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..core.decision import DIFFERENT, SAME, UNSURE
from ..core.model_decision import decision_of
from ..core.scale import Scale
from ..differences.facts import KEEP_APART
from ..differences.keeping_apart import check_kinds
from ..loading import Model, glossary_of
from ..scoring.added_columns import AddedColumns, added_columns
from .compared_columns import TEXT
from .kept_rows import MOST_COMPLETE, NEWEST, OLDEST, date_column
from .text_index import MOST, CandidateSettings
from .texts import least_similarity, views_of

SHARE = 0.8
"""Place on the scale from which a pair is the same, if nothing is said: 4 of 0 to 5."""

BAND = 0.2
"""Width of the band for review below `PairRule.same_from`, as a share of the scale, if nothing is said: 1 of 0 to 5."""


@dataclass(frozen=True)
class PairRule:
    """Thresholds of the score, and differences that no score outweighs.

    Attributes
    ----------
    same_from
        Score, on the scale of the model, from which a pair is the same.
    unsure_from
        Score from which a pair that is not the same is left for review; at most `same_from`.
    keep_apart
        Kinds of differences (`differences.KINDS`): a pair that has one is never the same, and from
        `unsure_from` on is left for review.
    """

    same_from: float
    unsure_from: float
    keep_apart: tuple[str, ...] = ()

    def verdicts(self, scores: np.ndarray) -> np.ndarray:
        """Return for each score, shape (n,), one of ``same``, ``unsure`` and ``different``."""
        return np.select([scores >= self.same_from, scores >= self.unsure_from], [SAME, UNSURE], DIFFERENT)


def pair_rule(
    model: Model,
    model_thresholds: bool = False,
    same_from: float | None = None,
    unsure_from: float | None = None,
    keep_apart: Sequence[str] | None = None,
) -> PairRule:
    """Return the rule that is asked for.

    Parameters
    ----------
    model
        The fitted model.
    model_thresholds
        Whether the thresholds are those of the model's decision.
    same_from, unsure_from
        Scores otherwise: `PairRule.same_from`, by default the place `SHARE` on the scale, and `PairRule.unsure_from`,
        by default lower by `BAND` of the scale.
    keep_apart
        Kinds of differences; by default those of the decision, or none.

    Raises
    ------
    ValueError
        If a score is off the scale, the thresholds are out of order, or a kind is unknown.
    samewise.models.bundle.BundleError
        If a decision is asked for and the model has none.
    """
    kinds = check_kinds(keep_apart or ())
    scale = model.scale
    if model_thresholds:
        if same_from is not None or unsure_from is not None:
            raise ValueError("the thresholds must be those of the decision or be given, got both; leave one out")
        decision = decision_of(model.parts, keep_apart)
        if decision.same_from is None:
            raise ValueError(
                "the decision of the model must call some pairs the same, got none; run samewise threshold with "
                "another rule"
            )
        assert decision.unsure_from is not None  # it is at most `same_from`
        return PairRule(decision.same_from, decision.unsure_from, decision.keep_apart)
    if same_from is None:
        same_from = scale.low + SHARE * (scale.high - scale.low)
    if unsure_from is None:
        unsure_from = max(scale.low, round(same_from - BAND * (scale.high - scale.low), 6))
    for name, score, highest in (("same_from", same_from, scale.high), ("unsure_from", unsure_from, same_from)):
        if not scale.low <= score <= highest:
            raise ValueError(f"{name} must be from {scale.low:g} to {highest:g}, got {score:g}; correct it")
    return PairRule(same_from, unsure_from, kinds)


def thresholds(rule: PairRule, scale: Scale) -> list[float]:
    """Return the scores of a rule, and those above `unsure_from` at each twentieth of the scale."""
    step = (scale.high - scale.low) / 20
    steps = (round(scale.low + step * place, 6) for place in range(21))
    return sorted({rule.unsure_from, rule.same_from, *(score for score in steps if score > rule.unsure_from)})


AUTO, NONE = "auto", "none"
"""Values of `SearchOptions.prefilter` besides profiles: as fits the model, and no screening."""

_LEAST = 0.3


@dataclass(frozen=True, kw_only=True)
class SearchOptions(ABC):
    """Options of every search.

    Attributes
    ----------
    views, exact
        As for `CandidateSettings`; by default the views of `views_of`.
    per_view
        Close texts of a text in each view; by default `most_candidates`.
    prefilter
        As for `screening_source`.
    within
        Column: rows with the same value in it are compared, and no others. None to compare all.
    not_within
        Column: rows with the same value in it are not compared. A missing value is no other's value.
    compare
        Kind of each column by which records are compared, as `compared_columns` returns them; None for the text alone.
    labels
        Labelled pairs of texts, from which the weights of the compared columns are learned; None for none.
    """

    views: Sequence[str] | None = None
    per_view: int | None = None
    exact: bool | None = None
    prefilter: str = AUTO
    within: str | None = None
    not_within: str | None = None
    compare: Mapping[str, str] | None = None
    labels: str | Path | None = None

    def __post_init__(self) -> None:
        if self.labels is not None and self.compare is None:
            raise ValueError("labels must be for compared columns, got none; name the columns with --compare")

    def text_column(self, column: Any) -> Any:
        """Return the column with the texts, which `compare` names if there is any; ValueError if it is named twice."""
        if self.compare is None:
            return column
        if column is not None:
            raise ValueError(f"the text must be named once, got a column {column!r} beside --compare; leave it out")
        return next(name for name, kind in self.compare.items() if kind == TEXT)

    @property
    def most_candidates(self) -> int:
        """Close texts of a text in each view, if nothing is said."""
        return MOST

    @property
    def columns(self) -> list[str]:
        """Columns that are needed besides that of the texts."""
        compared = [name for name, kind in (self.compare or {}).items() if kind != TEXT]
        named = (self.within, self.not_within, *compared)
        return list(dict.fromkeys(name for name in named if name is not None))

    @abstractmethod
    def lowest(self, model: Model) -> float | None:
        """Return the score that a pair must have to count at all; None for any."""

    def settings(self, model: Model) -> CandidateSettings:
        """Return how candidates are searched.

        Raises
        ------
        ValueError
            If a setting is out of its range.
        samewise.models.bundle.BundleError
            If a decision is asked for and the model has none.
        """
        lowest = None if self.compare else self.lowest(model)  # other columns may outweigh the text
        views = tuple(self.views or views_of(model))
        least = _LEAST if lowest is None else least_similarity(lowest, model.scale, views)
        most = self.most_candidates if self.per_view is None else self.per_view
        return CandidateSettings(views, most, least, self.exact, glossary_of(model))


KEEPS = ("first", "longest", "central", MOST_COMPLETE, f"{NEWEST}:C", f"{OLDEST}:C")
"""Members that may stand for a group: the first in the table, the longest, the one that most others are like, the one
with the fewest missing cells, and the newest or the oldest by the dates in a column C."""


@dataclass(frozen=True, kw_only=True)
class DedupeOptions(SearchOptions):
    """Texts that count as duplicates, and how they are searched.

    Attributes
    ----------
    keep
        Member that stands for a group, one of `KEEPS`. Of equally complete or old ones it is the first; one without a
        date comes last.
    same_from, unsure_from, model_thresholds
        As for `pair_rule`.
    keep_apart
        Kinds of differences; by default those of the decision with its thresholds, and `KEEP_APART` without.

    Raises
    ------
    ValueError
        If `keep` is something else.
    """

    keep: str = "first"
    same_from: float | None = None
    unsure_from: float | None = None
    model_thresholds: bool = False
    keep_apart: Sequence[str] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.compare is not None and self.model_thresholds:
            raise ValueError("the thresholds must be of the joint score, got the model's; leave --model-thresholds out")
        if date_column(self.keep) is None and self.keep not in KEEPS[:-2]:
            raise ValueError(f"keep must be one of {', '.join(KEEPS)}, got {self.keep!r}; name one of these")

    @property
    def columns(self) -> list[str]:
        """Columns that are needed besides that of the texts."""
        column = date_column(self.keep)
        return list(dict.fromkeys([*super().columns, *([] if column is None else [column])]))

    def rule(self, model: Model) -> PairRule:
        """Return which pairs are the same; see `pair_rule`."""
        given = self.keep_apart is not None or self.model_thresholds or self.compare is not None
        kinds = self.keep_apart if given else KEEP_APART
        return pair_rule(model, self.model_thresholds, self.same_from, self.unsure_from, kinds)

    def lowest(self, model: Model) -> float:
        """Return the score from which a pair is left for review."""
        return self.rule(model).unsure_from


TOP = 5
"""Rows of the second table for each row of the first, if nothing is said."""


@dataclass(frozen=True, kw_only=True)
class MatchOptions(SearchOptions):
    """Pairs and columns that are asked for.

    Nothing is screened unless a score or a decision bounds the pairs.

    Attributes
    ----------
    top
        Largest number of rows of the second table for each row of the first, from 1; None for all, with which the two
        tables can be exchanged.
    probability_of
        Score that a pair must have; the column ``probability`` is added, of that score or more. None for any score.
    decide
        Whether pairs that the model's decision calls ``different`` are left out, and its columns are added.
    differences
        Whether the column ``differences`` is added.
    keep_apart
        As for `added_columns`.
    one_to_one
        Whether each row of either table stands in one match at most, so that the sum of their scores is the largest;
        then `top` has no effect.

    Raises
    ------
    ValueError
        If `top` is below 1, or no bound is given although all pairs are requested.
    """

    top: int | None = TOP
    probability_of: float | None = None
    decide: bool = False
    differences: bool = False
    keep_apart: Sequence[str] | None = None
    one_to_one: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.compare is not None and (self.decide or self.probability_of is not None):
            raise ValueError(
                "compared columns must have a joint score, got a decision or probability of the text; leave out "
                "--decide and --probability-of"
            )
        if self.top is not None and self.top < 1:
            raise ValueError(f"the number of matches must be at least 1, got {self.top}; give one such as {TOP}")
        if self.top is None and self.probability_of is None and not self.decide:
            raise ValueError(
                "all matches must be bounded by a score or a decision, got neither; give --probability-of 4"
            )

    def check_index(self) -> None:
        """Raise ValueError for options that an index, which has texts alone, cannot answer."""
        if self.columns:
            raise ValueError(
                f"the second table must have the column {self.columns[0]!r}, got an index, which holds texts alone; "
                "match with the table"
            )

    @property
    def most_candidates(self) -> int:
        """Close texts of a text in each view, if nothing is said."""
        return max(MOST, 2 * (self.top or 0))

    @property
    def both(self) -> bool:
        """True if the tables can be exchanged, so that each is searched for rows close to those of the other."""
        return self.top is None or self.one_to_one

    def lowest(self, model: Model) -> float | None:
        """Return the score that a pair must have at least; None for any."""
        bounds = [self.probability_of]
        if self.decide:
            bounds.append(decision_of(model.parts).unsure_from)
        return max((bound for bound in bounds if bound is not None), default=None)

    def added(self, model: Model) -> AddedColumns:
        """Return the columns that are added."""
        return added_columns(model, self.decide, self.probability_of, self.differences, keep_apart=self.keep_apart)
