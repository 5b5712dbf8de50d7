"""Short reprs: a few facts of a value, in a few hundred characters at most."""

from collections.abc import Mapping
from reprlib import Repr
from typing import Any

import numpy as np

DIGITS = 4
"""Significant digits of a number; a score has no more that mean anything."""

_ENDS = 3
"""Numbers that are shown from either end of an array."""


class _Shortened(Repr):
    # The methods are those that `Repr` looks up by the name of a type.
    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = 4
        self.maxstring, self.maxother = 200, 100  # a signature is shown whole

    def repr_float(self, x: float, level: int) -> str:
        return f"{x:.{DIGITS}g}"

    def repr_dict(self, x: Mapping[Any, Any], level: int) -> str:
        # In the order of the mapping, which `Repr` would sort: the largest contributions stand first.
        shown = [f"{key!r}: {self.repr1(value, level - 1)}" for key, value in list(x.items())[: self.maxdict]]
        return f"{{{', '.join([*shown, *(['...'] if len(x) > self.maxdict else [])])}}}"

    def repr_ndarray(self, x: np.ndarray, level: int) -> str:
        text = np.array2string(
            x,
            threshold=2 * _ENDS,
            edgeitems=_ENDS,
            separator=", ",
            formatter={"float_kind": lambda number: f"{number:.{DIGITS}g}"},
        )
        return " ".join(text.split())


_SHORTENED = _Shortened()


def short_repr(value: object, **facts: Any) -> str:
    """Return ``Name(fact=..., fact=...)`` for a value: long texts, lists, mappings and arrays are cut.

    Parameters
    ----------
    value
        The value, whose type gives the name.
    **facts
        Facts to show, by name; a fact that is None is left out.
    """
    shown = ", ".join(f"{name}={_SHORTENED.repr(fact)}" for name, fact in facts.items() if fact is not None)
    return f"{type(value).__name__}({shown})"
