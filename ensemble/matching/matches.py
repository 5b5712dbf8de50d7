"""The best matches of each row, and the table of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ..core.decision import Decision
from ..core.model_decision import decision_of
from ..loading import Model
from ..scoring.added_columns import AddedColumns, added_columns
from ..scoring.worker_processes import Workers
from .candidate_scores import AUTO, PairScores, differences_between
from .candidates import views_of
from .index import Index
from .match_problem import MatchProblem
from .pair_rule import pair_table
from .text_index import MOST, CandidateSettings
from .texts import TextRows, least_similarity


class Matches(NamedTuple):
    """Pairs of rows: k of them, by the row of the first table, then the highest score first.

    Attributes
    ----------
    a, b
        Shape (k,), int64: rows of the first and of the second table.
    pairs
        Shape (k,), int64: places among the scored pairs.
    """

    a: np.ndarray
    b: np.ndarray
    pairs: np.ndarray


def best_matches(problem: MatchProblem, scores: PairScores, top: int | None, at_least: float | None) -> Matches:
    """Return the rows of the second table that match each row of the first.

    Parameters
    ----------
    problem, scores
        Texts of both tables, pairs of them, and their scores.
    top
        Largest number of rows for each row; None for all, with which both tables can be exchanged.
    at_least
        Score that a pair must have at least; None for any.
    """
    texts, candidates = problem.texts, problem.candidates
    a_rows, b_rows = (_by_text(rows, len(texts.texts)) for rows in texts.rows)
    kept = np.arange(len(candidates.first)) if at_least is None else np.flatnonzero(scores.score >= at_least)
    first, second = candidates.first[kept], candidates.second[kept]
    one, other = np.r_[first, second], np.r_[second, first]
    pairs = np.r_[kept, kept]
    distinct = np.r_[np.ones(len(first), bool), first != second]
    oriented = distinct & (a_rows.counts[one] > 0) & (b_rows.counts[other] > 0)
    one, other, pairs = one[oriented], other[oriented], pairs[oriented]
    order = np.lexsort((other, -scores.score[pairs], one))
    one, other, pairs = one[order], other[order], pairs[order]
    # Rows of equal texts stand side by side: all of the best text, then those of the next one.
    before = _before(one, b_rows.counts[other])
    taken = b_rows.counts[other] if top is None else np.clip(top - before, 0, b_rows.counts[other])
    link, b = _rows_of(b_rows, other, taken)
    source, a = _rows_of(a_rows, one[link], a_rows.counts[one[link]])
    link, b = link[source], b[source]
    order = np.lexsort((b, -scores.score[pairs[link]], a))
    return Matches(a[order], b[order] if problem.rows is None else problem.rows[b[order]], pairs[link][order])


class _RowsByText(NamedTuple):
    rows: np.ndarray
    starts: np.ndarray
    counts: np.ndarray


def _by_text(rows: np.ndarray, count: int) -> _RowsByText:
    counts = np.bincount(rows, minlength=count)
    return _RowsByText(np.argsort(rows, kind="stable"), np.cumsum(counts) - counts, counts)


def _before(groups: np.ndarray, counts: np.ndarray) -> np.ndarray:
    # Rows that stand before each link in its group of consecutive links.
    total = np.cumsum(counts) - counts
    return total - total[np.searchsorted(groups, groups)] if len(groups) else total


def _rows_of(table: _RowsByText, texts: np.ndarray, taken: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    link = np.repeat(np.arange(len(texts)), taken)
    within = np.arange(len(link)) - np.repeat(np.cumsum(taken) - taken, taken)
    return link, table.rows[table.starts[texts[link]] + within]


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
            raise ValueError(
                "all matches must be bounded by a score or a decision, got neither; give --probability-of 4"
            )

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
