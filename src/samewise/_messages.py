"""Parts of messages: close names, short reprs, missing extras, text that is safe to print."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from reprlib import Repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return ``; did you mean 'words'?`` for the known name that is closest to another; nothing if none is close.

    Parameters
    ----------
    name
        The unknown name; upper and lower case count as equal.
    names
        The known names.
    """
    from difflib import get_close_matches  # as Typer does for commands

    by_lower = {known.lower(): known for known in names}
    close = get_close_matches(name.lower(), by_lower, n=1)
    return f"; did you mean {by_lower[close[0]]!r}?" if close else ""


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

    def repr_ndarray(self, x: "np.ndarray", level: int) -> str:
        import numpy as np  # late: the command line starts without it

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


@contextmanager
def from_extra(extra: str, task: str) -> Iterator[None]:
    """Name the extra that installs a library, if an import inside the block does not find the library.

    Parameters
    ----------
    extra
        Name of the extra.
    task
        The task that needs the library, as the message begins.

    Raises
    ------
    ModuleNotFoundError
        If a library is absent.

    Examples
    --------
    >>> with from_extra("serve", "the service"):
    ...     import no_such_library
    Traceback (most recent call last):
    ModuleNotFoundError: the service needs no_such_library; pip install 'samewise[serve]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{task} needs {error.name}; pip install 'samewise[{extra}]'", name=error.name
        ) from None


_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return a text without control characters, line breaks or characters that cannot be encoded.

    Control characters, line separators, marks that change the direction of writing and lone surrogates become the
    escapes of `repr`; all other characters stay, joiners of scripts and emoji too.

    Examples
    --------
    >>> printable("CC0\x1b[31m \u200d")
    'CC0\\x1b[31m \u200d'
    """
    return _CONTROLS.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def printable_json(text: str) -> str:
    """Return one line of JSON with the same value and without control characters."""
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
