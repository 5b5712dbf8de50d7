"""Differences in style by surface marks (after the style features of Bär et al., 2012).

Headlines, captions, questions and prose agree in different ways; these columns let a regressor distinguish them.
"""

from collections.abc import Callable

import numpy as np

from ..arrays.ragged import Ragged, ratio
from ..base.feature import PairBatch, feature
from ..base.token_sequences import characters, stop_mask, vocabulary

_NAMES = ("period", "question", "quotes", "initial_capital", "digits", "capitals", "stop_words")
_QUOTES = frozenset({"``", "''"})


def _count(codes: Ragged, wanted: Callable[[str], bool]) -> np.ndarray:
    # Number of wanted characters of each text; `wanted` is called once for each distinct character.
    points = codes.values.astype(np.int64)
    mask = np.bincount(points, minlength=1) > 0
    places = np.flatnonzero(mask)
    mask[places] = [wanted(chr(point)) for point in places.tolist()]
    return codes.where(mask[points]).lengths


def _table(pairs: PairBatch) -> np.ndarray:
    texts = [sentence.text for sentence in pairs.sentences]
    codes = characters(texts)
    ids = vocabulary(pairs, "words").ids
    flags = [
        (text.endswith("."), text.endswith("?"), not _QUOTES.isdisjoint(sentence.tokens), text[:1].isupper())
        for text, sentence in zip(texts, pairs.sentences, strict=True)
    ]
    return np.column_stack(
        [
            np.asarray(flags, dtype=np.float64).reshape(-1, 4),
            _count(codes, str.isdigit),
            ratio(_count(codes, str.isupper), codes.lengths),
            ratio(ids.where(stop_mask(pairs, "ecnu")).lengths, ids.lengths),
        ]
    )


@feature(*(f"{name}_{end}" for name in _NAMES for end in ("min", "max")), high=np.inf, source="Bär et al. 2012")
def marks(pairs: PairBatch) -> np.ndarray:
    """Mark final period, question mark, quotes and initial capital; count digits; shares of capitals and stop words."""
    table = _table(pairs)
    a, b = table[pairs.left], table[pairs.right]
    return np.stack([np.minimum(a, b), np.maximum(a, b)], axis=2).reshape(len(pairs), 2 * len(_NAMES))
