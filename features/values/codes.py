"""Codes, versions, addresses, keyboard shortcuts and placeholders: strings that differ if one character does."""

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from ..base.caches import cached_by_word
from ..linguistics.normalisation import ascii_digits
from .units import unit_of

VERSION, CODE, ADDRESS, PHONE, SHORTCUT, PLACEHOLDER = "version", "code", "address", "phone", "shortcut", "placeholder"
"""Families of codes; those of different families are not compared."""

LETTERED = "lettered"
"""Way of writing a code of the family `CODE` that is one letter after a word: "gate B"."""

MODIFIERS = frozenset("ctrl control cmd command alt option shift win windows super meta fn strg".split())
"""Keys that a keyboard shortcut begins with."""


class Code(NamedTuple):
    """A code in its plain form.

    Attributes
    ----------
    family
        One of the families above.
    text
        Lower case, without the hyphens, blanks and endings that say nothing.
    shape
        The text with a letter for each run of letters and a digit for each run of digits.
    """

    family: str
    text: str
    shape: str = ""

    def equals(self, other: "Code") -> bool:
        """Return whether two codes are the same to the last character, but for hyphens and capitals."""
        return self[:2] == other[:2]

    def alike(self, other: "Code") -> bool:
        """Return whether two codes may name things of one sort: one family, and for codes one shape or beginning."""
        if self.family != other.family or self.family != CODE:
            return self.family == other.family
        heads = [re.match(r"[^\W\d]*", code.text) for code in (self, other)]
        head = heads[0][0] if heads[0] else ""
        return self.shape == other.shape or (len(head) > 1 and heads[1] is not None and head == heads[1][0])


def _code(family: str, text: str) -> Code:
    return Code(family, text, re.sub(r"\d+", "0", re.sub(r"[^\W\d_]+", "a", text)))


_ENDINGS = "com org net edu gov io co uk de fr es it eu info app dev ai ch nl us ca example test local".split()
_FILES = "pdf txt csv doc docx xls xlsx ppt pptx png jpg jpeg gif zip py js json xml yaml yml html md log exe mp3 mp4"
_MODIFIERS = rf"(?:{'|'.join(sorted(MODIFIERS, reverse=True))})"
_VERSIONED = (
    r"(?:version|ver\.?|v\.?|release|rev\.?|revision|build|section|sec\.?|chapter|ch\.?|clause|article|art\.?|"
    r"paragraph|para\.?|figure|fig\.?|table|appendix|annex|step|room|item|rule|firmware|driver|python|ios|android|"
    r"macos|node|java|(?:updated?|upgraded?) to)"
)
_DESIGNATORS = (
    "gate terminal section option plan room line block class vitamin hepatitis type model sensor zone bay dock row "
    "wing hall tower building team group exhibit appendix annex schedule part unit entrance exit track site ward "
    "platform grade level lot phase pier stand pool court branch house flat apartment stage step figure table key"
).split()

