"""Best similarity over all pairs of senses of two words (Mihalcea et al., 2006), by `synset_similarity`.

A hypernym that two words share bounds every pair of senses below it, so each word is one row of hypernyms, each with
the least distance or content of a sense below it, and a pair costs the length of a row instead of a product.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..arrays.joins import share_rows
from ..arrays.ragged import Ragged, offsets_of
from .hypernym_paths import HypernymPaths
from .synset_similarity import LI, SAME, check_measure, lch_values, sense_pairs, similarity
from .wordnet import WordNet

_SENSE_BITS = 20
_SENSES = (1 << _SENSE_BITS) - 1
_NO_STEPS = 1 << 40


class Lineage(NamedTuple):
    """Words as rows of hypernyms of their senses, a hypernym once a sense.

    Attributes
    ----------
    items
        Synsets, then the five virtual roots, one a kind of synset.
    senses
        The sense that each entry comes from.
    steps
        Its distance; to a virtual root as NLTK counts it.
    crossings
        Its distance if the way may lead over any other hypernym of both.
    """

    items: Ragged
    senses: np.ndarray
    steps: np.ndarray
    crossings: np.ndarray


def _lineage(wordnet: WordNet, words: np.ndarray) -> Lineage:
    senses, paths = wordnet.senses(words), wordnet.paths
    kinds = paths.kinds[senses.values]
    above = wordnet.ancestors(senses.values)
    rooted = kinds != 0
    offsets = offsets_of(above.synsets.lengths + rooted)
    root = np.zeros(offsets[-1], dtype=bool)
    root[offsets[1:][rooted] - 1] = True
    items, steps, crossings = (np.empty(offsets[-1], dtype=np.int64) for _ in range(3))
    items[~root], items[root] = above.synsets.values, len(paths.kinds) + kinds[rooted]
    for target, source in ((steps, above.distances), (crossings, above.crossings)):
        target[~root], target[root] = source, paths.farthest[senses.values[rooted]] + 1
    of = np.repeat(senses.values.astype(np.int64), np.diff(offsets))
    return Lineage(Ragged(items, offsets[senses.offsets]), of, steps, crossings)


def _least_steps(call: "_Call", items: Ragged) -> np.ndarray:
    least = np.empty(len(call.pairs[0]))
    for found in share_rows(items, call.lineage.steps.astype(np.float64), call.pairs, call.size, np.inf):
        least[found.part] = np.minimum.reduceat(found.first + found.second, found.starts)
    return least


def _merged(call: "_Call") -> Ragged:
    # By path and depth, adjectives and satellites meet in one root; the other measures of NLTK keep them apart.
    items = call.lineage.items
    return Ragged(np.where(items.values == call.size - 1, call.size - 3, items.values), items.offsets)


def _path(call: "_Call") -> np.ndarray:
    return 1.0 / (_least_steps(call, _merged(call)) + 1)


def _lch(call: "_Call") -> np.ndarray:
    steps = _least_steps(call, call.lineage.items)
    values = lch_values(call.paths, call.classes, steps)
    return np.where(np.isinf(steps), 0.0, values)


def _res(call: "_Call") -> np.ndarray:
    best = np.empty(len(call.pairs[0]))
    # Negative, so that an item which only one side has counts 0 without a look.
    less = -call.content[call.lineage.items.values]
    for found in share_rows(call.lineage.items, less, call.pairs, call.size, 0.0):
        best[found.part] = 0.0 - np.minimum.reduceat(found.first, found.starts)
    return best


def _lin(call: "_Call") -> np.ndarray:
    best = np.empty(len(call.pairs[0]))
    for found in share_rows(call.lineage.items, call.content[call.lineage.senses], call.pairs, call.size, np.inf):
        total = found.first + found.second
        shares = 2.0 * call.content[found.items] / np.where(total == 0, np.inf, total)
        best[found.part] = np.maximum.reduceat(shares, found.starts)
    return best


def _jcn(call: "_Call") -> np.ndarray:
    own = call.content[call.lineage.senses]
    least = np.empty(len(call.pairs[0]))
    for found in share_rows(call.lineage.items, np.where(own == 0, np.inf, own), call.pairs, call.size, np.inf):
        apart = found.first + found.second - 2 * call.content[found.items]
        least[found.part] = np.minimum.reduceat(apart, found.starts)
    one = call.pairs[0] == call.pairs[1]
    return np.where((least == 0) | one, SAME, 1.0 / np.where(least == 0, 1.0, least))


def _wup(call: "_Call") -> np.ndarray:
    # The deepest bound is the value if NLTK takes that hypernym for those senses; if not, all senses are tried.
    codes = call.lineage.crossings << _SENSE_BITS | call.lineage.senses
    best, senses = np.empty(len(call.pairs[0])), np.empty((2, len(call.pairs[0])), dtype=np.int64)
    depths = np.append(call.wordnet.max_depth.astype(np.int64) + 1, np.ones(5, dtype=np.int64))
    # A real root ranks behind the virtual one, unless it is one of the two synsets.
    real = np.append((call.paths.kinds != 0) & (call.wordnet.max_depth == 0), np.zeros(5, dtype=bool))
    for found in share_rows(_merged(call), codes, call.pairs, call.size, _NO_STEPS << _SENSE_BITS):
        up, down = found.first >> _SENSE_BITS, found.second >> _SENSE_BITS
        depth = depths[found.items]
        bounds = 2.0 * depth / (up + down + 2 * depth)
        bounds[real[found.items] & (up > 0) & (down > 0)] = 0.0
        best[found.part] = np.maximum.reduceat(bounds, found.starts)
        rows = np.repeat(np.arange(len(found.starts)), np.diff(found.offsets))
        hits = np.flatnonzero(bounds == best[found.part][rows])
        first = hits[np.diff(rows[hits], prepend=-1) != 0]
        senses[:, found.part] = found.first[first] & _SENSES, found.second[first] & _SENSES
    x, y = senses
    exact = np.maximum(similarity(call.wordnet, "wup", x, y), similarity(call.wordnet, "wup", y, x))
    return _exhausted(call, "wup", best, exact == best)


def _li(call: "_Call") -> np.ndarray:
    # The same with two bounds, the least distance and the greatest depth, and where the senses share no lemma.
    depths = np.append(call.wordnet.max_depth.astype(np.int64) + (call.paths.kinds != 0), np.zeros(5, dtype=np.int64))
    best, attained = np.zeros(len(call.pairs[0])), np.zeros(len(call.pairs[0]), dtype=bool)
    for found in share_rows(call.lineage.items, call.lineage.steps, call.pairs, call.size, _NO_STEPS):
        shared = (found.first < _NO_STEPS) & (found.items < call.size - 5)
        steps = np.where(shared, np.minimum(found.first + found.second, len(LI) - 1), len(LI) - 1)
        depth = np.where(shared, depths[found.items], 0)
        bound = LI[np.minimum.reduceat(steps, found.starts), np.maximum.reduceat(depth, found.starts)]
        best[found.part] = np.maximum.reduceat(LI[steps, depth], found.starts)
        attained[found.part] = best[found.part] == bound
    senses = call.wordnet.senses(call.words)
    members = call.wordnet.members(senses.values)
    names = Ragged(members.values.astype(np.int64), members.offsets[senses.offsets])
    for found in share_rows(names, np.zeros(len(names.values)), call.pairs, call.wordnet.size, np.inf):
        attained[found.part] &= np.isinf(np.minimum.reduceat(found.first, found.starts))
    return _exhausted(call, "li", best, attained | (call.pairs[0] == call.pairs[1]))


def _exhausted(call: "_Call", measure: str, best: np.ndarray, done: np.ndarray) -> np.ndarray:
    left = np.flatnonzero(~done)
    x, y = (call.words[side[left]] for side in call.pairs)
    for rows, s, t, offsets in sense_pairs(call.wordnet, x, y):
        found = similarity(call.wordnet, measure, s, t)
        if measure == "wup":
            found = np.maximum(found, similarity(call.wordnet, measure, t, s))
        starts = offsets[:-1]
        best[left[rows[starts]]] = np.maximum.reduceat(np.where(np.isnan(found), -np.inf, found), starts)
    return best


class _Call(NamedTuple):
    """What a measure needs of one call: the words, the pairs of them, their lineage and the content of its items."""

    wordnet: WordNet
    paths: HypernymPaths
    words: np.ndarray
    pairs: tuple[np.ndarray, np.ndarray]
    lineage: Lineage
    content: np.ndarray

    @property
    def size(self) -> int:
        return len(self.paths.kinds) + 5

    @property
    def classes(self) -> np.ndarray:
        return self.wordnet.word_classes(self.words[self.pairs[0]])


_MEASURES: dict[str, Callable[[_Call], np.ndarray]] = {
    "path": _path,
    "lch": _lch,
    "wup": _wup,
    "res": _res,
    "lin": _lin,
    "jcn": _jcn,
    "li": _li,
}


def word_similarity(
    wordnet: WordNet, measure: str, x: np.ndarray, y: np.ndarray, information: str = "semcor"
) -> np.ndarray:
    """Return the best similarity over all pairs of senses of two words of one part of speech.

    Symmetric: of ``wup``, which NLTK makes depend on the order for some verbs, the larger value counts.

    Parameters
    ----------
    wordnet, measure, information
        As in `synset_similarity.similarity`.
    x, y
        Words, shape (n,); -1 for an unknown one.

    Returns
    -------
    np.ndarray
        Shape (n,), float64; 0 where a word is unknown, the parts of speech differ or no pair of senses has a value.

    Raises
    ------
    ValueError
        If the measure or the kind of information is unknown.
    """
    check_measure(measure)
    content = np.append(wordnet.information_content(information), np.zeros(5))
    known = (x >= 0) & (y >= 0) & (wordnet.word_classes(x) == wordnet.word_classes(y))
    values = np.zeros(len(x))
    if not known.any():
        return values
    words, place = np.unique(np.concatenate([x[known], y[known]]), return_inverse=True)
    lineage = _lineage(wordnet, words)
    # The longer row is made a dense table, the shorter one is read once a pair.
    rank = np.empty(len(words), dtype=np.int64)
    rank[np.argsort(-lineage.items.lengths, kind="stable")] = np.arange(len(words))
    order = np.argsort(rank)
    one, other = np.split(rank[place], 2)
    keys, place = np.unique(np.minimum(one, other) * len(words) + np.maximum(one, other), return_inverse=True)
    pairs = order[keys // len(words)], order[keys % len(words)]
    found = _MEASURES[measure](_Call(wordnet, wordnet.paths, words, pairs, lineage, content))
    values[known] = found[place]
    return values
