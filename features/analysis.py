"""From text to `Sentence`: normalise, tokenise, stem; every distinct text once."""

import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np
import Stemmer

from .pairs import PairBatch, Sentence
from .tokenizer import tokenize

VERSION = 1
"""Part of every cache key and bundle: raise it when the analysis of any text changes."""

MAX_CHARACTERS = 2_000
"""Longer texts are cut here (and flagged): it bounds the cost of the quadratic measures, at eight times the longest
sentence of STS Benchmark train."""

LONG_TOKENS = 100
"""Sentences with more tokens are flagged `long`: the shipped models saw hardly any in training."""


def normalise(text: str) -> str:
    """Return the text in Unicode NFC, outer white space removed and inner runs of it made one blank.

    Code points that are not characters (lone surrogates) become U+FFFD; nothing else is changed.
    """
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = unicodedata.normalize("NFC", text)
    return " ".join(text.split())


def _cut(text: str) -> str:
    head = text[:MAX_CHARACTERS]
    return head.rsplit(" ", 1)[0] if " " in head else head


def analyse_texts(texts: Iterable[str]) -> list[Sentence]:
    """Analyse already normalised texts, in order."""
    stemmer = Stemmer.Stemmer("english")
    stem_of: dict[str, str] = {}
    sentences = []
    for text in texts:
        truncated = len(text) > MAX_CHARACTERS
        if truncated:
            text = _cut(text)
        tokens = tokenize(text)
        words = [token.lower() for token in tokens]
        for word in words:
            if word not in stem_of:
                stem_of[word] = stemmer.stemWord(word)
        stems = [stem_of[word] for word in words]
        sentences.append(Sentence(text, tuple(tokens), tuple(words), tuple(stems), truncated))
    return sentences


def analyse(pairs: Sequence[Sequence[str]]) -> PairBatch:
    """Analyse pairs of texts, each distinct normalised text once.

    Parameters
    ----------
    pairs
        n items whose first two entries are the texts of a pair.

    Returns
    -------
    PairBatch
        n analysed pairs, in the order given.
    """
    index: dict[str, int] = {}
    left = np.empty(len(pairs), dtype=np.int64)
    right = np.empty(len(pairs), dtype=np.int64)
    for row, pair in enumerate(pairs):
        left[row] = index.setdefault(normalise(pair[0]), len(index))
        right[row] = index.setdefault(normalise(pair[1]), len(index))
    return PairBatch(analyse_texts(index), left, right)
