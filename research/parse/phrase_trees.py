"""Constituency trees: read from Penn Treebank brackets, or derived from dependencies (after Xia and Palmer, 2001).

Every head projects phrases whose labels follow from its tag and its dependents, and every dependent attaches to one of
them: objects and modifiers to the core (NP, VP, ADJP, ...), a copula to a VP above that, the subject to S, a
preposition to PP, a conjunction and its conjuncts to a second phrase of the same label.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ...features.arrays.ragged import Ragged, offsets_of
from ...features.base.sentences import Sentence


class Trees(NamedTuple):
    """Ordered labelled trees, one or none for each sentence.

    Attributes
    ----------
    labels
        The labels of all nodes, tree by tree; siblings in order.
    parents
        Index of the parent of each node among the nodes of its tree; -1 for a root.
    words
        Whether the node is a word.
    offsets
        Shape (n + 1,): the nodes of tree i are at ``offsets[i]:offsets[i + 1]``.
    """

    labels: list[str]
    parents: np.ndarray
    words: np.ndarray
    offsets: np.ndarray

    def take(self, rows: np.ndarray) -> "Trees":
        """Return the given trees, in that order."""
        kept = Ragged(np.arange(len(self.labels)), self.offsets).take(rows)
        labels = [self.labels[i] for i in kept.values.tolist()]
        return Trees(labels, self.parents[kept.values], self.words[kept.values], kept.offsets)


def constituency_trees(sentences: Sequence[Sentence]) -> Trees:
    """Return the constituency tree of each sentence, its words in lower case."""
    given = [read_brackets(sentence.constituents) if sentence.constituents else None for sentence in sentences]
    read = [tree for tree in given if tree is not None]
    derived = derived_trees([one for one, tree in zip(sentences, given, strict=True) if tree is None])
    if not read:
        return derived
    both = _stack([derived, *read])
    is_given = np.fromiter((tree is not None for tree in given), dtype=bool, count=len(given))
    order = np.where(is_given, len(derived.offsets) - 2 + np.cumsum(is_given), np.cumsum(~is_given) - 1)
    return both.take(order)


def _stack(parts: Sequence[Trees]) -> Trees:
    lengths = np.concatenate([np.diff(part.offsets) for part in parts])
    labels = list(chain.from_iterable(part.labels for part in parts))
    parents, words = (np.concatenate(arrays) for arrays in zip(*((p.parents, p.words) for p in parts), strict=True))
    return Trees(labels, parents, words, offsets_of(lengths))


# ---- brackets

_BRACKETS = re.compile(r"[()]|[^\s()]+")


def read_brackets(text: str) -> Trees | None:
    """Return the tree in Penn Treebank brackets, or None if they are malformed."""
    labels: list[str] = []
    parents: list[int] = []
    words: list[bool] = []
    stack: list[int] = []
    opened = False  # the last item was an opening bracket: its label comes next
    for item in _BRACKETS.findall(text):
        if labels and not stack:
            return None
        if item == "(":
            if opened and len(stack) > 1:
                return None
            parents.append(stack[-1] if stack else -1)
            stack.append(len(labels))
            labels.append("ROOT")
            words.append(False)
        elif item == ")":
            if not stack or stack[-1] == len(labels) - 1:
                return None
            stack.pop()
        elif opened:
            labels[-1] = item if item.startswith("-") else re.split("[-=|]", item, maxsplit=1)[0] or item
        elif stack:
            parents.append(stack[-1])
            labels.append(item.lower())
            words.append(True)
        else:
            return None
        opened = item == "("
    if stack or not labels:
        return None
    return Trees(labels, np.asarray(parents), np.asarray(words), offsets_of(np.asarray([len(labels)])))


# ---- derived

# Levels at which a dependent attaches, from the head outwards. A conjunct attaches above the core if it has neither
# subject nor marker of its own, above the clause if it has a subject, and above the marker if it has one.
_CORE, _PREDICATE, _JOINED, _CLAUSE, _JOINED_CLAUSES, _MARKED, _JOINED_MARKED = range(7)
_LEVELS = 7
_TAG, _WORD = _LEVELS, _LEVELS + 1  # the places of a token's own nodes, below those of its phrases

_LABELS = ("NP", "VP", "ADJP", "ADVP", "PP", "QP", "INTJ", "X", "S", "SBAR")
_NP, _VP, _ADJP, _ADVP, _PP, _QP, _INTJ, _X, _S, _SBAR = range(len(_LABELS))
_PHRASE_OF_TAG = {
    **dict.fromkeys("NN NNS NNP NNPS PRP WP EX DT WDT PDT PRP$ WP$ POS $".split(), _NP),
    **dict.fromkeys("VB VBD VBG VBN VBP VBZ MD".split(), _VP),
    **dict.fromkeys("JJ JJR JJS".split(), _ADJP),
    **dict.fromkeys("RB RBR RBS WRB".split(), _ADVP),
    **dict.fromkeys("IN TO RP".split(), _PP),
    **{"CD": _QP, "UH": _INTJ},
}
_SUBJECT, _COPULA, _AUXILIARY, _CASE, _MARK, _CONJUNCT, _CONJUNCTION, _PUNCTUATION, _ARGUMENT, _PREDICATIVE, _OTHER = (
    range(11)
)
_KIND_OF_RELATION = {
    **dict.fromkeys(("nsubj", "csubj", "expl"), _SUBJECT),
    **{"cop": _COPULA, "aux": _AUXILIARY, "case": _CASE, "mark": _MARK, "conj": _CONJUNCT, "cc": _CONJUNCTION},
    "punct": _PUNCTUATION,
    **dict.fromkeys(("obj", "iobj", "obl", "nmod", "appos", "dislocated", "vocative"), _ARGUMENT),
    **dict.fromkeys(("root", "ccomp", "xcomp", "advcl", "acl", "parataxis"), _PREDICATIVE),
}


def _coded(items: Iterable[str], codes: dict[str, int], other: int) -> np.ndarray:
    return np.fromiter((codes.get(item, other) for item in items), dtype=np.int8)


def derived_trees(sentences: Sequence[Sentence]) -> Trees:
    """Return the phrase tree that follows from the dependency tree of each sentence of the level ``parsed``."""
    tokens = offsets_of(np.fromiter((len(sentence.heads) for sentence in sentences), dtype=np.int64))
    size = int(tokens[-1])
    starts = np.repeat(tokens[:-1], np.diff(tokens))
    heads = np.fromiter(chain.from_iterable(one.heads for one in sentences), dtype=np.int64, count=size) + starts
    tags = list(chain.from_iterable(sentence.tags for sentence in sentences))
    phrase = _coded(tags, _PHRASE_OF_TAG, _X)
    relations = chain.from_iterable(sentence.relations for sentence in sentences)
    kind = _coded((relation.partition(":")[0] for relation in relations), _KIND_OF_RELATION, _OTHER)
    is_root = _one_root(heads, tokens)
    heads, level = _attached(heads, kind, phrase, np.fromiter(map("TO POS".split().__contains__, tags), bool), is_root)
    labels = _labels(heads, level, kind, phrase, is_root)

    nodes = np.column_stack([labels[:, ::-1], np.full((size, 2), len(_LABELS), dtype=np.int8)]) >= 0
    places = np.where(nodes, np.arange(_LEVELS + 2), -1)
    above = np.full_like(places, -1)
    above[:, 1:] = np.maximum.accumulate(places, axis=1)[:, :-1]
    number = (np.cumsum(nodes) - 1).reshape(nodes.shape)
    outer = number[heads, _LEVELS - 1 - level]
    parents = np.where(above >= 0, np.take_along_axis(number, np.maximum(above, 0), axis=1), outer[:, None])
    parents[is_root[:, None] & (above < 0)] = -1
    offsets = np.concatenate([[0], np.cumsum(nodes.sum(axis=1))])[tokens]
    flat = parents[nodes]
    flat = np.where(flat < 0, -1, flat - np.repeat(offsets[:-1], np.diff(offsets)))
    words = np.broadcast_to(np.arange(_LEVELS + 2) == _WORD, nodes.shape)[nodes]
    is_tag = np.broadcast_to(np.arange(_LEVELS + 2) == _TAG, nodes.shape)[nodes]
    named = np.full(len(flat), "", dtype=object)
    named[words] = list(chain.from_iterable(sentence.words for sentence in sentences))
    named[is_tag] = tags
    phrases = ~words & ~is_tag
    named[phrases] = np.asarray(_LABELS, dtype=object)[labels[:, ::-1][nodes[:, :_LEVELS]]]
    return Trees(named.tolist(), flat, words, offsets)


def _one_root(heads: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    # Attach every further root of a sentence to its first, in place; return whether each token is a root.
    roots = np.flatnonzero(heads == np.arange(len(heads)))
    sentence = np.searchsorted(tokens, roots, side="right") - 1
    first = np.diff(sentence, prepend=-1) != 0
    heads[roots] = roots[first][np.cumsum(first) - 1]
    is_root = np.zeros(len(heads), dtype=bool)
    is_root[roots[first]] = True
    return is_root


def _any(heads: np.ndarray, mask: np.ndarray) -> np.ndarray:
    # Whether each token has a dependent in the mask.
    has_dependent = np.zeros(len(heads), dtype=bool)
    has_dependent[heads[mask]] = True
    return has_dependent


def _attached(
    heads: np.ndarray, kind: np.ndarray, phrase: np.ndarray, inner: np.ndarray, is_root: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    # Token and level at which each token attaches; `inner` are infinitival "to" and possessive "'s".
    place = np.arange(len(heads))
    dependent = ~is_root
    has_subject = _any(heads, dependent & (kind == _SUBJECT))
    has_marker = _any(heads, dependent & ((kind == _CASE) | (kind == _MARK)) & ~inner)
    subject = np.full(len(heads), len(heads))
    is_subject = dependent & (kind == _SUBJECT)
    np.minimum.at(subject, heads[is_subject], place[is_subject])

    level = np.full(len(heads), _CORE)
    verbal = phrase[heads] == _VP
    level[((kind == _COPULA) | (kind == _AUXILIARY)) & ~verbal] = _PREDICATE
    level[(kind == _MARK) & inner] = _PREDICATE
    before = place < subject[heads]
    level[has_subject[heads] & (before | (kind == _PUNCTUATION)) & (level == _CORE)] = _CLAUSE
    level[kind == _SUBJECT] = _CLAUSE
    level[((kind == _CASE) | (kind == _MARK)) & ~inner] = _MARKED
    joins = np.where(has_marker, _JOINED_MARKED, np.where(has_subject, _JOINED_CLAUSES, _JOINED))
    joined = (kind == _CONJUNCT) & dependent
    level[joined] = joins[joined]
    # "cats , dogs and birds": comma and conjunction depend on the conjunct after them and are its siblings.
    glue = ((kind == _CONJUNCTION) | ((kind == _PUNCTUATION) & (place < heads))) & joined[heads] & dependent
    level[glue] = joins[heads[glue]]
    return np.where(glue, heads[heads], heads), level


def _labels(
    heads: np.ndarray, level: np.ndarray, kind: np.ndarray, phrase: np.ndarray, is_root: np.ndarray
) -> np.ndarray:
    # Label of the phrase of each token at each level, -1 without a phrase.
    there = np.zeros((len(heads), _LEVELS), dtype=bool)
    there[heads[~is_root], level[~is_root]] = True
    nominal, verbal = (phrase == _NP) | (phrase == _QP), phrase == _VP
    alone = nominal & ((kind == _ARGUMENT) | (kind == _SUBJECT) | there[:, _MARKED]) & ~there[:, _JOINED]
    alone |= verbal & ((kind == _PREDICATIVE) | there[:, _CLAUSE]) & ~there[:, _JOINED]
    there[:, _CORE] |= alone | (there[:, _PREDICATE] & ~verbal)
    case = _any(heads, (kind == _CASE) & (level == _MARKED) & ~is_root)
    labels = np.empty(there.shape, dtype=np.int8)
    labels[:, _CORE] = phrase
    labels[:, _PREDICATE] = _VP
    labels[:, _JOINED] = np.where(there[:, _PREDICATE], _VP, phrase)
    labels[:, _CLAUSE] = _S
    labels[:, _JOINED_CLAUSES] = np.where(there[:, _CLAUSE], _S, labels[:, _JOINED])
    labels[:, _MARKED] = np.where(case, _PP, _SBAR)
    labels[:, _JOINED_MARKED] = np.where(there[:, _MARKED], labels[:, _MARKED], labels[:, _JOINED_CLAUSES])
    return np.where(there, labels, np.int8(-1))
