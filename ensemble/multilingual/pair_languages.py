"""Languages of the texts of pairs, and pairs in English made of them."""

from collections.abc import Sequence

from ...features.analysis.analysis import HEAD_CHARACTERS, cut, normalise
from ...features.base.caches import SentenceCache
from ...features.base.sentences import PairBatch
from ...features.linguistics.languages import ENGLISH, UNKNOWN, Languages, detect
from ..core.english_text import in_another_script
from .translator import Translator
from .translators import translated

SUSPECT = 0.6
"""Share of common English words below which the language of a text is detected, if the languages are `auto`.

Measured: 2 % of the English sentences of STS Benchmark train are, 97 % of their Spanish translations, 99 % of the
Turkish ones, and all captions in Arabic. Of the English ones 0.1 % are then taken for another language.
"""


def languages_of_pairs(
    batch: PairBatch, languages: Languages, candidates: Sequence[str], vocabulary: frozenset[str]
) -> list[tuple[str, str]]:
    """Return the languages of both texts of each pair: ISO 639-1 codes, or ``und``."""
    if languages.sides is not None:
        return [languages.sides] * len(batch)
    of_sentence = [ENGLISH] * len(batch.sentences)
    rows = [
        row
        for row, sentence in enumerate(batch.sentences)
        if languages != Languages() or is_suspect(sentence.words, vocabulary)
    ]
    detected = detect([batch.sentences[row].text for row in rows], candidates) if rows else ()
    for row, language in zip(rows, detected, strict=True):
        of_sentence[row] = language
    return [(of_sentence[i], of_sentence[j]) for i, j in zip(batch.left.tolist(), batch.right.tolist(), strict=True)]


def is_suspect(words: Sequence[str], vocabulary: frozenset[str]) -> bool:
    """Return whether less than the share `SUSPECT` of the words of a sentence is in a vocabulary."""
    words = [word for word in words if word.isalpha() or in_another_script(word)]
    common = sum(word in vocabulary if vocabulary else word.isascii() for word in words)
    return common < SUSPECT * len(words)


ENGLISH_READS = frozenset({ENGLISH, UNKNOWN})
"""Languages of texts that an English model reads as they are; there is nothing better for an unknown language."""


def translated_pairs(
    pairs: Sequence[tuple[str, str]],
    languages: Sequence[tuple[str, str]],
    translator: Translator | None,
    sentence_cache: SentenceCache,
) -> list[tuple[str, str] | None]:
    """Return both texts of each pair in English; None for a pair of which one text has no translation."""
    wanted: dict[str, list[str]] = {}
    for pair, sides in zip(pairs, languages, strict=True):
        foreign = [language for language in sides if language not in ENGLISH_READS]
        if all(translator is not None and translator.covers(language, ENGLISH) for language in foreign):
            for text, language in zip(pair, sides, strict=True):
                if language not in ENGLISH_READS:
                    wanted.setdefault(language, []).append(_head(text))
    english: dict[tuple[str, str], str] = {}
    for language, texts in wanted.items():
        assert translator is not None
        translations = translated(translator, texts, language, ENGLISH, sentence_cache)
        english |= {(language, text): translation for text, translation in translations.items() if translation}
    english_pairs: list[tuple[str, str] | None] = []
    for pair, sides in zip(pairs, languages, strict=True):
        a, b = (
            text if language in ENGLISH_READS else english.get((language, _head(text)))
            for text, language in zip(pair, sides, strict=True)
        )
        english_pairs.append(None if a is None or b is None else (a, b))
    return english_pairs


def _head(text: str) -> str:
    return cut(normalise(text), HEAD_CHARACTERS)
