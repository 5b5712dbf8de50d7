"""Agreement of named entities: their strings by kind, their kinds, and their mentions in the other sentence."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from ..alignment.entity_names import acronym
from ..arrays.ragged import ratio
from ..base.feature import PairBatch, feature
from ..base.sentences import Entity, Sentence
from ..base.word_tables import stop_words

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
_UNCOUNTED = frozenset({"of", "the", "and", "for", "&"})


class _Name(NamedTuple):
    # Name of an entity, prepared for a search in another sentence. `text` matches in lower case, unless capitals alone
    # distinguish it from a stop word ("US", "May", "Will"); `forms` match as written; `acronym` matches initials.
    text: str
    kind: str
    cased: bool
    forms: frozenset[str]
    acronym: str


class _Mentions(NamedTuple):
    # Names of a sentence, and its text prepared for a search of names.
    names: tuple[_Name, ...]
    text: str
    written: frozenset[str]
    initials: str


def _name(sentence: Sentence, entity: Entity) -> _Name | None:
    start, end, label = entity
    while start < end and sentence.words[start] in _ARTICLES:
        start += 1
    while start < end and sentence.words[end - 1] in _POSSESSIVES:
        end -= 1
    if start == end:
        return None
    text, kind = " ".join(sentence.words[start:end]), _KIND_OF.get(label, "other")
    tokens = sentence.tokens[start:end]
    forms, capitals = _forms(tokens, kind)
    cased = text in stop_words("ecnu")
    return _Name(text, kind, cased, forms | {tokens[0]} if cased else forms, capitals)


def _forms(tokens: tuple[str, ...], kind: str) -> tuple[frozenset[str], str]:
    # Shorter forms of a name: initials, last name; and the name itself if it is an acronym.
    if kind == "amount":
        return frozenset(), ""
    if len(tokens) == 1:
        short = _undotted(tokens[0])
        if len(short) > 1 and short.isalpha() and short.isupper():
            return frozenset({short}), short
        return frozenset(), ""
    last = tokens[-1] if kind == "person" and tokens[-1][0].isupper() else ""
    initials = acronym(tokens)
    return frozenset({form for form in (last, initials) if len(form) > 1}), ""


def _undotted(token: str) -> str:
    return token.replace(".", "")


def _mentions(sentence: Sentence) -> _Mentions:
    named = (_name(sentence, entity) for entity in sentence.entities)
    counted = [token for token, word in zip(sentence.tokens, sentence.words, strict=True) if word not in _UNCOUNTED]
    return _Mentions(
        tuple(name for name in named if name is not None),
        f" {' '.join(sentence.words)} ",
        frozenset([*sentence.tokens, *map(_undotted, sentence.tokens)]),
        "".join(token[0] if token[0].isupper() else " " for token in counted),
    )


def _is_mentioned(name: _Name, other: _Mentions) -> bool:
    return (
        (not name.cased and f" {name.text} " in other.text)
        or not name.forms.isdisjoint(other.written)
        or (name.acronym != "" and name.acronym in other.initials)
    )


def _f1(a: list[str], b: list[str]) -> float:
    size = len(a) + len(b)
    return 2 * (Counter(a) & Counter(b)).total() / size if size else 1.0


def _differ(a: _Mentions, b: _Mentions) -> bool:
    kinds: tuple[dict[str, set[str]], dict[str, set[str]]] = {}, {}
    for side, of in zip((a, b), kinds, strict=True):
        for name in side.names:
            of.setdefault(name.text, set()).add(name.kind)
    return any(kinds[0][text].isdisjoint(kinds[1][text]) for text in kinds[0].keys() & kinds[1].keys())


def _compare(a: _Mentions, b: _Mentions) -> list[float]:
    # F1 for each of `KINDS` but the last and for all; 1 if kinds differ; for either side, the numbers of entities and
    # of names, and of those that the other side does not mention.
    columns = [
        _f1(*([name.text for name in side.names if name.kind == kind] for side in (a, b))) for kind in KINDS[:-1]
    ]
    columns += [_f1(*([name.text for name in side.names] for side in (a, b))), float(_differ(a, b))]
    for side, other in ((a, b), (b, a)):
        missing = [name for name in side.names if not _is_mentioned(name, other)]
        for names in (side.names, missing):
            columns += [len(names), sum(name.kind != "amount" for name in names)]
    return columns


def _compared(pairs: PairBatch) -> np.ndarray:
    def compute() -> np.ndarray:
        sides = [_mentions(sentence) if sentence.entities else None for sentence in pairs.sentences]
        blank = _mentions(Sentence("", (), (), ()))
        values = np.tile(np.asarray(_compare(blank, blank)), (len(pairs), 1))
        for row, (i, j) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
            if sides[i] is not None or sides[j] is not None:
                a, b = (sides[k] or _mentions(pairs.sentences[k]) for k in (i, j))
                values[row] = _compare(a, b)
        return values

    return pairs.memo("entities compared", compute)


@feature(*KINDS[:-1], "all", level="parsed", source="ours", section="POS6")
def overlap(pairs: PairBatch) -> np.ndarray:
    """F1 of the lower-case strings of the named entities of each kind; 1 if neither side has any, 0 if one has none.

    Leading articles and trailing possessives are left out. An amount is a date, a time or anything else with a number;
    `all` counts entities of other kinds too.
    """
    return _compared(pairs)[:, : len(KINDS)]


@feature("kind", level="parsed", source="ours", section="POS6")
def mismatch(pairs: PairBatch) -> np.ndarray:
    """1 where a string is an entity of different kinds on the two sides."""
    return _compared(pairs)[:, len(KINDS) : len(KINDS) + 1]


def _sides(pairs: PairBatch) -> tuple[np.ndarray, np.ndarray]:
    # Numbers of entities and of names, and of those that the other side does not mention, for either side, shape (n, 4)
    # each.
    left, right = np.split(_compared(pairs)[:, len(KINDS) + 1 :], 2, axis=1)
    return left, right


def _least_and_most(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.stack([np.minimum(a, b), np.maximum(a, b)], axis=2).reshape(len(a), 2 * a.shape[1])


@feature("all_min", "all_max", "names_min", "names_max", level="parsed", source="ours", section="POS6")
def mentioned(pairs: PairBatch) -> np.ndarray:
    """Share of the entities of a side that the other sentence mentions anywhere; 1 for a side without any.

    A person is mentioned by the last name, any other name of several words by its initials, and an acronym by a run of
    capitalised words with these initials. `names` leaves the amounts out.
    """
    return _least_and_most(*(1 - ratio(side[:, 2:], side[:, :2]) for side in _sides(pairs)))


@feature(
    "all_min", "all_max", "names_min", "names_max", high=float("inf"), level="parsed", source="ours", section="POS6"
)
def unmentioned(pairs: PairBatch) -> np.ndarray:
    """Count the entities of a side that the other sentence does not mention: the smaller and the larger."""
    return _least_and_most(*(side[:, 2:] for side in _sides(pairs)))
