"""Opposites and synonyms, from WordNet and a list of opposites that it lacks."""

from functools import cache, lru_cache

import numpy as np

from ...features.arrays.joins import by_first
from ...features.arrays.ragged import Ragged
from ...features.lexicon.wordnet import wordnet

_OPPOSITES = """
include exclude, import export, push pull, gain lose, love hate, arrive depart, encourage discourage, praise criticise,
praise criticize, strengthen weaken, improve worsen, improve deteriorate, support oppose, allow forbid, allow prohibit,
permit forbid, permit prohibit, allow ban, permit ban, allowed forbidden, allowed prohibited, permitted forbidden,
permitted prohibited, succeed fail, rise fall, rise drop, rose fell, climb fall, increase decrease, increase reduce,
increase decline, increase fall, raise lower, win lose, confirm deny, attract repel, trust distrust, agree disagree,
appear disappear, accept reject, accept refuse, accept decline, approve reject, grant refuse, buy sell, lend borrow,
bright dark, bright dim, loud quiet, polite rude, cheap expensive, wet dry, strong weak, young old, new old, big small,
large small, big little, tall short, long short, high low, deep shallow, wide narrow, thick thin, heavy light,
full empty, rich poor, early late, fast slow, quick slow, quickly slowly, hot cold, warm cool, easy hard,
easy difficult, safe dangerous, clean dirty, happy sad, happy unhappy, calm nervous, alive dead, awake asleep,
left right, upper lower, inner outer, front rear, front back, front behind, north south, east west, northern southern,
eastern western, inside outside, indoors outdoors, upstairs downstairs, above below, up down, into out, before after,
buyer seller, employer employee, landlord tenant, lender borrower, teacher student, debtor creditor, lessor lessee,
brother sister, son daughter, husband wife, boy girl, man woman, men women, mother father, uncle aunt, king queen,
gain loss, profit loss, victory defeat, success failure, war peace, friend enemy, entrance exit, beginning end,
start stop, start end, begin end, begin stop, start finish, open close, open shut, opened closed, lock unlock,
enable disable, connect disconnect, install uninstall, add remove, attach detach, subscribe unsubscribe, enter leave,
arrival departure, attack defend, lead trail, hire fire, hire dismiss, optimistic pessimistic, overvalue undervalue,
overestimate underestimate, valid invalid, acute chronic, malignant benign, positive negative, active inactive,
public private, legal illegal, major minor, maximum minimum, more less, most least, better worse, best worst, ascend
descend, expand contract, expand shrink, widen narrow, first last, same different, together apart, guilty innocent,
conviction acquittal, convict acquit, with without, worsen ease,
increase reduction, upgrade downgrade, rise sink, ease tighten, loosen tighten, maternal paternal, wake sleep, fast slowly, hot mild, cheap dear
"""
_LISTED = frozenset(
    frozenset(entry.split()) for entry in _OPPOSITES.replace("\n", " ").strip().split(",") if entry.strip()
)
FUNCTION_OPPOSITES = frozenset("inside outside above below up down into out before after more less most least".split())
"""Words of the list that are also function words."""

CONVERSES = frozenset(map(frozenset, (("buy", "sell"), ("lend", "borrow"), ("win", "lose"), ("give", "receive"))))
"""Opposites that tell one event from two sides: they differ only if one subject does both."""

_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "non-", "mis")
_NO_OPPOSITES = frozenset("be have do go come get make take give one other well even just still there here say".split())
_CLASS_OF_TAG = {"N": 0, "V": 1, "J": 2, "R": 3}


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


def are_opposites(a: str, b: str) -> bool:
    """Return whether two lower-case lemmas are opposites: listed, antonyms in some sense, or apart by a prefix."""
    if a == b or a in _NO_OPPOSITES or b in _NO_OPPOSITES:
        return False
    if frozenset((a, b)) in _LISTED or _by_prefix(a, b) or _by_prefix(b, a):
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


def _by_prefix(a: str, b: str) -> bool:
    # Only adjectives and the like that WordNet has on both sides: "fair" and "unfair", not "come" and "income".
    if len(a) < 4 or not b.endswith(a) or b.removesuffix(a) not in _PREFIXES:
        return False
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
