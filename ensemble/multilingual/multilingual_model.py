"""A model of several languages: English pairs go to one ensemble, other pairs to those that can read them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from ..._messages import short_repr
from ...features.analysis.analysis import analyse, normalise, text_reader
from ...features.base.caches import SentenceCache, fields_of
from ...features.base.sentences import PairBatch
from ...features.encoders.multilingual import encoder_languages
from ...features.linguistics.known_languages import LANGUAGES
from ...features.linguistics.languages import UNKNOWN, Languages
from ...features.pipeline.matrix import BATCH
from ..core.explanation import Explanation, mean_explanation
from ..core.pair_inputs import Pairs, as_pairs, language_flags
from ..core.prediction import Prediction, ScoresPairs, check_languages
from ..core.predictor import Predictor, with_ref
from ..core.scale import POINTS, Scale
from ..differences.facts import Difference
from ..differences.glossary_words import as_written
from ..differences.text_differences import LEVEL
from .interlinear_differences import interlinear_differences, reads
from .pair_languages import ENGLISH_READS, languages_of_pairs, translated_pairs
from .translator import Translator
from .translators import find_translator

FOREIGN_PROBE = {code: language.probe for code, language in LANGUAGES.items() if language.probe is not None}
"""A text in each language, whose score beside the first of `PROBE` shows whether two machines agree."""

BESIDE_TRANSLATIONS = 2.0
"""Weight of the multilingual model's score beside those of translations, whose weights are 1.

