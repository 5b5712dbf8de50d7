"""Analysis of texts into sentences: normalise, tokenise, stem and, on demand, annotate each distinct text once."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..base.caches import Packing, SentenceCache
from ..base.sentences import Entity, PairBatch, Sentence
from ..linguistics.combining_marks import reaches_bound
from ..linguistics.glossary import Glossary
from ..linguistics.languages import ENGLISH, UNKNOWN, Languages
from ..linguistics.normalisation import one_form, without_accents
from ..linguistics.stems import stem_function
from ..linguistics.tokenizer import tokenize

if TYPE_CHECKING:
    from .annotator import Annotator

VERSION = 1
"""Part of every cache key and bundle: raise it when the analysis of plain ASCII text changes."""

MAX_CHARACTERS = 2_000
"""Length at which texts are cut, and flagged, to bound the cost of quadratic measures: five times the 367 characters
of the longest sentence of STS Benchmark train."""

HEAD_CHARACTERS = 20_000
"""Length up to which a text is read where it is not cut at `MAX_CHARACTERS`: for its language, a translation, edits."""

LONG_TOKENS = 100
"""Number of tokens above which sentences are flagged `long`; the longest in the training of the shipped models has
61."""


def normalise(text: str) -> str:
    """Return the text in `normalisation.one_form`, without outer white space and with single blanks inside.

    Examples
    --------
    >>> normalise("  two   words ")
    'two words'
    """
    plain = " ".join(one_form(text).split())
    return plain if plain.isascii() else one_form(plain)  # a blank may have come before a mark


def cut(text: str, most: int = MAX_CHARACTERS) -> str:
    """Return a normalised text cut at a number of characters, and there at a blank if it has one."""
    if len(text) <= most:
        return text
    head = text[:most]
    return head.rsplit(" ", 1)[0] if " " in head else head


class _Stems(dict[str, str]):
    # Stems each distinct word once a batch.
    def __init__(self, language: str = ENGLISH) -> None:
        self._stem = stem_function(language)

    def __missing__(self, word: str) -> str:
        self[word] = stem = self._stem(word)
        return stem


def text_reader(glossary: Glossary | None) -> Callable[[str], str]:
    """Return the function by which texts are normalised, and rewritten if there is a glossary."""
    if glossary is None:
        return normalise
    kept: dict[str, str] = {}

    def read(text: str) -> str:
        if text not in kept:
            kept[text] = glossary.rewrite(normalise(text))
        return kept[text]

    return read


def analyse_texts(texts: Iterable[str]) -> list[Sentence]:
    """Analyse already normalised texts, in order."""
    stem_of = _Stems()
    sentences = []
    for text in texts:
        truncated = len(text) > MAX_CHARACTERS or reaches_bound(text)
        text = cut(text)
        tokens = tokenize(text)
        words = tuple([token.lower() for token in tokens] if text.isascii() else map(_word, tokens))
        sentences.append(Sentence(text, tuple(tokens), words, tuple([stem_of[word] for word in words]), truncated))
    return sentences


def _word(token: str) -> str:
    # A token of accents alone stays as it is.
    return without_accents(token.lower()) or token


def analyse_language(texts: Iterable[str], language: str) -> list[Sentence]:
    """Analyse already normalised texts of a language, in order, to the level ``tokens``."""
    if language in (ENGLISH, UNKNOWN):
        return [sentence._replace(language=language) for sentence in analyse_texts(texts)]
    from ..linguistics.normalisation import split_text

    stem_of = _Stems(language)
    sentences = []
    for text in texts:
        truncated = len(text) > MAX_CHARACTERS or reaches_bound(text)
        text = cut(text)
        tokens = split_text(text, language)
        words = tuple(token.text for token in tokens)
        written = tuple(text[slice(*token.span)] for token in tokens)
        stems = tuple(map(stem_of.__getitem__, words))
        sentences.append(Sentence(text, written, words, stems, truncated, language=language))
    return sentences


def analyse(
    pairs: Sequence[Sequence[str]],
    level: str = "tokens",
    annotator: "Annotator | None" = None,
    sentence_cache: SentenceCache | None = None,
    languages: Languages | None = None,
    glossary: Glossary | None = None,
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
        The pipeline that runs above the level ``tokens``; the shipped one if None.
    sentence_cache
        Analyses of sentences that came before.
    languages
        Languages that the texts may be in; their sentences have the level ``tokens``. All texts are read as English if
        None.
    glossary
        Words that mean the same: the texts are rewritten by it before anything else reads them.

    Returns
    -------
    PairBatch
        n analysed pairs, in the order given.
    """
    read = text_reader(glossary)
    if languages is not None:
        return _analyse_languages([(read(pair[0]), read(pair[1])) for pair in pairs], languages, sentence_cache)
    index: dict[str, int] = {}
    left = np.empty(len(pairs), dtype=np.int64)
    right = np.empty(len(pairs), dtype=np.int64)
    for row, pair in enumerate(pairs):
        left[row] = index.setdefault(read(pair[0]), len(index))
        right[row] = index.setdefault(read(pair[1]), len(index))
    kind = f"analysis {VERSION}"
    if level in ("lexical", "parsed"):
        from .annotator import load_annotator

        annotator = annotator or load_annotator()
        kind += f" {level} {annotator.digest}"
    else:
        annotator = None

    def compute(texts: list[str]) -> list[Sentence]:
        sentences = analyse_texts(texts)
        return sentences if annotator is None else annotator.annotate(sentences, level)

    if sentence_cache is None:
        return PairBatch(compute(list(index)), left, right)
    sentences = sentence_cache.recall(Packing(kind, _pack, _unpack, _size), list(index), compute)
    return PairBatch(sentences, left, right, sentence_cache)


def _analyse_languages(
    texts: Sequence[tuple[str, str]], languages: Languages, sentence_cache: SentenceCache | None
) -> PairBatch:
    heads = [(cut(a, HEAD_CHARACTERS), cut(b, HEAD_CHARACTERS)) for a, b in texts]
    index: dict[tuple[str, str], int] = {}
    sides = np.empty((2, len(texts)), dtype=np.int64)
    for row, (pair, codes) in enumerate(zip(texts, languages.of_pairs(heads), strict=True)):
        for side, key in enumerate(zip(pair, codes, strict=True)):
            sides[side, row] = index.setdefault(key, len(index))
    sentences: dict[tuple[str, str], Sentence] = {}
    for language in dict.fromkeys(language for _, language in index):
        keys = [key for key in index if key[1] == language]
        compute = partial(analyse_language, language=language)
        packing = Packing(f"analysis {VERSION} of {language}", _pack, _unpack, _size)
        own = [text for text, _ in keys]
        analysed = compute(own) if sentence_cache is None else sentence_cache.recall(packing, own, compute)
        sentences |= zip(keys, analysed, strict=True)
    return PairBatch([sentences[key] for key in index], sides[0], sides[1], sentence_cache)


def _pack(sentence: Sentence) -> bytes:
    return json.dumps(sentence if sentence.truncated else sentence._replace(text="")).encode()


def _unpack(text: str, data: bytes) -> Sentence:
    cut, tokens, words, stems, truncated, lemmas, tags, heads, relations, entities, tree, language = json.loads(data)
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
        language,
    )


def _size(sentence: Sentence) -> int:
    # Measured with tracemalloc, with the entry in the cache: 0.9 kB, and for a token 110 bytes with stems, 290 with
    # lemmas and tags; a long text is in it four times, as text and as tokens.
    long = max(sys.getsizeof(sentence.text) - 300, 0)
    return 900 + (290 if sentence.tags else 110) * len(sentence.tokens) + 4 * long
