"""Detection of what a program left in a text: tags and entities of HTML, and characters read in a wrong encoding."""

import re
from html.entities import html5

_NAMES = """a abbr article aside b big blockquote body br button center cite code dd del details div dl dt em embed
figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins label li link main mark meta nav
object ol option p pre s script section select small source span strike strong style sub summary sup svg table tbody td
textarea tfoot th thead title tr tt u ul var video""".split()
_TAG = re.compile(rf"</?(?:{'|'.join(_NAMES)})(?:\s+[\w:-]+\s*=[^<>]*)?\s*/?>|<!--|<!doctype\b", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|([a-zA-Z][a-zA-Z0-9]{1,7}));")

# Two bytes or more of UTF-8 as Windows-1252 or Latin-1 shows them, in the form that `one_form` gives these characters.
_MOJIBAKE = re.compile(
    "�|[À-ÿ][\x80-\x9f]"
    + "|[a-zß-öø-ÿ]Ã|Ã[^\\sA-Za-zÀ-ÖØ-öø-ÿ.,;:!?)\\]}\"'/-]|Ã[ao](?=[a-z])"
    + "|Â[^\\sA-Za-zÀ-ÖØ-öø-ÿ.,;:!?)\\]}\"'/-]|[a-z0-9.,]Â(?=\\s|$)"
    + "|â€|â[†ˆœ]|â['\"][¬¢]|ï»|ï¿|ðŸ"
    + "|(?:[ÐÑ][^\\sA-Za-zÀ-ÖØ-öø-ÿ.,;:!?)\\]}\"'/-]){2}"
)


def has_markup(text: str) -> bool:
    """Return whether a text has tags or entities of HTML.

    Examples
    --------
    >>> has_markup("Press <b>Save</b>"), has_markup("R&amp;D"), has_markup("R&D; a < b and c > d")
    (True, True, False)
    """
    if "<" in text and _TAG.search(text):
        return True
    return "&" in text and any(name[1] is None or f"{name[1]};" in html5 for name in _ENTITY.finditer(text))


def has_mojibake(text: str) -> bool:
    """Return whether a text in `normalisation.one_form` has characters that were read in a wrong encoding, or U+FFFD.

    Examples
    --------
    >>> has_mojibake("cafÃ©"), has_mojibake("itâ€s"), has_mojibake("SÃO PAULO, café")
    (True, True, False)
    """
    return not text.isascii() and _MOJIBAKE.search(text) is not None
