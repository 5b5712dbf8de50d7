"""Frequencies of English words, with information content and weights that follow from them.

Information content is that of Saric et al. (2012), smooth inverse frequency that of Arora et al. (2017).
"""

import math
import re
from collections.abc import Sequence
from functools import cache, cached_property
from typing import ClassVar

import numpy as np

from ..._messages import from_extra
from ..base.caches import cached_by_word
from ..base.sentences import PairBatch, Sentence
from ..base.token_sequences import Field, vocabulary
from ..statistics.fitted import Layout, Numbers, Resource, Words
from .dictionaries import WordList, pack_words

LEAST_ZIPF = 2.0
"""Least frequency of stored words: 10**(2 - 9) of running text, or one in ten million words.

The table has 95,998 words, 388 kB, and lacks 0.9 % of the tokens of STS Benchmark train. The whole list has 1.3 MB,
lacks 0.4 % and gains nothing: the overlap of words weighted by information correlates with the scores of train by
0.682 with either.
"""

MOST_CENTIBELS = 1_000
"""Greatest stored value: a hundred times the negative decimal logarithm of the least share, 10**-10."""

CLITICS = ("n't", "'s", "'re", "'ve", "'ll", "'d", "'m")
"""Clitics that the tokens of the Treebank separate from a word."""

SIF = 1e-3
"""The constant a of smooth inverse frequency (Arora et al., 2017)."""

