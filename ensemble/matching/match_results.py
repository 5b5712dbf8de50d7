"""Question of a match, its settings, and the table that answers it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ..core.decision import Decision
from ..core.model_decision import decision_of
from ..multilingual.model import Model
from ..scoring.added_columns import AddedColumns, added_columns
from ..scoring.worker_processes import Workers
from .candidate_run import views_of
from .candidate_scores import PairScores, differences_between
from .candidate_screening import AUTO
from .candidate_settings import MOST, CandidateSettings
from .index import Index
from .match_problem import MatchProblem
from .matches import Matches
from .pair_tables import pair_table
from .table_texts import TextRows
from .view_catalogue import least_similarity

TOP = 5
"""Rows of the second table for each row of the first, if nothing is said."""

_LEAST = 0.3


@dataclass(frozen=True)
class MatchQuestion:
    """Pairs and columns that are asked for.

    Attributes
    ----------
    top
        Largest number of rows of the second table for each row of the first, from 1; None for all, with which the two
        tables can be exchanged.
    at_least
        Score that a pair must have; the column ``probability`` is added, as by `added_columns`.
    decide
        Whether pairs are decided by the model's decision: those that are ``different`` are left out.
    differences
        Whether the column ``differences`` is added.
    views, candidates, exact
        As for `CandidateSettings`; by default the views of `views_of`.
    screen
        As for `screening_source`; nothing is screened unless a score or a decision bounds the pairs.

    Raises
    ------
    ValueError
        If `top` is below 1, or no bound is given although all pairs are requested.
    """

    top: int | None = TOP
    at_least: float | None = None
    decide: bool = False
    differences: bool = False
    views: Sequence[str] | None = None
    candidates: int | None = None
    exact: bool | None = None
    screen: str = AUTO

    def __post_init__(self) -> None:
        if self.top is not None and self.top < 1:
            raise ValueError(f"the number of matches must be at least 1, got {self.top}; give one such as {TOP}")
        if self.top is None and self.at_least is None and not self.decide:
            raise ValueError("all matches must be bounded by a score or a decision, got neither; give --at-least 4")

    def lowest(self, model: Model) -> float | None:
        """Return the score that a pair must have at least; None for any."""
        decision = decision_of(model.parts) if self.decide else None
        return max((bound for bound in (self.at_least, _lowest_of(decision)) if bound is not None), default=None)


def _lowest_of(decision: Decision | None) -> float | None:
    if decision is None:
        return None
    return decision.same_from if decision.different_below is None else decision.different_below


def match_settings(question: MatchQuestion, model: Model) -> tuple[CandidateSettings, AddedColumns]:
    """Return how candidates are searched and which columns are added.

    Raises
    ------
    ValueError
        If a setting is out of its range.
    samewise.models.bundle.BundleError
        If a decision is asked for and the model has none.
    """
    added = added_columns(model, question.decide, question.at_least, question.differences)
    lowest = question.lowest(model)
    views = tuple(question.views or views_of(model))
    least = _LEAST if lowest is None else least_similarity(lowest, model.scale, views)
    most = max(MOST, 2 * (question.top or 0)) if question.candidates is None else question.candidates
    return CandidateSettings(views, most, least, question.exact), added


def match_table(
    sides: tuple[TextRows, TextRows | Index],
    problem: MatchProblem,
    scores: PairScores,
    matches: Matches,
    added: AddedColumns,
    model: Model,
    pool: Workers,
) -> pa.Table:
    """Return the table of matches: the columns of `pair_table`, with the scores and what else is asked for."""
    found = None
    if added.differences:
        pairs = problem.candidates.first[matches.pairs], problem.candidates.second[matches.pairs]
        turned = problem.texts.rows[0][matches.a] != pairs[0]
        first, second = np.where(turned, pairs[1], pairs[0]), np.where(turned, pairs[0], pairs[1])
        found = differences_between(problem.texts.arrow(), first, second, pool)
    results = added.of(scores.batch(matches.pairs), model, found)
    rows = sides[1].rows() if isinstance(sides[1], Index) else sides[1]
    return pair_table((sides[0], rows), (matches.a, matches.b), results)
