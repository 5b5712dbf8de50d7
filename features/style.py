"""What kind of text the two sentences are, by surface marks (the style features of Bär et al., 2012, in spirit).

Headlines, captions, questions and prose agree in different ways; these columns let a regressor tell them apart.
"""

import numpy as np

from .base import PairBatch, Sentence, feature
from .stopwords import stop_words

_QUOTES = frozenset({"``", "''"})


def _marks(sentence: Sentence) -> tuple[float, ...]:
    text, words = sentence.text, sentence.words
    stops = stop_words("ecnu")
    return (
        text.endswith("."),
        text.endswith("?"),
        not _QUOTES.isdisjoint(words),
        text[:1].isupper(),
        sum(map(str.isdigit, text)),
        sum(map(str.isupper, text)) / max(len(text), 1),
        sum(word in stops for word in words) / max(len(words), 1),
    )


_NAMES = ("period", "question", "quotes", "initial_capital", "digits", "capitals", "stop_words")


@feature(*(f"{name}_{end}" for name in _NAMES for end in ("min", "max")), high=np.inf, source="Bär et al. 2012")
def marks(pairs: PairBatch) -> np.ndarray:
    """Final period, question mark, quotes, initial capital (0 or 1), digits, shares of capitals and of stop words."""
    table = np.asarray([_marks(sentence) for sentence in pairs.sentences], dtype=np.float64).reshape(-1, len(_NAMES))
    a, b = table[pairs.left], table[pairs.right]
    return np.stack([np.minimum(a, b), np.maximum(a, b)], axis=2).reshape(len(pairs), 2 * len(_NAMES))
