"""Alignment of content words, chunks and word classes by word vectors (Maharjan et al., 2017; Al-Natsheh et al., 2017).

The similarity of words is their cosine, but 1 for synonyms and 0 for antonyms and different numbers; see `SIMILARITY`.
"""

from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np

from ..analysis.chunks import chunks as chunks_of
from ..arrays.joins import chunks as parts_of
from ..arrays.ragged import Ragged, offsets_of, ratio
from ..base.feature import PairBatch, feature
from ..base.sentences import Sentence
from ..base.token_sequences import WORD_CLASSES, content_mask, token_ids, vocabulary
from ..statistics.counts import LemmaIdf
from ..word_similarity.assignment import (
    BY_PRODUCTS,
    Matched,
    by_products,
    candidates,
    claimed,
    greedy_links,
    greedy_matching,
    optimal_links,
)
from ..word_similarity.lexical_similarity import Related
from ..word_similarity.word_cosines import CELLS_AT_A_TIME, CosineMeasure
from ..word_similarity.word_grids import Grid, content_grid, idf_of_terms, make_grid, terms

THRESHOLD = 0.5
"""Least similarity of words that are linked one to one."""

SIMILARITY = Related(CosineMeasure("distilled"))
"""Similarity of two words."""

PARTS_OF_SPEECH: Mapping[str, tuple[str, ...]] = {
    "adjective": ("JJ", "JJR", "JJS"),
    "adposition": ("IN", "RP"),
    "adverb": ("RB", "RBR", "RBS", "WRB"),
    "auxiliary": ("MD",),
    "coordinator": ("CC",),
    "determiner": ("DT", "PDT", "WDT"),
    "interjection": ("UH",),
    "noun": ("NN", "NNS"),
    "number": ("CD",),
    "particle": ("POS", "TO"),
    "pronoun": ("PRP", "PRP$", "WP", "WP$", "EX"),
    "proper_noun": ("NNP", "NNPS"),
    "punctuation": (".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP"),
    "subordinator": (),
    "symbol": ("SYM", "$", "#"),
    "verb": ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"),
    "other": ("FW", "LS", "ADD", "AFX", "XX"),
}
"""The universal parts of speech and their Penn Treebank tags, except for `SUBORDINATORS`."""

SUBORDINATORS = frozenset("although because if lest once since that though unless until whereas whether while".split())
"""Words tagged ``IN`` that are subordinating conjunctions."""

ENTITIES: Mapping[str, tuple[str, ...]] = {
    "person": ("PERSON",),
    "organisation": ("ORG",),
    "state": ("GPE",),
    "group": ("NORP",),
    "facility": ("FAC", "FACILITY"),
    "location": ("LOC",),
    "product": ("PRODUCT",),
    "event": ("EVENT",),
    "work": ("WORK_OF_ART",),
    "law": ("LAW",),
    "language": ("LANGUAGE",),
}
"""Classes of named entities and their labels."""


