"""Sequences of pairs in the forms that people have: lists of 2-tuples, arrays, data frames with two text columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np

TEXT_COLUMNS = ("sentence1", "sentence2")


def as_pairs(X: Any) -> list[tuple[str, str]]:
    """Return X as a list of n pairs of texts.

    Parameters
    ----------
    X
        n items of two texts each: a sequence of tuples, an array of shape (n, 2), or a data frame that has the columns
        ``sentence1`` and ``sentence2`` or just two columns.

    Raises
    ------
    ValueError
        If the shape is another or an entry is not text.
    """
    if hasattr(X, "columns"):
        names = list(X.columns)
        if not set(TEXT_COLUMNS) <= set(names):
            if len(names) != 2:
                raise ValueError(f"the data frame has columns {names}; select two, or name two sentence1 and sentence2")
            first, second = names
        else:
            first, second = TEXT_COLUMNS
        rows: Sequence[Any] = list(zip(X[first].to_list(), X[second].to_list(), strict=True))
    elif isinstance(X, np.ndarray):
        if X.ndim != 2 or X.shape[1] != 2:
            raise ValueError(f"X has shape {X.shape}; give an array of shape (n, 2), one row a pair")
        rows = X.tolist()
    elif isinstance(X, str):
        raise ValueError(f"X is the one string {X[:40]!r}; give a sequence of pairs such as [(a, b)]")
    else:
        rows = X
    pairs = []
    for i, row in enumerate(rows):
        if isinstance(row, str) or len(row) != 2:
            raise ValueError(f"item {i} of X is {str(row)[:60]!r}; every item must be a pair of two texts")
        a, b = row
        if not (isinstance(a, str) and isinstance(b, str)):
            bad = b if isinstance(a, str) else a
            raise ValueError(
                f"item {i} of X holds {bad!r} of type {type(bad).__name__}; replace or remove what is not text"
            )
        pairs.append((str(a), str(b)))
    return pairs
