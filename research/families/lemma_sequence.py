"""Runs and edits of lemmas and of nouns alone, and overlap of lemmas with unified synonyms (Tian et al., 2017)."""

import numpy as np

from ...features.arrays.joins import meet
from ...features.arrays.ragged import ratio
from ...features.base.feature import PairBatch, feature
from ...features.base.token_sequences import WORD_CLASSES, as_strings, encoded, vocabulary, word_classes
from ...features.strings.subsequences import RUNS, edit_shares, run_shares
from ..lexicon.shared_synsets import unified

_NOUN = WORD_CLASSES.index("noun")


def _nouns(pairs: PairBatch) -> tuple[list[str], list[str]]:
    def compute() -> tuple[list[str], list[str]]:
        ids = vocabulary(pairs, "lemmas").ids.where(word_classes(pairs) == _NOUN)
        return as_strings(ids.take(pairs.left)), as_strings(ids.take(pairs.right))

    return pairs.memo("noun lemmas", compute)


def _edits(pairs: PairBatch, name: str, sides: tuple[list[str], list[str]]) -> np.ndarray:
    return pairs.memo((name, "edit shares"), lambda: edit_shares(*sides))


@feature(*RUNS, "similarity", level="lexical", source="Tian et al. 2017", section="SEQ1")
def lemmas(pairs: PairBatch) -> np.ndarray:
    """Longest common prefix, suffix, substring and subsequence of lemmas without stop words; one minus their distance.

    The runs are over the shorter length and the distance is over the longer, as in the family `sequence`.
    """
    sides = encoded(pairs, "lemmas", "ecnu")
    return np.column_stack([run_shares(*sides), _edits(pairs, "lemmas", sides)[:, 1]])


@feature("distance", high=float("inf"), level="lexical", source="Tian et al. 2017", section="SEQ1")
def lemma_distance(pairs: PairBatch) -> np.ndarray:
    """Levenshtein distance of lemmas without stop words over the shorter length, at least 1."""
    return _edits(pairs, "lemmas", encoded(pairs, "lemmas", "ecnu"))[:, :1]


@feature(*RUNS, "similarity", level="lexical", source="Tian et al. 2017", section="SEQ2")
def nouns(pairs: PairBatch) -> np.ndarray:
    """Measures as in `lemmas` of the lemmas tagged as nouns, stop words kept.

    If a side has none, the runs are 0; if both have none, the similarity is 1.
    """
    sides = _nouns(pairs)
    return np.column_stack([run_shares(*sides), _edits(pairs, "nouns", sides)[:, 1]])


@feature("distance", high=float("inf"), level="lexical", source="Tian et al. 2017", section="SEQ2")
def noun_distance(pairs: PairBatch) -> np.ndarray:
    """Levenshtein distance of the lemmas tagged as nouns over the shorter length, at least 1."""
    return _edits(pairs, "nouns", _nouns(pairs))[:, :1]


@feature(
    "jaccard", "dice", "overlap_min", "overlap_max", "f1", level="lexical", needs=("wordnet",),
    source="Tian et al. 2017", section="SEQ3",
)  # fmt: skip
def unified_overlap(pairs: PairBatch) -> np.ndarray:
    """Overlap of the sets, for `f1` the multisets, of lemmas without stop words and with unified synonyms.

    `overlap` is the share of the lemmas of one side that the other has: the smaller and the larger. If a side is empty,
    `f1` is 1 and the others are 0. See `synonym_unification`.
    """
    met, n = meet(*unified(pairs)), len(pairs)
    in_a, in_b = met.count_a > 0, met.count_b > 0
    both, a, b = (met.total(mask.astype(np.float64), n) for mask in (in_a & in_b, in_a, in_b))
    overlaps = ratio(both, a), ratio(both, b)
    matched, size = met.total(np.minimum(met.count_a, met.count_b), n), met.total(met.count_a + met.count_b, n)
    f1 = np.where((a == 0) | (b == 0), 1.0, ratio(2 * matched, size))
    sets = ratio(both, a + b - both), ratio(2 * both, a + b)
    return np.stack([*sets, np.minimum(*overlaps), np.maximum(*overlaps), f1], axis=1)
