"""Database files of WordNet, as the manual page wndb(5WN) describes them: synsets, senses, counts of senses."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

CLASS_FILES = (("n", "noun"), ("v", "verb"), ("a", "adj"), ("r", "adv"))
"""Letter and suffix of the files of each part of speech, in the order of `wordnet.CLASSES`."""

DATABASE_FILES = tuple(f"{kind}.{name}" for kind in ("data", "index") for _, name in CLASS_FILES)
"""The files that every database has."""

COUNTS_FILE = "cntlist.rev"
"""Counts of senses in tagged text; some versions lack it."""

KINDS = "nvars"
"""Letters of the kinds of synsets by code: noun, verb, adjective, adverb, adjective satellite."""

_CHARACTERS = 60  # of a line that is quoted in an error

Place = tuple[str, int]
"""Letter of the data file and offset in bytes: the name of a synset in the database."""

Files = Mapping[str, bytes]
"""Content of the database files by name."""


class Pointer(NamedTuple):
    """A relation of a synset: symbol, target, and the numbers of both words from 1, 0 for the whole synset."""

    symbol: str
    target: Place
    word: int
    target_word: int


class Entry(NamedTuple):
    """One line of a data file.

    Attributes
    ----------
    kind
        One of `KINDS`.
    file
        Number of the file that the lexicographers wrote.
    words, lex_ids
        The words in lower case, underscores for blanks, and their numbers in that file.
    pointers
        Relations to other synsets.
    """

    kind: str
    file: int
    words: list[str]
    lex_ids: list[int]
    pointers: list[Pointer]


class Database(NamedTuple):
    """A WordNet as its files describe it.

    Attributes
    ----------
    entries
        The synsets.
    senses
        The synsets of each (lemma, letter of the part of speech), in sense order.
    counts
        Times that each (lemma, synset) was tagged; 0 for the others.
    """

    entries: dict[Place, Entry]
    senses: dict[tuple[str, str], list[Place]]
    counts: Mapping[tuple[str, Place], int]


def folder_files(folder: Path) -> dict[str, bytes]:
    """Return the database files of a folder, such as that of Debian's package ``wordnet-base``."""
    names = (*DATABASE_FILES, COUNTS_FILE)
    return {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}


def read_database(files: Files) -> Database:
    """Return the database of the files."""
    for name in DATABASE_FILES:
        if name not in files:
            raise ValueError(
                f"the database of WordNet must have the file {name}, got none; get the package of the database again"
            )
    entries = {place: entry for letter, name in CLASS_FILES for place, entry in _entries(files, letter, name)}
    for place, entry in entries.items():
        for pointer in entry.pointers:
            if pointer.target not in entries:
                raise ValueError(
                    f"a pointer of data.{dict(CLASS_FILES)[place[0]]} at {place[1]:08} must lead to a synset, got "
                    f"{pointer.target[1]:08} {pointer.target[0]}; get the package of the database again"
                )
    senses = {key: places for letter, name in CLASS_FILES for key, places in _senses(files, letter, name, entries)}
    return Database(entries, senses, _counts(files, entries))


def synset_name(place: Place, database: Database) -> str:
    """Return the name that NLTK gives a synset, such as ``dog.n.01``: first lemma, kind and number of the sense."""
    entry = database.entries[place]
    listed = database.senses.get((entry.words[0], place[0]), [])
    if entry.kind == "s":
        listed = [other for other in listed if database.entries[other].kind == "s"]
    if place not in listed:
        name = dict(CLASS_FILES)[place[0]]
        raise ValueError(
            f"index.{name} must list the synset {place[1]:08} for {entry.words[0]!r}, got none; get the package of the "
            "database again"
        )
    return f"{entry.words[0]}.{entry.kind}.{listed.index(place) + 1:02}"


def licence_of(files: Files) -> str:
    """Return the licence that heads the data files; empty if they have none."""
    head = [re.sub(r"^ +\d+ ?", "", line).rstrip() for _, line in _lines(files, "data.noun") if line.startswith(" ")]
    return "\n".join(head).strip() + "\n" if head else ""


