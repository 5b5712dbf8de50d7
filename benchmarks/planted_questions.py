"""Questions of our own making with planted paraphrases and planted near-copies, for measuring duplicate detection.

An intent is a question with slots, written in four or more phrasings. An intent with its slots filled is a group. Its
rows are phrasings of it, and the answer to one settles all. A near-copy repeats a phrasing with a single number, name
or negation changed. It is another question, and so another group.
"""

import argparse
import csv
import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from planted_noise import with_noise
from planted_values import NAMES, NUMBERS, VALUES

INTENTS = Path(__file__).parent / "data" / "planted_intents.txt"
SIZES = np.array([0.862, 0.09, 0.03, 0.012, 0.006])
"""Share of groups with one to five rows, as far as there are phrasings: of the rows, 29% have a duplicate."""
COPIED = 0.1
"""Share of groups of which a near-copy is planted."""
NOISY = 0.35
"""Share of rows with a contraction, a typo, a greeting, lower case or no question mark."""
NEGATED_MORE = 3.0
"""Weight of intents with a negation among the copied: they are few, and the only ones that give this kind."""
POLARITY = "polarity"
SLOT = re.compile(r"\{(\w+)\}")
ARTICLE = re.compile(r"\ban? (?=\{(\w+)\})")
VOWEL = re.compile(r"\$?(8|(11|18)(?!\d)|[AEIOaeio]|Ubuntu)")
CHOICE = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


class Intent(NamedTuple):
    phrasings: tuple[str, ...]
    slots: tuple[str, ...]
    sizes: tuple[int, ...]

    @property
    def capacity(self) -> int:
        return math.prod(self.sizes)


class Group(NamedTuple):
    intent: int
    digits: tuple[int, ...]
    rows: int


class PlantedQuestions(NamedTuple):
    """Questions and the truth about them.

    Attributes
    ----------
    texts : list of str
        Distinct questions, shuffled.
    groups : np.ndarray of shape (n,)
        Group of each question, from 0; questions of a group mean the same.
    near_copies : list of (int, int, str)
        Two rows of different groups, and what differs between them: ``number``, ``name`` or ``negation``.
    """

    texts: list[str]
    groups: np.ndarray
    near_copies: list[tuple[int, int, str]]


@cache
def values(slot: str) -> list[str]:
    """Return the values of a slot; ``city`` and ``city2`` share theirs."""
    return VALUES[slot.rstrip("2")]


@cache
def kind(slot: str) -> str:
    """Return what a near-copy changes with this slot, or the empty string."""
    base = slot.rstrip("2")
    kinds = {"negation": slot == POLARITY, "number": base in NUMBERS, "name": base in NAMES}
    return next((name for name, holds in kinds.items() if holds), "")


