"""Scopes of negation, and their agreement between two sentences (after Morante and Blanco, 2012).

`negation` counts the cues alone: it cannot distinguish sentences that contradict each other from sentences that deny
different things. Here the parse gives, for each cue, its head, which is the word that it denies, and the scope around
the head.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...features.base.feature import PairBatch, Sentence, feature
from ...features.base.token_sequences import content_mask, vocabulary

CUES = frozenset(
    "no not n't none nothing nowhere neither nor nobody hardly scarcely barely never noone without rarely".split()
)
"""The terms of `negation` other than comparisons (fewer, less), and "cannot", which is two tokens."""

_PRONOUNS = frozenset({"none", "nothing", "nobody", "nowhere", "noone"})
_ARGUMENTS = frozenset({"nsubj", "obj", "iobj", "obl"})
_MODIFIERS = frozenset({"advmod", "det", "cc", "case", "mark", "amod", "neg"})
_QUANTIFIERS = frozenset({"det", "cc", "neg"})
_OUTSIDE = frozenset({"conj", "cc", "parataxis", "advcl", "discourse", "vocative", "punct"})
_STEPS = 5
_ADDING = frozenset({"only", "just", "merely", "simply"})  # "not only" denies nothing


class _Denied(NamedTuple):
    # Lemmas of the heads of the cues; places of the tokens in scope.
    heads: frozenset[str]
    scope: frozenset[int]


def _relation(sentence: Sentence, token: int) -> str:
    return sentence.relations[token].partition(":")[0]


def _climb(sentence: Sentence, token: int, relation: str) -> int:
    for _ in range(_STEPS):
        if _relation(sentence, token) != relation or sentence.heads[token] == token:
            break
        token = sentence.heads[token]
    return token


def _head(sentence: Sentence, cue: int) -> int | None:
    # Word that a cue denies: the word that it modifies, or the predicate of which it is an argument.
    word, relation, head = sentence.words[cue], _relation(sentence, cue), sentence.heads[cue]
    if head == cue or (cue + 1 < len(sentence.words) and sentence.words[cue + 1] in _ADDING):
        return None
    if relation not in (_MODIFIERS | _ARGUMENTS if word in _PRONOUNS else _MODIFIERS):
        return None
    # "no longer wins" denies the winning.
    return _climb(sentence, head, "advmod")


def _denied(sentence: Sentence) -> _Denied | None:
    cues = [i for i, word in enumerate(sentence.words) if word in CUES]
    heads = {cue: head for cue in cues if (head := _head(sentence, cue)) is not None}
    if not heads:
        return None
    tops = set(heads.values())
    for cue, head in heads.items():
        noun = _climb(sentence, head, "conj")
        if _relation(sentence, cue) in _QUANTIFIERS and _relation(sentence, noun) in {"nsubj", "obj"}:
            # "no man dances" and "they have no money" deny the dancing and the having as well.
            tops.add(sentence.heads[noun])
    lemmas = frozenset(sentence.lemmas[head] for head in heads.values())
    return _Denied(lemmas, frozenset(tops | _below(sentence, tops)))


def _below(sentence: Sentence, tops: set[int]) -> set[int]:
    # Tokens that depend on the given tokens, except for other clauses beside them.
    children: list[list[int]] = [[] for _ in sentence.heads]
    for token, head in enumerate(sentence.heads):
        if head != token:
            children[head].append(token)
    tokens: set[int] = set()
    stack = [child for top in tops for child in children[top] if _relation(sentence, child) not in _OUTSIDE]
    while stack:
        token = stack.pop()
        if token not in tokens:
            tokens.add(token)
            stack += children[token]
    return tokens


def _all_denied(pairs: PairBatch) -> list[_Denied | None]:
    def compute() -> list[_Denied | None]:
        return [None if CUES.isdisjoint(one.words) else _denied(one) for one in pairs.sentences]

    return pairs.memo("denied", compute)


_NOTHING = _Denied(frozenset(), frozenset())


def _where_denied(pairs: PairBatch) -> Iterator[tuple[int, tuple[int, int], tuple[_Denied, _Denied]]]:
    # Pairs in which either side denies something: row, both sentences, and their denials.
    denied = _all_denied(pairs)
    some = np.fromiter((one is not None for one in denied), dtype=bool, count=len(denied))
    for row in np.flatnonzero(some[pairs.left] | some[pairs.right]).tolist():
        sides = int(pairs.left[row]), int(pairs.right[row])
        yield row, sides, (denied[sides[0]] or _NOTHING, denied[sides[1]] or _NOTHING)


@feature(
    *("differs", "mismatches", "agreements", "alone_min", "alone_max"), high=np.inf, level="parsed", source="ours",
    section="NEG",
)  # fmt: skip
def heads(pairs: PairBatch) -> np.ndarray:
    """Count the negated lemmas that the other side affirms, negates too, or lacks (fewer and more by side).

    A lemma that the other sentence has outside the scope of its negations is a mismatch: one sentence affirms it and
    the other denies it. Inside a scope it is an agreement. ``differs`` is 1 where there is a mismatch.
    """
    values = np.zeros((len(pairs), 5))
    for row, sides, denied in _where_denied(pairs):
        mismatches: set[str] = set()
        agreements: set[str] = set()
        alone = []
        for denial, other, place in ((denied[0], denied[1], sides[1]), (denied[1], denied[0], sides[0])):
            lemmas = pairs.sentences[place].lemmas
            within = {lemmas[token] for token in other.scope}
            shared = denial.heads.intersection(lemmas)
            mismatches |= shared - within
            agreements |= shared & within
            alone.append(len(denial.heads) - len(shared))
        values[row] = [bool(mismatches), len(mismatches), len(agreements), min(alone), max(alone)]
    return values


@feature("one_side", "both_sides", level="parsed", source="ours", section="NEG")
def scope(pairs: PairBatch) -> np.ndarray:
    """Share of the content lemmas of both sentences in a scope of one sentence alone, and of both."""
    values = np.zeros((len(pairs), 2))
    offsets, content = vocabulary(pairs, "words").ids.offsets, content_mask(pairs)
    for row, sides, denied in _where_denied(pairs):
        content_lemmas, within = [], []
        for place, denial in zip(sides, denied, strict=True):
            lemmas = pairs.sentences[place].lemmas
            kept = np.flatnonzero(content[offsets[place] : offsets[place + 1]]).tolist()
            content_lemmas.append({lemmas[token] for token in kept})
            within.append({lemmas[token] for token in denial.scope.intersection(kept)})
        shared = content_lemmas[0] & content_lemmas[1]
        if shared:
            values[row] = [len(shared & (within[0] ^ within[1])), len(shared & within[0] & within[1])]
            values[row] /= len(shared)
    return values
