"""Pairs of texts in English, by a translator, as far as it covers their languages."""

from collections.abc import Sequence

from ...features.analysis import HEAD_CHARACTERS, cut, normalise
from ...features.linguistics.languages import ENGLISH, UNKNOWN
from ...features.sentence_cache import SentenceCache
from .translator_contract import Translator
from .translators import translated

ENGLISH_READS = frozenset({ENGLISH, UNKNOWN})
"""Languages of texts that an English model reads as they are; there is nothing better for an unknown language."""


def translated_pairs(
    pairs: Sequence[tuple[str, str]],
    languages: Sequence[tuple[str, str]],
    translator: Translator | None,
    sentence_cache: SentenceCache,
) -> list[tuple[str, str] | None]:
    """Return both texts of each pair in English; None for a pair of which one text has no translation.

    Texts in English and in unknown languages stay as they are. Each distinct text is translated once, and of a text of
    over `HEAD_CHARACTERS` only its beginning: a translation is cut at a tenth of that.
    """
    wanted: dict[str, list[str]] = {}
    for pair, sides in zip(pairs, languages, strict=True):
        if all(_covers(translator, language) for language in sides):
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


def _covers(translator: Translator | None, language: str) -> bool:
    return language in ENGLISH_READS or (translator is not None and translator.covers(language, ENGLISH))
