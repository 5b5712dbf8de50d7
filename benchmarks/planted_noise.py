"""Light noise as people make it in questions: contractions, typos, greetings, lower case, a missing question mark."""

import re

import numpy as np

SLOT_OR_CHOICE = re.compile(r"(\{\w+\}|\[[^\]]*\])")
LONG_WORD = re.compile(r"\b[a-z]{8,}\b")
CONTRACTIONS = {
    r"\bWhat is (?=\w)": "What's ",
    r"\bwhat is (?=\w)": "what's ",
    r"\bWhere is (?=\w)": "Where's ",
    r"\bHow is (?=\w)": "How's ",
    r"\bWho is (?=\w)": "Who's ",
    r"\bI am (?=\w)": "I'm ",
    r"\bI would (?=\w)": "I'd ",
    r"\bThere is (?=\w)": "There's ",
    r"\bIt is (?=\w)": "It's ",
    r"\bWe are (?=\w)": "We're ",
}
GREETINGS = ("hi, ", "Hi, ", "Hello, ", "hello everyone, ", "Hi all, ", "Please help: ", "please, ", "Quick question: ")


def _contraction(phrasing: str, rng: np.random.Generator) -> str:
    for long_form, short in CONTRACTIONS.items():
        phrasing = re.sub(long_form, short, phrasing)
    return phrasing


def _typo(phrasing: str, rng: np.random.Generator) -> str:
    """Swap two letters inside one long word, or leave one out; slots and negations stay."""
    parts = SLOT_OR_CHOICE.split(phrasing)
    words = [(place, match) for place in range(0, len(parts), 2) for match in LONG_WORD.finditer(parts[place])]
    if not words:
        return phrasing
    place, match = words[rng.integers(len(words))]
    word = match[0]
    letter = int(rng.integers(2, len(word) - 2))
    swapped = word[letter + 1] + word[letter] if rng.random() < 0.6 else word[letter + 1]
    mistyped = word[:letter] + swapped + word[letter + 2 :]
    parts[place] = parts[place][: match.start()] + mistyped + parts[place][match.end() :]
    return "".join(parts)


def _no_mark(phrasing: str, rng: np.random.Generator) -> str:
    return phrasing.rstrip("?.")


def _lower(phrasing: str, rng: np.random.Generator) -> str:
    parts = SLOT_OR_CHOICE.split(phrasing)
    return "".join(part if place % 2 else part.lower() for place, part in enumerate(parts))


def _greeting(phrasing: str, rng: np.random.Generator) -> str:
    keeps_capital = re.match(r"I\b|[^A-Z]", phrasing)
    rest = phrasing if keeps_capital else phrasing[0].lower() + phrasing[1:]
    return GREETINGS[rng.integers(len(GREETINGS))] + rest


NOISES = (_contraction, _typo, _no_mark, _lower, _greeting)


def with_noise(phrasing: str, rng: np.random.Generator) -> str:
    """Return the phrasing with one noise, or with two; its slots and negations are as before."""
    chosen = rng.choice(len(NOISES), 1 if rng.random() < 0.7 else 2, replace=False)
    # Typos look for lower-case words and a greeting for a capital, so that the order matters.
    for place in sorted(chosen):
        phrasing = NOISES[place](phrasing, rng)
    return phrasing
