"""Similarity of synsets by their hypernyms: the measures of NLTK (Bird et al., 2009) and of Li et al. (2006)."""

import math
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from ..arrays.joins import chunks
from .hypernyms import HypernymPaths, JoinedPaths, cross
from .wordnet import CLASS_OF_KIND, WordNet

SAME = 1e300
"""Value that NLTK's Jiang-Conrath similarity has for infinity."""

LI = np.asarray([[math.exp(-0.2 * length) * math.tanh(0.45 * depth) for depth in range(32)] for length in range(64)])
"""The measure of Li et al. by length and depth."""

_APART = 1 << 10  # more than the length of any path


@cache
def _lch_table(deepest: tuple[int, ...]) -> np.ndarray:
    # Leacock and Chodorow's value by kind and distance; NLTK puts a root above all kinds but nouns.
    depths = [depth + (kind > 0) for kind, depth in enumerate(deepest)]
    return np.asarray([[-math.log((steps + 1) / (2.0 * depth)) for steps in range(64)] for depth in depths])


def lch_values(paths: HypernymPaths, kinds: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return Leacock and Chodorow's similarity of pairs of synsets of one kind, given the steps between them."""
    return _lch_table(paths.deepest)[kinds, np.minimum(steps, 63).astype(np.int64)]


def sense_pairs(
    wordnet: WordNet, x: np.ndarray, y: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield every pair of senses of some pairs of words at a time."""
    a, b = wordnet.senses(x), wordnet.senses(y)
    sizes = a.lengths * b.lengths
    for part in chunks(sizes):
        rows = np.arange(part.start, part.stop)
        s, t, offsets = cross(a.take(rows), b.take(rows))
        yield np.repeat(rows, sizes[part]), s, t, offsets


def _distance(paths: HypernymPaths, joined: JoinedPaths) -> np.ndarray:
    # Steps between the synsets of each pair by way of a common hypernym, _APART if there is none.
    steps = paths.depths[joined.first] + paths.depths[joined.second] - 2 * paths.depths[joined.node]
    steps[joined.node == 0] = _APART
    return np.minimum.reduceat(steps, joined.starts).astype(np.int64)


def _distance_by_root(paths: HypernymPaths, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    # NLTK puts a root above verbs, adjectives and adverbs, one step above the farthest hypernym of either synset.
    steps = _distance(paths, paths.joined(x, y))
    rooted = (paths.kinds[x] != 0) | (paths.kinds[y] != 0)
    return np.where(rooted, np.minimum(steps, paths.farthest[x] + paths.farthest[y] + 2), steps)


def _path(wordnet: WordNet, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    return 1.0 / (_distance_by_root(wordnet.paths, x, y) + 1)


def _lch(wordnet: WordNet, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    paths = wordnet.paths
    values = lch_values(paths, paths.kinds[x], _distance_by_root(paths, x, y))
    return np.where(paths.kinds[x] == paths.kinds[y], values, np.nan)


def _wup(wordnet: WordNet, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    paths = wordnet.paths
    joined = paths.joined(x, y)
    lowest, lowest_depth = paths.lowest_subsumer(joined)
    is_above = np.maximum.reduceat(joined.node == joined.first, joined.starts) & (wordnet.min_depth[x] == lowest_depth)
    subsumer = np.where(is_above, x, lowest)
    # NLTK's root is as deep as a real one and comes first among equals.
    root = ((paths.kinds[x] != 0) | (paths.kinds[y] != 0)) & ~is_above & (lowest_depth <= 0)
    subsumer = np.where(root, x, subsumer)
    depth = np.where(root, 1, wordnet.max_depth[subsumer].astype(np.int64) + 1)
    up = np.where(root, paths.farthest[x] + 1, _distance_by_root(paths, x, subsumer))
    down = np.where(root, paths.farthest[y] + 1, _distance_by_root(paths, y, subsumer))
    return 2.0 * depth / (up + down + 2 * depth)


def _shared_content(wordnet: WordNet, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    paths = wordnet.paths
    joined = paths.joined(x, y)
    shared = np.maximum.reduceat(np.append(content, 0.0)[paths.synsets[joined.node]], joined.starts)
    return np.where(paths.kinds[x] == paths.kinds[y], shared, np.nan)


def _lin(wordnet: WordNet, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    shared = _shared_content(wordnet, x, y, content)
    with np.errstate(invalid="ignore"):
        return 2.0 * shared / (content[x] + content[y])


def _jcn(wordnet: WordNet, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    shared, content_x, content_y = _shared_content(wordnet, x, y, content), content[x], content[y]
    apart = content_x + content_y - 2 * shared
    with np.errstate(divide="ignore"):
        values = np.where(apart == 0, SAME, 1 / apart)
    values[((content_x == 0) | (content_y == 0)) & ~np.isnan(shared)] = 0.0
    values[x == y] = SAME
    return values


def _li(wordnet: WordNet, x: np.ndarray, y: np.ndarray, content: np.ndarray) -> np.ndarray:
    paths = wordnet.paths
    joined = paths.joined(x, y)
    depth = np.maximum.reduceat(paths.depths[joined.node], joined.starts) - (paths.kinds[x] == 0)
    steps = np.minimum(_distance(paths, joined), 63)
    distant = np.flatnonzero((steps > 1) & (depth > 0))
    a, b, offsets = cross(wordnet.members(x[distant]), wordnet.members(y[distant]))
    if len(distant):
        steps[distant[np.logical_or.reduceat(a == b, offsets[:-1])]] = 1
    values = LI[steps, np.maximum(depth, 0)]
    return np.where(CLASS_OF_KIND[paths.kinds[x]] == CLASS_OF_KIND[paths.kinds[y]], values, np.nan)


_MEASURES: dict[str, Callable[[WordNet, np.ndarray, np.ndarray, np.ndarray], np.ndarray]] = {
    "path": _path,
    "lch": _lch,
    "wup": _wup,
    "res": _shared_content,
    "lin": _lin,
    "jcn": _jcn,
    "li": _li,
}
MEASURES = tuple(_MEASURES)
"""Names of the measures."""


def check_measure(measure: str) -> None:
    """Raise a ValueError if the measure is unknown."""
    if measure not in _MEASURES:
        raise ValueError(f"a similarity must be one of {', '.join(_MEASURES)}, got {measure!r}")


def similarity(wordnet: WordNet, measure: str, x: np.ndarray, y: np.ndarray, information: str = "semcor") -> np.ndarray:
    """Return the similarity of pairs of synsets.

    Parameters
    ----------
    wordnet
        Arrays of WordNet.
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
    check_measure(measure)
    content = wordnet.information_content(information)
    values = np.empty(len(x))
    lengths = wordnet.paths.of_synset.lengths
    for part in chunks(lengths[x] * lengths[y]):
        values[part] = _MEASURES[measure](wordnet, x[part], y[part], content)
    return values