_ADDRESS = re.compile(
    rf"""(?:https?://|www\.)[^\s<>"]+ | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
    | (?<![\w@.])(?:[a-z0-9-]+\.)+(?:{"|".join(_ENDINGS)})\b(?:/[^\s<>"]*)?
    | (?<![\w.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?:[:/]\d+)?(?![\w.]*\d)
    | (?<![\w/])[\w-]+\.(?:{_FILES.replace(" ", "|")})\b | (?<![\w/.])(?:~|\.{{1,2}})?(?:/[\w.-]*[a-z][\w.-]*){{2,}}/?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?<![\w.,:/-])(?:\+\d{1,3}[ -]?)?(?:\(\d{1,5}\)[ -]?)?\d{2,5}(?:[ -]\d{2,5}){1,5}(?![\w:/-]|[.,]\d)"
)
_SHORTCUT = re.compile(rf"\b{_MODIFIERS}(?:\s?[+-]\s?(?:{_MODIFIERS}\b|[a-z]+\d{{0,2}}|\d|[^\w\s]))+", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"\$?\{\{?\s*[\w.]+\s*\}?\}|%\(\w+\)[sdif]|(?<!\d)(?<!\d )%(?:\d+\$)?[sdif]\b|</?[a-z][\w-]*>|\[[A-Z][A-Z_ ]+\]"
)
_DOTTED = re.compile(
    rf"(?<![\w.])(?:{_VERSIONED}\s?(\d+(?:\.\d+)+)|(v\d+(?:\.\d+)*)|(\d+(?:\.\d+){{2,}}))(?![\w:%/-]|\.\d)",
    re.IGNORECASE,
)
_LETTER = re.compile(
    rf"\b(?:(?i:{'|'.join(_DESIGNATORS)})\s([A-HJ-Z])(?![\w']|\.\w)|([A-Za-z]{{3,}}-[A-Z][a-z]?)(?![\w'-]))"
)
_BLOOD = re.compile(r"(?<!\w)(?:A|B|AB|O)[+-](?!\w)")
_IN_TEXT: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], Code]], ...] = (
    (ADDRESS, _ADDRESS, lambda found: Code(ADDRESS, _address(found[0]))),
    (PLACEHOLDER, _PLACEHOLDER, lambda found: Code(PLACEHOLDER, _bare(found[0]))),
    (SHORTCUT, _SHORTCUT, lambda found: Code(SHORTCUT, _keys(found[0]))),
    (VERSION, _DOTTED, lambda found: Code(VERSION, _version(found))),
    (PHONE, _PHONE, lambda found: Code(PHONE, re.sub(r"\D", "", found[0]))),
    (LETTERED, _BLOOD, lambda found: Code(CODE, found[0].lower(), "a")),
    (LETTERED, _LETTER, lambda found: _letter(found)),
)


def codes_in(text: str, families: Collection[str]) -> list[tuple[int, int, Code]]:
    """Return the codes of some families that a text has by their form: start, end and value; none overlap.

    Codes of one token, such as "T-1049", are read by `code_of`.
    """
    found: list[tuple[int, int, Code]] = []
    for family, pattern, make in _IN_TEXT:
        for match in pattern.finditer(text) if family in families else ():
            told = match.lastindex or 0  # "gate B": the letter alone
            start, end = match.span(told)
            if family == PHONE and not _is_phone(match[0]):
                continue
            code = make(match)
            end -= len(match[0]) - len(match[0].rstrip(".,;:!?)'\"")) if family == ADDRESS else 0
            if all(end <= other or start >= stop for other, stop, _ in found):
                found.append((start, end, code))
    return sorted(found)


def _address(text: str) -> str:
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", text.lower()) if "@" not in text else text.lower()
    return bare.rstrip(".,;:!?)'\"/")


def _bare(text: str) -> str:
    return re.sub(r"[\s${}<>\[\]()/]", "", text).lower()


_SAME_KEYS = {"control": "ctrl", "strg": "ctrl", "command": "cmd", "windows": "win", "option": "alt", "escape": "esc"}


def _keys(text: str) -> str:
    keys = [key.lower() for key in re.split(r"\s?[+-]\s?", text, flags=re.IGNORECASE) if key]
    return " ".join(sorted(_SAME_KEYS.get(key, key) for key in keys))


def _version(found: re.Match[str]) -> str:
    text = next(group for group in found.groups() if group).lower().lstrip("v")
    return re.sub(r"(?:\.0)+$", "", text)


def _is_phone(text: str) -> bool:
    groups = re.findall(r"\d+", text)
    if len(groups) == 3 and sorted(map(len, groups))[:2] <= [2, 2] and max(map(len, groups)) == 4:
        return False  # a date
    digits = sum(map(len, groups))
    if not 7 <= digits <= 15 or text.startswith("+"):
        return text.startswith("+") and digits <= 15
    years = len(groups) == 2 and all(len(group) == 4 and group[:2] in ("18", "19", "20") for group in groups)
    thousands = "-" not in text and all(len(group) == 3 for group in groups[1:]) and groups[0][0] != "0"
    return not years and not thousands and (len(groups) > 2 or "-" in text or groups[0][0] == "0")


def _letter(found: re.Match[str]) -> Code:
    return _code(CODE, re.sub(r"[\s-]", "", found[0]).lower())


_MIXED = re.compile(r"[^\W_]+(?:[-_.][^\W_]+)*")
_MEASURE = re.compile(r"\d+(?:[.,]\d+)?([^\W\d_]+\d?)")
_NOT_UNITS = frozenset(
    "in st nd rd th am pm s x p k m mn bn tn ish yo y d w yr yrs hrs mins secs wks plus fold".split()
)
_PREFIXES = frozenset("mid pre post early late non sub under over top anti ex sars".split())


@cached_by_word(1 << 15)
def code_of(token: str) -> Code | None:
    """Return the code that a token is, a mix of letters and digits, or None.

    Examples
    --------
    >>> code_of("T-1049").text, code_of("M8x40").text, code_of("128GB"), code_of("10-mile")
    ('t1049', 'm8x40', None, None)
    """
    text = ascii_digits(token).strip(".,;:!?()'\"")
    if not (2 <= len(text) <= 24) or text.isalpha() or text.isdecimal() or _MIXED.fullmatch(text) is None:
        return None
    low = text.lower()
    parts = re.split(r"[-_.]", low)
    letters, digits = any(map(str.isalpha, low)), any(map(str.isdigit, low))
    if not (letters and digits):
        return None
    measure = _MEASURE.fullmatch(parts[0])
    if measure and (text[-1:] == "b" or measure[1] in _NOT_UNITS or unit_of(measure[1]) is not None):
        return None
    if parts[0] in _PREFIXES or _MEASURE.fullmatch(parts[-1]) and parts[-1][-1:] == "s" and len(parts) > 1:
        return None
    if (parts[0].isdigit() or measure) and any(part.isalpha() and part == raw for part, raw in _words(parts, text)):
        return None
    if unit_of(low) is not None:
        return None
    return _code(CODE, low.replace("-", "").replace("_", ""))


def _words(parts: list[str], text: str) -> list[tuple[str, str]]:
    # The parts of three letters or more in lower case, and as written.
    return [(part, raw) for part, raw in zip(parts, re.split(r"[-_.]", text), strict=True) if len(part) >= 3]
