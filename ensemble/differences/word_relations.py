"""Opposites and synonyms, from WordNet and a list of opposites that it lacks."""

from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from ...features.arrays.joins import by_first
from ...features.arrays.ragged import Ragged
from ...features.lexicon.wordnet import wordnet

FUNCTION_OPPOSITES = frozenset(
    """inside outside above below up down into out before after more less most least in on off onto to from towards
    until once by since with without for against within beneath under over beyond at""".split()
)
"""Words of the list that are also function words."""

CONVERSES = frozenset(map(frozenset, (("buy", "sell"), ("lend", "borrow"), ("win", "lose"), ("give", "receive"))))
"""Opposites that tell one event from two sides: they differ only if one subject does both."""

_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "non-", "mis", "un-", "anti", "anti-", "mal")
_SURE_PREFIXES = ("non", "non-", "un-", "anti-")
_PREFIX_PAIRS = tuple(
    pair
    for line in (
        "under over, pre post, pro anti, en de, in out, on off, up down, inter intra, hyper hypo, macro micro, ex im, "
        "as des, in ex, in de, con di, maxi mini, uni multi, mono poly, fore hind, endo exo, left right, north south, "
        "east west, front rear, half full"
    ).split(", ")
    for pair in (tuple(line.split()), tuple(line.split())[::-1])
)
_SHORTEST_STEM = 4
_NO_OPPOSITES = frozenset("be have do go come get make take give one other well even just still there here say".split())
_CLASS_OF_TAG = {"N": 0, "V": 1, "J": 2, "R": 3}


@cache
def _listed() -> frozenset[frozenset[str]]:
    lines = (Path(__file__).parent / "data" / "opposites.txt").read_text(encoding="utf-8").splitlines()
    entries = (line.partition(": ") for line in lines)
    return frozenset(frozenset((word, one)) for word, _, opposites in entries for one in opposites.split())


@cache
def _antonyms() -> Ragged:
    base = wordnet()
    return by_first(base.arrays["antonyms"], base.size)


@cache
def _related() -> tuple[Ragged, Ragged]:
    base = wordnet()
    return by_first(base.arrays["derivations"], base.size), by_first(base.arrays["pertainyms"], base.size)


@lru_cache(1 << 14)
def _word_ids(lemma: str) -> tuple[int, ...]:
    return tuple(wordnet().word_ids([lemma] * 4, np.arange(4)).tolist())


@lru_cache(1 << 14)
def _rows_of(lemma: str, kind: str) -> frozenset[int]:
    words = [word for word in _word_ids(lemma) if word >= 0]
    return frozenset(
        int(value)
        for rows in ((_antonyms(),) if kind == "antonyms" else _related())
        for word in words
        for value in rows.values[rows.offsets[word] : rows.offsets[word + 1]]
    )


@lru_cache(1 << 14)
def _senses(lemma: str, part: int) -> frozenset[int]:
    # Of one part of speech, or of all parts for others.
    ids = _word_ids(lemma)
    words = np.asarray([ids[part]] if part < len(ids) else ids)
    return frozenset(wordnet().senses(words).values.tolist())


@lru_cache(1 << 15)
def are_opposites(a: str, b: str) -> bool:
    """Return whether two lower-case lemmas are opposites: listed, antonyms in some sense, or apart by a prefix."""
    if a == b or a in _NO_OPPOSITES or b in _NO_OPPOSITES:
        return False
    if frozenset((a, b)) in _listed() or _by_prefix(a, b) or _by_prefix(b, a) or _by_exchanged_prefix(a, b):
        return True
    if not _rows_of(a, "antonyms"):
        return False
    return not _rows_of(a, "antonyms").isdisjoint(_word_ids(b))


@lru_cache(1 << 12)
def positive_form(word: str, tag: str) -> str:
    """Return the positive of a comparative or superlative ("dimmer": "dim"), and other words as they are."""
    if tag[-1:] not in ("R", "S", "N"):
        return word
    for ending in ("er", "est"):
        stem = word.removesuffix(ending)
        forms = (stem, stem + "e", stem[:-1] + "y" if stem[-1:] == "i" else stem[:-1])
        if stem != word and len(stem) > 2:
            return next((form for form in forms if max(_word_ids(form)[2:]) >= 0), word)
    return word


def _by_exchanged_prefix(a: str, b: str) -> bool:
    # "encrypt" and "decrypt", "inbound" and "outbound", "careful" and "careless".
    for x, y in _PREFIX_PAIRS:
        if a.startswith(x) and b.startswith(y) and a[len(x) :].lstrip("-") == b[len(y) :].lstrip("-"):
            return len(a) - len(x) >= _SHORTEST_STEM
    full, less = sorted((a, b), key=lambda word: word.endswith("less"))
    return full.endswith("ful") and less == full.removesuffix("ful") + "less"


def _by_prefix(a: str, b: str) -> bool:
    # Only adjectives and the like that WordNet has on both sides: "fair" and "unfair", not "come" and "income".
    if len(a) < 4 or not b.endswith(a) or b.removesuffix(a) not in _PREFIXES:
        return False
    if b.removesuffix(a) in _SURE_PREFIXES:
        return True
    adjective_or_verb = (_word_ids(a)[k] >= 0 and _word_ids(b)[k] >= 0 for k in (1, 2, 3))
    return any(adjective_or_verb) and b.removesuffix(a) != "in" or _word_ids(b)[2] >= 0 and _word_ids(a)[2] >= 0


def mean_the_same(a: str, tag_a: str, b: str, tag_b: str) -> bool:
    """Return whether two lower-case lemmas are synonyms in some sense of their tags, or one derives from the other."""
    part_a, part_b = (_CLASS_OF_TAG.get(tag[:1], 4) for tag in (tag_a, tag_b))
    if are_opposites(a, b):
        return False
    if part_a == part_b and not _senses(a, part_a).isdisjoint(_senses(b, part_b)):
        return True
    return not _rows_of(a, "derivations or pertainyms").isdisjoint(word for word in _word_ids(b) if word >= 0)
