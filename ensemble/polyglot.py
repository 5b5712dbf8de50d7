"""A model of English that leaves pairs in other languages to those who can read them, row by row."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..features.analysis import analyse, normalise
from ..features.linguistics.languages import ENGLISH, UNKNOWN, Languages, detect
from ..features.pairs import PairBatch, Sentence
from .predictor import MULTILINGUAL, Prediction, Predictor, is_foreign, load, profile_folder
from .translation.translators import Translator, find_translator, translated

SUSPECT = 0.6
"""Of the languages `auto`, only a text with fewer than this share of common English words is looked at more closely.

Measured: 2 % of the English sentences of STS Benchmark train are, 97 % of their Spanish translations, 99 % of the
Turkish ones, and all captions in Arabic. Of the English ones 0.1 % are then taken for another language.
"""

_ENGLISH_READS = frozenset({ENGLISH, UNKNOWN})  # there is nothing better for what is in no known language
_OF_TRANSLATIONS = frozenset({"identical", "non_english"})  # which translations may be, and their texts not


@dataclass
class Polyglot(Predictor):
    """A model of English, one of several languages, and perhaps a translator.

    A pair of English texts has the score of the model of English, to the last bit. Any other has that of the
    multilingual model, or, where the translator knows its languages, the mean of that and of what the model of English
    says of the translations.

    Attributes
    ----------
    others
        What compares texts in several languages; None if there is no such model, and translations alone are compared.
    translator
        Puts texts into English; None for none.
    spoken
        The languages of the texts.
    named
        What the user called the translator.
    """

    others: Predictor | None = None
    translator: Translator | None = None
    spoken: Languages = field(default_factory=Languages)
    named: str = "none"

    @classmethod
    def of(
        cls,
        english: Predictor,
        languages: str = "auto",
        translate: str = "dictionary",
        others: str | Path | Predictor | None = MULTILINGUAL,
    ) -> "Polyglot":
        """Return a model of English extended by others.

        Parameters
        ----------
        english
            The model for pairs of English texts, and for translations.
        languages
            As `Languages.parse` reads it.
        translate
            A translator, as `find_translator` reads it.
        others
            The model for other pairs: a bundle or a profile; None for translations alone. So it is without the profile.

        Raises
        ------
        ValueError
            If a language or translator is unknown, or the model cannot be loaded.
        """
        if english.languages is not None:
            raise ValueError("the model reads several languages by itself; leave --languages and --translate out")
        spoken, translator = Languages.parse(languages), find_translator(translate)
        if others == MULTILINGUAL and not profile_folder(MULTILINGUAL).is_dir():
            others = None
        loaded = load(others) if isinstance(others, str | Path) else others
        facts = {name: getattr(english, name) for name in Predictor.__dataclass_fields__}
        return cls(**facts, others=loaded, translator=translator, spoken=spoken, named=translate)

    @property
    def given(self) -> dict[str, Any]:
        """What a process needs to load the same, beside the model of English."""
        return {**super().given, "languages": str(self.spoken), "translate": self.named}

    @property
    def signature(self) -> str:
        """That of the model of English, and what it leaves to which other."""
        others = "" if self.others is None else f", {self.others.signature}"
        by = "" if self.translator is None else f", translated by {self.translator.name}"
        return f"{super().signature}; languages {self.spoken}{others}{by}"

    def _predict_part(self, pairs: Sequence[tuple[str, str]]) -> Prediction:
        batch = self.analyse(pairs)
        languages = self._languages_of(batch)
        foreign = np.asarray([not _ENGLISH_READS.issuperset(pair) for pair in languages], dtype=bool)
        part = batch.take(np.flatnonzero(~foreign)) if foreign.any() else batch
        plain = self.combine(part, self.member_scores(part)) if len(part) else None
        told = [pair for pair, other in zip(languages, foreign.tolist(), strict=True) if not other]
        if plain is not None and any(UNKNOWN in pair for pair in told):
            plain = _flagged(plain, told)
        rows = np.flatnonzero(foreign).tolist()
        other = self._predict_foreign([pairs[row] for row in rows], [languages[row] for row in rows]) if rows else None
        if plain is None or other is None:
            found = plain or other
            assert found is not None
            return found
        return _merged(foreign, other, plain)

    def languages_of(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the languages of both texts of each pair: ISO 639-1 codes, or ``und``."""
        return self._languages_of(self.analyse(pairs))

    def _languages_of(self, batch: PairBatch) -> list[tuple[str, str]]:
        if self.spoken.sides is not None:
            return [self.spoken.sides] * len(batch)
        found = [ENGLISH] * len(batch.sentences)
        rows = [row for row, sentence in enumerate(batch.sentences) if not self._automatic or self._suspect(sentence)]
        detected = detect([batch.sentences[row].text for row in rows], self.spoken.candidates) if rows else ()
        for row, language in zip(rows, detected, strict=True):
            found[row] = language
        return [(found[i], found[j]) for i, j in zip(batch.left.tolist(), batch.right.tolist(), strict=True)]

    @cached_property
    def _automatic(self) -> bool:
        return self.spoken == Languages()

    def _suspect(self, sentence: Sentence) -> bool:
        return is_foreign(sentence.words, self._vocabulary, SUSPECT, least=1)

    def _predict_foreign(self, pairs: list[tuple[str, str]], languages: list[tuple[str, str]]) -> Prediction:
        english = self._translations(pairs, languages)
        rows = [row for row, pair in enumerate(english) if pair is not None]
        texts = [pair or original for pair, original in zip(english, pairs, strict=True)]
        if self.others is None:
            found = super()._predict_part(texts)
            flags = [
                tuple(set(flags) - _OF_TRANSLATIONS | ({"non_english"} if pair is None else set()))
                for flags, pair in zip(found.flags, english, strict=True)
            ]
            return _flagged(found._replace(flags=flags), languages, english)
        found = self._by_others(pairs, languages)
        if rows:
            translations = super()._predict_part([texts[row] for row in rows])
            same = np.asarray(["identical" in found.flags[row] for row in rows], dtype=bool)
            for values, more in zip(found[:3], translations[:3], strict=True):
                values[rows] = np.where(same, values[rows], (values[rows] + more) / 2)
        return _flagged(found, languages, english)

    def _by_others(self, pairs: list[tuple[str, str]], languages: list[tuple[str, str]]) -> Prediction:
        # The model of several languages is told which ones were found.
        assert self.others is not None
        parts: dict[tuple[str, str], list[int]] = {}
        for row, sides in enumerate(languages):
            parts.setdefault(sides, []).append(row)
        score, low, high = np.empty((3, len(pairs)))
        flags: list[tuple[str, ...]] = [()] * len(pairs)
        for sides, rows in parts.items():
            own = Languages(tuple(dict.fromkeys(sides)), sides)
            batch = analyse([pairs[row] for row in rows], self.others.level, None, self.memory, own)
            found = self.others.combine(batch, self.others.member_scores(batch))
            score[rows], low[rows], high[rows] = found[:3]
            for row, told in zip(rows, found.flags, strict=True):
                flags[row] = told
        return Prediction(score, low, high, flags)

    def _translations(
        self, pairs: Sequence[tuple[str, str]], languages: Sequence[tuple[str, str]]
    ) -> list[tuple[str, str] | None]:
        # Both texts of each pair in English; None where one of them cannot be had.
        wanted: dict[str, list[str]] = {}
        for pair, found in zip(pairs, languages, strict=True):
            if all(self._reads(language) for language in found):
                for text, language in zip(pair, found, strict=True):
                    if language != ENGLISH:
                        wanted.setdefault(language, []).append(normalise(text))
        made: dict[tuple[str, str], str] = {}
        for language, texts in wanted.items():
            assert self.translator is not None
            english = translated(self.translator, texts, language, ENGLISH, self.memory)
            made |= {(language, text): found for text, found in english.items() if found}
        result: list[tuple[str, str] | None] = []
        for pair, found in zip(pairs, languages, strict=True):
            a, b = (
                text if language == ENGLISH else made.get((language, normalise(text)))
                for text, language in zip(pair, found, strict=True)
            )
            result.append(None if a is None or b is None else (a, b))
        return result

    def _reads(self, language: str) -> bool:
        if language == ENGLISH:
            return True
        return language != UNKNOWN and self.translator is not None and self.translator.covers(language, ENGLISH)


def _flagged(
    found: Prediction, languages: Sequence[tuple[str, str]], english: Sequence[tuple[str, str] | None] = ()
) -> Prediction:
    # With what the languages and the translations, where there are any, say of each pair.
    every = []
    for row, (flags, pair) in enumerate(zip(found.flags, languages, strict=True)):
        own = set(flags)
        if english and english[row] is not None:
            own.add("translated")
        if pair[0] != pair[1]:
            own.add("cross_lingual")
        if UNKNOWN in pair:
            own.add("unknown_language")
        every.append(tuple(sorted(own)))
    return found._replace(flags=every)


def _merged(chosen: np.ndarray, one: Prediction, other: Prediction) -> Prediction:
    # The rows of two predictions, those of the first where a mask holds.
    score, low, high = (np.empty(len(chosen)) for _ in range(3))
    for values, first, second in zip((score, low, high), one[:3], other[:3], strict=True):
        values[chosen], values[~chosen] = first, second
    firsts, seconds = iter(one.flags), iter(other.flags)
    return Prediction(score, low, high, [next(firsts if flag else seconds) for flag in chosen.tolist()])
