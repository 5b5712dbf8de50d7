"""Best matches: pairs of rows of two tables whose texts are scored candidates."""

from typing import NamedTuple

import numpy as np

from .candidate_scores import PairScores
from .match_problem import MatchProblem


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
