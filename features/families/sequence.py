"""Runs, subsequences and edits of stems (Tian et al., 2017) and of characters (Bär et al., 2012)."""

import numpy as np
from rapidfuzz.distance import Jaro, JaroWinkler, LCSseq, Levenshtein
from rapidfuzz.process import cpdist

from ..arrays.ragged import Ragged, offsets_of, ratio
from ..base.feature import PairBatch, feature
from ..base.token_sequences import Vocabulary, encoded, item_ids, vocabulary
from ..strings.string_tiling import longest_runs, tiles
from ..strings.subsequences import RUNS, edit_shares, run_shares, sizes

_CELLS_AT_A_TIME = 1 << 17

MINIMUM_TILE = 3
"""Shortest run of characters that counts as copied (Bär et al., 2012)."""


def _stem_edits(pairs: PairBatch) -> np.ndarray:
    return pairs.memo("stem edits", lambda: edit_shares(*encoded(pairs, "stems", "ecnu")))


@feature(*RUNS, source="Tian et al. 2017", section="SEQ1")
def stems(pairs: PairBatch) -> np.ndarray:
    """Longest common prefix, suffix, substring and subsequence of stems without stop words, over the shorter length."""
    return run_shares(*encoded(pairs, "stems", "ecnu"))


@feature("distance", high=float("inf"), source="Tian et al. 2017", section="SEQ1")
def stem_distance(pairs: PairBatch) -> np.ndarray:
    """Levenshtein distance of stems without stop words over the shorter length, at least 1."""
    return _stem_edits(pairs)[:, :1]


@feature("similarity", source="ours", section="SEQ1")
def stem_similarity(pairs: PairBatch) -> np.ndarray:
    """One minus the Levenshtein distance of stems without stop words over the longer length; 1 if both are empty."""
    return _stem_edits(pairs)[:, 1:]


def _texts(pairs: PairBatch) -> tuple[list[str], list[str]]:
    """Return both sides in lower case, the one that sorts first on the left.

    Jaro and the choice between equally long tiles depend on the order of the texts; this order is the same if the sides
    are swapped.
    """

    def compute() -> tuple[list[str], list[str]]:
        lower = [sentence.text.lower() for sentence in pairs.sentences]
        ordered = [
            (lower[i], lower[j]) if lower[i] <= lower[j] else (lower[j], lower[i])
            for i, j in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
        ]
        return [first for first, _ in ordered], [second for _, second in ordered]

    return pairs.memo("lower texts in order", compute)


def _text_sizes(pairs: PairBatch) -> tuple[np.ndarray, np.ndarray]:
    a, b = map(sizes, _texts(pairs))
    return np.maximum(a, b), np.minimum(a, b)


@feature(
    "subsequence_min", "subsequence_max", "subsequence", "levenshtein", "jaro", "jaro_winkler",
    source="Bär et al. 2012", section="SEQ4",
)  # fmt: skip
def characters(pairs: PairBatch) -> np.ndarray:
    """Longest common subsequence of lower-case text over the longer, shorter and mean length; edit similarities.

    `levenshtein` is one minus the distance over the longer length. The three similarities are 1 for two empty texts.
    """
    a, b = _texts(pairs)
    longer, shorter = _text_sizes(pairs)
    subsequence = cpdist(a, b, scorer=LCSseq.similarity, dtype=np.float64)
    edits = cpdist(a, b, scorer=Levenshtein.distance, dtype=np.float64)
    jaro, winkler = (cpdist(a, b, scorer=kind.similarity, dtype=np.float64) for kind in (Jaro, JaroWinkler))
    columns = [ratio(subsequence, longer), ratio(subsequence, shorter), ratio(2 * subsequence, longer + shorter)]
    return np.stack([*columns, 1 - ratio(edits, longer), np.minimum(jaro, 1), np.minimum(winkler, 1)], axis=1)


