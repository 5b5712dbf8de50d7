"""Difference of meaning between two texts: its kind, its words, and their places."""

from typing import Any, NamedTuple

KINDS = (
    "date",
    "unit",
    "number",
    "name",
    "modality",
    "quantifier",
    "negation",
    "role",
    "antonym",
    "added",
    "missing",
)
"""Kinds of differences; where two kinds claim a token, the earlier one has it."""

MIRRORED = {"added": "missing", "missing": "added"}
"""Kind that a difference has once the texts are swapped, where that is another one."""


class Difference(NamedTuple):
    """Words of two texts that differ in meaning.

    Attributes
    ----------
    kind
        One of `KINDS`.
    a, b
        The words of the first and the second text as they stand there, with a blank between tokens that do not touch;
        empty if that text has none.
    places_a, places_b
        Their places among the tokens of either text, in order.
    """

    kind: str
    a: str
    b: str
    places_a: tuple[int, ...]
    places_b: tuple[int, ...]

    def swapped(self) -> "Difference":
        """Return the difference between the second text and the first."""
        kind = MIRRORED.get(self.kind, self.kind)
        return Difference(kind, self.b, self.a, self.places_b, self.places_a)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {**self._asdict(), "places_a": list(self.places_a), "places_b": list(self.places_b)}
