"""Overlap of two sentences whose content words are extended by synonyms and paraphrases.

This is the similarity of concepts of CompiLIG (Ferrero et al., 2017), with WordNet and the paraphrase table in place of
a bilingual dictionary.
"""

from itertools import chain
from typing import NamedTuple

import numpy as np

from ..arrays.joins import chunks, distinct
from ..arrays.ragged import Ragged, offsets_of, ratio
from ..base.feature import PairBatch, feature
from ..base.token_sequences import vocabulary
from ..lexicon.paraphrases import paraphrases
from ..statistics.counts import LemmaIdf
from ..word_similarity.lexical_similarity import wordnet_of, wordnet_words
from ..word_similarity.word_grids import content_grid, idf_of_terms, terms

SENSES = 1
"""Number of senses of a word that count, the commonest first.

With three the columns correlate as well with the scores of STS Benchmark train; with all senses they correlate less,
``jaccard`` by 0.59 instead of 0.61.
"""

CLASS_WEIGHTS = (1.0, 0.8, 0.6, 0.4, 0.1, 1.0)
"""Weights of nouns, verbs, adjectives, adverbs, other words and numbers, by `word_grids.Terms.classes`."""

_ENTRIES_AT_A_TIME = 1 << 20


def _neighbourhoods(pairs: PairBatch) -> tuple[Ragged, int]:
    # Neighbours of each term of a content word, as numbers: its synonyms and itself in WordNet, its partners and itself
    # in the paraphrase table, or itself alone if neither lists it. Their order depends on the words alone. The second
    # value is a bound of the numbers.
    batch_terms, net = terms(pairs), wordnet_of(pairs)
    used = distinct(np.concatenate([side.values for side, _ in content_grid(pairs).counted]))
    senses = net.senses(wordnet_words(pairs)[used])
    senses = senses.where(np.arange(len(senses.values)) - np.repeat(senses.offsets[:-1], senses.lengths) < SENSES)
    members = net.members(senses.values)
    synonyms = Ragged(members.values, members.offsets[senses.offsets])

    lemmas = vocabulary(pairs, "lemmas")
    distinct_lemmas, of_term = np.unique(batch_terms.lemmas[used], return_inverse=True)
    entries = [paraphrases().entry(lemmas.items[lemma]) for lemma in distinct_lemmas.tolist()]
    listed = [(entry.place, *entry.partners) if entry.place >= 0 else () for entry in entries]
    lengths = np.fromiter(map(len, listed), dtype=np.int64, count=len(listed))
    partners = Ragged(np.fromiter(chain.from_iterable(listed), dtype=np.int64), offsets_of(lengths)).take(of_term)

    rank = np.empty(len(lemmas.items), dtype=np.int64)
    rank[np.argsort(lemmas.hashes)] = np.arange(len(lemmas.items))
    alone = Ragged(rank[batch_terms.lemmas[used]], np.arange(len(used) + 1))
    alone = alone.where((synonyms.lengths == 0) & (partners.lengths == 0))
    rows = np.concatenate([used[side.rows] for side in (alone, synonyms, partners)])
    first, second = len(rank), len(rank) + net.size
    values = np.concatenate([alone.values, synonyms.values + first, partners.values + second])
    size = int(values.max(initial=0)) + 1
    keys = distinct(rows * size + values)
    return Ragged(keys % size, np.searchsorted(keys, np.arange(len(batch_terms.words) + 1) * size)), size


class _Entries(NamedTuple):
    # Neighbours of the words of one side of some pairs: the pair, the place of the word on that side, the neighbour.
    row: np.ndarray
    word: np.ndarray
    item: np.ndarray


@feature(
    "jaccard", "split", "reached", level="lexical", needs=("lemma_idf", "wordnet", "paraphrases"),
    source="Ferrero et al. 2017", section="CLP2",
)  # fmt: skip
def common(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Weighted Jaccard coefficients of the extended content words, and the share of words that share a neighbour.

    The weight of a content word is its idf times the weight of its class. ``jaccard``: each neighbour has the weight of
    its word; ``split``: the weight of a word is divided evenly among its neighbours; ``reached``: share of the weight
    of the words of both sentences that share a neighbour with a word of the other. 0 without content words.
    """
    grid, n = content_grid(pairs), len(pairs)
    near, size = _neighbourhoods(pairs)
    weight = idf_of_terms(pairs, lemma_idf) * np.asarray(CLASS_WEIGHTS)[terms(pairs).classes]
    sides = [(side, weight[side.values] * count) for side, count in grid.counted]
    size_a, size_b = grid.sums(*(near.lengths[side.values] for side, _ in sides))
    columns = np.zeros((n, 3))
    meets = [np.zeros(len(weights)) for _, weights in sides]
    for part in chunks(size_a + size_b, _ENTRIES_AT_A_TIME):
        entries = []
        for side, _ in sides:
            words = np.arange(side.offsets[part.start], side.offsets[part.stop])
            nearest = near.take(side.values[words])
            word = words[nearest.rows]
            entries.append(_Entries(side.rows[word], word, nearest.values))
        keys, where = np.unique(
            np.concatenate([entry.row * size + entry.item for entry in entries]), return_inverse=True
        )
        places = where[: len(entries[0].row)], where[len(entries[0].row) :]
        whole, split = np.zeros((2, 2, len(keys)))
        present = np.zeros((2, len(keys)), dtype=bool)
        for k, (side, weights) in enumerate(sides):
            word = entries[k].word
            np.maximum.at(whole[k], places[k], weights[word])
            shares = weights[word] / near.lengths[side.values[word]]
            split[k] = np.bincount(places[k], weights=shares, minlength=len(keys))
            present[k, places[k]] = True
        shared = present[0] & present[1]
        for k, entry in enumerate(entries):
            meets[k][entry.word[shared[places[k]]]] = 1
        row = keys // size
        for column, values in enumerate((whole, split)):
            least, most = values.min(axis=0), values.max(axis=0)
            ends = (np.bincount(row, weights=end, minlength=n) for end in (least, most))
            columns[part, column] = ratio(*ends)[part]
    met = grid.sums(*(weights * nearest for (_, weights), nearest in zip(sides, meets, strict=True)))
    totals = grid.sums(*(weights for _, weights in sides))
    columns[:, 2] = ratio(met[0] + met[1], totals[0] + totals[1])
    return columns
