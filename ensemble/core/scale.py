"""Scale of the scores that a model was fitted on and answers on; inside, every score is on 0..5."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

LARGEST = 1e6
"""Greatest absolute value; what is fitted on scores of 0..5 stays below 1,000."""


def stored_numbers(values: Any) -> tuple[float, ...]:
    """Return a list of JSON numbers as floats.

    Raises
    ------
    ValueError
        If the value is not a list, or holds anything but numbers up to `LARGEST`.
    """
    if not isinstance(values, list | tuple):
        raise ValueError(f"numbers must be a list, got {values!r:.40}")
    return tuple(stored_number(value) for value in values)


def stored_number(value: Any) -> float:
    """Return one JSON number as a float.

    Raises
    ------
    ValueError
        If the value is not a number up to `LARGEST`.
    """
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= LARGEST:
        raise ValueError(f"a stored value must be a number up to {LARGEST:.0e}, got {value!r:.40}")
    return float(value)


SCALE = "scale"
"""Key of the manifest: the scale of a model, where it is not 0..5."""

_RANGE = re.compile(r"\s*(-?[0-9]*\.?[0-9]+)\s*\.\.\s*(-?[0-9]*\.?[0-9]+)\s*")

YES = frozenset({"yes", "y", "true", "t", "same", "duplicate", "match", "paraphrase", "equivalent", "1", "1.0"})
NO = frozenset({"no", "n", "false", "f", "different", "distinct", "other", "not duplicate", "0", "0.0"})
"""Labels, in lower case, that say yes or no."""

_SPOKEN = (YES | NO) - {"1", "1.0", "0", "0.0"}


_ENOUGH = 20
"""Fewest labels among which a single one above the scale of all others is odd."""


class ScaleError(ValueError):
    """Labels that fit no scale, or one that does not fit the scale of all others.

    Attributes
    ----------
    place
        Place of the label.
    rule
        Clause that states what labels must be.
    """

    def __init__(self, place: int, labels: Sequence[object], usual: "Scale | None" = None) -> None:
        self.place = place
        self.rule = ANY_RULE if usual is None else f"numbers from {usual.low:g} to {usual.high:g}, as nearly all are"
        got = repr(labels[place])[:40] if len(labels) else "no label"
        super().__init__(f"labels must be {self.rule}, got {got}")


ANY_RULE = "numbers on a scale such as 0..1, 1..5 or 0..100, or all yes and no"
"""Clause that tells what labels must be whose scale is not named."""


@dataclass(frozen=True)
class Scale:
    """Range of scores, or labels that say yes or no.

    Attributes
    ----------
    low, high
        Score of unrelated texts, and of texts that mean the same.
    binary
        Whether labels say yes (1) or no (0); scores are then probabilities of yes.
    """

    low: float = 0.0
    high: float = 5.0
    binary: bool = False

    def __str__(self) -> str:
        return "yes/no" if self.binary else f"{self.low:g}..{self.high:g}"

    @classmethod
    def of(cls, scale: "Scale | str") -> "Scale":
        """Return a scale, given as a `Scale` or by its name: ``0..1``, ``1..5``, ``-1..1``, ``yes/no``.

        Raises
        ------
        ValueError
            If it is not such a name.
        """
        if isinstance(scale, Scale):
            return scale
        if isinstance(scale, str) and scale.strip().casefold() == "yes/no":
            return YES_OR_NO
        found = _RANGE.fullmatch(scale) if isinstance(scale, str) else None
        if found is not None:
            low, high = map(float, found.groups())
            if low < high and max(abs(low), abs(high)) <= LARGEST:
                return cls(low, high)
        raise ValueError(
            f"scale must be LOW..HIGH, such as 0..1, 1..5 or 0..100, or yes/no, got {scale!r:.60}; name the lowest and "
            "the highest label there can be"
        )

    def points(self, scores: np.ndarray) -> np.ndarray:
        """Return scores of this scale on 0..5."""
        if self == POINTS:
            return scores
        return np.asarray((scores - self.low) / (self.high - self.low) * POINTS.high)

    def scores(self, points: np.ndarray) -> np.ndarray:
        """Return scores of 0..5 on this scale; 0 and 5 become exactly its ends."""
        if self == POINTS:
            return points
        inside = np.clip(self.low + self.lengths(points), self.low, self.high)
        return np.where(points == POINTS.high, self.high, inside)

    def lengths(self, points: np.ndarray) -> np.ndarray:
        """Return differences of scores of 0..5, such as points of an explanation, as differences on this scale."""
        return points if self == POINTS else np.asarray(points / POINTS.high * (self.high - self.low))

    def contains(self, scores: np.ndarray) -> np.ndarray:
        """Return whether each number may be a label of this scale."""
        if self.binary:
            return np.asarray((scores == self.low) | (scores == self.high))
        return np.asarray((scores >= self.low) & (scores <= self.high))  # false for NaN

    def number(self, label: object) -> float:
        """Return a label as a number: 1 for yes and 0 for no on a yes/no scale; NaN if it is not a number.

        On 0..100 a number may have a percent sign.
        """
        word = str(label).strip().casefold() if self.binary else ""
        if self == PERCENT and isinstance(label, str) and _is_percent(label):
            label = label.rstrip()[:-1]
        return 1.0 if word in YES else 0.0 if word in NO else _number(label)

    def numbers(self, labels: Sequence[object]) -> np.ndarray:
        """Return the `number` of each of n labels, shape (n,), `snapped`."""
        return self.snapped(np.fromiter(map(self.number, labels), np.float64, len(labels)))

    def snapped(self, scores: np.ndarray) -> np.ndarray:
        """Return scores of which those that miss an end of the scale by a rounding error are that end."""
        rounding = 1e-9 * (self.high - self.low)
        for end in (self.low, self.high):
            scores = np.where(np.abs(scores - end) <= rounding, end, scores)
        return scores

    def check_varied(self, labels: np.ndarray) -> None:
        """Refuse labels of which nothing can be learnt.

        Raises
        ------
        ValueError
            If there are several, all the same.
        """
        if len(labels) > 1 and labels.min() == labels.max():
            rule = "say yes of some pairs and no of others" if self.binary else "differ"
            got = ("yes" if labels[0] else "no") if self.binary else f"{labels[0]:g}"
            raise ValueError(f"labels must {rule}, got {got} for all {len(labels):,}; add pairs with other labels")

    @property
    def rule(self) -> str:
        """Clause that states what a label must be."""
        return "yes or no, or 1 or 0" if self.binary else f"a number from {self.low:g} to {self.high:g}"

    @property
    def digits(self) -> int:
        """Decimals with which scores are shown: two from a length of 1 to one of 10, fewer beyond, more below."""
        magnitude = math.log10(self.high - self.low)
        return max(2 - max(math.ceil(magnitude) - 1, 0) + max(math.ceil(-magnitude), 0), 0)

    def text(self, score: float) -> str:
        """Return a score as text, such as ``3.66`` on 0..5 and ``73.1`` on 0..100."""
        return f"{score:.{self.digits}f}"

    def signed_text(self, length: float) -> str:
        """Return a difference of scores as text, with its sign."""
        return f"{length:+.{self.digits}f}"

    @property
    def title(self) -> str:
        """Name of a score of this scale."""
        return "probability" if self.binary else "score"

    def to_json(self) -> str | list[float]:
        """Return the scale as a JSON value."""
        return str(self) if self.binary else [self.low, self.high]

    @classmethod
    def from_manifest(cls, manifest: Mapping[str, Any]) -> "Scale":
        """Return the scale that a manifest records; 0..5 if none.

        Raises
        ------
        ValueError
            If the record is malformed.
        """
        stored = manifest.get(SCALE)
        if stored is None:
            return POINTS
        if stored == str(YES_OR_NO):
            return YES_OR_NO
        if isinstance(stored, list) and len(stored) == 2:
            low, high = map(stored_number, stored)
            if low < high:
                return cls(low, high)
        raise ValueError(f"the stored scale must be two increasing numbers or yes/no, got {stored!r:.40}; train again")


POINTS = Scale()
"""The scale of semantic textual similarity, 0..5 (Agirre et al., 2012), on which everything is computed."""

YES_OR_NO = Scale(0.0, 1.0, binary=True)
"""Labels that say yes or no; scores are probabilities."""

PERCENT = Scale(0.0, 100.0)
"""The scale of labels that may have a percent sign."""

_KNOWN = (Scale(0.0, 1.0), POINTS, Scale(0.0, 10.0), PERCENT)

_FROM_ONE = (Scale(1.0, 5.0), Scale(1.0, 7.0))
"""Scales of labels of which the least is exactly 1 (Likert, 1932)."""


def yes_labels(labels: Iterable[object]) -> np.ndarray:
    """Return whether each of n labels says yes, shape (n,), bool.

    Raises
    ------
    ValueError
        If a label says neither yes nor no.
    """
    given = list(labels)
    numbers = np.array([YES_OR_NO.number(label) for label in given], np.float64)
    odd = np.flatnonzero(~YES_OR_NO.contains(numbers)).tolist()
    if odd:
        raise ValueError(f"a label must be {YES_OR_NO.rule}, got {given[odd[0]]!r:.40} for pair {odd[0]}; correct it")
    return np.asarray(numbers == 1.0)


def detected_scale(labels: Sequence[object]) -> Scale:
    """Return the scale that labels seem to be on.

    Raises
    ------
    ScaleError
        If they fit no scale, or if the largest does not fit that of all others, as 45 beside labels of 0..5.
    """
    if len(labels) and all(map(_is_percent, labels)) and PERCENT.contains(PERCENT.numbers(labels)).all():
        return PERCENT
    words = {str(label).strip().casefold() for label in labels}
    if words <= YES | NO and ((words & YES and words & NO) or words & _SPOKEN):
        return YES_OR_NO
    numbers = np.asarray([_number(label) for label in labels])
    if np.isfinite(numbers).all() and len(numbers):
        scale = _shortest(numbers)
        if scale is not None:
            few = max(len(numbers) // 100, 1)
            usual = _shortest(np.sort(numbers)[:-few]) if len(numbers) >= _ENOUGH else None
            if usual is not None and usual.high < scale.high:
                raise ScaleError(int(numbers.argmax()), labels, usual)
            return scale
    # Where there are at least as many words that say yes or no as numbers, others are odd; else words are.
    words_in_all = sum(str(label).strip().casefold() in _SPOKEN for label in labels)
    spoken = words_in_all >= max(int(np.isfinite(numbers).sum()), 1)
    fits = [
        YES_OR_NO.contains(np.asarray(YES_OR_NO.number(label))) if spoken else 0 <= number <= 100
        for label, number in zip(labels, numbers.tolist(), strict=True)
    ]
    raise ScaleError(fits.index(False) if False in fits else 0, labels)


def scale_beside(labels: Sequence[object], scale: Scale) -> Scale:
    """Return the scale of labels that a model with another scale is measured on."""
    fits = bool(scale.contains(scale.numbers(labels)).all())
    try:
        detected = detected_scale(labels)
    except ScaleError:
        if fits:
            return scale
        raise
    if scale.binary or detected.binary:
        return detected
    return scale if fits and scale.high - scale.low <= detected.high - detected.low else detected


def _shortest(numbers: np.ndarray) -> Scale | None:
    least, most = np.round((numbers.min(), numbers.max()), 9).tolist()
    likely = (*_FROM_ONE, *_KNOWN) if least == 1.0 < most else _KNOWN
    return next((scale for scale in likely if scale.low <= least and most <= scale.high), None)


def _is_percent(label: object) -> bool:
    return isinstance(label, str) and label.rstrip().endswith("%")


def _number(label: object) -> float:
    if isinstance(label, str) and "_" in label:  # a number for Python alone
        return float("nan")
    try:
        return float(label)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return float("nan")
