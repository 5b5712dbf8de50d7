"""Antonyms, synonyms and coordinate terms of lemmas in their frequent senses, from WordNet and PPDB.

Only words that are common in running text are given, and only senses that a word has most of the time count.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from ..._messages import from_extra
from ...features.arrays.joins import by_first
from ...features.arrays.ragged import Ragged, offsets_of
from ...features.lexicon.paraphrases import paraphrases
from ...features.lexicon.wordnet import wordnet

COMMON = 3.4
"""Least Zipf frequency of a coordinate term or an antonym: two and a half in a million words."""

COMMON_SYNONYM = 3.0
FARTHEST = 1.7
"""Most by which the Zipf frequency of a synonym is below that of its word."""

DOMINANT = 0.6
"""Least share of a word's tagged occurrences that its sense must have."""

_MOST = 12
_TOO_GENERAL = 6
"""Synsets nearer than this to the root have kinds under them that are not alike: "group", "state"."""


@cache
def zipf(word: str) -> float:
    """Return the logarithm of the number of times that a word occurs in a billion words, 0 if it is unlisted."""
    with from_extra("fit", "making pairs by rule"):
        from wordfreq import zipf_frequency

    return float(zipf_frequency(word, "en"))


@cache
def word_class(tag: str) -> int:
    """Return the part of speech of a Penn Treebank tag as WordNet numbers it, 4 for others."""
    if tag.startswith("NN"):
        return 0
    if tag.startswith("VB"):
        return 1
    return {"JJ": 2, "JJR": 2, "JJS": 2, "RB": 3, "RBR": 3, "RBS": 3}.get(tag, 4)


def is_in_compound(tags: Sequence[str], place: int) -> bool:
    """Return whether a token is a noun beside another noun: "dead end"."""
    near = tags[max(place - 1, 0) : place + 2]
    return tags[place].startswith("NN") and sum(tag.startswith("NN") for tag in near) > 1


class _Tables(NamedTuple):
    antonyms: Ragged
    parents: Ragged
    children: Ragged


@cache
def _tables() -> _Tables:
    base = wordnet()
    rows = base.arrays["ancestor_rows"]
    ancestors = Ragged(base.arrays["ancestors"], base.arrays["ancestor_offsets"])
    places = Ragged(np.arange(len(ancestors.values)), ancestors.offsets).take(rows)
    near = base.arrays["ancestor_distances"][places.values] == 1
    above, below = ancestors.values[places.values][near].astype(np.int64), places.rows[near]
    count = len(base.kinds)
    parents = Ragged(above, offsets_of(np.bincount(below, minlength=count)))
    order = np.argsort(above, kind="stable")
    children = Ragged(below[order], offsets_of(np.bincount(above, minlength=count)))
    return _Tables(by_first(base.arrays["antonyms"], base.size), parents, children)


def _row(rows: Ragged, index: int) -> list[int]:
    return [int(value) for value in rows.values[rows.offsets[index] : rows.offsets[index + 1]]]


@cache
def _word(lemma: str, kind: int) -> int:
    return int(wordnet().word_ids([lemma], [kind])[0])


@cache
def _senses(word: int) -> tuple[tuple[int, int], ...]:
    base, one = wordnet(), np.array([word])
    return tuple(zip(base.senses(one).values.tolist(), base.sense_counts(one).values.tolist(), strict=True))


@cache
def dominant_sense(word: int) -> int:
    """Return the synset that a word of WordNet means most of the time, or -1."""
    senses = _senses(word)
    total = sum(count for _, count in senses)
    if len(senses) == 1 or (total and senses[0][1] >= DOMINANT * total and len(senses) <= 8):
        return senses[0][0]
    return -1


def _name(word: int) -> str:
    return wordnet().word_names(np.array([word]))[0].replace("_", " ")


def _members(synset: int) -> list[int]:
    return [int(word) for word in wordnet().members(np.array([synset])).values]


@cache
def antonyms(lemma: str, kind: int) -> tuple[str, ...]:
    """Return common antonyms of a lemma, in order of WordNet."""
    word = _word(lemma, kind)
    if word < 0:
        return ()
    names = [_name(other) for other in _row(_tables().antonyms, word)]
    return tuple(name for name in names if zipf(name) >= COMMON)


@cache
def synonyms(lemma: str, kind: int) -> tuple[str, ...]:
    """Return words that mean what a lemma mostly means: of its dominant synset, and common themselves."""
    word = _word(lemma, kind)
    sense = dominant_sense(word) if word >= 0 else -1
    if sense < 0:
        return ()
    found = []
    for other in _members(sense):
        name = _name(other)
        if other == word or zipf(name) < COMMON_SYNONYM or _same_spelling(name, lemma):
            continue
        near = zipf(name) >= zipf(lemma) - FARTHEST
        if near and paraphrases().pair(lemma, name) and sense in [synset for synset, _ in _senses(other)[:3]]:
            found.append(name)
    return tuple(found)


@cache
def coordinate_terms(lemma: str) -> tuple[str, ...]:
    """Return nouns that are of the same kind as a noun and name another thing: "cello" of "violin"."""
    word = _word(lemma, 0)
    sense = dominant_sense(word) if word >= 0 else -1
    base = wordnet()
    if sense < 0 or base.min_depth[sense] < _TOO_GENERAL:
        return ()
    own, table = {synset for synset, _ in _senses(word)}, paraphrases()
    found: list[tuple[float, str]] = []
    for parent in _row(_tables().parents, sense):
        children = _row(_tables().children, parent)
        if len(children) > 80:
            continue
        for child in children:
            if child in own:
                continue
            for other in _members(child)[:2]:
                name = _name(other)
                same = own & {synset for synset, _ in _senses(other)}
                near = abs(zipf(name) - zipf(lemma))
                if (
                    " " in name
                    or dominant_sense(other) != child
                    or zipf(name) < COMMON
                    or same
                    or near > 1.4
                    or _same_spelling(name, lemma)
                    or lemma in name
                    or name in lemma
                    or table.pair(lemma, name)
                ):
                    continue
                found.append((near, name))
    return tuple(dict.fromkeys(name for _, name in sorted(found)))[:_MOST]


def _same_spelling(a: str, b: str) -> bool:
    # Of one word: "colour" and "color", "e-mail" and "email".
    plain_a, plain_b = (x.replace("-", "").replace(" ", "").replace("our", "or") for x in (a, b))
    return plain_a == plain_b or plain_a.replace("s", "z") == plain_b.replace("s", "z")
