"""Agreement of named entities: F1 of their strings by kind."""

from collections import Counter

import numpy as np

from ...features.base.feature import PairBatch, feature
from ...features.base.sentences import Entity, Sentence

KINDS = ("person", "organisation", "place", "amount", "other")
"""The groups of entity labels; an amount is a date, a time, or anything else with a number."""

_KIND_OF = {
    **dict.fromkeys(("PERSON", "PER"), "person"),
    "ORG": "organisation",
    **dict.fromkeys(("GPE", "LOC", "FAC"), "place"),
    **dict.fromkeys(("DATE", "TIME", "QUANTITY", "PERCENT", "MONEY", "CARDINAL", "ORDINAL"), "amount"),
}
_ARTICLES = frozenset({"the", "a", "an"})
_POSSESSIVES = frozenset({"'s", "'", "\u2019s", "\u2019"})


def _name(sentence: Sentence, entity: Entity) -> tuple[str, str] | None:
    """Return text and kind of an entity, or None if nothing but articles and possessives is in it."""
    start, end, label = entity
    while start < end and sentence.words[start] in _ARTICLES:
        start += 1
    while start < end and sentence.words[end - 1] in _POSSESSIVES:
        end -= 1
    return None if start == end else (" ".join(sentence.words[start:end]), _KIND_OF.get(label, "other"))


def _f1(a: list[str], b: list[str]) -> float:
    size = len(a) + len(b)
    return 2 * (Counter(a) & Counter(b)).total() / size if size else 1.0


@feature(*KINDS[:-1], "all", level="parsed", source="ours", section="POS6")
def overlap(pairs: PairBatch) -> np.ndarray:
    """F1 of the lower-case strings of the named entities of each kind; 1 if neither side has any, 0 if one has none.

    Leading articles and trailing possessives are left out. An amount is a date, a time or anything else with a number;
    `all` counts entities of other kinds too.
    """
    names = [[name for each in one.entities if (name := _name(one, each))] for one in pairs.sentences]
    values = np.ones((len(pairs), len(KINDS)))
    for row, (i, j) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
        for column, kinds in enumerate((*((kind,) for kind in KINDS[:-1]), KINDS)):
            values[row, column] = _f1(*([text for text, kind in names[k] if kind in kinds] for k in (i, j)))
    return values
