"""Differences that keep two texts apart, whatever their score: one meaning for all that decide."""

from collections.abc import Iterable, Sequence

from .facts import KINDS, MIRRORED, Difference


def check_kinds(kinds: Sequence[str]) -> tuple[str, ...]:
    """Return kinds of differences, each once, in the order of `KINDS`; ValueError if one is unknown."""
    unknown = next((kind for kind in kinds if kind not in KINDS), None)
    if unknown is not None:
        raise ValueError(f"a kind of difference must be one of {', '.join(KINDS)}, got {unknown!r}; name one of these")
    return tuple(kind for kind in KINDS if kind in kinds)


def kinds_of(difference: Difference) -> tuple[str, ...]:
    """Return the kinds that a difference counts as.

    Numbers that only one text has count as such, too: "a desk for 2 people", "in the second quarter".
    """
    kind, a, b, *_ = difference
    if kind not in MIRRORED:
        return (kind,)
    from ...features.values.numbers import ORDINALS, WORDS  # the help of the commands needs no readers

    words = f"{a} {b}".lower().split()
    numbers = any(map(str.isdigit, a + b)) or any(word in WORDS or word in ORDINALS for word in words)
    return (kind, "number") if numbers else (kind,)


def all_kinds(differences: Iterable[Difference]) -> frozenset[str]:
    """Return the kinds that the differences of a pair count as."""
    return frozenset(kind for difference in differences for kind in kinds_of(difference))


def keeping_apart(differences: Iterable[Difference], kinds: Sequence[str]) -> list[Difference]:
    """Return the differences of a pair that keep its texts apart."""
    return [difference for difference in differences if not set(kinds).isdisjoint(kinds_of(difference))]


def deciding_kind(differences: Iterable[Difference], kinds: Sequence[str]) -> str | None:
    """Return the kind that keeps the texts of a pair apart: the first of `KINDS` among those given; None for none."""
    found = all_kinds(differences)
    return next((kind for kind in KINDS if kind in kinds and kind in found), None)
