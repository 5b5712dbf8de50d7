"""Dependency relations as a word aligner compares them (Sultan et al., 2014), from Universal Dependencies."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..pairs import Sentence

NOUN, VERB, ADJECTIVE, ADVERB = range(4)

CLASS_OF_TAG = {"NN": NOUN, "VB": VERB, "JJ": ADJECTIVE, "RB": ADVERB}
"""Word class by the first two letters of a Penn Treebank tag."""


Edge = tuple[int, str]
"""Place of a neighbour in the dependency tree, and the name of the relation."""


class Neighbours(NamedTuple):
    """For each token its head, or None for the root, and its dependents; punctuation left out."""

    parents: tuple[Edge | None, ...]
    children: tuple[tuple[Edge, ...], ...]


_OBLIQUE = frozenset({"nmod", "obl"})
_UNMARKED = frozenset({"obl:tmod", "nmod:tmod", "obl:unmarked", "nmod:unmarked", "obl:npmod", "nmod:npmod"})


def _named(relation: str, marker: str | None) -> str:
    if relation in _UNMARKED:
        return "obl:tmod"
    if relation in _OBLIQUE:
        return f"prep:{marker}" if marker else "prep"
    if relation == "conj":
        return f"conj:{marker or 'and'}"
    return "nsubj" if relation == "nsubj:outer" else relation


def neighbours(sentence: Sentence, *, collapsed: bool = True) -> Neighbours:
    """Return the neighbours of every token of a parsed sentence.

    Parameters
    ----------
    sentence
        A sentence of the level ``parsed``; one without a parse has no neighbours.
    collapsed
        Name the preposition or the conjunction in the relation (``prep:of``, ``conj:or``), as Stanford's collapsed
        dependencies do; Universal Dependencies' nominal and oblique modifiers then have one name.
    """
    size = len(sentence.tokens)
    if len(sentence.heads) < size or not size:
        return Neighbours((None,) * size, ((),) * size)
    markers: dict[int, str] = {}
    for token, (head, relation) in enumerate(zip(sentence.heads, sentence.relations, strict=True)):
        if relation in ("case", "cc"):
            markers.setdefault(head, sentence.lemmas[token])
    parents: list[Edge | None] = [None] * size
    children: list[list[Edge]] = [[] for _ in range(size)]
    for token, (head, relation) in enumerate(zip(sentence.heads, sentence.relations, strict=True)):
        if head != token and relation != "punct":
            name = _named(relation, markers.get(token)) if collapsed else relation
            parents[token] = (head, name)
            children[head].append((token, name))
    return Neighbours(tuple(parents), tuple(map(tuple, children)))


class Groups(NamedTuple):
    """Relations that count as equal for one word class, as bit masks: two are equivalent if they share a bit.

    `parents` compares the relations to the heads, `children` those to the dependents; `upward` of the relation to the
    head of one word and `downward` of the relation to a dependent of the other compare a head with a dependent.
    """

    parents: Mapping[str, int]
    children: Mapping[str, int]
    upward: Mapping[str, int]
    downward: Mapping[str, int]


def _masks(groups: Sequence[frozenset[str]]) -> dict[str, int]:
    masks: dict[str, int] = {}
    for bit, group in enumerate(groups):
        for relation in group:
            masks[relation] = masks.get(relation, 0) | 1 << bit
    return masks


def _set(relations: str) -> frozenset[str]:
    return frozenset(relations.split())


_CONJUNCTS = [(_set(f"conj:{word}"), _set(f"conj:{word}")) for word in ("and", "or", "nor")]


def _groups(modifier: str, subject: str, patient: str, time: str) -> tuple[Groups, ...]:
    """Return the groups by word class; the arguments are those that differ in the reference code."""
    nominal, agents, patients = _set(modifier), _set(subject), _set(patient)
    times, receivers = _set(time), _set("iobj prep:to")
    clauses, purposes = _set("acl acl:relcl"), _set("advcl xcomp")
    attributes = _set("amod acl:relcl")
    crossed = {
        NOUN: [(_set("nsubj"), attributes), (patients, clauses), *_CONJUNCTS],
        VERB: [(_set("cop csubj"), _set("xcomp")), (_set("csubj"), _set("csubj:pass")), *_CONJUNCTS],
        ADJECTIVE: [(attributes, _set("nsubj")), (_set("xcomp"), _set("cop csubj")), *_CONJUNCTS],
        ADVERB: _CONJUNCTS,
    }
    parents = {
        NOUN: [nominal, agents, patients, times, receivers],
        VERB: [clauses, purposes],
        ADJECTIVE: [attributes],
        ADVERB: [],
    }
    children = {
        NOUN: [nominal, clauses, attributes],
        VERB: [agents, patients, times, receivers, purposes],
        ADJECTIVE: [],
        ADVERB: [],
    }
    return tuple(
        Groups(
            _masks(parents[kind]),
            _masks(children[kind]),
            _masks([one for one, _ in crossed[kind]]),
            _masks([other for _, other in crossed[kind]]),
        )
        for kind in (NOUN, VERB, ADJECTIVE, ADVERB)
    )


GROUPS = _groups(
    modifier="nmod:poss compound prep:of prep:in prep:at prep:for",
    subject="obl:agent nsubj nsubj:xsubj",
    patient="ccomp obj nsubj:pass acl",
    time="obl:tmod prep:in prep:at prep:on",
)
"""Equivalent relations by word class (noun, verb, adjective, adverb), as intended by Sultan et al. (2014)."""

LEGACY_GROUPS = _groups(
    modifier="prep:in prep:at prep:for",
    subject="obl:agent",
    patient="ccomp acl",
    time="prep:at prep:on",
)
"""The groups that the reference code has in effect: missing commas and a misspelling leave some without a match."""
