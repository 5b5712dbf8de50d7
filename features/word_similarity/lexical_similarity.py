"""WordNet that the features of a batch read."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..alignment.word_relatedness import PARAPHRASE, forms
from ..alignment.word_relatedness import paraphrased as paraphrase_pairs
from ..arrays.joins import PairSet
from ..arrays.ragged import Ragged
from ..base.sentences import PairBatch
from ..base.token_sequences import token_ids, vocabulary
from ..lexicon.sense_similarity import word_similarities, word_similarity
from ..lexicon.wordnet import WordNet, wordnet
from .word_grids import NUMBER, Cells, Grid, terms, terms_of


def wordnet_of(pairs: PairBatch) -> WordNet:
    """Return the user-supplied WordNet of a batch, or the shipped one if it has none."""
    own: WordNet | None = pairs.own_tables.get("wordnet")
    return wordnet() if own is None else own


DERIVED = 0.8
"""Relatedness of a word and another that derives from it or pertains to it."""

_KEPT = 1 << 19  # pairs of words by measure, or 8 MB; 1,024 pairs of STS Benchmark train have up to 60,000

Measure = Callable[[PairBatch, np.ndarray, np.ndarray], np.ndarray]
"""Function from a batch and two arrays of its `terms` to their similarity in [0, 1]; symmetric."""


class _Table:
    """Similarities that were computed for a batch so far."""

    def __init__(self) -> None:
        self.codes, self.values = np.empty(0, dtype=np.int64), np.empty(0)

    def look_up(self, pairs: PairBatch, codes: np.ndarray, measure: Measure) -> np.ndarray:
        """Return the similarity of each of the distinct codes."""
        place = np.searchsorted(self.codes, codes)
        is_cached = np.append(self.codes, -1)[place] == codes
        values = np.append(self.values, 0.0)[place]
        new = codes[~is_cached]
        if len(new):
            values[~is_cached] = measure(pairs, *terms_of(new))
            if len(self.codes) + len(new) <= _KEPT:
                self.codes = np.insert(self.codes, place[~is_cached], new)
                self.values = np.insert(self.values, place[~is_cached], values[~is_cached])
        return values


def similarities(pairs: PairBatch, grid: Grid, measure: Measure) -> Iterator[tuple[Cells, np.ndarray]]:
    """Yield the cells of a grid, some rows at a time, and the similarity of their words."""
    table = pairs.memo(("word similarity", measure), _Table)
    for cells in grid:
        yield cells, table.look_up(pairs, cells.codes, measure)[cells.which]


def best(pairs: PairBatch, grid: Grid, measure: Measure) -> tuple[np.ndarray, np.ndarray]:
    """Return for each entry of ``grid.a`` and of ``grid.b`` its greatest similarity to an entry of the other side."""

    def compute() -> tuple[np.ndarray, np.ndarray]:
        best_a, best_b = np.zeros(len(grid.a.values)), np.zeros(len(grid.b.values))
        for cells, values in similarities(pairs, grid, measure):
            np.maximum.at(best_a, cells.i, values)
            np.maximum.at(best_b, cells.j, values)
        return best_a, best_b

    return pairs.memo(("best word", grid.name, measure), compute)


def wordnet_words(pairs: PairBatch) -> np.ndarray:
    """Return the word of WordNet of each term; -1 for an unknown one."""
    batch_terms = terms(pairs)
    hashes = vocabulary(pairs, "lemmas").hashes
    return pairs.memo(
        "wordnet words", lambda: wordnet_of(pairs).hashed_word_ids(hashes[batch_terms.lemmas], batch_terms.classes)
    )


_CLASSES = (0, 1, 2, 3)


def wordnet_similarities(
    pairs: PairBatch,
    names: Sequence[str],
    x: np.ndarray,
    y: np.ndarray,
    classes: tuple[int, ...] = _CLASSES,
    information: str = "semcor",
) -> np.ndarray:
    """Return k measures of `sense_similarity.word_similarities` of n terms in [0, 1], shape (k, n); 1 for equal lemmas.

    Resnik similarity is divided by the greatest information content, and Jiang-Conrath similarity is clipped at 1.
    """
    batch_terms, words, net = terms(pairs), wordnet_words(pairs), wordnet_of(pairs)
    values = np.zeros((len(names), len(x)))
    same_class = batch_terms.classes[x] == batch_terms.classes[y]
    used = np.flatnonzero(same_class & np.isin(batch_terms.classes[x], classes) & (words[x] >= 0) & (words[y] >= 0))
    found = word_similarities(net, names, words[x[used]], words[y[used]], information)
    equal = batch_terms.lemmas[x] == batch_terms.lemmas[y]
    for name, row, similarity in zip(names, values, found, strict=True):
        scale = net.greatest_content(information) if name == "res" else 1.0
        row[used] = np.clip(similarity / scale, 0.0, 1.0)
        row[equal] = 1.0
    return values


@dataclass(frozen=True)
class WordNetMeasure:
    """One of `wordnet_similarities`."""

    name: str
    classes: tuple[int, ...] = _CLASSES
    information: str = "semcor"

    def __call__(self, pairs: PairBatch, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the similarity of terms."""
        one: np.ndarray = wordnet_similarities(pairs, (self.name,), x, y, self.classes, self.information)[0]
        return one


