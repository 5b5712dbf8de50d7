"""A bound on the combining marks after one character, which makes every later step linear in the text.

`unicodedata.normalize` sorts the marks after a character by insertion: 80,000 of them take 6 s. A text in the
Stream-Safe Text Format (Unicode Standard Annex 15, section 13) has at most 30 in a row; no language is written with
more than a few. Here the rest is left out. The format would put a joiner between them instead, in an order that depends
on the Unicode form.
"""

import re
from unicodedata import combining, normalize

MOST_MARKS = 30
"""Combining marks that are kept after one character, decomposed and in canonical order."""

# Shorter than any run that is cut: a mark decomposes into at most two, and the character before it has at most three.
_CANDIDATE = re.compile(r"[^\w\s\x00-\x7f]{12}")
_RUN = re.compile(rb"[^\0]{12,}")
# All marks that decompose; there will be no others (Unicode Standard, stability of non-starter decompositions).
_DECOMPOSITIONS = {mark: normalize("NFD", mark) for mark in "\u0340\u0341\u0343\u0344\u0f73\u0f75\u0f81"}


def bound_marks(text: str) -> str:
    r"""Return a text with at most `MOST_MARKS` combining marks after each character; most texts as they are.

    The marks that are kept are the first in canonical order, so that texts that are canonically equivalent stay so.

    Examples
    --------
    >>> len(bound_marks("e" + 1_000 * "\u0301"))
    31
    >>> bound_marks("café")
    'café'
    """
    if text.isascii() or not _CANDIDATE.search(text):
        return text
    for mark, decomposition in _DECOMPOSITIONS.items():
        text = text.replace(mark, decomposition)
    pieces, end = [], 0
    for run in _RUN.finditer(bytes(map(combining, text))):
        start, stop = run.span()
        base = normalize("NFD", text[start - 1]) if start else ""
        before = "".join(mark for mark in base if combining(mark))
        if len(before) + stop - start > MOST_MARKS:
            letters = base[: len(base) - len(before)]
            marks = _first_marks(before + text[start:stop], bytes(map(combining, before)) + run[0])
            pieces += [text[end : max(start - 1, 0)], letters, marks]
            end = stop
    return "".join([*pieces, text[end:]])


def _first_marks(marks: str, classes: bytes) -> str:
    # Marks of the lowest classes first, those of one class in their order: what a stable sort would put first.
    kept: list[str] = []
    for number in sorted(set(classes)):
        place = classes.find(number)
        while place >= 0 and len(kept) < MOST_MARKS:
            kept.append(marks[place])
            place = classes.find(number, place + 1)
    return "".join(kept)