def _index(classes: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    return {label: k for k, labels in enumerate(classes.values()) for label in labels}


def _score(pairs: PairBatch, links: Matched, weight: np.ndarray) -> np.ndarray:
    # Similarity of the links, times the weights of both words, over the weights of all words.
    grid = content_grid(pairs)
    u, v = weight[grid.a.values[links.a]], weight[grid.b.values[links.b]]
    linked = np.bincount(links.row, weights=links.value * (u + v), minlength=len(pairs))
    whole_a, whole_b = grid.sums(*grid.weigh(weight))
    return np.minimum(ratio(linked, whole_a + whole_b), 1.0)


def _scores(pairs: PairBatch, links: Matched, lemma_idf: LemmaIdf) -> np.ndarray:
    weight = idf_of_terms(pairs, lemma_idf)
    return np.stack([_score(pairs, links, np.ones(len(weight))), _score(pairs, links, weight)], axis=1)


def _greedy(pairs: PairBatch) -> Matched:
    return greedy_links(pairs, content_grid(pairs), SIMILARITY, THRESHOLD)


@feature(
    "plain", "idf", level="lexical", needs=("lemma_idf", "wordnet", "paraphrases", "distilled"),
    source="Maharjan et al. 2017", section="ALN6",
)  # fmt: skip
def greedy(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Similarity of content words linked one to one, the most similar first, over the mean number or idf of words."""
    return _scores(pairs, _greedy(pairs), lemma_idf)


@feature(
    "plain", "idf", level="lexical", needs=("lemma_idf", "wordnet", "paraphrases", "distilled"),
    source="Maharjan et al. 2017", section="ALN6",
)  # fmt: skip
def optimal(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Similarity as in `greedy` with the links whose similarities have the greatest sum."""
    return _scores(pairs, optimal_links(pairs, content_grid(pairs), SIMILARITY, THRESHOLD), lemma_idf)


def _unaligned(pairs: PairBatch) -> np.ndarray:
    # Share of the content words without a link: of all and of each word class, shape (n, 6).
    grid, links, n = content_grid(pairs), _greedy(pairs), len(pairs)
    classes = np.minimum(terms(pairs).classes, len(WORD_CLASSES) - 1)
    groups = len(WORD_CLASSES)
    linked, totals = np.zeros((2, n * groups))
    for side, count, entry in ((grid.a, grid.count_a, links.a), (grid.b, grid.count_b, links.b)):
        entry_classes = classes[side.values]
        linked += np.bincount(links.row * groups + entry_classes[entry], minlength=n * groups)
        totals += np.bincount(side.rows * groups + entry_classes, weights=count, minlength=n * groups)
    free, totals = (totals - linked).reshape(n, groups), totals.reshape(n, groups)
    return np.column_stack([ratio(free.sum(axis=1), totals.sum(axis=1)), ratio(free, totals)])


@feature(
    "all", *WORD_CLASSES, level="lexical", needs=("wordnet", "paraphrases", "distilled"),
    source="Maharjan et al. 2017", section="ALN7",
)  # fmt: skip
def unaligned(pairs: PairBatch) -> np.ndarray:
    """Share of the content words of both sentences, and of those of each class, that have no greedy link."""
    return _unaligned(pairs)


@feature(
    "plain", "idf", level="lexical", needs=("lemma_idf", "wordnet", "paraphrases", "distilled"),
    source="Maharjan et al. 2017", section="ALN8",
)  # fmt: skip
def penalised(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Columns of `greedy` multiplied by the share of the content words that are linked."""
    return _scores(pairs, _greedy(pairs), lemma_idf) * (1 - _unaligned(pairs)[:, :1])


@feature(
    *BY_PRODUCTS, high=np.inf, level="lexical", needs=("wordnet", "paraphrases", "distilled"),
    source="Henderson et al. 2017", section="ALN10",
)  # fmt: skip
def shape(pairs: PairBatch) -> np.ndarray:
    """Sixteen statistics of the greedy links; the sixteen of the authors are not published.

    `assignment.by_products` describes them.
    """
    return by_products(pairs, content_grid(pairs), SIMILARITY, THRESHOLD)


class _Chunks(NamedTuple):
    # Chunks of the distinct sentences: the first chunk of each sentence; the number of distinct content words of each
    # chunk, and its sentence; the chunk of each token, and a mask of the tokens that are the first of a content word in
    # their chunk.
    start: np.ndarray
    size: np.ndarray
    sentence: np.ndarray
    of_token: np.ndarray
    first: np.ndarray


def _chunks(pairs: PairBatch) -> _Chunks:
    chunk_lengths = [[length for _, length in chunks_of(sentence)] for sentence in pairs.sentences]
    many = np.fromiter(map(len, chunk_lengths), np.int64, len(chunk_lengths))
    sentence = np.repeat(np.arange(len(chunk_lengths)), many)
    lengths = np.fromiter(chain.from_iterable(chunk_lengths), dtype=np.int64)
    of_token = np.repeat(np.arange(len(lengths)), lengths)
    content = np.flatnonzero(content_mask(pairs))
    batch_terms = terms(pairs)
    _, once = np.unique(of_token[content] * len(batch_terms.words) + batch_terms.of_token[content], return_index=True)
    first = np.zeros(len(of_token), dtype=bool)
    first[content[once]] = True
    size = np.bincount(of_token[first], minlength=len(lengths))
    return _Chunks(offsets_of(many)[:-1], size, sentence, of_token, first)


def _linked_chunks(pairs: PairBatch, chunked: _Chunks) -> Iterator[Matched]:
    # Links of chunks and their similarities, some rows at a time.
    grid = content_grid(pairs)
    fit = candidates(pairs, grid, SIMILARITY, THRESHOLD)
    tokens, counts = [], []
    for place, ids, side in zip((grid.place_a, grid.place_b), token_ids(pairs), (grid.a, grid.b), strict=True):
        kept = np.flatnonzero((place >= 0) & chunked.first[ids.values])
        counts.append(np.bincount(place[kept], minlength=len(side.values)))
        tokens.append(Ragged(ids.values[kept[np.argsort(place[kept], kind="stable")]], offsets_of(counts[-1])))
    times = counts[0][fit.a] * counts[1][fit.b]
    begins = np.searchsorted(fit.row, np.arange(len(pairs) + 1))
    for part in parts_of(np.bincount(fit.row, weights=times, minlength=len(pairs)), CELLS_AT_A_TIME):
        cells = np.arange(begins[part.start], begins[part.stop])
        which = np.repeat(cells, times[cells])
        step = np.arange(len(which)) - np.repeat(offsets_of(times[cells])[:-1], times[cells])
        a, b = fit.a[which], fit.b[which]
        i = tokens[0].values[tokens[0].offsets[a] + step // counts[1][b]]
        j = tokens[1].values[tokens[1].offsets[b] + step % counts[1][b]]
        yield _link_chunks(pairs, chunked, Matched(fit.row[which], i, j, fit.value[which]))


def _link_chunks(pairs: PairBatch, chunked: _Chunks, cells: Matched) -> Matched:
    # The tokens of every two chunks are linked first, then the chunks.
    of_token = terms(pairs).of_token
    x, y = of_token[cells.a], of_token[cells.b]
    cells = _sorted(cells, np.maximum(x, y), np.minimum(x, y), x != y, -cells.value)
    chunk_a, chunk_b = chunked.of_token[cells.a], chunked.of_token[cells.b]
    taken = greedy_matching(_nodes(cells.row, cells.a, chunk_b), _nodes(cells.row, cells.b, chunk_a))
    row, chunk_a, chunk_b = cells.row[taken], chunk_a[taken], chunk_b[taken]
    both = _nodes(row, chunk_a, chunk_b)
    _, one = np.unique(both, return_index=True)
    a, b = chunk_a[one], chunk_b[one]
    score = 2 * np.bincount(both, weights=cells.value[taken]) / (chunked.size[a] + chunked.size[b])
    edges = Matched(row[one], a, b, np.minimum(score, 1.0))
    # Equal chunks are linked from the left; the key stays the same if the sentences are swapped.
    at_a, at_b = a - chunked.start[pairs.left[edges.row]], b - chunked.start[pairs.right[edges.row]]
    edges = _sorted(edges, np.abs(at_a - at_b), at_a + at_b, -edges.value)
    taken = greedy_matching(_nodes(edges.row, edges.a), _nodes(edges.row, edges.b))
    return Matched(*(column[taken] for column in edges))


def _sorted(links: Matched, *keys: np.ndarray) -> Matched:
    order = np.lexsort(keys)
    return Matched(*(column[order] for column in links))


def _nodes(first: np.ndarray, *others: np.ndarray) -> np.ndarray:
    # Small numbers for the distinct rows of some columns.
    key = first
    for column in others:
        key = np.unique(key * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1]
    return key


@feature(
    "plain", "words", level="lexical", needs=("wordnet", "paraphrases", "distilled"), source="Maharjan et al. 2017",
    section="ALN9",
)  # fmt: skip
def chunks(pairs: PairBatch) -> np.ndarray:
    """Similarity of the chunks of both sentences that are linked one to one, averaged over chunks and over words.

    The similarity of two chunks is that of their distinct content words linked one to one, as in `greedy`. In ``plain``
    every chunk with a content word counts once, in ``words`` once for each content word; a chunk without a link counts
    0.
    """
    chunked, n = _chunks(pairs), len(pairs)
    sentences = len(pairs.sentences)
    links, reached = np.zeros((2, n))
    for chunk_links in _linked_chunks(pairs, chunked):
        links += np.bincount(chunk_links.row, weights=2 * chunk_links.value, minlength=n)
        weight = chunked.size[chunk_links.a] + chunked.size[chunk_links.b]
        reached += np.bincount(chunk_links.row, weights=weight * chunk_links.value, minlength=n)
    columns = []
    for top, size in ((links, chunked.size > 0), (reached, chunked.size)):
        totals = np.bincount(chunked.sentence, weights=size, minlength=sentences)
        columns.append(ratio(top, totals[pairs.left] + totals[pairs.right]))
    return np.minimum(np.stack(columns, axis=1), 1.0)


def _tag_groups(pairs: PairBatch) -> np.ndarray:
    index = _index(PARTS_OF_SPEECH)
    tags = chain.from_iterable(sentence.tags for sentence in pairs.sentences)
    groups = np.fromiter(map(index.get, tags, repeat(index["FW"])), dtype=np.int64)
    words = vocabulary(pairs, "words")
    listed = np.fromiter(map(SUBORDINATORS.__contains__, words.items), dtype=bool, count=len(words.items))
    names = list(PARTS_OF_SPEECH)
    adposition, subordinator = names.index("adposition"), names.index("subordinator")
    return np.where(listed[words.ids.values] & (groups == adposition), subordinator, groups)


def _entity_groups(sentence: Sentence) -> list[int]:
    index = _index(ENTITIES)
    groups = [-1] * len(sentence.tokens)
    for start, end, label in sentence.entities:
        groups[start:end] = [index.get(label, -1)] * (end - start)
    return groups


def _by_group(pairs: PairBatch, grid: Grid) -> np.ndarray:
    return claimed(pairs, grid, SIMILARITY).reshape(len(pairs), grid.groups)


@feature(
    "all", *PARTS_OF_SPEECH, level="lexical", needs=("wordnet", "paraphrases", "distilled"),
    source="Al-Natsheh et al. 2017", section="POS5",
)  # fmt: skip
def part_of_speech(pairs: PairBatch) -> np.ndarray:
    """Alignment score of the content words, and of the words of each part of speech; 0 where a sentence has none.

    `assignment.claimed` describes the score.
    """
    grid = make_grid(pairs, "universal parts of speech", _tag_groups(pairs), len(PARTS_OF_SPEECH))
    return np.column_stack([_by_group(pairs, content_grid(pairs)), _by_group(pairs, grid)])


@feature(
    *ENTITIES, level="parsed", needs=("wordnet", "paraphrases", "distilled"), source="Al-Natsheh et al. 2017",
    section="POS5",
)  # fmt: skip
def entity(pairs: PairBatch) -> np.ndarray:
    """Alignment score of the words in named entities of each class; 0 where a sentence has none."""
    groups = np.fromiter(chain.from_iterable(map(_entity_groups, pairs.sentences)), dtype=np.int64)
    return _by_group(pairs, make_grid(pairs, "named entities", groups, len(ENTITIES)))
