"""How common words are in each supported language, as the library wordfreq counts them (Speer, 2022)."""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from ..linguistics.languages import ENGLISH, SUPPORTED
from ..linguistics.normalisation import normalise_text
from ..resources.fitted import Resource
from ..sentences import Sentence
from .word_list import WordList, pack_words

LEAST_ZIPF = 3.0
"""Only words at least this frequent are stored, one in a million words of running text: 28,000 to 61,000 a language."""

COMMON = 1e-3
"""A word that makes up so much of running text is no content word: 71 to 101 of a language."""


class LanguageFrequencies(Resource):
    """Frequencies of words in `SUPPORTED` languages, spelt as `normalise_text` does.

    They come from wordfreq alone, under CC BY-SA 4.0: the sentences that it is fitted on are not counted.
    """

    name = "language_frequencies"
    keys = tuple(f"{language}_{kind}" for language in SUPPORTED for kind in ("words", "centibels"))
    costly = True
    floor: ClassVar[float] = 10.0 ** (LEAST_ZIPF - 9)

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "LanguageFrequencies":
        """Return the tables of the installed wordfreq; the same for any sentences."""
        return cls({key: array for language in SUPPORTED for key, array in _table(language).items()})

    @cached_property
    def _lists(self) -> dict[str, tuple[WordList, np.ndarray]]:
        found = {}
        for language in SUPPORTED:
            shares = 10.0 ** (self.arrays[f"{language}_centibels"] / -100.0)
            found[language] = WordList(self.arrays[f"{language}_words"]), np.append(shares, self.floor)
        return found

    def probability(self, words: Sequence[str], language: str) -> np.ndarray:
        """Return the share of running text that each word makes up, float64, in (0, 1].

        An unlisted word or number counts as the rarest that is listed; what holds no letter or digit is certain: 1.

        Parameters
        ----------
        words
            As `split_text` gives them.
        language
            One of `SUPPORTED`; any other is taken for English.
        """
        listed, shares = self._lists[language if language in SUPPORTED else ENGLISH]
        marks = np.fromiter((not any(map(str.isalnum, word)) for word in words), dtype=bool, count=len(words))
        return np.where(marks, 1.0, shares[listed.find_all(words)])

    def information(self, words: Sequence[str], language: str) -> np.ndarray:
        """Return ``-ln P(w)`` of each word in nats, 0 to 13.8."""
        return np.log(1.0 / self.probability(words, language))


def _table(language: str) -> dict[str, np.ndarray]:
    try:
        from wordfreq import get_frequency_dict
    except ModuleNotFoundError as error:
        message = f"word frequencies are fitted from wordfreq, and {error.name!r} is not installed; install wordfreq"
        raise ModuleNotFoundError(message, name=error.name) from None
    shares: dict[str, list[float]] = {}
    for word, share in get_frequency_dict(language, "small").items():
        shares.setdefault(normalise_text(word, language), []).append(share)
    centibels = {word: round(-100 * math.log10(math.fsum(found))) for word, found in shares.items()}
    most = 100 * (9 - LEAST_ZIPF)
    words, text = pack_words(word for word, value in centibels.items() if value <= most and len(word.split()) == 1)
    values = np.asarray([centibels[word] for word in words], dtype=np.int16)
    return {f"{language}_words": text, f"{language}_centibels": values}