_CACHED_WORDS = 1 << 12
_MANY_DIGITS = re.compile(r"\d[\d.,]+")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w+(?:['.]\w+|(?<=\d),\d+)*")
_BENFORD = (0.009, 0.300, 0.175, 0.124, 0.096, 0.078, 0.066, 0.057, 0.050, 0.045)


def information(probability: np.ndarray) -> np.ndarray:
    """Return information content, ``-ln P``, in nats."""
    return np.log(1.0 / probability)


def sif(probability: np.ndarray, a: float = SIF) -> np.ndarray:
    """Return smooth inverse frequency, ``a / (a + P)``."""
    return a / (a + probability)


class Frequencies(Resource):
    """Frequencies of lower-case words in English text of eight kinds, as the library wordfreq gives them (Speer, 2022).

    They come from that library alone, under CC BY-SA 4.0: the sentences that it is fitted on are not counted.
    """

    name = "frequencies"
    level = "lexical"  # features of lower levels do not read it
    layout: ClassVar[Layout] = {"words": Words("words"), "centibels": Numbers(np.int16, ("words",), 0, MOST_CENTIBELS)}
    floor: ClassVar[float] = 10.0 ** (LEAST_ZIPF - 9)

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "Frequencies":
        """Return the table of the installed wordfreq; the same for any sentences.

        Raises
        ------
        ModuleNotFoundError
            If wordfreq is not installed; prediction does not need it.
        """
        return cls(_table())

    @cached_property
    def _words(self) -> WordList:
        return WordList(self.arrays["words"])

    @cached_property
    def _shares(self) -> np.ndarray:
        # By listed word; the last is that of unlisted words.
        return np.append(10.0 ** (self.arrays["centibels"] / -100.0), 0.0)

    @property
    def words(self) -> list[str]:
        """The words listed, the commonest first."""
        listed = [self._words[place] for place in range(len(self._words))]
        return [listed[place] for place in np.argsort(self.arrays["centibels"], kind="stable").tolist()]

    def _listed(self, words: Sequence[str]) -> np.ndarray:
        return self._shares[self._words.find_all(words)]

    def probability(self, words: Sequence[str]) -> np.ndarray:
        """Return the share of running text that each lower-case word makes up, float64, in (0, 1].

        A number counts by its shape, as in wordfreq: its first digit by Benford's law, and four digits mostly as a
        year. An unlisted item is split as by wordfreq, into parts of frequencies f, and has ``1 / sum(1 / f)``. An
        unknown word counts as the rarest listed one, and an unlisted item without a letter or digit is certain: 1.
        """
        shares_of_words = self._listed(words)
        unlisted = np.flatnonzero(shares_of_words == 0).tolist()
        parts = [_shapes(words[i]) for i in unlisted]
        shares = iter(self._listed([shape for part in parts for shape, _ in part]).tolist())
        for i, part in zip(unlisted, parts, strict=True):
            split = math.fsum([1.0 / max(next(shares) * share, self.floor) for _, share in part])
            shares_of_words[i] = max(1.0 / split, self.floor) if part else 1.0
        return shares_of_words

    def information(self, words: Sequence[str]) -> np.ndarray:
        """Return ``-ln P(w)`` of each word in nats, from 0 to 16.1: ``ln(total / frequency)`` (Saric et al., 2012).

        Wu et al. (2017) take the same quantity from the British National Corpus. Words that the list of TakeLab lacks
        have 0 there. Here they have the greatest value, which predicts the scores of STS Benchmark train better:
        boosted trees on the columns of `information` reach a correlation of 0.753 against 0.743 in five-fold
        cross-validation.
        """
        return information(self.probability(words))

    @property
    def least_information(self) -> float:
        """Information content of the commonest word, in nats."""
        return float(information(self._shares.max(initial=self.floor)))

    def sif(self, words: Sequence[str], a: float = SIF) -> np.ndarray:
        """Return the smooth inverse frequency ``a / (a + P(w))`` of each word, in (0, 1) (Arora et al., 2017)."""
        return sif(self.probability(words), a)


def probabilities(pairs: PairBatch, field: Field, frequencies: Frequencies) -> np.ndarray:
    """Return `Frequencies.probability` of the items of ``vocabulary(pairs, field)``, looked up once a batch."""
    return pairs.memo(
        ("probabilities", field, frequencies.digest), lambda: frequencies.probability(vocabulary(pairs, field).items)
    )


@cached_by_word(_CACHED_WORDS)
def _shapes(word: str) -> tuple[tuple[str, float], ...]:
    # Parts of a word with zeros for digits, and the share of these digits among those of that shape; () for marks.
    if not any(map(str.isalnum, word)):
        return ()
    parts = _WORD.findall(word.replace("\u2019", "'"))
    return tuple(
        (
            _MANY_DIGITS.sub(lambda match: _DIGITS.sub(_zeros, match[0]), part),
            math.prod(map(_share, _MANY_DIGITS.findall(part))),
        )
        for part in parts
    )


def _zeros(match: re.Match[str]) -> str:
    return "0" * len(match[0])


def _share(number: str) -> float:
    # Share of these digits among digits of this shape.
    return math.prod(_year(run) if len(run) == 4 else _benford(run) for run in _DIGITS.findall(number))


def _benford(digits: str) -> float:
    return _BENFORD[int(digits[0])] * 10.0 ** (1 - len(digits))


def _year(digits: str) -> float:
    year = int(digits)
    slope = 0.0083 * min(year - 2019, 0) - 0.2 * max(year - 2039, 0)
    return 10.0 ** (slope - 1.9185) + 0.1 * _benford(digits)


@cache
def _table() -> dict[str, np.ndarray]:
    with from_extra("fit", "fitting word frequencies"):
        from wordfreq import get_frequency_dict
    listed = dict(get_frequency_dict("en", "large"))
    for clitic in CLITICS:
        # wordfreq does not separate clitics from their words; what it lists under this name is another word.
        listed[clitic] = math.fsum(share for word, share in listed.items() if word.endswith(clitic) and word != clitic)
    centibels = {word: round(-100 * math.log10(share)) for word, share in listed.items()}
    words, text = pack_words(word for word, value in centibels.items() if value <= 100 * (9 - LEAST_ZIPF))
    return {"words": text, "centibels": np.asarray([centibels[word] for word in words], dtype=np.int16)}
