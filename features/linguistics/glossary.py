"""Glossary: the user's own words that mean the same, and texts with one of them in the place of the others.

A text is rewritten before anything reads it: each member of a group becomes the longest member of the group. So words,
alignment, embeddings, differences and candidates all see the same words. The longest one is what word vectors, WordNet
and encoders know: "cash on delivery" rather than "COD".
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ..base.caches import fields_of
from .normalisation import one_form

MOST_SIZE = 1 << 20
"""Most bytes of a file, and most characters of all members: about 25,000 groups."""

MOST_WORDS = 10
"""Most words of a member; a longer one is a sentence, not a term."""

MOST_CHARACTERS = 100
"""Most characters of a member."""

_TOKEN = re.compile(r"\w+|[^\w\s]")
_LINE_END = re.compile("\r\n?|\n")
_SEPARATOR = re.compile("[,=]")
_COMMENT = re.compile(r"(?:^|\s)#.*")
# A hyphen, an apostrophe, a dot, @ or & between letters makes one word of both sides, but for a possessive.
_BEFORE = re.compile(r"(?<!\w)(?<!\w['’.&@-])(?<!@)(?<!\d[,:/])")
_AFTER = re.compile(r"(?=['’][sS](?!\w))|(?!\w)(?!['’.&@-]\w)(?![,:/]\d)")
_SENTENCE_START = re.compile(r"(?:^|[.!?] )[\"'“‘(]?$")
_NO_CHARACTER = re.compile("[\0-\x1f\ud800-\udfff]")


class Occurrence(NamedTuple):
    """A member that stands in a text at ``[start, end)``, and what it becomes."""

    start: int
    end: int
    new: str


class _Member(NamedTuple):
    # As it is looked for, whether only in these capitals, and the member that replaces it.
    text: str
    exact: bool
    canonical: str


@dataclass(frozen=True)
class Glossary:
    """Groups of words and terms that mean the same.

    Attributes
    ----------
    groups
        Groups of two or more members, which are words or terms of several words, as `of` has checked them. Each is in
        one group alone.
    """

    groups: tuple[tuple[str, ...], ...]

    def __getstate__(self) -> dict[str, Any]:
        return fields_of(self)

    def __repr__(self) -> str:
        return f"Glossary({self.name})"

    @classmethod
    def of(cls, source: "GlossaryLike") -> "Glossary":
        """Return the glossary of a file, as `read` does, or of lists of members.

        Raises
        ------
        TypeError
            If it is something else, or a member is not text.
        ValueError
            If a group has fewer than two members, or a member is empty, too long or in two groups.
        OSError
            If the file cannot be read.
        """
        if isinstance(source, Glossary):
            return source
        if isinstance(source, str | Path):
            return cls.read(source)
        if not isinstance(source, Sequence) or any(not isinstance(group, list | tuple) for group in source):
            raise TypeError(
                f"a glossary must be a file or a list of lists of words, got {source!r:.60}; give one such as "
                '[["COD", "cash on delivery"]]'
            )
        return cls(_checked({f"group {place}": group for place, group in enumerate(source, 1)}))

    @classmethod
    def read(cls, path: str | Path) -> "Glossary":
        """Return the glossary of a text file in UTF-8: a group a line, with commas or ``=`` between its members.

        What follows a ``#`` at the start of a line, or after a blank, is a comment.

        Raises
        ------
        ValueError
            If the file is malformed; the message names the line.
        OSError
            If the file cannot be read.
        """
        with open(path, "rb") as file:
            data = file.read(MOST_SIZE + 1)
        if len(data) > MOST_SIZE:
            raise ValueError(f"the glossary {path} must have up to {MOST_SIZE:,} bytes, got more; leave groups out")
        try:
            lines = _LINE_END.split(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            place = len(_LINE_END.split(data[: error.start].decode("utf-8")))
            raise ValueError(
                f"line {place} of the glossary {path} must be UTF-8, got other bytes; convert it"
            ) from None
        groups: dict[str, Sequence[str]] = {}
        for number, line in enumerate(lines, 1):
            text = _COMMENT.sub("", line).strip()
            if text:
                groups[f"line {number} of the glossary {path}"] = _SEPARATOR.split(text)
        return cls(_checked(groups))

    @cached_property
    def digest(self) -> str:
        """Hex digest of the groups."""
        return hashlib.sha256(json.dumps(self.groups).encode()).hexdigest()

    @property
    def name(self) -> str:
        """Number of groups and beginning of the digest, as in a signature."""
        return f"{len(self.groups)}-{self.digest[:8]}"

    def rewrite(self, text: str) -> str:
        """Return a normalised text with each member of a group replaced by the longest one of its group.

        Members are found as whole words, from left to right, the longest first. Case does not count, unless a member is
        written in capitals alone, as "IT" is. What replaces a word starts with a capital where a sentence starts with
        one, or where the word had one but was not all capitals.

        Examples
        --------
        >>> glossary = Glossary.of([["COD", "cash on delivery"], ["Bob", "Robert"]])
        >>> glossary.rewrite("bob's shop takes COD, not cod.")
        "Robert's shop takes cash on delivery, not cod."
        """
        parts, end = [], 0
        for found in self.occurrences(text):
            parts += [text[end : found.start], found.new]
            end = found.end
        return "".join([*parts, text[end:]]) if parts else text

    def occurrences(self, text: str) -> Iterator[Occurrence]:
        """Yield the members of groups in a normalised text, in order."""
        members, folded, end = self._members, _folded(text), 0
        # Most texts have none: that is seen without a look at each place.
        firsts = members.keys() & set(_TOKEN.findall(folded))
        if not any(each.text in (text if each.exact else folded) for first in firsts for each in members[first]):
            return
        for token in _TOKEN.finditer(folded):
            start = token.start()
            if start < end or token[0] not in members:
                continue
            for member, exact, canonical in members[token[0]]:
                stop = start + len(member)
                if (text if exact else folded).startswith(member, start) and _is_word(text, start, stop):
                    yield Occurrence(start, stop, _with_case(canonical, text, start, stop))
                    end = stop
                    break

    @cached_property
    def _members(self) -> dict[str, list[_Member]]:
        # By their first token, the longest first; of equally long ones, first those in capitals.
        members: dict[str, list[_Member]] = {}
        for group in self.groups:
            canonical = max(group, key=len)
            for member in group:
                exact, folded = member.isupper(), _folded(member)
                first = _TOKEN.match(folded)
                if first is not None:
                    of_token = members.setdefault(first[0], [])
                    of_token.append(_Member(member if exact else folded, exact, canonical))
        for of_token in members.values():
            of_token.sort(key=lambda each: (-len(each.text), not each.exact))
        return members


GlossaryLike: TypeAlias = Glossary | str | Path | Sequence[Sequence[str]]
"""A glossary, its file, or lists of members."""


def _checked(groups: dict[str, Sequence[Any]]) -> tuple[tuple[str, ...], ...]:
    # The groups without what is in them twice; keys say where they stand.
    checked: list[tuple[str, ...]] = []
    seen: dict[str, str] = {}
    size = 0
    for where, group in groups.items():
        members: dict[str, str] = {}
        for value in group:
            member = _member(value, where)
            key = member if member.isupper() else _folded(member)
            if key in seen:
                raise ValueError(
                    f"a member must be in one group, got {member!r} in {seen[key]} and in {where}; put both groups "
                    "into one, or leave it out of one"
                )
            members.setdefault(key, member)
            size += len(member)
        if len(members) < 2:
            raise ValueError(
                f"a group must have two members or more, got {', '.join(members.values()) or 'none'!r} in {where}; "
                'write one such as "COD = cash on delivery"'
            )
        seen |= dict.fromkeys(members, where)
        checked.append(tuple(members.values()))
    if size > MOST_SIZE:
        raise ValueError(f"a glossary must have up to {MOST_SIZE:,} characters, got {size:,}; leave groups out")
    return tuple(checked)


def _member(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a member must be text, got {value!r:.60} in {where}; correct it")
    member = " ".join(one_form(value).split())
    if not any(map(str.isalnum, member)):
        raise ValueError(f"a member must have a letter or a digit, got {member!r} in {where}; correct or remove it")
    if _NO_CHARACTER.search(" ".join(value.split())):
        raise ValueError(f"a member must be plain text, got {member!r:.60} in {where}; save the file as UTF-8")
    words = member.count(" ") + 1
    if words > MOST_WORDS or len(member) > MOST_CHARACTERS:
        raise ValueError(
            f"a member must have up to {MOST_WORDS} words and {MOST_CHARACTERS} characters, got {words} and "
            f"{len(member)} in {where}, {member[:40]!r}; shorten it"
        )
    return member


def _folded(text: str) -> str:
    # In lower case, as long as the text: a letter that becomes two stays as it is.
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def _is_word(text: str, start: int, stop: int) -> bool:
    # A combining mark is not `\w`, and belongs to the letter before it.
    around = text[max(start - 1, 0) : start] + text[stop : stop + 1]
    marked = any(unicodedata.category(letter)[0] == "M" for letter in around)
    return not marked and bool(_BEFORE.match(text, start) and _AFTER.match(text, stop))


def _with_case(canonical: str, text: str, start: int, stop: int) -> str:
    written = text[start:stop]
    starts = bool(_SENTENCE_START.search(text[max(start - 3, 0) : start]))
    titled = written[0].isupper() and (starts or not written.isupper())
    return canonical[0].upper() + canonical[1:] if titled else canonical
