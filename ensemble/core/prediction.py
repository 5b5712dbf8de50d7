"""Scores of pairs with intervals and flags, and the rules for texts that are empty or identical."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from ..._messages import short_repr
from .pair_inputs import Pairs
from .scale import POINTS, Scale


class _Columns(NamedTuple):
    score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    flags: list[tuple[str, ...]]
    deviation: np.ndarray
    scale: Scale


class Prediction(_Columns):
    """Scores of n pairs, each finite, on the scale and inside its interval.

    Attributes
    ----------
    score
        Shape (n,), float64, on the scale of the model: 0..5 unless it was fitted on another.
    low, high
        Ends of the prediction interval, ``low <= score <= high``.
    flags
        Limits of each pair's score: ``accents``, ``cross_lingual``, ``empty``, ``identical``, ``long``, ``markup``,
        ``mojibake``, ``non_english``, ``translated``, ``truncated``, ``unknown_language``, ``unknown_words``,
        ``unmeasured_language``.
    deviation
        Shape (n,), 0 or more: about the standard deviation of the gold score of such a pair. The probability of a
        gold score of some value or more follows from it (`Model.probability`).
    scale
        Scale of the scores.

    Raises
    ------
    ValueError
        If the numbers are not finite, on the scale and in this order, or the columns are not of one length.
    """

    __slots__ = ()

    def __new__(
        cls,
        score: np.ndarray,
        low: np.ndarray,
        high: np.ndarray,
        flags: list[tuple[str, ...]],
        deviation: np.ndarray | None = None,
        scale: Scale = POINTS,
    ) -> "Prediction":
        """Check and return the prediction; deviations are 0 by default."""
        deviation = np.zeros(len(flags)) if deviation is None else deviation
        if not score.shape == low.shape == high.shape == deviation.shape == (len(flags),):
            raise ValueError(
                f"a prediction must have a score, two ends, flags and a deviation for each pair, got {score.shape}, "
                f"{low.shape}, {high.shape}, {len(flags)} flags and {deviation.shape}; do not use this model"
            )
        inside = (low >= scale.low) & (low <= score) & (score <= high) & (high <= scale.high)
        sound = inside & (deviation >= 0.0) & np.isfinite(deviation)  # false for what is not a number
        if not sound.all():
            row = int(np.flatnonzero(~sound)[0])
            raise ValueError(
                f"a score and its interval must be finite and {scale.low:g} <= low <= score <= high <= {scale.high:g}, "
                f"got {score[row]} in {low[row]} to {high[row]}, deviation {deviation[row]}; do not use this model"
            )
        return super().__new__(cls, score, low, high, flags, deviation, scale)

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> "Prediction":  # type: ignore[override]
        # `_replace` comes through here, too.
        return cls(*iterable)

    def __repr__(self) -> str:
        columns = {name: column for name, column in self._asdict().items() if name != "scale"}
        return short_repr(self, n=len(self.flags), **columns, scale=str(self.scale))

    @property
    def numbers(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The columns that are numbers: score, low, high, deviation."""
        return self.score, self.low, self.high, self.deviation

    @classmethod
    def of_rows(
        cls, count: int, parts: "Iterable[tuple[Sequence[int], Prediction]]", scale: Scale = POINTS
    ) -> "Prediction":
        """Return the prediction of `count` pairs from predictions of some of their rows, which cover all of them."""
        numbers = np.zeros((4, count))
        flags: list[tuple[str, ...]] = [()] * count
        for rows, part in parts:
            numbers[:, list(rows)] = part.numbers
            for row, names in zip(rows, part.flags, strict=True):
                flags[row] = names
        score, low, high, deviation = numbers
        return cls(score, low, high, flags, deviation, scale)


def apply_text_rules(score: np.ndarray, flags: Sequence[tuple[str, ...]]) -> np.ndarray:
    """Set the points of identical texts to 5 and of a text beside an empty one to 0, in place; return the array."""
    for row, names in enumerate(flags):
        if "identical" in names:
            score[row] = 5.0
        elif "empty" in names:
            score[row] = 0.0
    return score


def ruled(flags: Sequence[tuple[str, ...]]) -> np.ndarray:
    """Return whether the score of each pair is set by the rules for texts, shape (n,)."""
    return np.fromiter(("identical" in names or "empty" in names for names in flags), bool, len(flags))


def check_languages(languages: Sequence[tuple[str, str]] | None, count: int) -> None:
    """Raise ValueError unless languages are None or have one entry for each of `count` pairs."""
    if languages is not None and len(languages) != count:
        raise ValueError(f"languages must have one entry a pair, got {len(languages)} for {count} pairs")


def rows_by_languages(
    batch_size: int, count: int, languages: Sequence[tuple[str, str]] | None
) -> list[tuple[tuple[str, str] | None, list[int]]]:
    """Return rows in batches of at most `batch_size`, each of pairs in the same two languages."""
    check_languages(languages, count)
    groups: dict[tuple[str, str] | None, list[int]] = {}
    for row in range(count):
        groups.setdefault(None if languages is None else languages[row], []).append(row)
    return [
        (sides, rows[start : start + batch_size])
        for sides, rows in groups.items()
        for start in range(0, len(rows), batch_size)
    ]


class ScoresPairs(ABC):
    """A model that gives pairs of texts a `Prediction`."""

    @abstractmethod
    def predict_pairs(self, pairs: Pairs, languages: Pairs | None = None) -> Prediction:
        """Return scores, intervals and flags of n pairs of texts."""

    @overload
    def predict(self, X: Any, return_interval: Literal[False] = False) -> np.ndarray: ...

    @overload
    def predict(self, X: Any, return_interval: Literal[True]) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...

    def predict(self, X: Any, return_interval: bool = False) -> np.ndarray | tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Score pairs.

        Parameters
        ----------
        X
            n pairs; see `pair_inputs.as_pairs`.
        return_interval
            Also return the ends of the intervals.

        Returns
        -------
        scores, or (scores, low, high)
            Arrays of shape (n,) on the scale of the model, 0..5 unless it was fitted on another.
        """
        prediction = self.predict_pairs(X)
        return (prediction.score, prediction.low, prediction.high) if return_interval else prediction.score
