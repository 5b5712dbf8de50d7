"""Points by a summary of each pair, whatever columns a model reads: its values, differences and shared words.

Each column of the summary grows with agreement, and weights are fitted at 0 or more: no contradiction, difference or
missing word raises a score. Without that rule, labels of pairs that were chosen because they look alike can teach a
model that shared words mean "different".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ...features.base.sentences import PairBatch
from ...features.families.values import conflict, share
from ...features.pipeline.matrix import FeatureMatrix
from ...models.linear_correction import LinearCorrection
from ...models.member import pairs_of
from ..differences.covered_words import said_words
from ..differences.facts import MIRRORED
from ..differences.text_differences import LEVEL, comparisons

SUMMARY = "summary"
"""Name of the member, and of its points in an explanation."""

_KINDS = {
    "values": ("date", "unit", "number", "code", "sign"),
    "names": ("name",),
    "statements": ("question", "condition", "modality", "quantifier", "negation", "role"),
    "words": ("antonym", "word"),
}
_GROUP = {kind: place for place, kinds in enumerate(_KINDS.values()) for kind in kinds}

COLUMNS = tuple(
    f"{SUMMARY}.{name}"
    for name in (
        "values.equal",  # share of the values of a text that the other has, the least of both
        "values.contradicted",
        "values.alone",
        "values.conflicts",  # opposite signs, other units, exchanged values
        *(f"differences.{group}" for group in _KINDS),  # their number
        "words.only_one_has",  # the most of both texts
        "words.said_least",  # share of the words of a text that the other says; see `covered_words.covers`
        "words.said_most",
        "words.shared",  # share of all words that both texts have
    )
)
"""The columns of a summary, equal for (a, b) and (b, a). Those of what differs are negative."""


def summary_of(pairs: PairBatch) -> FeatureMatrix:
    """Return the summary of n pairs of English texts, analysed to the level ``lexical``."""
    return FeatureMatrix(pairs.memo(SUMMARY, lambda: _summary(pairs)), COLUMNS)


def _summary(pairs: PairBatch) -> np.ndarray:
    equal, _, contradicted, alone = share(pairs).T
    differences = np.zeros((len(pairs), len(_KINDS) + 1))
    said = np.ones((len(pairs), 2))
    for row, pair, _ in comparisons(pairs):
        lonely = dict.fromkeys(MIRRORED, 0)
        for one in pair.found:
            if one.kind in lonely:
                lonely[one.kind] += 1
            else:
                differences[row, _GROUP[one.kind]] += 1
        differences[row, -1] = max(lonely.values())
        counts = (said_words(pair, side) for side in (0, 1))
        said[row] = sorted(words_said / words if words else 1.0 for words_said, words in counts)
    sides = ((set(a.words), set(b.words)) for a, b in pairs)
    shared = [len(a & b) / max(len(a | b), 1) for a, b in sides]
    columns = (equal, -contradicted, -alone, -conflict(pairs).max(axis=1), -differences, said, shared)
    return np.column_stack(columns).astype(np.float32)


@dataclass(frozen=True, eq=False)
class SummaryCorrection(LinearCorrection):
    """Points to add to a score by the summary of its pair; a `models.member.Member`, fitted by `adaptation`."""

    reads_columns: ClassVar[bool] = False
    level: ClassVar[str] = LEVEL
    tables: ClassVar[tuple[str, ...]] = ("wordnet", "paraphrases")

    name: str = SUMMARY

    def scaled_to(self, matrix: FeatureMatrix) -> Self:
        """Return a correction by the means and deviations of the summary over these pairs, without points."""
        return super().scaled_to(_read(matrix))

    def units(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the summary of n pairs in deviations from its means, shape (n, k), clipped."""
        return super().units(_read(matrix))

    def from_bytes(self, data: bytes, columns: Sequence[str], params: Mapping[str, Any] | None = None) -> Self:
        """Return the fitted correction that `to_bytes` wrote, whatever the columns of its model."""
        return super().from_bytes(data, COLUMNS, params)


def _read(matrix: FeatureMatrix) -> FeatureMatrix:
    return matrix if matrix.columns == COLUMNS else summary_of(pairs_of(matrix))
