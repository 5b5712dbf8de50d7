"""Views of a batch of pairs as strings: words, lemmas, content words and characters, with and without case and stops.

The side whose text sorts first is on the left in every view. Some metrics depend on the order of their arguments; this
order does not depend on the order of the pair.
"""

import string
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np

from ...features.arrays.ragged import Ragged, offsets_of, stack
from ...features.base.sentences import PairBatch, Sentence
from ...features.base.token_sequences import (
    WORD_CLASSES,
    Vocabulary,
    as_strings,
    characters,
    stop_mask,
    text_hash,
    vocabulary,
    word_classes,
)
from ...features.base.word_tables import stop_words

Unit = Literal["words", "lemmas", "content", "characters"]
"""Items of a view."""

VARIANTS = ("kept_cased", "kept_lower", "removed_cased", "removed_lower")
"""Stop words kept or removed, with the capitals as written or in lower case."""

STOPS = "ecnu"

_CONTENT = WORD_CLASSES.index("adverb")


class View(NamedTuple):
    """Both sides of n pairs in one view.

    Attributes
    ----------
    a, b
        Each side as a string of one character an item.
    hashes_a, hashes_b
        The items as numbers, uint64, equal in every batch.
    words
        The distinct words behind the items.
    words_a, words_b
        The words of each side, indices into `words`.
    """

    a: list[str]
    b: list[str]
    hashes_a: Ragged
    hashes_b: Ragged
    words: tuple[str, ...]
    words_a: Ragged
    words_b: Ragged

    @property
    def texts(self) -> tuple[list[str], list[str]]:
        """The words of each side with blanks between."""
        return _joined(self.words, self.words_a), _joined(self.words, self.words_b)


def _joined(words: Sequence[str], ids: Ragged) -> list[str]:
    flat, ends = [words[i] for i in ids.values.tolist()], ids.offsets.tolist()
    return [" ".join(flat[start:end]) for start, end in zip(ends[:-1], ends[1:], strict=True)]


def _numbered(rows: list[list[str]]) -> Vocabulary:
    index: dict[str, int] = {}
    ids = np.fromiter((index.setdefault(item, len(index)) for item in chain.from_iterable(rows)), dtype=np.int64)
    offsets = offsets_of(np.fromiter(map(len, rows), dtype=np.int64, count=len(rows)))
    hashes = np.fromiter(map(text_hash, index), dtype=np.uint64, count=len(index))
    return Vocabulary(tuple(index), Ragged(ids, offsets), hashes)


def cased_lemma(lemma: str, token: str) -> str:
    """Return a lemma with capitals where its token has them: ``run`` of ``Running`` is ``Run``."""
    if token.islower():
        return lemma
    cased = "".join(mark.upper() if letter.isupper() else mark for mark, letter in zip(lemma, token, strict=False))
    return cased + lemma[len(token) :]


def _cased_lemmas(sentence: Sentence) -> list[str]:
    return list(map(cased_lemma, sentence.lemmas, sentence.tokens))


def _source(pairs: PairBatch, unit: Unit, lower: bool) -> Vocabulary:
    if unit == "characters":
        texts = (sentence.text.lower() if lower else sentence.text for sentence in pairs.sentences)
        return _numbered([text.split() for text in texts])
    if unit == "lemmas":
        return vocabulary(pairs, "lemmas") if lower else _numbered(list(map(_cased_lemmas, pairs.sentences)))
    return vocabulary(pairs, "words" if lower else "tokens")


def _masks(pairs: PairBatch, unit: Unit, vocab: Vocabulary) -> tuple[np.ndarray, np.ndarray]:
    # Whether each word of the distinct sentences, flat, is in the view, and whether it is a stop word.
    if unit == "characters":
        listed = stop_words(STOPS)
        bare = [item.lower() for item in vocab.items]
        stops = [item in listed or item.strip(string.punctuation) in listed for item in bare]
        return np.ones(len(vocab.ids.values), dtype=bool), np.asarray(stops, dtype=bool)[vocab.ids.values]
    stops_at = stop_mask(pairs, STOPS)
    if unit != "content":
        return np.ones(len(stops_at), dtype=bool), stops_at
    tags = chain.from_iterable(sentence.tags for sentence in pairs.sentences)
    numbers = np.fromiter(map("CD".__eq__, tags), dtype=bool, count=len(stops_at))
    return (word_classes(pairs) <= _CONTENT) | numbers, stops_at


def sides_by_text(pairs: PairBatch) -> tuple[np.ndarray, np.ndarray]:
    """Return the sentence of each pair whose text sorts first, and the other sentence, each of shape (n,)."""

    def compute() -> tuple[np.ndarray, np.ndarray]:
        texts = [sentence.text for sentence in pairs.sentences]
        place = {text: k for k, text in enumerate(sorted(set(texts)))}
        rank = np.asarray([place[text] for text in texts], dtype=np.int64)
        turned = rank[pairs.left] > rank[pairs.right]
        return np.where(turned, pairs.right, pairs.left), np.where(turned, pairs.left, pairs.right)

    return pairs.memo("sides by text", compute)


def _view(vocab: Vocabulary, a: Ragged, b: Ragged, unit: Unit) -> View:
    if unit != "characters":
        hashes_a, hashes_b = (Ragged(vocab.hashes[side.values], side.offsets) for side in (a, b))
        return View(as_strings(a), as_strings(b), hashes_a, hashes_b, vocab.items, a, b)
    text_a, text_b = _joined(vocab.items, a), _joined(vocab.items, b)
    return View(text_a, text_b, characters(text_a), characters(text_b), vocab.items, a, b)


def each_view(pairs: PairBatch, unit: Unit, compute: Callable[[View], np.ndarray]) -> list[np.ndarray]:
    """Return the results of a function of the views of a unit, in the order of `VARIANTS`."""
    n, (left, right) = len(pairs.sentences), sides_by_text(pairs)
    results: dict[str, np.ndarray] = {}
    for case in ("cased", "lower"):
        vocab = _source(pairs, unit, case == "lower")
        inside, stops = _masks(pairs, unit, vocab)
        kept, removed = vocab.ids.where(inside), vocab.ids.where(inside & ~stops)
        bare = removed.lengths == 0
        shift = np.where(bare[left] | bare[right], 0, n)
        results[f"kept_{case}"] = compute(_view(vocab, kept.take(left), kept.take(right), unit))
        both = stack(kept, removed)
        results[f"removed_{case}"] = compute(_view(vocab, both.take(left + shift), both.take(right + shift), unit))
    return [results[variant] for variant in VARIANTS]
