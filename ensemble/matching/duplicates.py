"""Groups of equal texts around the best of each.

Groups are stars. Connected components would join A and C because both are the same as B, and so on along a chain. Here
a text joins a group only by its own link with the group's representative, and no two representatives are linked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from ...features.analysis.analysis import normalise
from ..core.decision import DIFFERENT, SAME, UNSURE
from ..scoring.batches import DIFFERENCES, SCORES, deciding_kinds
from ..scoring.worker_processes import Workers
from .long_texts import TRUNCATED, parts_lacking
from .options import PairRule
from .pair_scores import Progress, ScoredPairs, differences_between, pair_table, with_columns
from .texts import TextCollection, TextRows, plainness


def star_groups(count: int, first: np.ndarray, second: np.ndarray, scores: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Return the representative of each text."""
    links = csr_array((np.ones(2 * len(first), bool), (np.r_[first, second], np.r_[second, first])), (count, count))
    is_representative = np.zeros(count, dtype=bool)
    linked = np.zeros(count, dtype=bool)
    for text in np.argsort(rank, kind="stable").tolist():
        if not linked[text]:
            is_representative[text] = True
            linked[links.indices[links.indptr[text] : links.indptr[text + 1]]] = True
    one, other = np.r_[first, second], np.r_[second, first]
    joining = is_representative[one] & ~is_representative[other]
    one, other, score = one[joining], other[joining], np.r_[scores, scores][joining]
    order = np.lexsort((rank[one], -score, other))
    members, places = np.unique(other[order], return_index=True)
    representatives = np.arange(count)
    representatives[members] = one[order][places]
    return representatives


LONG, CHAIN = "long", "chain"
"""Reasons for review, besides ``unsure`` and the kind of difference that keeps texts apart: a text that is too long for
the model to read at once, and two members of different groups."""


@dataclass(frozen=True)
class Review:
    """Pairs of texts for a person to decide, by their places."""

    first: np.ndarray  # shape (k,), int64, as all: rows of the table; of equal texts the first one
    second: np.ndarray
    pairs: np.ndarray  # places among the scored pairs
    reasons: list[str]  # unsure, long, chain or a kind of difference
    differences: pa.Array  # of each pair, from the first to the second


class Duplicates(NamedTuple):
    """Groups of n rows."""

    representatives: np.ndarray  # shape (n,), int64: row that stands for the group of each row; its own if it is kept
    pairs: np.ndarray  # shape (n,), int64: place of both among the scored pairs; -1 if their texts are equal
    review: Review
    apart: np.ndarray  # shape (m,), bool: scored pairs that no score makes the same; False below the scores for review

    @property
    def kept(self) -> np.ndarray:
        """Rows that are kept, ascending."""
        return np.flatnonzero(self.representatives == np.arange(len(self.representatives)))


def duplicates(
    rows: TextRows,
    scores: ScoredPairs,
    rule: PairRule,
    keep: str,
    pool: Workers,
    progress: Progress | None = None,
) -> Duplicates:
    """Return the groups of the rows of the first table.

    Parameters
    ----------
    rows
        Rows of the table.
    scores
        Pairs of texts and their scores.
    rule
        Which pairs are the same.
    keep
        Member that stands for a group.
    pool
        Processes that find differences.
    progress
        Called with the pairs done, and those in all, of the search for differences.
    """
    candidates, places = scores.candidates, scores.candidates.texts.rows[0]
    first_rows = _first_rows(rows, candidates.texts, keep)
    verdicts = rule.verdicts(scores.score)
    near = np.flatnonzero(verdicts != DIFFERENT)
    one, other = candidates.first[near], candidates.second[near]
    turned = first_rows[one] > first_rows[other]
    one, other = np.where(turned, other, one), np.where(turned, one, other)
    found = differences_between(candidates.texts.arrow(), one, other, pool, progress)
    kinds = np.array(deciding_kinds(found, rule.keep_apart), dtype=object)
    long = scores.flagged(TRUNCATED)
    apart = (verdicts != DIFFERENT) & long
    apart[near] |= kinds.astype(bool)
    same = np.flatnonzero((verdicts == SAME) & ~apart)
    groups = _grouped(rows, scores, same, keep, first_rows)
    by_score = np.where(verdicts == UNSURE, UNSURE, CHAIN)[near]
    reasons = np.where(long[near], LONG, np.where(kinds.astype(bool), kinds, by_score))
    # Two texts that differ may both be like the row that stands for their group: a person should see that too.
    shown = apart[near] | (groups[one] != groups[other])
    order = np.lexsort((first_rows[other], first_rows[one]))
    order = order[shown[order]]
    review = Review(
        first_rows[one[order]],
        first_rows[other[order]],
        near[order],
        reasons[order].tolist(),
        _with_parts(found.take(pa.array(order)), scores, near[order], turned[order], rule, pool),
    )
    pair_of = _pair_of_members(groups, same, candidates.first[same], candidates.second[same])
    return Duplicates(first_rows[groups[places]], pair_of[places], review, apart)


