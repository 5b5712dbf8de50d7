"""The best matches of each row, and the table of them."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ..loading import Model
from ..scoring.added_columns import AddedColumns
from ..scoring.worker_processes import Workers
from .index import Index
from .pair_scores import ScoredPairs, differences_between, pair_table, with_columns
from .texts import TextRows


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


def best_matches(scores: ScoredPairs, top: int | None, at_least: float | None) -> Iterator[Matches]:
    """Yield the rows of the second table that match each row of the first, in parts; one part at least.

    Equal rows on both sides multiply: 3,000 and 3,000 are 9 million matches, which are never held together.

    Parameters
    ----------
    scores
        Pairs of texts of both tables, and their scores.
    top
        Largest number of rows for each row; None for all, with which both tables can be exchanged.
    at_least
        Score that a pair must have at least; None for any.
    """
    candidates = scores.candidates
    of_a, of_b = candidates.texts.rows
    count = len(candidates.texts.texts)
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
        yield Matches(a[order], b[order] if candidates.rows is None else candidates.rows[b[order]], pair[order])


def _expanded(values: np.ndarray, starts: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each value as often as it has places, and these places, which follow each other from its start."""
    offsets = np.cumsum(counts) - counts
    return np.repeat(values, counts), np.arange(counts.sum()) + np.repeat(starts - offsets, counts)


def match_table(
    sides: tuple[TextRows, TextRows | Index],
    scores: ScoredPairs,
    matches: Matches,
    added: AddedColumns,
    model: Model,
    pool: Workers,
) -> pa.Table:
    """Return the table of matches: the columns of `pair_table`, with the scores and what else is asked for."""
    found = None
    if added.differences_from is not None:
        candidates = scores.candidates
        pairs = candidates.first[matches.pairs], candidates.second[matches.pairs]
        turned = candidates.texts.rows[0][matches.a] != pairs[0]
        first, second = np.where(turned, pairs[1], pairs[0]), np.where(turned, pairs[0], pairs[1])
        found = differences_between(candidates.texts.arrow(), first, second, pool)
    results = with_columns(added.of(scores.batch(matches.pairs), model, found), scores, matches.pairs)
    rows = sides[1].rows() if isinstance(sides[1], Index) else sides[1]
    return pair_table((sides[0], rows), (matches.a, matches.b), results)