class _Words(NamedTuple):
    # By term: stems of word and lemma, word of WordNet, whether it is a number; and the pairs of the paraphrase table.
    stems: np.ndarray
    senses: np.ndarray
    number: np.ndarray
    paraphrases: PairSet


def _words(pairs: PairBatch) -> _Words:
    def compute() -> _Words:
        batch_terms, batch_forms = terms(pairs), forms(pairs)
        parts = np.stack([batch_terms.words, batch_forms.of_lemma[batch_terms.lemmas]])
        words = vocabulary(pairs, "words").items
        digits = np.fromiter((item[:1].isdigit() for item in words), dtype=bool, count=len(words))[batch_terms.words]
        number = digits | (batch_terms.classes == NUMBER)
        return _Words(batch_forms.stem[parts], wordnet_words(pairs), number, paraphrase_pairs(batch_forms, parts))

    return pairs.memo("words compared", compute)


def hypernymy(pairs: PairBatch, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the path similarity of terms of which one is a hypernym of the other, and 0 for others."""
    kin, words = _kin(pairs), wordnet_words(pairs)
    u, v = kin.place[x], kin.place[y]
    above = np.flatnonzero(kin.hypernyms.has(u, v) | kin.hypernyms.has(v, u))
    values = np.zeros(len(x))
    values[above] = word_similarity(wordnet_of(pairs), "path", words[x[above]], words[y[above]])
    return values


class _Kin(NamedTuple):
    # Place of each term among the words of WordNet in the batch, -1 for an unknown one; their hypernyms and synonyms.
    place: np.ndarray
    hypernyms: PairSet
    synonyms: PairSet


def _kin(pairs: PairBatch) -> _Kin:
    def compute() -> _Kin:
        words = wordnet_words(pairs)
        distinct, place = np.unique(words[words >= 0], return_inverse=True)
        place_of_term = np.full(len(words), -1)
        place_of_term[words >= 0] = place
        wn, size = wordnet_of(pairs), len(distinct)
        hypernyms, synonyms = wn.hypernyms_among(distinct), wn.synonyms_among(distinct)
        return _Kin(place_of_term, PairSet(*hypernyms, size), PairSet(*synonyms, size))

    return pairs.memo("kin of terms", compute)


@dataclass(frozen=True)
class Related:
    """Relatedness of words in [0, 1].

    1 for words with a stem in common and for synonyms of WordNet, 0 for antonyms and for different numbers,
    `PARAPHRASE` for pairs of the paraphrase table, `DERIVED` for derived words, and `otherwise` for all others.

    Parameters
    ----------
    otherwise
        `word_cosines.CosineMeasure`, or without vectors `hypernymy`: a word and its hypernym have the same meaning more
        or less exactly, but siblings in WordNet (guitar, piano) mostly distinguish sentences. The idf-weighted best
        relatedness correlates with the scores of STS Benchmark train by 0.796 with it, 0.791 with
        nothing, and 0.787, 0.789, 0.756, 0.737 with path, Jiang-Conrath, Resnik and Lin similarity.
    """

    otherwise: Measure

    def __call__(self, pairs: PairBatch, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the relatedness of terms."""
        facts, wn = _words(pairs), wordnet_of(pairs)
        values = self.otherwise(pairs, x, y)
        u, v = facts.senses[x], facts.senses[y]
        derived = wn.derivationally_related(u, v) | wn.pertainyms(u, v)
        values[derived] = np.maximum(values[derived], DERIVED)
        listed = paraphrased(pairs, x, y)
        values[listed] = np.maximum(values[listed], PARAPHRASE)
        kin = _kin(pairs)
        values[kin.synonyms.has(kin.place[x], kin.place[y])] = 1.0
        values[wn.antonyms(u, v) | (facts.number[x] & facts.number[y])] = 0.0
        # The stem of the word or the lemma of one term equals that of the word or the lemma of the other.
        (word_x, lemma_x), (word_y, lemma_y) = facts.stems[:, x], facts.stems[:, y]
        values[(word_x == word_y) | (lemma_x == lemma_y) | (word_x == lemma_y) | (lemma_x == word_y)] = 1.0
        return values


RELATEDNESS = Related(hypernymy)
"""The measure of the families."""


def paraphrased(pairs: PairBatch, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return whether the paraphrase table lists a form or lemma of one term with one of the other, bool."""
    return _words(pairs).paraphrases.has(x, y)


class Links(NamedTuple):
    """One-to-one links of the tokens of every pair, flat: row of the pair, places of the tokens, relatedness."""

    row: np.ndarray
    i: np.ndarray
    j: np.ndarray
    value: np.ndarray


def one_to_one(pairs: PairBatch, grid: Grid, measure: Measure, threshold: float) -> Links:
    """Link the tokens of a grid of one group, the most similar first, each at most once.

    Of equal candidates those of equal terms come first, the others in an order that depends on the words alone. The
    links of the greatest sum (Kuhn, 1955) differ in 0.5 % of the pairs of STS Benchmark train and correlate less with
    their scores, 0.780 against 0.781; `assignment.optimal_links` has them.

    Parameters
    ----------
    pairs, grid, measure
        As in `similarities`.
    threshold
        The least similarity of two words that may be linked.
    """

    def compute() -> Links:
        taken = [_greedy(grid, cells, values, threshold) for cells, values in similarities(pairs, grid, measure)]
        row, first_i, first_j, times, value = (np.concatenate(column) for column in zip(*taken, strict=True))
        step = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        i, j = np.repeat(first_i, times) + step, np.repeat(first_j, times) + step
        ids_a, ids_b = token_ids(pairs)
        places = _places(ids_a, grid.place_a)[i], _places(ids_b, grid.place_b)[j]
        return Links(np.repeat(row, times), *places, np.repeat(value, times))

    return pairs.memo(("one to one", grid.name, measure, threshold), compute)


def _greedy(grid: Grid, cells: Cells, values: np.ndarray, threshold: float) -> tuple[np.ndarray, ...]:
    # By linked cell: row, first tokens that it links among those of the grid, number of tokens, similarity.
    fit = np.flatnonzero(values >= threshold)
    code = cells.codes[cells.which[fit]]
    x, y = terms_of(code)
    fit = fit[np.lexsort((code, x != y, -values[fit], cells.row[fit]))]
    i, j = cells.i[fit], cells.j[fit]
    sizes = grid.count_a[i].astype(np.int64), grid.count_b[j].astype(np.int64)
    gone_a, gone_b = Counter[int](), Counter[int]()
    links = []
    columns = (column.tolist() for column in (fit, i, j, *sizes))
    for cell, k, m, size_k, size_m in zip(*columns, strict=True):
        free = min(size_k - gone_a[k], size_m - gone_b[m])
        if free > 0:
            links.append((cell, gone_a[k], gone_b[m], free))
            gone_a[k] += free
            gone_b[m] += free
    linked, skip_a, skip_b, times = np.asarray(links, dtype=np.int64).reshape(-1, 4).T
    first_a, first_b = grid.starts[0][cells.i[linked]], grid.starts[1][cells.j[linked]]
    return cells.row[linked], first_a + skip_a, first_b + skip_b, times, values[linked]


def _places(ids: Ragged, place: np.ndarray) -> np.ndarray:
    # Place of each token of a grid in its sentence, entry by entry.
    order = np.argsort(place, kind="stable")[np.count_nonzero(place < 0) :]
    return order - np.repeat(ids.offsets[:-1], ids.lengths)[order]
