"""Untrusted text, such as a licence in a bundle, made safe for a terminal."""

import re

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
