"""A model of English that leaves pairs in other languages to those who can read them, row by row."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...features.analysis import normalise
from ...features.linguistics.languages import ENGLISH, UNKNOWN, Languages, detect
from ...features.sentences import PairBatch, Sentence
from ..core.predictor import MULTILINGUAL, PROBE, TRANSLATIONS, Prediction, Predictor, is_foreign, load, ships
from .told_tmp import facts_of, told
from .translators import Translator, find_translator, translated

if TYPE_CHECKING:
    from ..core.explanation import Explanation

SUSPECT = 0.6
"""Of the languages `auto`, only a text with fewer than this share of common English words is looked at more closely.

Measured: 2 % of the English sentences of STS Benchmark train are, 97 % of their Spanish translations, 99 % of the
Turkish ones, and all captions in Arabic. Of the English ones 0.1 % are then taken for another language.
"""

FOREIGN_PROBE = {
    "ar": "رجل يعزف على الجيتار في الشارع.",
    "es": "Un hombre toca la guitarra en la calle.",
    "tr": "Bir adam sokakta gitar çalıyor.",
}
"""A text in each language that ships, whose score beside the first of `PROBE` tells whether two machines agree."""

BESIDE_WORDS = 2.0
"""Weight of what the multilingual model says where a translation is word by word; else all have weight 1.

