"""Texts of any language with one spelling of each letter, cut into words, numbers and marks.

A bound on combining marks: `unicodedata.normalize` sorts the marks after a character by insertion: 80,000 of them take
6 s. A text in the Stream-Safe Text Format (Unicode Standard Annex 15, section 13) has at most 30 in a row; no language
is written with more than a few. Here the rest is left out. The format would put a joiner between them instead, in an
order that depends on the Unicode form.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, normalize

from .known_languages import LANGUAGES

if TYPE_CHECKING:
    from tokenizers.pre_tokenizers import BertPreTokenizer


MOST_MARKS = 30
"""Combining marks that are kept after one character, decomposed and in canonical order."""

# Shorter than any run that is cut: a mark decomposes into at most two, and the character before it has at most three.
_CANDIDATE = re.compile(r"[^\w\s\x00-\x7f]{12}")
_RUN = re.compile(rb"[^\0]{12,}")
# All marks that decompose; there will be no others (Unicode Standard, stability of non-starter decompositions).
_DECOMPOSITIONS = {mark: normalize("NFD", mark) for mark in "\u0340\u0341\u0343\u0344\u0f73\u0f75\u0f81"}


def bound_marks(text: str) -> str:
    r"""Return a text with at most `MOST_MARKS` combining marks after each character; most texts are unchanged."""
    if not _may_have_many(text):
        return text
    for mark, decomposition in _DECOMPOSITIONS.items():
        text = text.replace(mark, decomposition)
    pieces, end = [], 0
    for start, stop, letters, marks in _runs(text):
        if len(marks) > MOST_MARKS:
            pieces += [text[end:start], letters, _first_marks(marks)]
            end = stop
    return "".join([*pieces, text[end:]])


def reaches_bound(text: str) -> bool:
    """Return whether a normalised text has a character with `MOST_MARKS` marks, so that there may have been more."""
    return _may_have_many(text) and any(len(marks) >= MOST_MARKS for *_, marks in _runs(text))


def _may_have_many(text: str) -> bool:
    return not text.isascii() and _CANDIDATE.search(text) is not None


def _runs(text: str) -> Iterator[tuple[int, int, str, str]]:
    # Start and end of each character with many marks, its letters and its marks; marks at the start have no letter.
    for run in _RUN.finditer(bytes(map(combining, text))):
        start, stop = run.span()
        base = normalize("NFD", text[start - 1]) if start else ""
        before = "".join(mark for mark in base if combining(mark))
        yield max(start - 1, 0), stop, base[: len(base) - len(before)], before + text[start:stop]


def _first_marks(marks: str) -> str:
    # Marks of the lowest classes first, those of one class in their order: what a stable sort would put first.
    classes = bytes(map(combining, marks))
    kept: list[str] = []
    for number in sorted(set(classes)):
        place = classes.find(number)
        while place >= 0 and len(kept) < MOST_MARKS:
            kept.append(marks[place])
            place = classes.find(number, place + 1)
    return "".join(kept)


_APOSTROPHES = dict.fromkeys(map(ord, "'’ʼ`´"), " ")
_MARKS = {ord(old): new for old, new in zip("؟،؛٪٫٬۔", "?,;%.,.", strict=True)} | {ord("¿"): " ", ord("¡"): " "}

_DOTTED = {ord("İ"): "i"}  # which lower() would make two characters


def normalise_text(text: str, language: str) -> str:
    """Return a text in lower case with one spelling of each letter."""
    text = unicodedata.normalize("NFKC", text).translate(_MARKS).translate(_DOTTED)
    text = LANGUAGES[language].spell(text) if language in LANGUAGES else text.lower()
    if not text.isascii():
        text = "".join(str(unicodedata.decimal(letter, letter)) for letter in text)
    return text.translate(_APOSTROPHES)


class Token(NamedTuple):
    """A word, a number or a mark as `normalise_text` spells it, and its start and end in a text."""

    text: str
    span: tuple[int, int]


def split_text(text: str, language: str) -> list[Token]:
    """Return the words, numbers and marks of a text in order, without those that normalisation leaves empty.

    The text is cut as by BERT (Devlin et al., 2019): at blanks, and before and after every mark.

    Examples
    --------
    >>> [token.text for token in split_text("¿Cuesta 3,50 o más?", "es")]
    ['cuesta', '3', ',', '50', 'o', 'más', '?']
    """
    # The library refuses lone surrogates.
    readable = text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    cut = _cutter().pre_tokenize_str(readable)
    tokens = (Token(normalise_text(token, language).strip(), span) for token, span in cut)
    return [token for token in tokens if token.text]


@cache
def _cutter() -> "BertPreTokenizer":
    from tokenizers.pre_tokenizers import BertPreTokenizer

    return BertPreTokenizer()


# Characters that are not shown: Default_Ignorable_Code_Point of Unicode 15, less the tags that tell flags apart, and
# the blank of Braille.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0100-\U000e01ef]"
)
# NFKC would make 10 with a superscript 2 the number 102.
_RAISED_OR_LOWERED = re.compile(r"(?<=\d)[\u00b2\u00b3\u00b9\u2070-\u209c]+")


def compared_form(text: str) -> str:
    """Return what two texts that differ in case and form alone have in common; empty if nothing of a text is seen.

    Compatibility forms (NFKC, but for raised and lowered digits after a digit), case, invisible characters such as soft
    hyphens, and white space are made equal. Letters keep their accents, which tell words apart.

    Examples
    --------
    >>> compared_form("  Reset my PASS\u00adWORD ")
    'reset my password'
    """
    if text.isascii():
        return " ".join(text.lower().split())
    text = _INVISIBLE.sub("", bound_marks(text))
    pieces = zip(_RAISED_OR_LOWERED.split(text), [*_RAISED_OR_LOWERED.findall(text), ""], strict=True)
    text = "".join(normalize("NFKC", plain) + raised for plain, raised in pieces)
    return " ".join(normalize("NFC", text.casefold()).split())
