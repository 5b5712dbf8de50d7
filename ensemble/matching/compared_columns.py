"""Columns of records that are compared, each by its kind: names, numbers and codes beside a text."""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import JaroWinkler

from ...features.linguistics.normalisation import ascii_digits, compared_form
from .row_groups import cell_text

TEXT = "text"
"""Kind of the column that a model scores; it also finds the candidates."""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def _name_similarity(one: str, other: str) -> float:
    # In any order of the words: "Meier, Anna" and "Anna Meier" are one name.
    a, b = (" ".join(sorted(re.findall(r"\w+", compared_form(name)))) for name in (one, other))
    return float(JaroWinkler.normalized_similarity(a, b))


def _number_similarity(one: str, other: str) -> float:
    a, b = _number(one), _number(other)
    if a is None or b is None:
        return np.nan
    return 1.0 if a == b else max(0.0, 1.0 - abs(a - b) / max(abs(a), abs(b)))


def _number(text: str) -> float | None:
    # 1,299.00 and 1299: a comma before three digits parts thousands, and another one is a decimal point.
    plain = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", ascii_digits(text)).replace(",", ".")
    found = _NUMBER.search(plain)
    return None if found is None else float(found[0])


def code_form(text: str) -> str:
    """Return what equal codes have in common: letters and digits, without case and leading zeros.

    Examples
    --------
    >>> code_form(" hb-1850 "), code_form("0401234"), code_form("401234")
    ('hb1850', '401234', '401234')
    """
    return "".join(filter(str.isalnum, compared_form(text))).lstrip("0")


def _code_similarity(one: str, other: str) -> float:
    a, b = code_form(one), code_form(other)
    return float(a == b) if a and b else np.nan


CODE = "code"


class Kind(NamedTuple):
    """Kind of column.

    Attributes
    ----------
    similarity
        Similarity of two values, 0..1; NaN says nothing: a value of a number or a code without any.
    sure
        Usual shares of the levels of `joint_decision.EDGES` in pairs that are the same.
    """

    similarity: Callable[[str, str], float]
    sure: tuple[float, ...]


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "name": Kind(_name_similarity, (0.05, 0.05, 0.1, 0.8)),
        "number": Kind(_number_similarity, (0.1, 0.1, 0.1, 0.7)),
        CODE: Kind(_code_similarity, (0.05, 0.0, 0.0, 0.95)),
    }
)
"""Kinds besides `TEXT`.

Names have the similarity of Jaro and Winkler, numbers one less their relative difference; equal codes have 1.
"""


def compared_columns(named: str | Mapping[str, str]) -> dict[str, str]:
    """Return the kind of each column that is compared, from ``title:text,brand:name`` or a mapping.

    Raises
    ------
    ValueError
        If a kind is unknown, or there is not exactly one text and another column.
    """
    if isinstance(named, str):
        named = {
            column.strip(): kind.strip() for column, _, kind in (part.rpartition(":") for part in named.split(","))
        }
    known = [TEXT, *KINDS]
    for column, kind in named.items():
        if kind not in known or not column:
            raise ValueError(
                f"a compared column must be given as NAME:KIND with a kind of {', '.join(known)}, got "
                f"{f'{column}:{kind}'!r}; write it as brand:name"
            )
    if list(named.values()).count(TEXT) != 1 or len(named) < 2:
        given = ", ".join(f"{column}:{kind}" for column, kind in named.items())
        raise ValueError(
            f"compared columns must be one text and others, got {given}; join several texts, as in title+body:text"
        )
    return dict(named)


def similarities(kind: str, values: Sequence[object], first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the similarity of pairs of values.

    Parameters
    ----------
    kind
        One of `KINDS`.
    values
        Cells of the rows.
    first, second
        Shape (m,), int64: the rows of each pair.

    Returns
    -------
    np.ndarray
        Shape (m,), float64, 0..1; NaN where a value is missing.
    """
    texts = list(map(cell_text, values))
    compare, found = KINDS[kind].similarity, np.full(len(first), np.nan)
    known: dict[tuple[str, str], float] = {}
    for pair, (one, other) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        a, b = texts[one], texts[other]
        if a is not None and b is not None:
            key = (a, b) if a <= b else (b, a)
            if key not in known:
                known[key] = compare(*key)
            found[pair] = known[key]
    return found