Chosen on STS Benchmark dev in Turkish with an earlier dictionary: the mean of the correlations in Turkish and to
English was 0.8417, not 0.8396. With the dictionary that ships it is 0.8422, and 0.8427 with the weight 1.
"""

_ENGLISH_READS = frozenset({ENGLISH, UNKNOWN})  # there is nothing better for what is in no known language
_OF_TRANSLATIONS = frozenset({"identical", "non_english"})  # which translations may be, and their texts not


@dataclass
class Polyglot(Predictor):
    """A model of English, one of several languages, and perhaps a translator.

    A pair of English texts has the score of the model of English, to the last bit. Any other has that of the
    multilingual model, or, where the translator knows its languages, the mean of that and of what is said of the
    translations: by the model of English, and by one that was fitted on translations. Beside translations word by word
    the first counts twice.

    Attributes
    ----------
    others
        What compares texts in several languages; None if there is no such model, and translations alone are compared.
    reader
        A model of English that was fitted on translations; None if there is no such model.
    translator
        Puts texts into English; None for none.
    spoken
        The languages of the texts.
    named
        What the user called the translator.
    """

    others: Predictor | None = None
    reader: Predictor | None = None
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
        reader: str | Path | Predictor | None = TRANSLATIONS,
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
            The model for other pairs: a bundle or a profile; None for translations alone.
        reader
            The model of translations beside `english`: a bundle or a profile; None for `english` alone. A profile that
            does not ship counts as None.

        Raises
        ------
        ValueError
            If a language or translator is unknown, or the model cannot be loaded.
        """
        if english.languages is not None:
            raise ValueError("the model reads several languages by itself; leave --languages and --translate out")
        spoken, translator = Languages.parse(languages), find_translator(translate)
        return cls(
            **facts_of(english),
            others=_loaded(others),
            reader=_loaded(reader),
            translator=translator,
            spoken=spoken,
            named=translate,
        )

    @property
    def given(self) -> dict[str, Any]:
        """What a process needs to load the same, beside the model of English."""
        return {**super().given, "languages": str(self.spoken), "translate": self.named}

    @property
    def signature(self) -> str:
        """That of the model of English, and what it leaves to which other."""
        others = "" if self.others is None else f", {self.others.signature}"
        by = "" if self.translator is None else f", translated by {self.translator.name}"
        by += "" if self.translator is None or self.reader is None else f", {self.reader.signature}"
        return f"{super().signature}; languages {self.spoken}{others}{by}"

    @property
    def readable(self) -> tuple[str, ...]:
        """The languages that a text may be in: those that were named, and English unless both sides are told."""
        named = self.spoken.candidates
        return named if self.spoken.sides is not None else tuple(dict.fromkeys((*named, ENGLISH)))

    def probe(self) -> list[float]:
        """Return the scores of `PROBE`, and of a pair for each other language."""
        pairs = [(FOREIGN_PROBE[language], PROBE[0][0]) for language in self.readable if language in FOREIGN_PROBE]
        return [*super().probe(), *self.predict_pairs(pairs).score.tolist()]

    def probe_difference(self) -> float:
        """Return that of the model of English."""
        return self._english.probe_difference()

    def explain(self, pairs: Sequence[tuple[str, str]]) -> "list[Explanation]":
        """Tell why pairs of texts have their scores, as `Predictor.explain` does.

        Where a pair was translated, tokens, alignment and points are those of the translations, which are told beside
        them. Where its score is the mean of several models, base and points are the means of theirs, so that they add
        up to it; what one of them does not know counts as 0 there.
        """
        from ..core.explanation import averaged, contribution_names

        languages = self.languages_of(pairs)
        english = self._translations(pairs, languages)
        parts: list[list[Explanation]] = [[] for _ in pairs]
        weights: list[list[float]] = [[] for _ in pairs]
        for view in self._views(pairs, languages, english):
            explained = view.model.explain(view.pairs)
            for row, weight, found in zip(view.rows, view.weights.tolist(), explained, strict=True):
                if not any("identical" in part.flags for part in parts[row]):
                    weights[row].append(weight)
                    parts[row].append(found._replace(translations=_changed(pairs[row], view.texts[row])))
        prediction, names = self.predict_pairs(pairs), contribution_names(self)
        scores = zip(*(column.tolist() for column in prediction[:3]), prediction.flags, strict=True)
        return [
            averaged(found, weight, names)._replace(score=score, low=low, high=high, flags=flags)
            for found, weight, (score, low, high, flags) in zip(parts, weights, scores, strict=True)
        ]

    def predict_members(self, pairs: Sequence[tuple[str, str]]) -> dict[str, np.ndarray]:
        """Return the scores of each member alone, as `Predictor.predict_members` does.

        The members of the model of English read every pair, in translation where there is one. Where there are other
        models too, theirs also read every pair; names then begin with ``english.``, ``translations.`` and
        ``multilingual.``, and the last, ``combined``, is what `predict_pairs` returns.
        """
        languages = self.languages_of(pairs)
        english = self._translations(pairs, languages)
        texts = [pair or pairs[row] for row, pair in enumerate(english)]
        found = self._english.predict_members(texts)
        if self.others is None and self.reader is None:
            return found
        every = {f"english.{name}": scores for name, scores in found.items()}
        if self.reader is not None:
            scores_of = self.reader.predict_members(texts)
            every |= {f"translations.{name}": scores for name, scores in scores_of.items()}
        for rows, model in self._told(range(len(pairs)), languages):
            for name, scores in model.predict_members([pairs[row] for row in rows]).items():
                every.setdefault(f"multilingual.{name}", np.empty(len(pairs)))[rows] = scores
        return {**every, "combined": self.predict_pairs(pairs).score}

    def _predict_part(self, pairs: Sequence[tuple[str, str]]) -> Prediction:
        batch = self.analyse(pairs)
        languages = self._languages_of(batch)
        foreign = np.asarray([not _ENGLISH_READS.issuperset(pair) for pair in languages], dtype=bool)
        part = batch.take(np.flatnonzero(~foreign)) if foreign.any() else batch
        plain = self.combine(part, self.member_scores(part)) if len(part) else None
        found = [pair for pair, other in zip(languages, foreign.tolist(), strict=True) if not other]
        if plain is not None and any(UNKNOWN in pair for pair in found):
            plain = _flagged(plain, found)
        rows = np.flatnonzero(foreign).tolist()
        other = self._predict_foreign([pairs[row] for row in rows], [languages[row] for row in rows]) if rows else None
        if plain is None or other is None:
            only = plain or other
            assert only is not None
            return only
        return _merged(foreign, other, plain)

    def languages_of(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the languages of both texts of each pair: ISO 639-1 codes, or ``und``."""
        return self._languages_of(self.analyse(pairs))

    def _languages_of(self, batch: PairBatch) -> list[tuple[str, str]]:
        if self.spoken.sides is not None:
            return [self.spoken.sides] * len(batch)
        found = [ENGLISH] * len(batch.sentences)
        rows = [row for row, sentence in enumerate(batch.sentences) if not self._automatic or self._suspect(sentence)]
        detected = detect([batch.sentences[row].text for row in rows], self.readable) if rows else ()
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
        total, weight, same = np.zeros((3, len(pairs))), np.zeros(len(pairs)), np.zeros(len(pairs), dtype=bool)
        flags: list[tuple[str, ...] | None] = [None] * len(pairs)
        for view in self._views(pairs, languages, english):
            found, rows = view.model.predict_pairs(view.pairs), np.asarray(view.rows)
            added = ~same[rows]
            total[:, rows[added]] += (view.weights * np.stack(found[:3]))[:, added]
            weight[rows[added]] += view.weights[added]
            for row, own in zip(view.rows, found.flags, strict=True):
                if flags[row] is None:
                    said = set(own) - _OF_TRANSLATIONS if self.others is None else set(own)
                    unread = self.others is None and english[row] is None
                    flags[row] = tuple(said | {"non_english"} if unread else said)
                    same[row] = "identical" in own and self.others is not None
        score, low, high = total / weight
        return _flagged(Prediction(score, low, high, [own or () for own in flags]), languages, english)

    def _views(
        self,
        pairs: Sequence[tuple[str, str]],
        languages: Sequence[tuple[str, str]],
        english: Sequence[tuple[str, str] | None],
    ) -> "Iterator[_View]":
        # What is said of pairs, and by which model; every pair has one view at least.
        foreign = [row for row, sides in enumerate(languages) if not _ENGLISH_READS.issuperset(sides)]
        twice = np.asarray(
            [pair is not None and self._by_words(own) for pair, own in zip(english, languages, strict=True)]
        )
        for rows, model in self._told(foreign, languages):
            yield _View(rows, model, pairs, np.where(twice[rows], BESIDE_WORDS, 1.0))
        ours = [row for row, pair in enumerate(english) if pair is not None or self.others is None]
        both = [row for row in foreign if english[row] is not None]
        texts = [pair or pairs[row] for row, pair in enumerate(english)]
        for rows, reader in ((ours, self._english), (both, self.reader)):
            if rows and reader is not None:
                yield _View(rows, reader, texts, np.ones(len(rows)))

    def _by_words(self, languages: tuple[str, str]) -> bool:
        others = set(languages) - _ENGLISH_READS
        return self.translator is not None and any(self.translator.by_words(each, ENGLISH) for each in others)

    @cached_property
    def _english(self) -> Predictor:
        return Predictor(**facts_of(self))

    def _told(self, rows: Iterable[int], languages: Sequence[tuple[str, str]]) -> Iterator[tuple[list[int], Predictor]]:
        return iter(()) if self.others is None else told(self.others, languages, rows, self.memory)

    def _translations(
        self, pairs: Sequence[tuple[str, str]], languages: Sequence[tuple[str, str]]
    ) -> list[tuple[str, str] | None]:
        # Both texts of each pair in English, those in no known language as they are; None where one cannot be had.
        wanted: dict[str, list[str]] = {}
        for pair, found in zip(pairs, languages, strict=True):
            if all(self._reads(language) for language in found):
                for text, language in zip(pair, found, strict=True):
                    if language not in _ENGLISH_READS:
                        wanted.setdefault(language, []).append(normalise(text))
        made: dict[tuple[str, str], str] = {}
        for language, texts in wanted.items():
            assert self.translator is not None
            english = translated(self.translator, texts, language, ENGLISH, self.memory)
            made |= {(language, text): found for text, found in english.items() if found}
        result: list[tuple[str, str] | None] = []
        for pair, found in zip(pairs, languages, strict=True):
            a, b = (
                text if language in _ENGLISH_READS else made.get((language, normalise(text)))
                for text, language in zip(pair, found, strict=True)
            )
            result.append(None if a is None or b is None else (a, b))
        return result

    def _reads(self, language: str) -> bool:
        if language in _ENGLISH_READS:
            return True
        return self.translator is not None and self.translator.covers(language, ENGLISH)


class _View(NamedTuple):
    # Rows, who reads them, the texts of all rows as they are read, and what is said of each row counts.
    rows: list[int]
    model: Predictor
    texts: Sequence[tuple[str, str]]
    weights: np.ndarray

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return [self.texts[row] for row in self.rows]


def _loaded(model: str | Path | Predictor | None) -> Predictor | None:
    if model in (MULTILINGUAL, TRANSLATIONS) and not ships(str(model)):
        return None
    return load(model) if isinstance(model, str | Path) else model


def _changed(pair: tuple[str, str], english: tuple[str, str] | None) -> tuple[str | None, str | None]:
    # The translations of both texts, None for those that are not translated.
    a, b = (None if text == own else text for own, text in zip(pair, english or pair, strict=True))
    return a, b


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
