"""Similarity of WordNet synsets by their hypernyms: the measures of NLTK (Bird et al., 2009) and of Li et al. (2006).

Every hypernym path is a node of a tree that is numbered in pre-order, so that what two paths share is found by the
minimum of a range of parents: a few look-ups a pair instead of two walks up the hierarchy.
"""

import math
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..arrays.joins import chunks
from ..arrays.ragged import Ragged, offsets_of

if TYPE_CHECKING:
    from .wordnet import WordNet

CLASS_OF_KIND = np.array([0, 1, 2, 3, 2])
"""Part of speech by the kind of a synset: noun, verb, adjective, adverb, adjective satellite."""

SAME = 1e300
"""What NLTK's Jiang-Conrath similarity gives for infinity."""

LI = np.asarray([[math.exp(-0.2 * length) * math.tanh(0.45 * depth) for depth in range(32)] for length in range(64)])
"""The measure of Li et al. by length and depth."""

_APART = 1 << 10  # more than the length of any path
_SYNSETS = (1 << 20) - 1


class Paths:
    """The tree of hypernym paths; node 0 stands above all roots."""

    def __init__(self, wordnet: "WordNet") -> None:
        arrays = wordnet.arrays
        self.wordnet = wordnet
        self.parents, self.depths = arrays["path_parents"], arrays["path_depths"].astype(np.int16)
        self.synsets = arrays["path_synsets"]
        self.of_synset = Ragged(arrays["paths"], arrays["path_offsets"])
        self.kinds = wordnet.kinds.astype(np.int64)
        steps = np.maximum.reduceat(np.append(arrays["ancestor_distances"], 0), arrays["ancestor_offsets"][:-1])
        steps[np.diff(arrays["ancestor_offsets"]) == 0] = 0
        self.farthest = steps[arrays["ancestor_rows"]].astype(np.int64)
        deepest = np.zeros(5, dtype=np.int64)
        np.maximum.at(deepest, self.kinds, wordnet.max_depth)
        taxonomy = deepest + (np.arange(5) > 0)
        self.lch = np.asarray([[-math.log((d + 1) / (2.0 * depth)) for d in range(64)] for depth in taxonomy.tolist()])

    @cached_property
    def _minima(self) -> np.ndarray:
        # Row k: the least parent of 2**k nodes in sequence.
        size = len(self.parents)
        rows = np.empty((size.bit_length(), size + 1), dtype=np.int32)
        rows[0, :size], rows[0, size] = self.parents, 0
        for k in range(1, len(rows)):
            half = 1 << (k - 1)
            np.minimum(rows[k - 1, :-half], rows[k - 1, half:], out=rows[k, :-half])
            rows[k, -half:] = rows[k - 1, -half:]
        return rows

    @cached_property
    def _log2(self) -> np.ndarray:
        return (np.frexp(np.arange(len(self.parents)))[1] - 1).clip(0).astype(np.int8)

    def joined(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return the last node that two paths share."""
        low, high = np.minimum(i, j), np.maximum(i, j)
        k = self._log2[high - low].astype(np.int64)
        table, width = self._minima.ravel(), self._minima.shape[1]
        k_row = k * width
        least = np.minimum(table[k_row + low + 1], table[k_row + high + 1 - (1 << k)])
        return np.where(low == high, i, least)

    @cached_property
    def lowest(self) -> np.ndarray:
        """For each path the synset on it of the greatest `min_depth`, the first by name: depth and inverted number."""
        own = np.append(self.wordnet.min_depth.astype(np.int64) << 20 | _SYNSETS - np.arange(len(self.kinds)), -1)
        keys = own[self.synsets]
        for depth in range(2, int(self.depths.max()) + 1):
            nodes = np.flatnonzero(self.depths == depth)
            keys[nodes] = np.maximum(keys[nodes], keys[self.parents[nodes]])
        return keys


class Met(NamedTuple):
    """For each pair of paths of n pairs of synsets both ends and where they join; where each pair of synsets begins."""

    i: np.ndarray
    j: np.ndarray
    node: np.ndarray
    starts: np.ndarray


def cross(a: Ragged, b: Ragged) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return every value of row i of `a` with every one of row i of `b`, and the offsets of the rows."""
    lengths_b = b.lengths
    rows = a.rows
    return np.repeat(a.values, lengths_b[rows]), b.take(rows).values, offsets_of(a.lengths * lengths_b)


def sense_pairs(
    wordnet: "WordNet", x: np.ndarray, y: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield, some pairs of words at a time, the pair, both synsets, and the offsets of every pair of their senses."""
    a, b = wordnet.senses(x), wordnet.senses(y)
    sizes = a.lengths * b.lengths
    for part in chunks(sizes):
        rows = np.arange(part.start, part.stop)
        s, t, offsets = cross(a.take(rows), b.take(rows))
        yield np.repeat(rows, sizes[part]), s, t, offsets


def _meet(paths: Paths, x: np.ndarray, y: np.ndarray) -> Met:
    i, j, offsets = cross(paths.of_synset.take(x), paths.of_synset.take(y))
    return Met(i, j, paths.joined(i, j), offsets[:-1])


def _distance(paths: Paths, met: Met) -> np.ndarray:
    # Steps between the synsets of each pair by way of a hypernym of both, _APART if there is none.
    steps = paths.depths[met.i] + paths.depths[met.j] - 2 * paths.depths[met.node]
    steps[met.node == 0] = _APART
    return np.minimum.reduceat(steps, met.starts).astype(np.int64)


def _rooted(paths: Paths, x: np.ndarray, y: np.ndarray, steps: np.ndarray) -> np.ndarray:
    # NLTK puts a root above verbs, adjectives and adverbs, one step above the farthest hypernym of either synset.
    needed = (paths.kinds[x] != 0) | (paths.kinds[y] != 0)
    return np.where(needed, np.minimum(steps, paths.farthest[x] + paths.farthest[y] + 2), steps)


def _shortest(paths: Paths, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return _rooted(paths, x, y, _distance(paths, _meet(paths, x, y)))


def _path(paths: Paths, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    return 1.0 / (_shortest(paths, x, y) + 1)


def _lch(paths: Paths, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    values = paths.lch[paths.kinds[x], np.minimum(_shortest(paths, x, y), 63)]
    return np.where(paths.kinds[x] == paths.kinds[y], values, np.nan)


def _wup(paths: Paths, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    met = _meet(paths, x, y)
    best = np.maximum.reduceat(paths.lowest[met.node], met.starts)
    own = np.maximum.reduceat(met.node == met.i, met.starts) & (paths.wordnet.min_depth[x] == best >> 20)
    subsumer = np.where(own, x, _SYNSETS - (best & _SYNSETS))
    # NLTK's root is as deep as a real one and comes first among equals.
    root = ((paths.kinds[x] != 0) | (paths.kinds[y] != 0)) & ~own & (best >> 20 <= 0)
    subsumer = np.where(root, x, subsumer)
    depth = np.where(root, 1, paths.wordnet.max_depth[subsumer].astype(np.int64) + 1)
    up = np.where(root, paths.farthest[x] + 1, _shortest(paths, x, subsumer))
    down = np.where(root, paths.farthest[y] + 1, _shortest(paths, y, subsumer))
    return 2.0 * depth / (up + down + 2 * depth)


def _shared_content(
    paths: Paths, x: np.ndarray, y: np.ndarray, content: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    met = _meet(paths, x, y)
    shared = np.maximum.reduceat(np.append(content, 0.0)[paths.synsets[met.node]], met.starts)
    return np.where(paths.kinds[x] == paths.kinds[y], shared, np.nan), content[x], content[y]


def _res(paths: Paths, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    return _shared_content(paths, x, y, content)[0]


def _lin(paths: Paths, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    shared, own_x, own_y = _shared_content(paths, x, y, content)
    with np.errstate(invalid="ignore"):
        return 2.0 * shared / (own_x + own_y)


def _jcn(paths: Paths, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    shared, own_x, own_y = _shared_content(paths, x, y, content)
    apart = own_x + own_y - 2 * shared
    with np.errstate(divide="ignore"):
        values = np.where(apart == 0, SAME, 1 / apart)
    values[((own_x == 0) | (own_y == 0)) & ~np.isnan(shared)] = 0.0
    values[x == y] = SAME
    return values


def _li(paths: Paths, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    met = _meet(paths, x, y)
    depth = np.maximum.reduceat(paths.depths[met.node], met.starts) - (paths.kinds[x] == 0)
    steps = np.minimum(_distance(paths, met), 63)
    long = np.flatnonzero((steps > 1) & (depth > 0))
    members = Ragged(paths.wordnet.arrays["members"], paths.wordnet.arrays["member_offsets"])
    a, b, offsets = cross(members.take(x[long]), members.take(y[long]))
    if len(long):
        steps[long[np.logical_or.reduceat(a == b, offsets[:-1])]] = 1
    values = LI[steps, np.maximum(depth, 0)]
    return np.where(CLASS_OF_KIND[paths.kinds[x]] == CLASS_OF_KIND[paths.kinds[y]], values, np.nan)


_MEASURES: dict[str, Callable[[Paths, np.ndarray, np.ndarray, np.ndarray], np.ndarray]] = {
    "path": _path,
    "lch": _lch,
    "wup": _wup,
    "res": _res,
    "lin": _lin,
    "jcn": _jcn,
    "li": _li,
}
MEASURES = tuple(_MEASURES)
"""Names of the measures."""


def check(measure: str) -> None:
    """Raise a ValueError if the measure is unknown."""
    if measure not in _MEASURES:
        raise ValueError(f"similarity {measure!r} is unknown; choose one of {', '.join(_MEASURES)}")


def similarity(
    wordnet: "WordNet", measure: str, x: np.ndarray, y: np.ndarray, information: str = "semcor"
) -> np.ndarray:
    """Return the similarity of pairs of synsets.

    Parameters
    ----------
    wordnet
        The facts.
    measure
        ``path``, ``wup`` (Wu and Palmer, 1994), ``lch`` (Leacock and Chodorow, 1998), ``res`` (Resnik, 1995), ``lin``
        (Lin, 1998), ``jcn`` (Jiang and Conrath, 1997): the values of NLTK, NaN where it has none. ``li`` (Li et al.,
        2006): ``exp(-0.2 l) tanh(0.45 h)``, l the steps between the synsets, at most 1 if they share a lemma, and h the
        depth of their deepest common hypernym, roots that are not nouns being of depth 1.
    x, y
        Synsets, shape (n,).
    information
        The kind of `WordNet.information_content` that res, lin and jcn use.

    Returns
    -------
    np.ndarray
        Shape (n,), float64.

    Raises
    ------
    ValueError
        If the measure or the kind is unknown.
    """
    check(measure)
    paths, content = wordnet.paths, wordnet.information_content(information)
    values = np.empty(len(x))
    lengths = paths.of_synset.lengths
    for part in chunks(lengths[x] * lengths[y]):
        values[part] = _MEASURES[measure](paths, x[part], y[part], content)
    return values
