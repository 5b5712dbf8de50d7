"""Frequencies of words in each known language, as the library wordfreq counts them (Speer, 2022)."""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from ..._messages import from_extra
from ..base.sentences import Sentence
from ..linguistics.languages import ENGLISH, SUPPORTED
from ..linguistics.normalisation import normalise_text
from ..statistics.fitted import Layout, Numbers, Resource, Words
from .dictionaries import WordList, pack_words
from .word_frequencies import MOST_CENTIBELS

LEAST_ZIPF = 3.0
"""Least frequency of stored words: one in a million words of running text, 28,000 to 61,000 words a language."""

COMMON = 1e-3
"""Least share of running text of a word that is no content word: 71 to 101 words of a language."""


def _layout(languages: Sequence[str]) -> Layout:
    layout: dict[str, Numbers | Words] = {}
    for code in languages:
        layout[f"{code}_words"] = Words(code)
        layout[f"{code}_centibels"] = Numbers(np.int16, (code,), 0, MOST_CENTIBELS)
    return layout


class LanguageFrequencies(Resource):
    """Frequencies of words by language, spelt as by `normalise_text`.

    They come from wordfreq alone, under CC BY-SA 4.0: the sentences that it is fitted on are not counted.

    Attributes
    ----------
    languages
        Codes of the languages that it holds: those that were known when it was fitted.
    """

    name = "language_frequencies"
    layout: ClassVar[Layout] = _layout(SUPPORTED)  # a resource may lack languages other than English
    floor: ClassVar[float] = 10.0 ** (LEAST_ZIPF - 9)

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        codes = {key.removesuffix("_words") for key in arrays if key.endswith("_words")} | {ENGLISH}
        self.languages = tuple(sorted(codes, key=lambda code: (code != ENGLISH, code)))
        self._keep(arrays, _layout(self.languages))

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "LanguageFrequencies":
        """Return the tables of the installed wordfreq, without languages that it lacks; the same for any sentences."""
        return cls({key: array for language in SUPPORTED for key, array in _table(language).items()})

    @cached_property
    def _lists(self) -> dict[str, tuple[WordList, np.ndarray]]:
        lists = {}
        for language in self.languages:
            shares = 10.0 ** (self.arrays[f"{language}_centibels"] / -100.0)
            lists[language] = WordList(self.arrays[f"{language}_words"]), np.append(shares, self.floor)
        return lists

    def probability(self, words: Sequence[str], language: str) -> np.ndarray:
        """Return the share of running text that each word makes up, float64, in (0, 1].

        The share of an unlisted word or number is that of the rarest listed one, and 1 without a letter or digit.

        Parameters
        ----------
        words
            As returned by `split_text`.
        language
            One of `languages`; any other counts as English.
        """
        listed, shares = self._lists[language if language in self.languages else ENGLISH]
        marks = np.fromiter((not any(map(str.isalnum, word)) for word in words), dtype=bool, count=len(words))
        return np.where(marks, 1.0, shares[listed.find_all(words)])

    def information(self, words: Sequence[str], language: str) -> np.ndarray:
        """Return ``-ln P(w)`` of each word in nats, 0 to 13.8."""
        return np.log(1.0 / self.probability(words, language))


def _table(language: str) -> dict[str, np.ndarray]:
    with from_extra("fit", "fitting word frequencies"):
        from wordfreq import available_languages, get_frequency_dict
    if language not in available_languages("small"):
        return {}
    shares: dict[str, list[float]] = {}
    for word, share in get_frequency_dict(language, "small").items():
        shares.setdefault(normalise_text(word, language), []).append(share)
    centibels = {word: round(-100 * math.log10(math.fsum(spellings))) for word, spellings in shares.items()}
    most = 100 * (9 - LEAST_ZIPF)
    words, text = pack_words(word for word, value in centibels.items() if value <= most and len(word.split()) == 1)
    values = np.asarray([centibels[word] for word in words], dtype=np.int16)
    return {f"{language}_words": text, f"{language}_centibels": values}
