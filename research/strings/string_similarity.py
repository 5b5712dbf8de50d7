"""Twenty-two metrics of two strings of items, for the views of `string_views`."""

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA, Hamming, Indel, Jaro, JaroWinkler, LCSseq, Levenshtein, Postfix, Prefix
from rapidfuzz.process import cpdist

from ...features.arrays.joins import chunks
from ...features.arrays.ragged import Ragged, ngrams, offsets_of, ratio, share
from ...features.strings.string_tiling import longest_runs, tiles
from ...features.strings.subsequences import sizes
from .string_views import View

EDITS = {
    "levenshtein": Levenshtein,
    "damerau": OSA,
    "indel": Indel,
    "subsequence": LCSseq,
    "jaro": Jaro,
    "jaro_winkler": JaroWinkler,
    "hamming": Hamming,
    "prefix": Prefix,
    "suffix": Postfix,
}
"""Column names and modules of RapidFuzz, each with a share of the longer string, or of both (Indel)."""

METRICS = (
    *EDITS,
    *("partial", "token_sort", "token_set"),
    *("substring", "tiling"),
    *("jaccard", "dice", "cosine", "containment_min", "containment_max"),
    *("bigrams", "trigrams", "monge_elkan"),
)
"""Column names of `similarities`."""

FACED = 500
"""Number of items at the beginning of either string that ``partial`` compares.

Its cost grows with their square or more: 2,000 items took 70 ms a pair.
"""

_CELLS_AT_A_TIME = 1 << 17


def _edits(view: View) -> list[np.ndarray]:
    columns = [cpdist(view.a, view.b, scorer=kind.normalized_similarity, dtype=np.float64) for kind in EDITS.values()]
    heads = [[items[:FACED] for items in side] for side in (view.a, view.b)]
    texts = view.texts
    for scorer, (a, b) in ((fuzz.partial_ratio, heads), (fuzz.token_sort_ratio, texts), (fuzz.token_set_ratio, texts)):
        columns.append(cpdist(a, b, scorer=scorer, dtype=np.float64) / 100)
    return columns


def _tiles(view: View, minimum: int) -> list[np.ndarray]:
    size_a, size_b = sizes(view.a), sizes(view.b)
    tile_lengths = tiles(view.a, view.b, minimum)
    covered = np.asarray([sum(lengths) for lengths in tile_lengths], dtype=np.float64)
    # The first tile is the longest common substring, unless that is shorter than any tile.
    longest = np.asarray([lengths[0] if lengths else 0 for lengths in tile_lengths], dtype=np.float64)
    short = np.flatnonzero(longest == 0)
    longest[short] = longest_runs([view.a[row] for row in short], [view.b[row] for row in short])
    return [ratio(longest, np.minimum(size_a, size_b)), ratio(2 * covered, size_a + size_b)]


def _sets(view: View) -> list[np.ndarray]:
    once, *more = (share(ngrams(view.hashes_a, n), ngrams(view.hashes_b, n)) for n in (1, 2, 3))
    a, b, both = once.types_a, once.types_b, once.common
    return [
        ratio(both, a + b - both),
        ratio(2 * both, a + b),
        ratio(both, np.sqrt(a * b)),
        ratio(both, np.maximum(a, b)),
        ratio(both, np.minimum(a, b)),
        *(ratio(2 * shared.matched, shared.size_a + shared.size_b) for shared in more),
    ]


def _monge_elkan(view: View) -> np.ndarray:
    # Mean over the words of a side of the best Jaro-Winkler similarity to a word of the other; mean of both sides.
    a, b, size = view.words_a, view.words_b, len(view.words)
    words = np.asarray([*view.words, ""], dtype=object)
    best_a, best_b = np.zeros(len(a.values)), np.zeros(len(b.values))
    for part in chunks(a.lengths * b.lengths, _CELLS_AT_A_TIME):
        places = np.arange(a.offsets[part.start], a.offsets[part.stop])
        row = np.repeat(np.arange(part.start, part.stop), a.lengths[part])
        facing = b.lengths[row]
        offsets = offsets_of(facing)
        i = np.repeat(places, facing)
        j = np.arange(offsets[-1]) + np.repeat(b.offsets[row] - offsets[:-1], facing)
        codes, which = np.unique(a.values[i] * size + b.values[j], return_inverse=True)
        x, y = words[codes // max(size, 1)].tolist(), words[codes % max(size, 1)].tolist()
        similarity = cpdist(x, y, scorer=JaroWinkler.similarity, dtype=np.float64)[which]
        np.maximum.at(best_a, i, similarity)
        np.maximum.at(best_b, j, similarity)
    ways = [
        ratio(Ragged(best, side.offsets).sums(), side.lengths.astype(np.float64))
        for best, side in ((best_a, a), (best_b, b))
    ]
    return (ways[0] + ways[1]) / 2


def similarities(view: View, minimum: int) -> np.ndarray:
    """Return the columns `METRICS` of a view, shape (n, 22), all between 0 and 1.

    Edits and runs are shares of the longer string, ``indel`` of both, ``substring`` of the shorter one. ``partial`` is
    the indel similarity of the shorter string and the most similar window of the longer one, up to `FACED`.
    ``token_sort`` is the indel similarity of the characters of the words in alphabetical order; ``token_set`` compares
    the words of both strings apart (RapidFuzz).
    ``jaccard`` to ``containment_max`` compare the sets of items, ``containment_*`` over the larger and the smaller one;
    ``bigrams`` and ``trigrams`` are Dice coefficients of multisets; ``tiling`` is the share of both strings in greedy
    tiles; ``monge_elkan`` averages over both sides.

    Every metric is 1 for two empty strings, and 0 for an empty and another string.

    Parameters
    ----------
    view
        Both sides of n pairs.
    minimum
        Items in the shortest tile.
    """
    columns = np.stack([*_edits(view), *_tiles(view, minimum), *_sets(view), _monge_elkan(view)], axis=1)
    empty_a, empty_b = (np.fromiter((not items for items in side), bool, len(side)) for side in (view.a, view.b))
    columns[empty_a | empty_b] = 0.0
    columns[empty_a & empty_b] = 1.0
    # A mean of ones can round to above one.
    return np.clip(columns, 0.0, 1.0)
