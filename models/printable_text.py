"""Text of others, made harmless for a terminal: a name or a licence in a bundle may hold escape sequences."""

import re

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return a text in which nothing steers a terminal, breaks a line or cannot be encoded.

    Control characters, line separators, marks that turn the direction of writing and lone surrogates become what
    `repr` shows for them; all else, joiners of scripts and emoji too, stays.

    Examples
    --------
    >>> printable("CC0\x1b[31m \u200d")
    'CC0\\x1b[31m \u200d'
    """
    return _CONTROLS.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def printable_json(text: str) -> str:
    """Return one line of JSON in which nothing steers a terminal; its value is the same."""
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
