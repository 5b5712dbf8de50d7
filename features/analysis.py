"""From text to `Sentence`: normalise, tokenise, stem and, on demand, annotate; every distinct text once."""

import json
import unicodedata
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from .linguistics.languages import ENGLISH, UNKNOWN, Languages
from .linguistics.stems import stem_function
from .linguistics.tokenizer import tokenize
from .sentence_cache import Packing, SentenceMemory
from .sentences import Entity, PairBatch, Sentence

if TYPE_CHECKING:
    from .linguistics.annotator import Annotator

VERSION = 1
"""Part of every cache key and bundle: raise it when the analysis of any text changes."""

MAX_CHARACTERS = 2_000
"""Longer texts are cut here (and flagged): it bounds the cost of the quadratic measures, at five times the 367
characters of the longest sentence of STS Benchmark train."""

LONG_TOKENS = 100
"""Sentences with more tokens are flagged `long`: the longest that the shipped models saw in training has 61."""


def normalise(text: str) -> str:
    """Return the text in Unicode NFC, outer white space removed and inner runs of it made one blank.

    Code points that are not characters (lone surrogates) become U+FFFD; nothing else is changed.

    Examples
    --------
    >>> normalise("  two   words ")
    'two words'
    """
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = unicodedata.normalize("NFC", text)
    return " ".join(text.split())


def _cut(text: str) -> str:
    head = text[:MAX_CHARACTERS]
    return head.rsplit(" ", 1)[0] if " " in head else head


class _Stems(dict[str, str]):
    # Every word is stemmed once a batch.
    def __init__(self, language: str = ENGLISH) -> None:
        self._stem = stem_function(language)

    def __missing__(self, word: str) -> str:
        self[word] = stem = self._stem(word)
        return stem


def analyse_texts(texts: Iterable[str]) -> list[Sentence]:
    """Analyse already normalised texts, in order."""
    stem_of = _Stems()
    sentences = []
    for text in texts:
        truncated = len(text) > MAX_CHARACTERS
        if truncated:
            text = _cut(text)
        tokens = tokenize(text)
        words = tuple([token.lower() for token in tokens])
        sentences.append(Sentence(text, tuple(tokens), words, tuple([stem_of[word] for word in words]), truncated))
    return sentences


def analyse_language(texts: Iterable[str], language: str) -> list[Sentence]:
    """Analyse already normalised texts of a language, in order; the level is ``tokens``.

    Words are spelt as `normalise_text` does. What is in no known language is read as English.
    """
    if language in (ENGLISH, UNKNOWN):
        return [sentence._replace(language=language) for sentence in analyse_texts(texts)]
    from .linguistics.normalisation import split_text

    stem_of = _Stems(language)
    sentences = []
    for text in texts:
        truncated = len(text) > MAX_CHARACTERS
        if truncated:
            text = _cut(text)
        found = split_text(text, language)
        words = tuple(token.text for token in found)
        written = tuple(text[slice(*token.span)] for token in found)
        stems = tuple(map(stem_of.__getitem__, words))
        sentences.append(Sentence(text, written, words, stems, truncated, language=language))
    return sentences


def analyse(
    pairs: Sequence[Sequence[str]],
    level: str = "tokens",
    annotator: "Annotator | None" = None,
    memory: SentenceMemory | None = None,
    languages: Languages | None = None,
) -> PairBatch:
    """Analyse pairs of texts, each distinct normalised text once.

    Parameters
    ----------
    pairs
        n items whose first two entries are the texts of a pair.
    level
        ``text`` or ``tokens``: strings only; ``lexical``: tags and lemmas too; ``parsed``: the dependency parse and
        named entities too.
    annotator
        What runs above the level ``tokens``; the pipeline that ships with the package unless given.
    memory
        What is known of sentences that came before.
    languages
        Those that the texts may be in, whose sentences have the level ``tokens``; English, and no other is looked for,
        if None.

    Returns
    -------
    PairBatch
        n analysed pairs, in the order given.
    """
    if languages is not None:
        return _analyse_languages(pairs, languages, memory)
    index: dict[str, int] = {}
    left = np.empty(len(pairs), dtype=np.int64)
    right = np.empty(len(pairs), dtype=np.int64)
    for row, pair in enumerate(pairs):
        left[row] = index.setdefault(normalise(pair[0]), len(index))
        right[row] = index.setdefault(normalise(pair[1]), len(index))
    kind = f"analysis {VERSION}"
    if level in ("lexical", "parsed"):
        from .linguistics.annotator import load_annotator

        annotator = annotator or load_annotator()
        kind += f" {level} {annotator.digest}"
    else:
        annotator = None

    def compute(texts: list[str]) -> list[Sentence]:
        sentences = analyse_texts(texts)
        return sentences if annotator is None else annotator.annotate(sentences, level)

    if memory is None:
        return PairBatch(compute(list(index)), left, right)
    sentences = memory.recall(Packing(kind, _pack, _unpack, _size), list(index), compute)
    return PairBatch(sentences, left, right, memory)


def _analyse_languages(
    pairs: Sequence[Sequence[str]], languages: Languages, memory: SentenceMemory | None
) -> PairBatch:
    texts = [(normalise(pair[0]), normalise(pair[1])) for pair in pairs]
    index: dict[tuple[str, str], int] = {}
    sides = np.empty((2, len(pairs)), dtype=np.int64)
    for row, (pair, found) in enumerate(zip(texts, languages.of_pairs(texts), strict=True)):
        for side, key in enumerate(zip(pair, found, strict=True)):
            sides[side, row] = index.setdefault(key, len(index))
    sentences: dict[tuple[str, str], Sentence] = {}
    for language in dict.fromkeys(language for _, language in index):
        own, compute = [text for text, other in index if other == language], partial(_of_language, language)
        packing = Packing(f"analysis {VERSION} of {language}", _pack, _unpack, _size)
        analysed = compute(own) if memory is None else memory.recall(packing, own, compute)
        sentences |= zip(((text, language) for text in own), analysed, strict=True)
    return PairBatch([sentences[key] for key in index], sides[0], sides[1], memory)


def _of_language(language: str, texts: list[str]) -> list[Sentence]:
    return analyse_language(texts, language)


def _pack(sentence: Sentence) -> bytes:
    return json.dumps(sentence if sentence.truncated else sentence._replace(text="")).encode()


def _unpack(text: str, data: bytes) -> Sentence:
    cut, tokens, words, stems, truncated, lemmas, tags, heads, relations, entities, tree, *rest = json.loads(data)
    return Sentence(
        cut or text,
        tuple(tokens),
        tuple(words),
        tuple(stems),
        truncated,
        tuple(lemmas),
        tuple(tags),
        tuple(heads),
        tuple(relations),
        tuple(Entity(*entity) for entity in entities),
        tree,
        *rest,  # what an earlier version kept has no language
    )


def _size(sentence: Sentence) -> int:
    # Measured with tracemalloc, its place in the memory included: 0.9 kB, and a token 110 bytes with stems, 290 with
    # lemmas and tags.
    return 900 + (290 if sentence.tags else 110) * len(sentence.tokens)
