"""A bound on the combining marks after one character.

`unicodedata.normalize` sorts the marks after a character by insertion: 80,000 of them take 6 s. A text in the
Stream-Safe Text Format (Unicode Standard Annex 15, section 13) has at most 30 in a row; no language is written with
more than a few. Here the rest is left out. The format would put a joiner between them instead, in an order that
depends on the Unicode form.
"""

import re
from collections.abc import Iterator
from unicodedata import combining, normalize

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
