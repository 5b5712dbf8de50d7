"""Dependency relations in the form that the word aligner compares (Sultan et al., 2014)."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..arrays.ragged import Ragged, offsets_of
from ..base.sentences import Sentence
from ..base.token_sequences import ADJECTIVE, ADVERB, NOUN, VERB


class Edges(NamedTuple):
    """Dependency trees of sentences without punctuation; tokens are numbered through all sentences."""

    heads: np.ndarray  # the head of each token, -1 for the root
    children: Ragged  # the dependents of each token
    relation: np.ndarray  # of each token to its head, an index into `names`
    names: tuple[str, ...]  # the distinct relations


_OBLIQUE = frozenset({"nmod", "obl"})
_MARKED = _OBLIQUE | {"conj"}
_UNMARKED = frozenset({"obl:tmod", "nmod:tmod", "obl:unmarked", "nmod:unmarked", "obl:npmod", "nmod:npmod"})


def _named(relation: str, marker: str | None) -> str:
    if relation in _UNMARKED:
        return "obl:tmod"
    if relation in _OBLIQUE:
        return f"prep:{marker}" if marker else "prep"
    if relation == "conj":
        return f"conj:{marker or 'and'}"
    return "nsubj" if relation == "nsubj:outer" else relation


def no_edges(size: int) -> Edges:
    """Return the edges of `size` tokens without a parse."""
    nothing = np.empty(0, dtype=np.int64)
    return Edges(
        np.full(size, -1), Ragged(nothing, np.zeros(size + 1, dtype=np.int64)), np.zeros(size, np.int64), ("",)
    )


def edges(sentences: Sequence[Sentence], offsets: np.ndarray, lemma: np.ndarray, lemmas: Sequence[str]) -> Edges:
    """Return the neighbours of every token of some parsed sentences."""
    size = int(offsets[-1])
    written = list(chain.from_iterable(sentence.relations for sentence in sentences))
    index = {name: k for k, name in enumerate(dict.fromkeys(written))}
    relation = np.fromiter(map(index.__getitem__, written), dtype=np.int64, count=size)
    names = tuple(index) or ("",)
    token = np.arange(size)
    heads = np.fromiter(chain.from_iterable(sentence.heads for sentence in sentences), dtype=np.int64, count=size)
    heads += np.repeat(offsets[:-1], np.diff(offsets))
    kept = (heads != token) & _among(names, {"punct"}, negated=True)[relation]
    # The marker of a token is its first dependent that is a marker: it is written last.
    marker = np.full(size, -1)
    markers = np.flatnonzero(_among(names, {"case", "cc"})[relation])[::-1]
    marker[heads[markers]] = markers
    used = (marker >= 0) & _among(names, _MARKED)[relation]
    base = len(lemmas) + 1
    codes, which = np.unique(relation * base + np.where(used, lemma[marker] + 1, 0), return_inverse=True)
    marked = [(names[code // base], code % base - 1) for code in codes.tolist()]
    # Several relations share a name, such as the nominal and the oblique modifier.
    index = {}
    named = [_named(name, None if mark < 0 else lemmas[mark]) for name, mark in marked]
    relation = np.asarray([index.setdefault(name, len(index)) for name in named], dtype=np.int64)[which]
    names = tuple(index) or ("",)
    children = np.sort((heads * size + token)[kept]) % max(size, 1)
    counts = np.bincount(heads[kept], minlength=size)
    return Edges(np.where(kept, heads, -1), Ragged(children, offsets_of(counts)), relation, names)


def _among(names: Sequence[str], chosen: Collection[str], negated: bool = False) -> np.ndarray:
    return np.asarray([(name in chosen) != negated for name in names], dtype=bool)


class Groups(NamedTuple):
    """Relations that are equivalent for one word class, as bit masks: two are equivalent if they share a bit."""

    parents: Mapping[str, int]  # relations to heads, of both words
    children: Mapping[str, int]  # relations to dependents, of both words
    # Relation of one word to its head, and of the other word to a dependent, which compare the head with the dependent.
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


def _groups() -> tuple[Groups, ...]:
    nominal = _set("nmod:poss compound prep:of prep:in prep:at prep:for")
    agents, patients = _set("obl:agent nsubj nsubj:xsubj"), _set("ccomp obj nsubj:pass acl")
    times, receivers = _set("obl:tmod prep:in prep:at prep:on"), _set("iobj prep:to")
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
            _masks([upward for upward, _ in crossed[kind]]),
            _masks([downward for _, downward in crossed[kind]]),
        )
        for kind in (NOUN, VERB, ADJECTIVE, ADVERB)
    )


GROUPS = _groups()
"""Equivalent relations by word class (noun, verb, adjective, adverb), as intended by Sultan et al. (2014)."""