def version_of(files: Files) -> str | None:
    """Return the version that the licence names, such as ``3.0``; None if it names none."""
    match = re.search(r"Word[nN]et (\d+\+?|\d+\.\d+) Copyright", licence_of(files))
    return match[1] if match else None


def _lines(files: Files, name: str) -> Iterator[tuple[int, str]]:
    # Numbered from 1; only a line feed ends a line, for glosses may hold other breaks.
    yield from enumerate(files[name].decode("utf-8", "replace").split("\n"), 1)


def _facts(files: Files, name: str) -> Iterator[tuple[int, str]]:
    yield from ((number, line) for number, line in _lines(files, name) if line.strip() and not line.startswith(" "))


def _malformed(name: str, number: int, line: str) -> ValueError:
    return ValueError(
        f"line {number} of {name} must have the format of a WordNet database, got {line[:_CHARACTERS]!r}; "
        "get the package of the database again"
    )


def _entries(files: Files, letter: str, name: str) -> Iterator[tuple[Place, Entry]]:
    for number, line in _facts(files, f"data.{name}"):
        try:
            fields = line.split("|")[0].split()
            entry = _entry(fields)
            offset = int(fields[0])
        except (ValueError, IndexError):
            raise _malformed(f"data.{name}", number, line) from None
        yield (letter, offset), entry


def _entry(fields: list[str]) -> Entry:
    count = int(fields[3], 16)
    words = [word.partition("(")[0].lower() for word in fields[4 : 4 + 2 * count : 2]]
    lex_ids = [int(number, 16) for number in fields[5 : 5 + 2 * count : 2]]
    first = 4 + 2 * count
    pointers = []
    for at in range(first + 1, first + 1 + 4 * int(fields[first]), 4):
        symbol, offset, kind, ends = fields[at : at + 4]
        word, target_word = int(ends[:2], 16), int(ends[2:], 16)
        pointers.append(Pointer(symbol, ("a" if kind == "s" else kind, int(offset)), word, target_word))
    if fields[2] not in KINDS or not words or len(lex_ids) != count:
        raise ValueError
    return Entry(fields[2], int(fields[1]), words, lex_ids, pointers)


def _senses(
    files: Files, letter: str, name: str, entries: Mapping[Place, Entry]
) -> Iterator[tuple[tuple[str, str], list[Place]]]:
    for number, line in _facts(files, f"index.{name}"):
        try:
            fields = line.split()
            places = [(letter, int(offset)) for offset in fields[-int(fields[2]) :]]
        except (ValueError, IndexError):
            raise _malformed(f"index.{name}", number, line) from None
        if not all(place in entries for place in places):
            raise _malformed(f"index.{name}", number, line)
        yield (fields[0], letter), places


def _counts(files: Files, entries: Mapping[Place, Entry]) -> Mapping[tuple[str, Place], int]:
    counts: dict[tuple[str, Place], int] = defaultdict(int)
    if COUNTS_FILE not in files:
        return counts
    keys = dict(_sense_keys(entries))
    # The file numbers the kinds n 1, v 2, a 3, r 4, s 5, as `KINDS` does.
    for number, line in _facts(files, COUNTS_FILE):
        try:
            key, _, count = line.split()
            if key in keys:
                counts[keys[key]] += int(count)
        except ValueError:
            raise _malformed(COUNTS_FILE, number, line) from None
    return counts


def _sense_keys(entries: Mapping[Place, Entry]) -> Iterator[tuple[str, tuple[str, Place]]]:
    for place, entry in entries.items():
        head = ":"
        if entry.kind == "s":
            target = next((pointer.target for pointer in entry.pointers if pointer.symbol == "&"), None)
            if target is None:
                continue
            head = f"{entries[target].words[0]}:{entries[target].lex_ids[0]:02}"
        for word, lex_id in zip(entry.words, entry.lex_ids, strict=True):
            key = f"{word}%{KINDS.index(entry.kind) + 1}:{entry.file:02}:{lex_id:02}:{head}"
            yield key, (word, place)