def read_intents() -> list[Intent]:
    """Return the intents of all domains."""
    lines = [line for line in INTENTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    intents = []
    for block in "\n".join(lines).strip().split("\n\n"):
        phrasings = tuple(block.splitlines())
        slots = sorted(set(SLOT.findall(phrasings[0])))
        sizes = [len(values(slot)) for slot in slots]
        if CHOICE.search(phrasings[0]):
            slots, sizes = [*slots, POLARITY], [*sizes, 2]
        intents.append(Intent(phrasings, tuple(slots), tuple(sizes)))
    return intents


def _article(value: str) -> str:
    return "an " if VOWEL.match(value) else "a "


def _fill(phrasing: str, intent: Intent, digits: tuple[int, ...]) -> str:
    number_of = dict(zip(intent.slots, digits, strict=True))
    polarity = number_of.pop(POLARITY, 0)
    chosen = CHOICE.sub(lambda match: match[1 + polarity], phrasing) if "[" in phrasing else phrasing
    filling = {slot: values(slot)[number] for slot, number in number_of.items()}
    return ARTICLE.sub(lambda match: _article(filling[match[1]]), chosen).format_map(filling)


def _repeats(intent: Intent, digits: list[int]) -> bool:
    """Return whether two slots that share a list have the same value, as in a train from York to York."""
    pairs = list(zip((slot.rstrip("2") for slot in intent.slots), digits, strict=True))
    return len(set(pairs)) < len(pairs)


def _quotas(capacities: np.ndarray, count: int) -> np.ndarray:
    """Return as even a number of groups of each intent as their capacities allow; half is kept for near-copies."""
    limits, left = capacities // 2, count
    if limits.sum() < count:
        raise ValueError(f"count must leave fillings for near-copies, got {count:,} groups; ask for fewer questions")
    quotas = np.zeros_like(limits)
    while left:
        open_intents = np.flatnonzero(quotas < limits)
        share = np.full(len(open_intents), left // len(open_intents))
        share[: left % len(open_intents)] += 1
        added = np.minimum(share, (limits - quotas)[open_intents])
        quotas[open_intents] += added
        left -= int(added.sum())
    return quotas


def _draw(intent: Intent, quota: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Return `quota` different fillings, or all there are."""
    wanted = min(intent.capacity, quota + quota // 2 + 20)
    keys = rng.choice(intent.capacity, wanted, replace=False)
    fillings = np.stack(np.unravel_index(keys, intent.sizes), axis=1).tolist()
    return [tuple(digits) for digits in fillings if not _repeats(intent, digits)][:quota]


def _changed(
    intent: Intent, digits: tuple[int, ...], taken: set[tuple[int, ...]], rng: np.random.Generator
) -> tuple[tuple[int, ...], str] | None:
    """Return a free filling that differs in a single slot, and the kind of the slot."""
    kinds = sorted({kind(slot) for slot in intent.slots} - {""})
    for _ in range(20 if kinds else 0):
        chosen = "negation" if "negation" in kinds and rng.random() < 0.8 else kinds[rng.integers(len(kinds))]
        place = rng.choice([place for place, slot in enumerate(intent.slots) if kind(slot) == chosen])
        other = list(digits)
        other[place] = int(rng.integers(intent.sizes[place]))
        if tuple(other) not in taken and not _repeats(intent, other):
            return tuple(other), chosen
    return None


def _weight(intent: Intent) -> float:
    """Return how often an intent is copied, relative to others."""
    if not any(map(kind, intent.slots)):
        return 0.0
    return NEGATED_MORE if POLARITY in intent.slots else 1.0


def _plan(intents: list[Intent], count: int, rng: np.random.Generator) -> Iterator[tuple[Group, str]]:
    """Yield groups in random order; after each that is copied, its near-copy with the kind of change."""
    capacities = np.array([intent.capacity for intent in intents])
    fillings = [_draw(intent, quota, rng) for intent, quota in zip(intents, _quotas(capacities, count), strict=True)]
    taken = [set(some) for some in fillings]
    planned = [(number, digits) for number, some in enumerate(fillings) for digits in some]
    weights = np.array([_weight(intent) for intent in intents])[[number for number, _ in planned]]
    copied = rng.random(len(planned)) < COPIED * weights / weights.mean()
    rows = rng.choice(len(SIZES), (len(planned), 2), p=SIZES) + 1
    for place in rng.permutation(len(planned)):
        number, digits = planned[place]
        yield Group(number, digits, int(rows[place, 0])), ""
        change = _changed(intents[number], digits, taken[number], rng) if copied[place] else None
        if change:
            taken[number].add(change[0])
            yield Group(number, change[0], int(rows[place, 1])), change[1]


def _rows(
    intents: list[Intent], plan: Iterator[tuple[Group, str]], rng: np.random.Generator
) -> Iterator[tuple[str, int, str]]:
    """Yield text, group and, for the first row of a near-copy, the kind; the row copied is its group's first."""
    first = 0, ""
    for number, (group, change) in enumerate(plan):
        intent = intents[group.intent]
        order = [int(place) for place in rng.permutation(len(intent.phrasings))]
        if change:  # the phrasing with its noise is that of the row copied, so that nothing else differs
            order.remove(first[0])
            order.insert(0, first[0])
        for place in order[: group.rows]:
            phrasing = intent.phrasings[place]
            if change and place == order[0]:
                phrasing = first[1]
            elif rng.random() < NOISY:
                phrasing = with_noise(phrasing, rng)
            if place == order[0]:
                first = place, phrasing
            yield _fill(phrasing, intent, group.digits), number, change if place == order[0] else ""


def planted_questions(count: int, seed: int = 0) -> PlantedQuestions:
    """Return distinct questions with planted paraphrases and near-copies.

    Parameters
    ----------
    count : int
        Number of questions, at least 1.
    seed : int, default=0
        Seed of all choices; a seed gives the same questions every time.

    Returns
    -------
    PlantedQuestions
        The questions, their groups and the near-copies.

    Raises
    ------
    ValueError
        If `count` is below 1, or more than the intents can give.
    """
    if count < 1:
        raise ValueError(f"count must be at least 1, got {count}; ask for one question or more")
    rng = np.random.default_rng(seed)
    intents = read_intents()
    texts: dict[str, int] = {}
    copies, previous, first = [], 0, 0
    group = -1
    for text, number, change in _rows(intents, _plan(intents, count, rng), rng):
        if len(texts) == count:
            break
        if text in texts:
            raise ValueError(f"questions must be distinct, got {text!r} twice; mend the intents that give it")
        if number != group:
            group, previous, first = number, first, len(texts)
        if change:
            copies.append((previous, len(texts), change))
        texts[text] = number
    return _shuffled(list(texts), np.array(list(texts.values())), copies, rng)


def _shuffled(
    texts: list[str], groups: np.ndarray, copies: list[tuple[int, int, str]], rng: np.random.Generator
) -> PlantedQuestions:
    """Return the rows in random order, with the groups numbered at random too, so that neither tells anything."""
    order = rng.permutation(len(texts))
    row_of = np.argsort(order)
    numbers = rng.permutation(groups.max() + 1)
    near = [(int(row_of[a]), int(row_of[b]), change) for a, b, change in copies]
    return PlantedQuestions([texts[row] for row in order], numbers[groups[order]], sorted(near))


def write(questions: PlantedQuestions, path: Path, near_path: Path) -> None:
    """Write ``id,question,group`` to `path` and ``id1,id2,kind`` to `near_path`."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "question", "group"])
        writer.writerows(zip(range(len(questions.texts)), questions.texts, questions.groups.tolist(), strict=True))
    with near_path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id1", "id2", "kind"])
        writer.writerows(questions.near_copies)


def main() -> None:
    """Write the questions, and the near-copies beside them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("path", type=Path, help="CSV of the questions; the near-copies go to NAME_near_copies.csv")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    questions = planted_questions(options.count, options.seed)
    near_path = options.path.with_name(f"{options.path.stem}_near_copies.csv")
    write(questions, options.path, near_path)
    groups, near = len(set(questions.groups.tolist())), len(questions.near_copies)
    print(f"{options.count:,} questions in {groups:,} groups: {options.path}; {near:,} near-copies: {near_path}")


if __name__ == "__main__":
    main()
