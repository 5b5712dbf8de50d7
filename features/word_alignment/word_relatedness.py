"""Which words of two sentences mean the same: equal forms and stems, and paraphrases (Sultan et al., 2014).

Words are compared once a batch, not once a pair: what may be related is found for all cells, that is every word of one
sentence with every word of the other, by a mask of bits and a table of bits, and only what passes is compared in full.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
import Stemmer

from ..arrays.number_sets import PairSet
from ..arrays.ragged import Ragged, offsets_of
from ..lexicon.paraphrases import paraphrases
from ..linguistics.stopwords import stop_words
from ..sentences import PairBatch
from ..token_sequences import vocabulary

PARAPHRASE = 0.9
"""Relatedness of two words that the paraphrase table lists; that of equal words is 1 (Sultan et al., 2014)."""

_STRIPPED = str.maketrans("", "", ".-,")
_CLITICS = frozenset({"n't", "'s", "'m", "'re", "'ve", "'ll", "'d", "na", "ca", "wo"})


@cache
def _function_words() -> frozenset[str]:
    return stop_words("nltk") | _CLITICS


def stripped(form: str) -> str:
    """Return the form without ``. - ,``; a form of nothing else as it is."""
    return form if form.isalpha() else form.translate(_STRIPPED) or form


@cache
def _stemmer() -> Stemmer.Stemmer:
    # Without a cache, which takes twice as long as to stem a word again.
    return Stemmer.Stemmer("english", 0)


class Forms(NamedTuple):
    """The distinct lower-case words and lemmas of a batch, the words first.

    Attributes
    ----------
    of_lemma
        For each item of ``vocabulary(pairs, "lemmas")`` its form; that of each word is its own index.
    numbers
        The forms without ``. - ,``, and their stems, each with a number.
    bare, stem
        Those numbers of each form.
    paraphrases
        The forms that the paraphrase table relates, one and the other, every pair in both orders.
    """

    of_lemma: np.ndarray
    numbers: dict[str, int]
    bare: np.ndarray
    stem: np.ndarray
    paraphrases: tuple[np.ndarray, np.ndarray]


def forms(pairs: PairBatch) -> Forms:
    """Return the distinct words and lemmas of a batch, looked up once."""

    def compute() -> Forms:
        words, lemmas = vocabulary(pairs, "words").items, vocabulary(pairs, "lemmas").items
        index = _numbered([*words, *lemmas])
        bare = list(map(stripped, index))
        stems = _stemmer().stemWords(bare)
        numbers = _numbered([*bare, *stems])
        places = paraphrases().ids(list(index))
        known = np.flatnonzero(places >= 0)
        x, y = paraphrases().pairs_among(places[known])
        of_lemma, of_bare, of_stem = (
            np.fromiter(map(table.__getitem__, texts), dtype=np.int64, count=len(texts))
            for table, texts in ((index, lemmas), (numbers, bare), (numbers, stems))
        )
        return Forms(of_lemma, numbers, of_bare, of_stem, (known[x], known[y]))

    return pairs.memo("forms", compute)


def _numbered(texts: Iterable[str]) -> dict[str, int]:
    return {text: number for number, text in enumerate(dict.fromkeys(texts))}


def paraphrased(found: Forms, parts: np.ndarray) -> PairSet:
    """Return which words the paraphrase table relates.

    Parameters
    ----------
    found
        The forms of the batch.
    parts
        Shape (k, n): the k forms of each of n words, or -1; two words are related if any form of the one is related to
        any form of the other.
    """
    size = parts.shape[1]
    flat = parts.ravel()
    known = np.flatnonzero(flat >= 0)
    known = known[np.argsort(flat[known])]
    words = Ragged(known % max(size, 1), offsets_of(np.bincount(flat[known], minlength=len(found.bare))))
    x, y = found.paraphrases
    left = words.take(x)
    right = words.take(y[left.rows])
    return PairSet(np.repeat(left.values, right.lengths), right.values, size)


def is_punctuation(form: str) -> bool:
    """Return whether a form holds neither a letter nor a digit."""
    return not (form.isalnum() or any(map(str.isalnum, form)))


class Words(NamedTuple):
    """What the comparison needs of some words; a word is a lower-case form, a lemma, and whether it is a number.

    Attributes
    ----------
    numbers
        Forms and lemmas without ``. - ,``, and their stems, each with a number.
    keys
        Shape (4, n): those of form and lemma without ``. - ,`` and of their stems; words that share one are equal.
    marks
        For each word one bit of 64 for each of its keys: words without a bit in common have no key in common.
    content
        Whether it is neither a function word nor punctuation.
    punctuation
        Whether its form holds neither a letter nor a digit.
    number
        Whether it is tagged a number or made of digits.
    paraphrases
        Which words the paraphrase table relates.
    """

    numbers: dict[str, int]
    keys: np.ndarray
    marks: np.ndarray
    content: np.ndarray
    punctuation: np.ndarray
    number: np.ndarray
    paraphrases: PairSet


def read_words(pairs: PairBatch, word: np.ndarray, lemma: np.ndarray, tagged: np.ndarray) -> Words:
    """Return what the comparison of some words needs.

    Parameters
    ----------
    pairs
        The batch that they are from.
    word, lemma
        For each of n words its place in ``vocabulary(pairs, "words")`` and in ``vocabulary(pairs, "lemmas")``.
    tagged
        Whether it is tagged a number.
    """
    found, items = forms(pairs), vocabulary(pairs, "words").items
    parts = np.stack([word, found.of_lemma[lemma]])
    keys = np.concatenate([found.bare[parts], found.stem[parts]])
    marks = np.bitwise_or.reduce(np.uint64(1) << (keys & 63).astype(np.uint64), axis=0)
    flags = (is_punctuation, _function_words().__contains__, lambda item: stripped(item).isdigit())
    punctuation, function, digits = (
        np.fromiter(map(flag, items), dtype=bool, count=len(items))[word] for flag in flags
    )
    related = paraphrased(found, np.where(punctuation, -1, parts))
    return Words(found.numbers, keys, marks, ~(punctuation | function), punctuation, tagged | digits, related)


def relatedness(words: Words, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return how related words are: 1 if they are equal, `PARAPHRASE` if they are paraphrases, otherwise 0.

    The relatedness of two words is the greatest over their forms and lemmas. A content word is never a paraphrase of a
    function word, nor a number of another number.

    Parameters
    ----------
    words
        n words.
    x, y
        Indices of words, of equal shape.
    """
    values = np.zeros(len(x))
    listed = np.flatnonzero(words.paraphrases.has(x, y))
    one, other = x[listed], y[listed]
    fit = (words.content[one] == words.content[other]) & ~(words.number[one] & words.number[other])
    values[listed[fit]] = PARAPHRASE
    maybe = np.flatnonzero(words.marks[x] & words.marks[y])
    keys_x, keys_y = words.keys[:, x[maybe]], words.keys[:, y[maybe]]
    values[maybe[(keys_x[:, None] == keys_y).any(axis=(0, 1))]] = 1.0
    return values
