"""Groups of equal texts around the best of each.

Groups are stars. Connected components would join A and C because both are the same as B, and so on along a chain. Here
a text joins a group only by its own link with the group's representative, and no two representatives are linked.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from ..core.decision import SAME, UNSURE
from ..scoring.batches import DIFFERENCES, SCORES, deciding_kinds
from ..scoring.worker_processes import Workers
from .candidates import Candidates
from .options import Keep, PairRule
from .pair_scores import Progress, ScoredPairs, differences_between, pair_table
from .texts import TextCollection, TextRows


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


DIFFERS, CHAIN = "differs", "chain"
"""Reasons for review, besides ``unsure``: a difference that keeps texts apart, and two members of different groups."""


@dataclass(frozen=True)
class Review:
    """Pairs of texts for a person to decide, by their places."""

    first: np.ndarray  # shape (k,), int64, as all: rows of the table; of equal texts the first one
    second: np.ndarray
    pairs: np.ndarray  # places among the scored pairs
    reasons: list[str]  # unsure, differs or chain


class Duplicates(NamedTuple):
    """Groups of n rows."""

    representatives: np.ndarray  # shape (n,), int64: row that stands for the group of each row; its own if it is kept
    pairs: np.ndarray  # shape (n,), int64: place of both among the scored pairs; -1 if their texts are equal
    review: Review

    @property
    def kept(self) -> np.ndarray:
        """Rows that are kept, ascending."""
        return np.flatnonzero(self.representatives == np.arange(len(self.representatives)))


def duplicates(
    scores: ScoredPairs,
    rule: PairRule,
    keep: Keep,
    pool: Workers,
    progress: Progress | None = None,
) -> Duplicates:
    """Return the groups of the rows of the first table.

    Parameters
    ----------
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
    candidates = scores.candidates
    texts = candidates.texts
    verdicts = rule.verdicts(scores.score)
    same = np.flatnonzero(verdicts == SAME)
    if rule.keep_apart and len(same):
        found = differences_between(texts.arrow(), candidates.first[same], candidates.second[same], pool, progress)
        apart = same[[kind is not None for kind in deciding_kinds(found, rule.keep_apart)]]
        same = np.setdiff1d(same, apart)
    else:
        apart = np.empty(0, np.int64)
    links = candidates.first[same], candidates.second[same], scores.score[same]
    rows = texts.rows[0]
    first_rows = np.full(len(texts.texts), -1, dtype=np.int64)
    places, firsts = np.unique(rows, return_index=True)
    first_rows[places] = firsts
    rank = _rank(texts, first_rows, links, keep)
    groups = star_groups(len(texts.texts), *links, rank)
    pair_of = _pair_of_members(groups, same, links[0], links[1])
    return Duplicates(
        first_rows[groups[rows]],
        pair_of[rows],
        _review(
            candidates, groups, first_rows, {UNSURE: np.flatnonzero(verdicts == UNSURE), DIFFERS: apart, CHAIN: same}
        ),
    )


def _rank(
    texts: TextCollection, first_rows: np.ndarray, links: tuple[np.ndarray, np.ndarray, np.ndarray], keep: Keep
) -> np.ndarray:
    count = len(texts.texts)
    keys: tuple[np.ndarray, ...] = (first_rows,)
    if keep == "longest":
        keys = (np.arange(count), -np.fromiter(map(len, texts.texts), np.int64, count))
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


def _review(
    candidates: Candidates, groups: np.ndarray, first_rows: np.ndarray, of_reason: dict[str, np.ndarray]
) -> Review:
    parts: list[np.ndarray] = []
    reasons: list[str] = []
    for reason, pairs in of_reason.items():
        torn = groups[candidates.first[pairs]] != groups[candidates.second[pairs]]
        # Two texts that differ may both be like the row that stands for their group: a person should see that too.
        shown = pairs if reason == DIFFERS else pairs[torn]
        parts.append(shown)
        reasons += [reason] * len(shown)
    places = np.concatenate(parts)
    one, other = first_rows[candidates.first[places]], first_rows[candidates.second[places]]
    first, second = np.minimum(one, other), np.maximum(one, other)
    order = np.lexsort((second, first))
    return Review(first[order], second[order], places[order], [reasons[place] for place in order.tolist()])


def review_table(rows: TextRows, groups: Duplicates, scores: ScoredPairs, pool: Workers) -> pa.Table:
    """Return the pairs for review: the columns of `pair_table`, with scores, ``reason`` and ``differences``."""
    review, texts = groups.review, scores.candidates.texts
    first, second = (texts.rows[0][places] for places in (review.first, review.second))
    differences = differences_between(texts.arrow(), first, second, pool)
    results = scores.batch(review.pairs)
    columns = {"reason": pa.array(review.reasons, pa.string()), DIFFERENCES.name: differences}
    columns |= {name: results.column(name) for name in SCORES.names}
    schema = pa.schema([*list(SCORES)[:3], pa.field("reason", pa.string()), DIFFERENCES, SCORES.field("flags")])
    batch = pa.record_batch([columns[name] for name in schema.names], schema=schema)
    return pair_table((rows, rows), (review.first, review.second), batch)
