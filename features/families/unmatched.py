"""Content words without a partner in the other sentence, as amounts, not shares.

DT_Team used the share of unaligned words (Maharjan et al., 2017); the amounts distinguish a long pair that differs in
one word from a short one.
"""

from typing import NamedTuple

import numpy as np

from ..arrays.ragged import Ragged, share
from ..base.feature import PairBatch, feature
from ..base.token_sequences import item_hashes, item_ids, vocabulary
from ..statistics.counts import Idf, idf_weights

STOPS = "ecnu"


class _Side(NamedTuple):
    rows: np.ndarray
    idf: np.ndarray
    alone: np.ndarray


def _among(items: Ragged, other: Ragged, size: int) -> np.ndarray:
    # Mask of the items that are in the same row on the other side.
    return np.isin(items.rows * size + items.values, other.rows * size + other.values)


def _sides(pairs: PairBatch, idf: Idf) -> tuple[_Side, _Side]:
    def compute() -> tuple[_Side, _Side]:
        weight = idf_weights(pairs, "stems", idf)
        size = len(weight)
        content, stems = item_ids(pairs, "stems", STOPS), item_ids(pairs, "stems")
        sides = []
        for items, other in ((content.a, stems.b), (content.b, stems.a)):
            sides.append(_Side(items.rows, weight[items.values], ~_among(items, other, size)))
        return sides[0], sides[1]

    return pairs.memo(("unmatched sides", idf.digest), compute)


def _sums(side: _Side, values: np.ndarray, n: int) -> np.ndarray:
    return np.bincount(side.rows[side.alone], weights=values[side.alone], minlength=n)


def _peaks(side: _Side, mask: np.ndarray, n: int, sign: int = 1) -> np.ndarray:
    peak = np.full(n, -np.inf)
    np.maximum.at(peak, side.rows[mask], sign * side.idf[mask])
    return np.where(np.isfinite(peak), sign * peak, 0.0)


def _spread(a: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
    return [np.minimum(a, b), np.maximum(a, b), a + b]


@feature("min", "max", "total", high=np.inf, needs=("idf",), source="Maharjan et al. 2017", section="ALN7")
def words(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """Count the content words of a sentence whose stem the other lacks."""
    counts = [_sums(side, np.ones(len(side.rows)), len(pairs)) for side in _sides(pairs, idf)]
    return np.column_stack(_spread(*counts))


@feature("min", "max", "total", high=np.inf, needs=("idf",), source="Maharjan et al. 2017", section="ALN7")
def mass(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """Sum of the idf of the content words of a sentence whose stem the other lacks."""
    return np.column_stack(_spread(*(_sums(side, side.idf, len(pairs)) for side in _sides(pairs, idf))))


@feature("min", "max", high=np.inf, needs=("idf",), source="Maharjan et al. 2017", section="ALN7")
def peak(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """Greatest idf of a content word of a sentence whose stem the other lacks; 0 where there is none."""
    return np.column_stack(_spread(*(_peaks(side, side.alone, len(pairs)) for side in _sides(pairs, idf)))[:2])


@feature(
    "words", "mass", "rarest", "commonest", high=np.inf, needs=("idf",), source="Maharjan et al. 2017", section="ALN7"
)
def shared(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """Count shared content stems, repeats included; sum of their idf; their greatest and least idf."""
    vocab = vocabulary(pairs, "stems")
    weight = idf.smooth("stems", vocab.items)
    hashes, ids = item_hashes(pairs, "stems", STOPS), item_ids(pairs, "stems", STOPS)
    both = share(hashes.a, hashes.b, weight[ids.a.values], weight[ids.b.values])
    # The words of either side that the other has are the same stems, so one side is enough.
    first, common = _sides(pairs, idf)[0], _among(ids.a, ids.b, len(weight))
    peaks = [_peaks(first, common, len(pairs)), _peaks(first, common, len(pairs), sign=-1)]
    return np.column_stack([both.matched, both.weight_matched, *peaks])
