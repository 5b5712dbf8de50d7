"""The gap-weighted subsequence kernel (Lodhi et al., 2002) of subsequences of two symbols that may match in part."""

from collections.abc import Callable

import numpy as np

from ..arrays.joins import chunks
from ..arrays.ragged import Ragged, offsets_of

_KERNEL_CELLS = 1 << 18


def subsequence_kernel(
    x: Ragged, y: Ragged, similarity: Callable[[np.ndarray, np.ndarray], np.ndarray], decay: float
) -> np.ndarray:
    """Return the kernel of rows of `x` and `y`, not normalised, shape (n,).

    It is the sum over all two symbols of one row, in their order, and all two of the other, of the similarity of the
    first ones times that of the second ones times `decay` to the power of the lengths of both stretches, ends counted.

    Parameters
    ----------
    x, y
        n rows of symbols each.
    similarity
        Similarity of symbols, element by element of two arrays.
    decay
        Factor of each symbol of a stretch, in (0, 1].
    """
    size_x, size_y = x.lengths, y.lengths
    order = np.lexsort((np.minimum(size_x, size_y), np.maximum(size_x, size_y)))
    kernel = np.zeros(len(order))
    longest = np.maximum(size_x, size_y)[order]
    for part in chunks(longest * longest, _KERNEL_CELLS):
        rows = order[part]
        kernel[rows] = _summed(_matches(x.take(rows), y.take(rows), similarity), decay)
    return kernel


def _matches(x: Ragged, y: Ragged, similarity: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    # Similarity of every symbol of one side with every symbol of the other, shape (longest x, longest y, n).
    row, facing = x.rows, y.take(x.rows)
    entry = np.repeat(np.arange(len(row)), facing.lengths)
    i = entry - x.offsets[row[entry]]
    j = np.arange(len(entry)) - np.repeat(offsets_of(facing.lengths)[:-1], facing.lengths)
    shape = (int(x.lengths.max(initial=0)), int(y.lengths.max(initial=0)), len(x.lengths))
    matches = np.zeros(shape)
    matches[i, j, row[entry]] = similarity(x.values[entry], facing.values)
    return matches


def _summed(matches: np.ndarray, decay: float) -> np.ndarray:
    # Sums run along one side, then along the other, a step of all rows at a time; padding adds nothing.
    before = np.zeros_like(matches)
    for i in range(1, len(matches)):
        before[i] = decay * (before[i - 1] + matches[i - 1])
    reached, total = np.zeros((2, matches.shape[0], matches.shape[2]))
    for j in range(1, matches.shape[1]):
        reached = decay * (reached + before[:, j - 1])
        total += matches[:, j] * reached
    whole = np.zeros(matches.shape[2])
    for step in total:
        whole += step
    return decay * decay * whole