When it was chosen, the mean of the correlations with the silver scores of PUD, in Arabic, Spanish and Turkish and of
each to English, was 0.891; with the weight 1 it was 0.879, and with 3 0.893. On STS Benchmark dev in machine
translation into Spanish and Turkish it was 0.876, 0.874 and 0.875 (docs/languages.md).
"""

_ROUNDING = 1e-12
_OF_TRANSLATIONS = frozenset({"accents", "identical", "non_english", "unknown_words"})  # not of the texts themselves


@dataclass(frozen=True, eq=False)
class MultilingualModel(ScoresPairs):
    """An English model, a multilingual one, a reader of translations and a translator; a `Model`.

    A pair of English texts has the score of the English model, to the last bit. Any other pair has the score of the
    multilingual model or, where the translator covers its languages, the mean of that score, which counts twice, and
    of two scores of its translations: by the English model, and by one that was fitted on translations. Its interval is
    that of the mixture of their distributions.

    Attributes
    ----------
    english
        Model of English texts and of translations.
    multilingual
        Model of texts in several languages; None to compare translations alone.
    translation_reader
        Model of English that was fitted on translations; None to have the English model alone read them.
    translator
        Translator into English; None for none.
    languages
        Languages of the texts.
    ref
        The `ModelRef` that loads the same model; None for a model that was put together in memory.
    """

    english: Predictor
    multilingual: Predictor | None = None
    translation_reader: Predictor | None = None
    translator: Translator | None = None
    languages: Languages = field(default_factory=Languages)
    ref: Any = field(default=None, init=False)

    @classmethod
    def of(
        cls,
        english: Predictor,
        languages: str = "auto",
        translate: str = "dictionary",
        others: Predictor | None = None,
        reader: Predictor | None = None,
    ) -> "MultilingualModel":
        """Return an English model extended by others.

        Parameters
        ----------
        english
            The model of English pairs and of translations.
        languages
            As `Languages.parse` reads it.
        translate
            A translator, as `find_translator` reads it.
        others
            The model of other pairs; None for translations alone.
        reader
            The model of translations beside `english`; None for `english` alone.

        Raises
        ------
        ValueError
            If a language or translator is unknown, or `english` reads several languages or has another scale.
        """
        if english.languages is not None:
            raise ValueError("the model reads several languages by itself; leave out --languages and --translate")
        if english.scale != POINTS:
            raise ValueError(
                f"a model that is joined with those of other languages must score on {POINTS}, got {english.scale}; "
                "leave out --languages and --translate, or train on that scale"
            )
        model = cls(english, others, reader, find_translator(translate), Languages.parse(languages))
        return model.with_sentence_cache(english.sentence_cache)

    def __getstate__(self) -> dict[str, Any]:
        return fields_of(self)

    def __repr__(self) -> str:
        return short_repr(
            self,
            model=getattr(self.ref, "model", None),
            languages=str(self.languages),
            translator=None if self.translator is None else self.translator.name,
            parts=list(self.parts),
            scale=str(self.scale),
            signature=self.english.signature if "files" in self.english.manifest else None,
        )

    @property
    def parts(self) -> dict[str, Predictor]:
        """The ensembles by name, the English one first."""
        parts = {"english": self.english, "multilingual": self.multilingual, "translations": self.translation_reader}
        return {name: part for name, part in parts.items() if part is not None}

    @property
    def sentence_cache(self) -> SentenceCache:
        """The cache that all parts share."""
        return self.english.sentence_cache

    def with_sentence_cache(self, cache: SentenceCache) -> Self:
        """Return the same model with another cache of sentences."""
        parts = {name: part.with_sentence_cache(cache) for name, part in self.parts.items()}
        reader = parts.get("translations")
        model = replace(
            self, english=parts["english"], multilingual=parts.get("multilingual"), translation_reader=reader
        )
        return with_ref(model, self.ref)

    @property
    def scale(self) -> Scale:
        """Scale of the scores: that of all parts."""
        return self.english.scale

    @property
    def signature(self) -> str:
        """Signature of the English model, the languages, and the signatures of the other parts."""
        others = "" if self.multilingual is None else f", {self.multilingual.signature}"
        by = "" if self.translator is None else f", translated by {self.translator.name}"
        if self.translator is not None and self.translation_reader is not None:
            by += f", {self.translation_reader.signature}"
        return f"{self.english.signature}; languages {self.languages}{others}{by}"

    def predict_pairs(self, pairs: Pairs, languages: Pairs | None = None) -> Prediction:
        """Score pairs of texts, with intervals and flags.

        Parameters
        ----------
        pairs
            n pairs.
        languages
            ISO 639-1 codes of both texts of each pair, if they are known; else they are as named, or detected.
        """
        pairs = as_pairs(pairs)
        check_languages(languages, len(pairs))
        parts: list[tuple[Sequence[int], Prediction]] = []
        for start in range(0, len(pairs), BATCH):
            chunk = pairs[start : start + BATCH]
            batch = self.english.analyse(chunk)
            sides = self._languages_of(batch) if languages is None else languages[start : start + BATCH]
            english = [row for row, pair in enumerate(sides) if ENGLISH_READS.issuperset(pair)]
            foreign = [row for row, pair in enumerate(sides) if not ENGLISH_READS.issuperset(pair)]
            if english:
                part = self.english.predict_batch(batch.take(np.asarray(english)) if foreign else batch)
                parts.append(([start + row for row in english], _with_unknown(part, [sides[row] for row in english])))
            if foreign:
                part = self._predict_foreign([chunk[row] for row in foreign], [sides[row] for row in foreign])
                parts.append(([start + row for row in foreign], part))
        return Prediction.of_rows(len(pairs), parts)

    def predict_members(self, pairs: Pairs, languages: Pairs | None = None) -> dict[str, np.ndarray]:
        """Return the scores of each member alone, as `Predictor.predict_members` does.

        The members of the English model read every pair, in translation where there is one. Where there are other
        parts, theirs also read every pair; names then begin with ``english.``, ``translations.`` and
        ``multilingual.``, and the last, ``combined``, is what `predict_pairs` returns.
        """
        pairs = as_pairs(pairs)
        check_languages(languages, len(pairs))
        sides = self.languages_of(pairs) if languages is None else languages
        translations = self._translations(pairs, sides)
        texts = [translation or pair for translation, pair in zip(translations, pairs, strict=True)]
        of_english = self.english.predict_members(texts)
        if self.multilingual is None and self.translation_reader is None:
            return of_english
        columns = {f"english.{name}": scores for name, scores in of_english.items()}
        if self.translation_reader is not None:
            of_reader = self.translation_reader.predict_members(texts)
            columns |= {f"translations.{name}": scores for name, scores in of_reader.items()}
        if self.multilingual is not None:
            as_read = [pair if self._reads(pair) else (UNKNOWN, UNKNOWN) for pair in sides]
            of_others = self.multilingual.predict_members(pairs, as_read)
            columns |= {f"multilingual.{name}": scores for name, scores in of_others.items()}
        return {**columns, "combined": self.predict_pairs(pairs, languages).score}

    def explain(self, pairs: Pairs, languages: Pairs | None = None) -> list[Explanation]:
        """Explain the scores of pairs of texts, as `Predictor.explain` does.

        Where a pair was translated, tokens, alignment and points are those of the translations, which are given beside
        them; its differences are those of `differences`. Where its score is the mean of several models, base and
        points are the means of theirs, so that they add up to it; a family that one of them lacks counts as 0 there.
        """
        pairs = as_pairs(pairs)
        check_languages(languages, len(pairs))
        sides = self.languages_of(pairs) if languages is None else languages
        parts: list[list[Explanation]] = [[] for _ in pairs]
        weights: list[list[float]] = [[] for _ in pairs]
        translations = self._translations(pairs, sides)
        compared, apart = _compared(pairs, translations), self._interlinear(pairs, sides)
        for reading in self._readings(pairs, sides, translations):
            explained = reading.model.explain(reading.pairs, [sides[row] for row in reading.rows])
            for row, part in zip(reading.rows, explained, strict=True):
                if not any("identical" in earlier.flags for earlier in parts[row]):
                    weights[row].append(reading.weight)
                    # The translations of both texts, None for those that are not translated.
                    texts = zip(pairs[row], reading.texts[row], strict=True)
                    a, b = (None if text == original else text for original, text in texts)
                    differences = part.differences if row in compared else ()
                    differences = tuple(apart.get(row, ())) if reads(sides[row]) else differences
                    parts[row].append(part._replace(translations=(a, b), differences=differences))
        prediction = self.predict_pairs(pairs, languages)
        names = list(dict.fromkeys(name for part in self.parts.values() for name in part.contribution_names))
        scores = zip(*(column.tolist() for column in prediction[:3]), prediction.flags, strict=True)
        return [
            mean_explanation(of_pair, weight, names)._replace(score=score, low=low, high=high, flags=flags)
            for of_pair, weight, (score, low, high, flags) in zip(parts, weights, scores, strict=True)
        ]

    def differences(self, pairs: Pairs, languages: Pairs | None = None) -> list[list[Difference]]:
        """Return the words in which the texts of each pair differ in meaning, as `Predictor.differences` does.

        A pair in languages with closed-class words is read by `interlinear_differences`, another one in translation.
        A pair has none if it is not in English and can be read in neither way, or if its texts are the same.
        """
        pairs = as_pairs(pairs)
        check_languages(languages, len(pairs))
        sides = self.languages_of(pairs) if languages is None else languages
        rest = [row for row in range(len(pairs)) if not reads(sides[row])]
        translations = self._translations([pairs[row] for row in rest], [sides[row] for row in rest])
        compared = {rest[k]: texts for k, texts in _compared([pairs[row] for row in rest], translations).items()}
        of_row = dict(zip(compared, self.english.differences(list(compared.values())), strict=True))
        of_row |= self._interlinear(pairs, sides)
        return [of_row.get(row, []) for row in range(len(pairs))]

    def _interlinear(self, pairs: Pairs, sides: Pairs) -> dict[int, list[Difference]]:
        # The differences of pairs in languages with closed-class words, by row; none for equal texts.
        apart = [row for row, (a, b) in enumerate(pairs) if reads(sides[row]) and normalise(a) != normalise(b)]
        read, of_row = text_reader(self.english.glossary), dict[int, list[Difference]]()
        for start in range(0, len(apart), BATCH):
            rows = apart[start : start + BATCH]
            texts = [(read(pairs[row][0]), read(pairs[row][1])) for row in rows]
            analysed = analyse(texts, LEVEL, self.english.annotator, self.sentence_cache)
            found = interlinear_differences(texts, [sides[row] for row in rows], analysed)
            if self.english.glossary is not None:
                found = as_written(found, [pairs[row] for row in rows], analysed, self.english.glossary)
            of_row |= zip(rows, found, strict=True)
        return of_row

    def covers(self, pairs: Pairs, languages: Pairs | None = None) -> np.ndarray:
        """Return how much of each first text the second says, and how much it adds, shape (n, 2).

        As `Predictor.covers` does, for English pairs and the translations of others; (1, 0) for the same text in one
        language. Not a number for a pair that is not in English and has no translation.
        """
        pairs = as_pairs(pairs)
        check_languages(languages, len(pairs))
        sides = self.languages_of(pairs) if languages is None else languages
        compared = _compared(pairs, self._translations(pairs, sides))
        shares = np.full((len(pairs), 2), np.nan)
        shares[list(compared)] = self.english.covers(list(compared.values()))
        same = [normalise(a) == normalise(b) and one == two for (a, b), (one, two) in zip(pairs, sides, strict=True)]
        shares[np.asarray(same, dtype=bool)] = 1.0, 0.0
        return shares

    def languages_of(self, pairs: Pairs) -> list[tuple[str, str]]:
        """Return the languages of both texts of each pair: ISO 639-1 codes, or ``und``."""
        return self._languages_of(self.english.analyse(as_pairs(pairs)))

    def _languages_of(self, batch: PairBatch) -> list[tuple[str, str]]:
        return languages_of_pairs(batch, self.languages, self.languages.readable, self.english.vocabulary)

    def _predict_foreign(self, pairs: Pairs, languages: Pairs) -> Prediction:
        translations = self._translations(pairs, languages)
        pool, identical = _OpinionPool(len(pairs)), np.zeros(len(pairs), dtype=bool)
        flags: list[tuple[str, ...] | None] = [None] * len(pairs)
        for reading in self._readings(pairs, languages, translations):
            rows = np.asarray(reading.rows)
            prediction = reading.model.predict_pairs(reading.pairs, [languages[row] for row in reading.rows])
            pool.add(rows, prediction, np.where(identical[rows], 0.0, reading.weight))
            for row, names in zip(reading.rows, prediction.flags, strict=True):
                if flags[row] is None:
                    read = self._reads(languages[row])
                    kept = set(names) if read else set(names) - _OF_TRANSLATIONS
                    unread = not read and translations[row] is None
                    flags[row] = tuple(kept | {"non_english"} if unread else kept)
                    identical[row] = "identical" in names and read
        score, low, high, deviation = pool.numbers()
        prediction = Prediction(score, low, high, [names or () for names in flags], deviation)
        return _flagged(prediction, languages, translations)

    def _reads(self, languages: Sequence[str]) -> bool:
        return self._read_by_itself.issuperset(languages)

    @cached_property
    def _read_by_itself(self) -> frozenset[str]:
        # Languages that the multilingual model reads: it was fitted on them, or an encoder is installed.
        if self.multilingual is None:
            return frozenset()
        fitted = self.multilingual.languages.candidates if self.multilingual.languages is not None else ()
        return frozenset({*fitted, *encoder_languages(), *ENGLISH_READS})

    def _translations(self, pairs: Pairs, languages: Pairs) -> list[tuple[str, str] | None]:
        glossary = self.english.glossary
        if glossary is not None:  # the English model rewrites its texts itself
            read = text_reader(glossary)
            sides = zip(pairs, languages, strict=True)
            pairs = [
                (a if one in ENGLISH_READS else read(a), b if other in ENGLISH_READS else read(b))
                for (a, b), (one, other) in sides
            ]
        return translated_pairs(pairs, languages, self.translator, self.sentence_cache)

    def _readings(
        self, pairs: Pairs, languages: Pairs, translations: Sequence[tuple[str, str] | None]
    ) -> "Iterator[_Reading]":
        # At least one a pair: which model reads which texts of it, and the weight of that score.
        foreign = [row for row, sides in enumerate(languages) if not ENGLISH_READS.issuperset(sides)]
        rows = [row for row in foreign if self._reads(languages[row])]
        if self.multilingual is not None and rows:
            yield _Reading(rows, self.multilingual, pairs, BESIDE_TRANSLATIONS)
        read = [row for row, pair in enumerate(translations) if pair is not None or not self._reads(languages[row])]
        translated_rows = [row for row in foreign if translations[row] is not None]
        texts = [translation or pair for translation, pair in zip(translations, pairs, strict=True)]
        for model, rows in ((self.english, read), (self.translation_reader, translated_rows)):
            if rows and model is not None:
                yield _Reading(rows, model, texts, 1.0)


class _Reading(NamedTuple):
    # Rows, the model that reads them, the texts of all pairs as it reads them, and the weight of its scores.
    rows: list[int]
    model: Predictor
    texts: Pairs
    weight: float

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return [self.texts[row] for row in self.rows]


class _OpinionPool:
    # The mean of predictions of n pairs, as the mixture of their distributions (linear opinion pool; Stone, 1961): the
    # variance of their scores adds to the mean of their variances, and ends move away from the score in proportion. So
    # an interval is wide where the models disagree, as they do on a poor translation.

    def __init__(self, count: int) -> None:
        self._weight = np.zeros(count)
        self._sums = np.zeros((5, count))

    def add(self, rows: np.ndarray, prediction: Prediction, weight: np.ndarray) -> None:
        score, low, high, deviation = prediction.numbers
        self._weight[rows] += weight
        self._sums[:, rows] += weight * np.stack([score, low, high, deviation**2, score**2])

    def numbers(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        score, low, high, within, squares = self._sums / self._weight
        between = squares - score**2
        between[between < _ROUNDING] = 0.0  # one model, or models that agree
        more = np.sqrt(1.0 + np.divide(between, within, out=np.zeros_like(within), where=within > 0.0)) - 1.0
        low, high = low - more * (score - low), high + more * (high - score)
        return score, np.maximum(low, POINTS.low), np.minimum(high, POINTS.high), np.sqrt(within + between)


def _compared(pairs: Pairs, translations: Sequence[tuple[str, str] | None]) -> dict[int, tuple[str, str]]:
    # The English texts whose differences are reported, by row. One text in two languages has none, although it is
    # translated on one side alone.
    return {
        row: translation
        for row, ((a, b), translation) in enumerate(zip(pairs, translations, strict=True))
        if translation is not None and normalise(a) != normalise(b)
    }


def _with_unknown(prediction: Prediction, languages: Pairs) -> Prediction:
    return _flagged(prediction, languages) if any(UNKNOWN in sides for sides in languages) else prediction


def _flagged(
    prediction: Prediction, languages: Pairs, translations: Sequence[tuple[str, str] | None] = ()
) -> Prediction:
    # With the flags that follow from the languages and, if there are any, the translations.
    flags = []
    for row, (names, sides) in enumerate(zip(prediction.flags, languages, strict=True)):
        added = {"translated"} if translations and translations[row] is not None else set()
        flags.append(tuple(sorted({*names, *added, *language_flags(*sides)})))
    return prediction._replace(flags=flags)
