"""Common runs of two strings: greedy string tiling (Wise, 1996) and the longest common substring.

Both read the equality matrix of the strings, held as one big integer: bit ``i * stride + j`` is ``a[i] == b[j]``. A
step along a diagonal is then one shift by ``stride + 1``, so the starts of all common runs of some length take a number
of shifts logarithmic in that length.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from ..arrays.ragged import Ragged
from ..base.token_sequences import characters

_CELLS_AT_A_TIME = 1 << 22
_NOT_ZERO = re.compile(rb"[^\0]")
_PADDING_A, _PADDING_B = 2**32 - 1, 2**32 - 2
"""No code points, and not equal to each other."""


def _padded(codes: Ragged, rows: np.ndarray, width: int, padding: int) -> np.ndarray:
    inside = np.arange(width) < codes.lengths[rows][:, None]
    filled = np.full(inside.shape, padding, dtype=np.uint32)
    filled[inside] = codes.take(rows).values
    return filled


def _equalities(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield index, equality matrix, its height and the bytes of one of its rows for each pair, in any order."""
    codes_a, codes_b = characters(list(a)), characters(list(b))
    # Pairs of about the same size are compared together. A row has at least one column more than b: a run that leaves b
    # on the right meets a zero, not the start of the next row.
    heights, widths = (codes_a.lengths + 15) // 16 * 16, codes_b.lengths // 16 * 2 + 2
    order = np.lexsort((widths, heights))
    change = np.diff(heights[order], prepend=-1).astype(bool) | np.diff(widths[order], prepend=-1).astype(bool)
    for group in np.split(order, np.flatnonzero(change)[1:]):
        if not len(group):
            continue
        height, width = int(heights[group[0]]), int(widths[group[0]])
        step = max(_CELLS_AT_A_TIME // (8 * width * max(height, 1)), 1)
        for start in range(0, len(group), step):
            some = group[start : start + step]
            left = _padded(codes_a, some, height, _PADDING_A)
            right = _padded(codes_b, some, 8 * width, _PADDING_B)
            data = np.packbits(left[:, :, None] == right[:, None, :], bitorder="little").tobytes()
            size = height * width
            for at, index in enumerate(some.tolist()):
                yield index, int.from_bytes(data[at * size : (at + 1) * size], "little"), height, width


def _longest(equal: int, step: int, minimum: int) -> tuple[int, int]:
    """Return the starts and the length of the longest runs of at least `minimum` cells along a diagonal, or zeros."""
    starts, length = equal, 1
    while starts and length < minimum:
        more = min(length, minimum - length)
        starts, length = starts & (starts >> more * step), length + more
    if not starts:
        return 0, 0
    while longer := starts & (starts >> length * step):
        starts, length = longer, 2 * length
    # The longest run is shorter than twice the length found: halve what is between.
    base, fewest, most = starts, length, 2 * length
    while most - length > 1:
        middle = (length + most) // 2
        if longer := base & (base >> (middle - fewest) * step):
            starts, length = longer, middle
        else:
            most = middle
    return starts, length


def _place(starts: int, length: int, height: int, width: int) -> tuple[list[int], int]:
    """Return the rows where tiles start and the mask of the columns they cover, scanning rows and then columns."""
    if not starts & (starts - 1):
        row, column = divmod(starts.bit_length() - 1, 8 * width)
        return [row], ((1 << length) - 1) << column
    data = starts.to_bytes(width * height, "little")
    placed: list[int] = []
    row = covered = 0
    while first_tile := _NOT_ZERO.search(data, row * width):
        row = first_tile.start() // width
        free = int.from_bytes(data[row * width : (row + 1) * width], "little")
        # All tiles of this pass are equally long, so one that overlaps another covers the first or last column of it.
        free &= ~(covered | (covered >> (length - 1)))
        if free:
            placed.append(row)
            covered |= ((1 << length) - 1) << ((free & -free).bit_length() - 1)
            row += length
        else:
            row += 1
    return placed, covered


def _tiles(equal: int, height: int, width: int, minimum: int) -> list[int]:
    stride = 8 * width
    full = (1 << stride) - 1
    lengths: list[int] = []
    while equal:
        starts, length = _longest(equal, stride + 1, minimum)
        if not length:
            break
        placed, covered = _place(starts, length, height, width)
        lengths += [length] * len(placed)
        if length == minimum:
            break
        keep = bytearray((full ^ covered).to_bytes(width, "little") * height)
        for row in placed:
            keep[row * width : (row + length) * width] = bytes(length * width)
        equal &= int.from_bytes(keep, "little")
    return lengths


def tiles(a: Sequence[str], b: Sequence[str], minimum: int = 1) -> list[list[int]]:
    """Return the lengths of the tiles of greedy string tiling of each pair of strings, longest first.

    The longest common run of items that no tile covers yet becomes a tile, until none of `minimum` items is left. Of
    equally long runs the first in `a`, and then the first in `b`, is chosen. Later tiles may depend on that choice, so
    a symmetric measure must pass the two strings in an order of its own.

    Parameters
    ----------
    a, b
        n strings each, of one character an item.
    minimum
        Length of the shortest tile, at least 1.
    """
    lengths: list[list[int]] = [[] for _ in a]
    for index, equal, height, width in _equalities(a, b):
        lengths[index] = _tiles(equal, height, width, minimum)
    return lengths


def longest_runs(a: Sequence[str], b: Sequence[str]) -> np.ndarray:
    """Return the length of the longest common substring of each pair of strings, shape (n,), float64."""
    lengths = np.zeros(len(a))
    for index, equal, _, width in _equalities(a, b):
        lengths[index] = _longest(equal, 8 * width + 1, 1)[1]
    return lengths
