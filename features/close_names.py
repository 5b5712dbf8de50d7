"""Suggestions for an unknown name, for the end of an error."""

from collections.abc import Iterable


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
