"""The best matches of each row, and the table of them."""

from collections.abc import Iterator, Sequence
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


AT_A_TIME = 1 << 16
"""Matches of a part, unless a single row has more."""


def best_matches(
    problem: MatchProblem, scores: PairScores, top: int | None, at_least: float | None
) -> Iterator[Matches]:
    """Yield the rows of the second table that match each row of the first, in parts; one part at least.

    Equal rows on both sides multiply: 3,000 and 3,000 are 9 million matches, which are never held together.

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
    of_a, of_b = texts.rows
    count = len(texts.texts)
    rows_of = np.bincount(of_b, minlength=count)
    b_rows, b_starts = np.argsort(of_b, kind="stable"), np.cumsum(rows_of) - rows_of
    kept = np.arange(len(candidates.first)) if at_least is None else np.flatnonzero(scores.score >= at_least)
    first, second = candidates.first[kept], candidates.second[kept]
    one, other, pairs = np.r_[first, second], np.r_[second, first], np.r_[kept, kept]
    twice = np.r_[np.ones(len(first), bool), first != second]
    oriented = np.flatnonzero(twice & (np.bincount(of_a, minlength=count)[one] > 0) & (rows_of[other] > 0))
    order = oriented[np.lexsort((other[oriented], -scores.score[pairs[oriented]], one[oriented]))]
    one, other, pairs = one[order], other[order], pairs[order]
    # Rows of equal texts stand side by side: all of the best text, then those of the next one.
    before = np.cumsum(rows_of[other]) - rows_of[other]
    taken = rows_of[other]
    if top is not None and len(one):
        taken = np.clip(top - (before - before[np.searchsorted(one, one)]), 0, taken)
    links = np.bincount(one, minlength=count)
    starts = np.cumsum(links) - links
    done = np.cumsum(np.bincount(one, taken, minlength=count)[of_a]) // AT_A_TIME
    for part in np.split(np.arange(len(of_a)), np.flatnonzero(np.diff(done)) + 1):
        row, link = _expanded(part, starts[of_a[part]], links[of_a[part]])
        place, b = _expanded(np.arange(len(link)), b_starts[other[link]], taken[link])
        a, b, pair = row[place], b_rows[b], pairs[link[place]]
        order = np.lexsort((b, -scores.score[pair], a))
        yield Matches(a[order], b[order] if problem.rows is None else problem.rows[b[order]], pair[order])


def _expanded(values: np.ndarray, starts: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each value as often as it has places, and these places, which follow each other from its start."""
    offsets = np.cumsum(counts) - counts
    return np.repeat(values, counts), np.arange(counts.sum()) + np.repeat(starts - offsets, counts)


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
