"""Scores of pairs with intervals and flags, and the rules for texts that are empty or identical."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np


class _Columns(NamedTuple):
    score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    flags: list[tuple[str, ...]]


class Prediction(_Columns):
    """Scores of n pairs. Every score that leaves a model is in one, and none breaks its promise.

    Attributes
    ----------
    score
        Shape (n,), float64, 0..5.
    low, high
        Ends of the prediction interval, ``low <= score <= high``.
    flags
        Limits of each pair's score: ``cross_lingual``, ``empty``, ``identical``, ``long``, ``non_english``,
        ``translated``, ``truncated``, ``unknown_language``.

    Raises
    ------
    ValueError
        If the numbers are not finite, in 0..5 and in this order, or the columns are not of one length.
    """

    __slots__ = ()

    def __new__(
        cls, score: np.ndarray, low: np.ndarray, high: np.ndarray, flags: list[tuple[str, ...]]
    ) -> "Prediction":
        """Return the prediction, or refuse it."""
        if not score.shape == low.shape == high.shape == (len(flags),):
            raise ValueError(
                f"a prediction must have a score, two ends and flags for each pair, got {score.shape}, {low.shape}, "
                f"{high.shape} and {len(flags)} flags; do not use this model"
            )
        sound = (low >= 0.0) & (low <= score) & (score <= high) & (high <= 5.0)  # false for what is not a number
        if not sound.all():
            row = int(np.flatnonzero(~sound)[0])
            raise ValueError(
                f"a score and its interval must be finite and 0 <= low <= score <= high <= 5, got {score[row]} in "
                f"{low[row]} to {high[row]}; do not use this model"
            )
        return super().__new__(cls, score, low, high, flags)

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> "Prediction":  # type: ignore[override]
        # `_replace` comes through here, too.
        return cls(*iterable)

    @classmethod
    def of_rows(cls, count: int, parts: "Iterable[tuple[Sequence[int], Prediction]]") -> "Prediction":
        """Return the prediction of `count` pairs from predictions of some of their rows, which cover all of them."""
        score, low, high = np.zeros(count), np.zeros(count), np.zeros(count)
        flags: list[tuple[str, ...]] = [()] * count
        for rows, part in parts:
            for whole, values in zip((score, low, high), part[:3], strict=True):
                whole[list(rows)] = values
            for row, names in zip(rows, part.flags, strict=True):
                flags[row] = names
        return cls(score, low, high, flags)


def apply_text_rules(score: np.ndarray, flags: Sequence[tuple[str, ...]]) -> np.ndarray:
    """Set the scores of identical texts to 5 and of a text beside an empty one to 0, in place; return the array."""
    for row, names in enumerate(flags):
        if "identical" in names:
            score[row] = 5.0
        elif "empty" in names:
            score[row] = 0.0
    return score


def check_languages(languages: Sequence[tuple[str, str]] | None, count: int) -> None:
    """Raise ValueError if languages are given, and not for each of `count` pairs."""
    if languages is not None and len(languages) != count:
        raise ValueError(f"languages must have one entry a pair, got {len(languages)} for {count} pairs")


def rows_by_languages(
    batch_size: int, count: int, languages: Sequence[tuple[str, str]] | None
) -> list[tuple[tuple[str, str] | None, list[int]]]:
    """Return rows in batches of at most `batch_size`, each of pairs in the same two languages.

    Parameters
    ----------
    batch_size, count
        Most rows of a batch, and rows in all.
    languages
        ISO 639-1 codes of both texts of each pair; None if they are not known, and every batch has the languages None.

    Raises
    ------
    ValueError
        If there is not one entry a pair.
    """
    check_languages(languages, count)
    groups: dict[tuple[str, str] | None, list[int]] = {}
    for row in range(count):
        groups.setdefault(None if languages is None else languages[row], []).append(row)
    return [
        (sides, rows[start : start + batch_size])
        for sides, rows in groups.items()
        for start in range(0, len(rows), batch_size)
    ]
