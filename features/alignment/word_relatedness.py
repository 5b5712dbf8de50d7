"""Relatedness of two words: equal forms and stems, and paraphrases (Sultan et al., 2014).

Words are compared once a batch, not once a pair. A mask of bits and a table of bits select the pairs of words that may
be related, and only these are compared in full.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
import Stemmer

from ..arrays.joins import PairSet
from ..arrays.ragged import Ragged, offsets_of
from ..base.sentences import PairBatch
from ..base.token_sequences import vocabulary
from ..base.word_tables import stop_words
from ..lexicon.paraphrases import paraphrases

PARAPHRASE = 0.9
"""Relatedness of two words that the paraphrase table lists; that of equal words is 1 (Sultan et al., 2014)."""

_STRIPPED = str.maketrans("", "", ".-,")
_CLITICS = frozenset({"n't", "'s", "'m", "'re", "'ve", "'ll", "'d", "na", "ca", "wo"})


@cache
def _function_words() -> frozenset[str]:
    return stop_words("nltk") | _CLITICS


def stripped(form: str) -> str:
    """Return the form without ``. - ,``; a form of these characters alone as it is."""
    return form if form.isalpha() else form.translate(_STRIPPED) or form


@cache
def _stemmer() -> Stemmer.Stemmer:
    # The cache of the library takes twice as long as stemming a word again.
    return Stemmer.Stemmer("english", 0)


class Forms(NamedTuple):
    """The distinct lower-case words and lemmas of a batch, the words first."""

    of_lemma: np.ndarray  # form of each item of ``vocabulary(pairs, "lemmas")``
    numbers: dict[str, int]  # of the forms without ``. - ,``, and of their stems
    bare: np.ndarray  # number of each form without ``. - ,``
    stem: np.ndarray  # number of the stem of that
    paraphrases: tuple[np.ndarray, np.ndarray]  # both forms of each pair, in both orders


def forms(pairs: PairBatch) -> Forms:
    """Return the distinct words and lemmas of a batch, looked up once."""

    def compute() -> Forms:
        words, lemmas = vocabulary(pairs, "words").items, vocabulary(pairs, "lemmas").items
        index = _numbered([*words, *lemmas])
        bare = list(map(stripped, index))
        stems = _stemmer().stemWords(bare)
        numbers = _numbered([*bare, *stems])
        places = paraphrases().ids(list(index))
        listed = np.flatnonzero(places >= 0)
        x, y = paraphrases().pairs_among(places[listed])
        of_lemma, of_bare, of_stem = (
            np.fromiter(map(table.__getitem__, texts), dtype=np.int64, count=len(texts))
            for table, texts in ((index, lemmas), (numbers, bare), (numbers, stems))
        )
        return Forms(of_lemma, numbers, of_bare, of_stem, (listed[x], listed[y]))

    return pairs.memo("forms", compute)


def _numbered(texts: Iterable[str]) -> dict[str, int]:
    return {text: number for number, text in enumerate(dict.fromkeys(texts))}


def paraphrased(batch_forms: Forms, parts: np.ndarray) -> PairSet:
    """Return which of n words the paraphrase table relates by any of their k forms, shape (k, n), or -1."""
    size = parts.shape[1]
    flat = parts.ravel()
    present = np.flatnonzero(flat >= 0)
    present = present[np.argsort(flat[present])]
    counts = np.bincount(flat[present], minlength=len(batch_forms.bare))
    words = Ragged(present % max(size, 1), offsets_of(counts))
    x, y = batch_forms.paraphrases
    left = words.take(x)
    right = words.take(y[left.rows])
    return PairSet(np.repeat(left.values, right.lengths), right.values, size)


def is_punctuation(form: str) -> bool:
    """Return whether a form holds neither a letter nor a digit."""
    return not (form.isalnum() or any(map(str.isalnum, form)))


class Words(NamedTuple):
    """Words prepared for comparison; a word is a lower-case form, a lemma, and whether it is a number."""

    numbers: dict[str, int]  # of forms and lemmas without ``. - ,``, and of their stems
    # Shape (4, n): numbers of form and lemma without ``. - ,`` and of their stems; words that share one are equal.
    keys: np.ndarray
    marks: np.ndarray  # 64 bits, one for each key of a word: words without a common bit have no common key
    content: np.ndarray  # neither a function word nor punctuation
    punctuation: np.ndarray  # neither a letter nor a digit in the form
    number: np.ndarray  # tagged a number or made of digits
    paraphrases: PairSet


def read_words(pairs: PairBatch, word: np.ndarray, lemma: np.ndarray, tagged: np.ndarray) -> Words:
    """Return words prepared for comparison."""
    batch_forms, items = forms(pairs), vocabulary(pairs, "words").items
    parts = np.stack([word, batch_forms.of_lemma[lemma]])
    keys = np.concatenate([batch_forms.bare[parts], batch_forms.stem[parts]])
    marks = np.bitwise_or.reduce(np.uint64(1) << (keys & 63).astype(np.uint64), axis=0)
    flags = (is_punctuation, _function_words().__contains__, lambda item: stripped(item).isdigit())
    punctuation, function, digits = (
        np.fromiter(map(flag, items), dtype=bool, count=len(items))[word] for flag in flags
    )
    related = paraphrased(batch_forms, np.where(punctuation, -1, parts))
    return Words(batch_forms.numbers, keys, marks, ~(punctuation | function), punctuation, tagged | digits, related)


def relatedness(words: Words, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return 1 for equal words, `PARAPHRASE` for paraphrases, and 0 for other pairs of words."""
    values = np.zeros(len(x))
    listed = np.flatnonzero(words.paraphrases.has(x, y))
    u, v = x[listed], y[listed]
    fit = (words.content[u] == words.content[v]) & ~(words.number[u] & words.number[v])
    values[listed[fit]] = PARAPHRASE
    candidates = np.flatnonzero(words.marks[x] & words.marks[y])
    keys_x, keys_y = words.keys[:, x[candidates]], words.keys[:, y[candidates]]
    values[candidates[(keys_x[:, None] == keys_y).any(axis=(0, 1))]] = 1.0
    return values