def rows_removed(
    rows: TextRows, scores: ScoredPairs, apart: np.ndarray, keep: str, thresholds: Sequence[float]
) -> dict[float, int]:
    """Return for each of several thresholds the number of rows that it removes.

    Parameters
    ----------
    rows
        Rows of the table.
    scores
        Pairs of texts and their scores.
    apart
        Pairs that no score makes the same, as in `Duplicates`.
    keep
        Member that stands for a group.
    thresholds
        Scores from which two texts are the same; none is below the score for review with which `apart` was found.
    """
    texts = scores.candidates.texts
    first_rows = _first_rows(rows, texts, keep)
    same = (np.flatnonzero((scores.score >= threshold) & ~apart) for threshold in thresholds)
    groups = (_grouped(rows, scores, pairs, keep, first_rows) for pairs in same)
    counts = (len(rows) - len(np.unique(found[texts.rows[0]])) for found in groups)
    return dict(zip(thresholds, counts, strict=True))


def _first_rows(rows: TextRows, texts: TextCollection, keep: str) -> np.ndarray:
    """Return for each text the row that stands for the rows with an equal text."""
    order = np.arange(len(rows))
    if rows.preference is not None:
        order = np.argsort(rows.preference, kind="stable")
    elif keep != "first":  # what the texts are, and not where they stand, decides
        normal = [normalise(text) for text in rows.texts]
        keys = [(-len(text), text) if keep == "longest" else plainness(text) for text in normal]
        order = np.array(sorted(order, key=keys.__getitem__), np.int64)
    first_rows = np.full(len(texts.texts), -1, dtype=np.int64)
    first_rows[texts.rows[0][order[::-1]]] = order[::-1]
    return first_rows


def _grouped(rows: TextRows, scores: ScoredPairs, same: np.ndarray, keep: str, first_rows: np.ndarray) -> np.ndarray:
    candidates = scores.candidates
    links = candidates.first[same], candidates.second[same], scores.score[same]
    return star_groups(len(first_rows), *links, _rank(rows, first_rows, links, keep))


def _rank(
    rows: TextRows, first_rows: np.ndarray, links: tuple[np.ndarray, np.ndarray, np.ndarray], keep: str
) -> np.ndarray:
    count = len(first_rows)
    keys: tuple[np.ndarray, ...] = (first_rows,)
    if rows.preference is not None:
        keys = (first_rows, rows.preference[first_rows])
    elif keep == "longest":
        keys = (np.arange(count), -np.array([len(normalise(rows.texts[row])) for row in first_rows.tolist()], np.int64))
    elif keep == "central":
        ends = np.concatenate(links[:2])
        total = np.bincount(ends, np.tile(links[2], 2), minlength=count)
        keys = (np.arange(count), -np.round(total, 6), -np.bincount(ends, minlength=count))
    rank = np.empty(count, dtype=np.int64)
    rank[np.lexsort(keys)] = np.arange(count)
    return rank


def _pair_of_members(groups: np.ndarray, same: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    pair_of = np.full(len(groups), -1, dtype=np.int64)
    for member, representative in ((first, second), (second, first)):
        joined = groups[member] == representative
        pair_of[member[joined]] = same[joined]
    return pair_of


def _with_parts(
    found: pa.Array, scores: ScoredPairs, pairs: np.ndarray, turned: np.ndarray, rule: PairRule, pool: Workers
) -> pa.Array:
    """Return the differences of pairs, those of long texts by the parts that the other text lacks."""
    long = [row for row, pair in enumerate(pairs.tolist()) if pair in scores.parts]
    if not long:
        return found
    sides = [scores.parts[int(pairs[row])][:: -1 if turned[row] else 1] for row in long]
    lacking = parts_lacking([part for side in sides for part in side], rule.same_from, rule.keep_apart, pool)
    rows = found.to_pylist()
    for place, row in enumerate(long):
        missing, added = lacking[2 * place : 2 * place + 2]
        rows[row] = [{"kind": "missing", "a": text, "b": ""} for text in missing]
        rows[row] += [{"kind": "added", "a": "", "b": text} for text in added]
    return pa.array(rows, DIFFERENCES.type)


def review_table(rows: TextRows, groups: Duplicates, scores: ScoredPairs) -> pa.Table:
    """Return the pairs for review: the columns of `pair_table`, with scores, ``reason`` and ``differences``."""
    review = groups.review
    results = scores.batch(review.pairs)
    columns = {"reason": pa.array(review.reasons, pa.string()), DIFFERENCES.name: review.differences}
    columns |= {name: results.column(name) for name in SCORES.names}
    schema = pa.schema([*list(SCORES)[:3], pa.field("reason", pa.string()), DIFFERENCES, SCORES.field("flags")])
    batch = pa.record_batch([columns[name] for name in schema.names], schema=schema)
    batch = with_columns(batch, scores, review.pairs)
    return pair_table((rows, rows), (review.first, review.second), batch)