@feature(
    *("covered_min", "covered_max", "substring_min", "substring_max"), source="Wise 1996; Bär et al. 2012",
    section="SEQ4 SEQ5",
)  # fmt: skip
def tiling(pairs: PairBatch) -> np.ndarray:
    """Characters in greedy tiles of at least 3 and in the longest common substring, over the longer and shorter."""
    a, b = _texts(pairs)
    longer, shorter = _text_sizes(pairs)
    tiled = tiles(a, b, MINIMUM_TILE)
    covered = np.asarray([sum(lengths) for lengths in tiled], dtype=np.float64)
    # The first tile is the longest common substring, unless that is shorter than any tile.
    substring = np.asarray([lengths[0] if lengths else 0 for lengths in tiled], dtype=np.float64)
    short = np.flatnonzero(substring == 0)
    substring[short] = longest_runs([a[row] for row in short], [b[row] for row in short])
    return np.stack([ratio(part, size) for part in (covered, substring) for size in (longer, shorter)], axis=1)


def _row_max(values: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    starts = offsets_of(lengths)[:-1]
    best = np.zeros(len(lengths))
    filled = lengths > 0
    if filled.any():
        best[filled] = np.maximum.reduceat(values, starts[filled])
    return best


def _best_matches(a: Ragged, b: Ragged, words: Vocabulary, items: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the greatest similarity of each word of either side to a word of the same row of the other side."""
    # One cell for each word of the left side with each word of the right side, the cells of a left word together ...
    facing = b.take(a.rows)
    left, right = np.repeat(a.values, facing.lengths), facing.values
    similarity = (left == right).astype(np.float64)
    unlike = np.flatnonzero(left != right)
    left, right = left[unlike], right[unlike]
    # Jaro depends on the order of its arguments; that of the hashes is the same for both sides and in every batch.
    ordered = words.hashes[left] < words.hashes[right]
    first, second = items[np.where(ordered, left, right)].tolist(), items[np.where(ordered, right, left)].tolist()
    similarity[unlike] = cpdist(first, second, scorer=JaroWinkler.similarity, dtype=np.float64)
    # ... and the same cells with those of a right word together.
    rows = b.rows
    across = a.lengths[rows]
    steps = np.arange(across.sum()) - np.repeat(offsets_of(across)[:-1], across)
    first_cell = offsets_of(a.lengths * b.lengths)[rows] + np.arange(len(rows)) - b.offsets[rows]
    turned = np.repeat(first_cell, across) + steps * np.repeat(b.lengths[rows], across)
    return _row_max(similarity, facing.lengths), _row_max(similarity[turned], across)


@feature("min", "max", source="Monge and Elkan 1996; Bär et al. 2012", section="SEQ4")
def monge_elkan(pairs: PairBatch) -> np.ndarray:
    """Mean over one side's words, stop words left out, of the best Jaro-Winkler similarity to a word of the other side.

    Both directions; 1 if both sides are empty and 0 if one is.
    """
    a, b = item_ids(pairs, "words", "ecnu")
    words = vocabulary(pairs, "words")
    items = np.asarray([*words.items, ""], dtype=object)
    some = np.cumsum(a.lengths * b.lengths) // _CELLS_AT_A_TIME
    best: list[tuple[np.ndarray, np.ndarray]] = []
    for rows in np.split(np.arange(len(pairs)), np.flatnonzero(np.diff(some)) + 1):
        best.append(_best_matches(a.take(rows), b.take(rows), words, items))
    empty = ((a.lengths == 0) & (b.lengths == 0)).astype(np.float64)
    sides = (
        Ragged(np.concatenate(values), side.offsets)
        for values, side in zip(zip(*best, strict=True), (a, b), strict=True)
    )
    # A mean of ones can round to above one.
    ways = np.minimum([ratio(side.sums(), side.lengths, empty) for side in sides], 1)
    return np.stack([ways.min(axis=0), ways.max(axis=0)], axis=1)
