"""Best similarity over all pairs of senses of two words (Mihalcea et al., 2006), by `synset_similarity`.

A hypernym that two words share bounds every pair of senses below it. Each word is therefore one row of hypernyms, each
with the least distance or content of a sense below it, and a pair costs the length of a row instead of a product.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..arrays.joins import share_rows
from ..arrays.ragged import Ragged, offsets_of
from .hypernyms import HypernymPaths
from .synset_similarity import LI, SAME, check_measure, lch_values, sense_pairs, similarity
from .wordnet import WordNet

_SENSE_BITS = 20
_SENSES = (1 << _SENSE_BITS) - 1
_NO_STEPS = 1 << 40


class Lineage(NamedTuple):
    """Words as rows of hypernyms of their senses, a hypernym once a sense."""

    items: Ragged  # synsets, then the five virtual roots, one a kind of synset
    senses: np.ndarray  # the sense of each entry
    steps: np.ndarray  # distance of each entry; to a virtual root by NLTK's count
    crossings: np.ndarray  # distance by a path that may cross any other hypernym of both


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
    for shared in share_rows(items, call.lineage.steps.astype(np.float64), call.pairs, call.size, np.inf):
        least[shared.part] = np.minimum.reduceat(shared.first + shared.second, shared.starts)
    return least


def _merged(call: "_Call") -> Ragged:
    # For path and depth, adjectives and satellites have one root; for the other measures of NLTK, two.
    items = call.lineage.items
    return Ragged(np.where(items.values == call.size - 1, call.size - 3, items.values), items.offsets)


def _path(call: "_Call") -> np.ndarray:
    return 1.0 / (_least_steps(call, _merged(call)) + 1)


def _lch(call: "_Call") -> np.ndarray:
    steps = _least_steps(call, call.lineage.items)
    values = lch_values(call.paths, call.classes, steps)
    return np.where(np.isinf(steps), 0.0, values)


def _by_content(call: "_Call", values: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    # Some pairs at a time that share a hypernym: the pairs, where each begins, the content of the hypernyms that both
    # words of a pair have, and the least sum of the values of two senses below each.
    for shared in share_rows(call.lineage.items, values, call.pairs, call.size, np.inf):
        common = np.flatnonzero(np.isfinite(shared.first))
        starts = np.searchsorted(common, shared.starts)
        some = np.flatnonzero(np.diff(starts, append=len(common)))
        total = shared.first[common] + shared.second[common]
        yield some + shared.part.start, starts[some], call.content[shared.items[common]], total


def _contents(call: "_Call") -> dict[str, np.ndarray]:
    # All three from one walk, which takes longer than what each adds.
    res, lin, apart = np.zeros((3, len(call.pairs[0])))
    apart[:] = np.inf
    contents = call.content[call.lineage.senses]
    for rows, starts, shared, total in _by_content(call, contents):
        res[rows] = np.maximum.reduceat(shared, starts)
        lin[rows] = np.maximum.reduceat(2.0 * shared / np.where(total == 0, np.inf, total), starts)
        apart[rows] = np.minimum.reduceat(total - 2 * shared, starts)
    if not contents.all():
        # Jiang-Conrath similarity knows no sense without content, and few words have one.
        apart[:] = np.inf
        for rows, starts, shared, total in _by_content(call, np.where(contents == 0, np.inf, contents)):
            apart[rows] = np.minimum.reduceat(total - 2 * shared, starts)
    same = (apart == 0) | (call.pairs[0] == call.pairs[1])
    return {"res": res, "lin": lin, "jcn": np.where(same, SAME, 1.0 / np.where(apart == 0, 1.0, apart))}


def _wup(call: "_Call") -> np.ndarray:
    # The greatest bound is the value if NLTK chooses that hypernym for those senses; otherwise all senses are tried.
    codes = call.lineage.crossings << _SENSE_BITS | call.lineage.senses
    best, senses = np.empty(len(call.pairs[0])), np.empty((2, len(call.pairs[0])), dtype=np.int64)
    depths = np.append(call.wordnet.max_depth.astype(np.int64) + 1, np.ones(5, dtype=np.int64))
    # A real root comes after the virtual one, unless it is one of the two synsets.
    real = np.append((call.paths.kinds != 0) & (call.wordnet.max_depth == 0), np.zeros(5, dtype=bool))
    for shared in share_rows(_merged(call), codes, call.pairs, call.size, _NO_STEPS << _SENSE_BITS):
        up, down = shared.first >> _SENSE_BITS, shared.second >> _SENSE_BITS
        depth = depths[shared.items]
        bounds = 2.0 * depth / (up + down + 2 * depth)
        bounds[real[shared.items] & (up > 0) & (down > 0)] = 0.0
        best[shared.part] = np.maximum.reduceat(bounds, shared.starts)
        rows = np.repeat(np.arange(len(shared.starts)), np.diff(shared.offsets))
        hits = np.flatnonzero(bounds == best[shared.part][rows])
        first = hits[np.diff(rows[hits], prepend=-1) != 0]
        senses[:, shared.part] = shared.first[first] & _SENSES, shared.second[first] & _SENSES
    x, y = senses
    exact = np.maximum(similarity(call.wordnet, "wup", x, y), similarity(call.wordnet, "wup", y, x))
    return _exhausted(call, "wup", best, exact == best)


def _li(call: "_Call") -> np.ndarray:
    # As for wup, with two bounds, the least distance and the greatest depth, if the senses share no lemma.
    depths = np.append(call.wordnet.max_depth.astype(np.int64) + (call.paths.kinds != 0), np.zeros(5, dtype=np.int64))
    best, attained = np.zeros(len(call.pairs[0])), np.zeros(len(call.pairs[0]), dtype=bool)
    for rows_shared in share_rows(call.lineage.items, call.lineage.steps, call.pairs, call.size, _NO_STEPS):
        shared = (rows_shared.first < _NO_STEPS) & (rows_shared.items < call.size - 5)
        steps = np.where(shared, np.minimum(rows_shared.first + rows_shared.second, len(LI) - 1), len(LI) - 1)
        depth = np.where(shared, depths[rows_shared.items], 0)
        bound = LI[np.minimum.reduceat(steps, rows_shared.starts), np.maximum.reduceat(depth, rows_shared.starts)]
        best[rows_shared.part] = np.maximum.reduceat(LI[steps, depth], rows_shared.starts)
        attained[rows_shared.part] = best[rows_shared.part] == bound
    senses = call.wordnet.senses(call.words)
    members = call.wordnet.members(senses.values)
    names = Ragged(members.values.astype(np.int64), members.offsets[senses.offsets])
    for rows_shared in share_rows(names, np.zeros(len(names.values)), call.pairs, call.wordnet.size, np.inf):
        attained[rows_shared.part] &= np.isinf(np.minimum.reduceat(rows_shared.first, rows_shared.starts))
    return _exhausted(call, "li", best, attained | (call.pairs[0] == call.pairs[1]))


def _exhausted(call: "_Call", measure: str, best: np.ndarray, done: np.ndarray) -> np.ndarray:
    left = np.flatnonzero(~done)
    x, y = (call.words[side[left]] for side in call.pairs)
    for rows, s, t, offsets in sense_pairs(call.wordnet, x, y):
        values = similarity(call.wordnet, measure, s, t)
        if measure == "wup":
            values = np.maximum(values, similarity(call.wordnet, measure, t, s))
        starts = offsets[:-1]
        best[left[rows[starts]]] = np.maximum.reduceat(np.where(np.isnan(values), -np.inf, values), starts)
    return best


class _Call(NamedTuple):
    """Arguments of a measure: the words, pairs of them, their lineage and the content of its items."""

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


_MEASURES: dict[str, Callable[[_Call], np.ndarray]] = {"path": _path, "lch": _lch, "wup": _wup, "li": _li}


def word_similarity(
    wordnet: WordNet, measure: str, x: np.ndarray, y: np.ndarray, information: str = "semcor"
) -> np.ndarray:
    """Return the best similarity over all pairs of senses of two words, shape (n,), as `word_similarities`."""
    one: np.ndarray = word_similarities(wordnet, (measure,), x, y, information)[0]
    return one


def word_similarities(
    wordnet: WordNet, measures: Sequence[str], x: np.ndarray, y: np.ndarray, information: str = "semcor"
) -> np.ndarray:
    """Return the best similarity over all pairs of senses of two words of one part of speech, by each measure.

    Symmetric: ``wup`` of NLTK depends on the order for some verbs; the larger value counts. Resnik, Lin and
    Jiang-Conrath similarity take together hardly longer than one of them.

    Parameters
    ----------
    wordnet, information
        As in `synset_similarity.similarity`.
    measures
        k of its measures.
    x, y
        Words, shape (n,); -1 for an unknown one.

    Returns
    -------
    np.ndarray
        Shape (k, n), float64; 0 if a word is unknown, the parts of speech differ or no pair of senses has a value.

    Raises
    ------
    ValueError
        If a measure or the kind of information is unknown.
    """
    for measure in measures:
        check_measure(measure)
    content = np.append(wordnet.information_content(information), np.zeros(5))
    comparable = (x >= 0) & (y >= 0) & (wordnet.word_classes(x) == wordnet.word_classes(y))
    values = np.zeros((len(measures), len(x)))
    if not comparable.any():
        return values
    words, place = np.unique(np.concatenate([x[comparable], y[comparable]]), return_inverse=True)
    lineage = _lineage(wordnet, words)
    # The longer row becomes a dense table; the shorter one is read once a pair.
    rank = np.empty(len(words), dtype=np.int64)
    rank[np.argsort(-lineage.items.lengths, kind="stable")] = np.arange(len(words))
    order = np.argsort(rank)
    first, second = np.split(rank[place], 2)
    keys, place = np.unique(np.minimum(first, second) * len(words) + np.maximum(first, second), return_inverse=True)
    pairs = order[keys // len(words)], order[keys % len(words)]
    call = _Call(wordnet, wordnet.paths, words, pairs, lineage, content)
    best = {} if _MEASURES.keys() >= {*measures} else _contents(call)
    for row, measure in zip(values, measures, strict=True):
        row[comparable] = (best[measure] if measure in best else _MEASURES[measure](call))[place]
    return values
