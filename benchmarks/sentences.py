"""Distinct made-up pairs of sentences with about the length and overlap of news and caption pairs."""

import random
from collections.abc import Iterator
from functools import cache

_ONSETS = "b br c ch cl d dr f fl g gr h j k l m n p pl pr r s sh sl st t th tr v w".split()
_VOWELS = "a e i o u ai ea ee oa ou".split()
_CODAS = "b ck d ft g l ll m mp n nd ng nt p r rd rk rt s sh st t th x".split()
_FRAMES = (
    "A {a} {n} is {v}ing a {n2} in the {n3}.",
    "The {n} {v}ed the {a} {n2} on {day}, the {n3} said.",
    "Two {n}s {v} near a {a} {n2} with {num} {n3}s.",
    "{name} says it will {v} {num} {n}s after the {a} {n2} {v2}ed.",
    "Police {v}ed {num} {n}s in {name}, where the {n2} was {a}.",
    '"We {v} every {n}," said {name} of the {a} {n2} {n3}.',
    "Shares of {name} {v}ed {num}% to ${num2} as {a} {n}s {v2}ed the {n2}.",
    "You should {v} the {n} first, then see whether the {a} {n2} doesn't {v2} your {n3}.",
)
_DAYS = "Monday Tuesday Wednesday Thursday Friday".split()


def _words(rng: random.Random, count: int) -> list[str]:
    made: dict[str, None] = {}
    while len(made) < count:
        syllables = rng.choice((1, 2, 2, 3))
        word = "".join(rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(syllables)) + rng.choice(_CODAS)
        made[word] = None
    return list(made)


@cache
def _english(count: int) -> tuple[list[str], ...]:
    """Return the commonest nouns, verbs and adjectives of WordNet, for what costs time on words that it knows."""
    from samewise.features.lexicon.word_frequencies import Frequencies
    from samewise.features.lexicon.wordnet import wordnet

    net = wordnet()
    frequencies = Frequencies.fit([])
    words = [word for word in frequencies.words if word.isalpha() and len(word) > 2]
    found = []
    for kind in range(3):
        known = net.word_ids(words, [kind] * len(words)) >= 0
        found.append([word for word, is_known in zip(words, known, strict=True) if is_known][:count])
    return tuple(found)


def _falling(count: int) -> list[float]:
    cumulative: list[float] = []
    for rank in range(1, count + 1):
        cumulative.append((cumulative[-1] if cumulative else 0.0) + 1 / (rank + 2))
    return cumulative


def make_pairs(count: int, seed: int = 0, vocabulary: int = 20_000, english: bool = False) -> Iterator[tuple[str, str]]:
    """Yield `count` pairs, no sentence twice; word frequencies fall as 1 / rank, as in running text.

    The words are invented, or English ones that WordNet knows.
    """
    rng = random.Random(seed)
    invented = [] if english else _words(rng, vocabulary)
    nouns, verbs, adjectives = _english(vocabulary // 3) if english else (invented,) * 3

    def draw(words: list[str], k: int) -> list[str]:
        return rng.choices(words, cum_weights=weights[len(words)], k=k)

    weights = {len(words): _falling(len(words)) for words in (nouns, verbs, adjectives)}

    def slots() -> dict[str, str]:
        (a,), (n, n2, n3, name), (v, v2) = draw(adjectives, 1), draw(nouns, 4), draw(verbs, 2)
        return {
            **{"a": a, "n": n, "n2": n2, "n3": n3, "v": v, "v2": v2, "name": name.title(), "day": rng.choice(_DAYS)},
            **{"num": str(rng.randint(2, 9_000)), "num2": f"{rng.uniform(1, 99):.2f}"},
        }

    seen: set[str] = set()
    while count:
        first = slots()
        second = {key: first[key] if rng.random() < 0.6 else other for key, other in slots().items()}
        frame = rng.choice(_FRAMES)
        other_frame = frame if rng.random() < 0.5 else rng.choice(_FRAMES)
        pair = frame.format(**first), other_frame.format(**second)
        if pair[0] != pair[1] and not seen.intersection(pair):
            seen.update(pair)
            count -= 1
            yield pair
