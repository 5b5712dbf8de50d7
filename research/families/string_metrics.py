"""Twenty-two string metrics on sixteen views of a pair: 352 columns after the "Paris" model of Henderson et al. (2017).

The metrics and views of the authors are not published. Here the views are words, lemmas, content words and characters,
each with stop words kept and removed, as written and in lower case (`string_views.each_view`); the metrics are those of
`string_similarity.similarities`, most of them by RapidFuzz.
"""

import numpy as np

from ...features.base.feature import PairBatch, feature
from ..strings.string_similarity import METRICS, similarities
from ..strings.string_views import VARIANTS, Unit, each_view

COLUMNS = tuple(f"{variant}_{metric}" for variant in VARIANTS for metric in METRICS)
"""Columns of every feature: ``kept_lower_dice`` is the Dice coefficient with stop words kept and in lower case."""

SHORTEST_TILE = {"words": 2, "lemmas": 2, "content": 2, "characters": 3}
"""Items in the shortest run that counts as copied; three characters are those of Bär et al. (2012)."""


def _columns(pairs: PairBatch, unit: Unit) -> np.ndarray:
    return np.concatenate(each_view(pairs, unit, lambda view: similarities(view, SHORTEST_TILE[unit])), axis=1)


@feature(*COLUMNS, source="Henderson et al. 2017", section="SEQ6")
def words(pairs: PairBatch) -> np.ndarray:
    """Twenty-two string metrics of the tokens, stop words kept or removed, as written or in lower case."""
    return _columns(pairs, "words")


@feature(*COLUMNS, level="lexical", source="Henderson et al. 2017", section="SEQ6")
def lemmas(pairs: PairBatch) -> np.ndarray:
    """Metrics as in `words` of the lemmas, with the capitals of their tokens where case is kept."""
    return _columns(pairs, "lemmas")


@feature(*COLUMNS, level="lexical", source="Henderson et al. 2017", section="SEQ6")
def content(pairs: PairBatch) -> np.ndarray:
    """Metrics as in `words` of the tokens tagged as nouns, verbs, adjectives, adverbs and numbers."""
    return _columns(pairs, "content")


@feature(*COLUMNS, source="Henderson et al. 2017", section="SEQ6")
def characters(pairs: PairBatch) -> np.ndarray:
    """Metrics as in `words` of the characters of the text, whose words are separated by blanks."""
    return _columns(pairs, "characters")
