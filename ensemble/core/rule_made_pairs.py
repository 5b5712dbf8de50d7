"""Pairs that differ in few words and much in meaning, or the reverse, made from the training text by rule.

Scored pairs hardly hold any: of those of STS Benchmark train three have the same words in another order, all worth 5,
and a model that was fitted on them takes "a dog chases a cat" for "a cat chases a dog". Each rule has the score that
people gave a pair of its kind in the error analysis of SemEval-2017 Task 1 (Cer et al., 2017).
"""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

SWAPPED = 1.8
"""Score of a pair in which agent and patient are exchanged."""

NEGATED = 3.0
"""Score of a pair of which one side is negated."""

MOVED = 5.0
"""Score of a pair of which one side names its place or time first, or exchanges the two sides of an "and"."""

BLENDED = 0.2
"""Points added to the score of a dissimilar pair when one side names the subject of the other in passing."""

UNLIKE = 1.5

_DETERMINERS = frozenset("a an the two three four some several his her their".split())
_AUXILIARIES = frozenset("is are was were will would can could should must may might has had".split())
_PREPOSITIONS = frozenset("in on at near after before during".split())
_ENDS = frozenset(". ! ?".split())
_LONGEST_PHRASE = 3

Tokens = Sequence[str]


class RuleMadePair(NamedTuple):
    """Pair made by rule.

    Attributes
    ----------
    a, b
        Its texts.
    score
        Score that people gave pairs of its kind, 0..5.
    source
        The training pair that it was made from.
    """

    a: str
    b: str
    score: float
    source: int


def pairs_by_rule(
    firsts: Sequence[Tokens], seconds: Sequence[Tokens], scores: Sequence[float], count: int, chance: random.Random
) -> list[RuleMadePair]:
    """Return about `count` pairs, as many of each kind; what they are made from is drawn at random.

    Parameters
    ----------
    firsts, seconds, scores
        Tokens of the texts of each training pair, and its score.
    count
        How many in all.
    chance
        Draws the sentences.
    """
    order = list(range(len(scores)))
    kinds: tuple[tuple[Callable[[Tokens], list[str] | None], float], ...] = (
        (swapped, SWAPPED),
        (negated, NEGATED),
        (moved, MOVED),
    )
    pairs: list[RuleMadePair] = []
    share = count // (len(kinds) + 1)
    for change, score in kinds:
        chance.shuffle(order)
        changed = ((i, change(firsts[i])) for i in order)
        some = [RuleMadePair(_text(firsts[i]), _text(other), score, i) for i, other in changed if other is not None]
        pairs += some[:share]
    chance.shuffle(order)
    unlike = [(i, blended(firsts[i], seconds[i])) for i in order if scores[i] <= UNLIKE]
    mixed = [
        RuleMadePair(_text(firsts[i]), _text(other), scores[i] + BLENDED, i) for i, other in unlike if other is not None
    ]
    return pairs + mixed[:share]


def swapped(tokens: Tokens) -> list[str] | None:
    """Return a sentence with its first two phrases exchanged where a verb parts them; None without two such."""
    phrases = _phrases(tokens)
    if len(phrases) < 2:
        return None
    (a, b), (c, d) = phrases[:2]
    between = [token.lower() for token in tokens[b:c]]
    verbal = any(word in _AUXILIARIES or word.endswith(("ing", "ed", "s")) for word in between)
    if not verbal or "and" in between or [t.lower() for t in tokens[a:b]] == [t.lower() for t in tokens[c:d]]:
        return None
    return _sentence([*tokens[:a], *tokens[c:d], *tokens[b:c], *tokens[a:b], *tokens[d:]])


def negated(tokens: Tokens) -> list[str] | None:
    """Return a sentence with "not" after its first auxiliary, or without the "not" there; None without one."""
    place = next((i for i, token in enumerate(tokens) if token.lower() in _AUXILIARIES and i), None)
    if place is None or place + 1 == len(tokens):
        return None
    if tokens[place + 1].lower() == "not":
        return [*tokens[: place + 1], *tokens[place + 2 :]]
    return [*tokens[: place + 1], "not", *tokens[place + 1 :]]


def moved(tokens: Tokens) -> list[str] | None:
    """Return a sentence with its last short phrase of place or time in front, or with the sides of "and" exchanged."""
    end = len(tokens) - (1 if tokens and tokens[-1] in _ENDS else 0)
    phrases = _phrases(tokens)
    for (a, b), (c, d) in zip(phrases, phrases[1:], strict=False):
        if [token.lower() for token in tokens[b:c]] == ["and"]:
            return _sentence([*tokens[:a], *tokens[c:d], "and", *tokens[a:b], *tokens[d:]])
    place = next((i for i in range(end - 1, 2, -1) if tokens[i].lower() in _PREPOSITIONS), None)
    if place is None or not 1 < end - place <= 5:
        return None
    return _sentence([*tokens[place:end], ",", *tokens[:place], *tokens[end:]])


def blended(first: Tokens, second: Tokens) -> list[str] | None:
    """Return the second sentence with the first one's subject added to its own: "a man with a cat"."""
    of_first, of_second = _phrases(first), _phrases(second)
    if not of_first or not of_second:
        return None
    (a, b), (_, d) = of_first[0], of_second[0]
    guest = [token.lower() for token in first[a:b]]
    return None if guest[-1] in {token.lower() for token in second} else [*second[:d], "with", *guest, *second[d:]]


def _phrases(tokens: Tokens) -> list[tuple[int, int]]:
    # A determiner and up to three words: as much of a noun phrase as can be recognised without tags.
    phrases, i = [], 0
    while i < len(tokens):
        stop = i + 1
        if tokens[i].lower() in _DETERMINERS:
            while stop < len(tokens) and stop - i <= _LONGEST_PHRASE and _nominal(tokens[stop].lower()):
                stop += 1
            if stop > i + 1:
                phrases.append((i, stop))
        i = stop
    return phrases


def _nominal(word: str) -> bool:
    function = _AUXILIARIES | _PREPOSITIONS | _DETERMINERS
    return word.isalpha() and word not in function and word not in _OTHERS and not word.endswith(("ing", "ed", "ly"))


_OTHERS = frozenset("and or but of to for from with by as that which who into over down up not".split())


def _sentence(tokens: list[str]) -> list[str]:
    # As a sentence begins, and a name that no longer begins it stays as it is.
    lowered = [token.lower() if token.lower() in _DETERMINERS | _PREPOSITIONS else token for token in tokens]
    return [lowered[0][:1].upper() + lowered[0][1:], *lowered[1:]]


def _text(tokens: Tokens) -> str:
    return " ".join(tokens)
