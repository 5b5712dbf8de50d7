"""Reads the database files of WordNet 3.0 as the manual page wndb(5WN) describes them."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FILES = (("n", "noun"), ("v", "verb"), ("a", "adj"), ("r", "adv"))
SOURCES = sorted([f"{kind}.{name}" for kind in ("data", "index") for _, name in FILES] + ["cntlist.rev"])
KINDS = "nvars"  # codes 0 to 4, the last a satellite, whose coarse class is that of an adjective

Place = tuple[str, int]
"""Data file and byte offset: how the database names a synset."""


class Entry(NamedTuple):
    """One line of a data file."""

    kind: str
    file: int
    words: list[str]
    lex_ids: list[int]
    pointers: list[tuple[str, Place, int, int]]  # symbol, target, source word and target word, 0 for the whole synset


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        yield from (line for line in file if not line.startswith(" "))


def read_entries(folder: Path) -> dict[Place, Entry]:
    """Return every synset of the four data files."""
    entries = {}
    for letter, name in FILES:
        for line in _lines(folder / f"data.{name}"):
            fields = line.split("|")[0].split()
            count = int(fields[3], 16)
            words = [word.partition("(")[0].lower() for word in fields[4 : 4 + 2 * count : 2]]
            lex_ids = [int(number, 16) for number in fields[5 : 5 + 2 * count : 2]]
            first = 4 + 2 * count
            pointers = []
            for at in range(first + 1, first + 1 + 4 * int(fields[first]), 4):
                symbol, offset, kind, ends = fields[at : at + 4]
                place = "a" if kind == "s" else kind, int(offset)
                pointers.append((symbol, place, int(ends[:2], 16), int(ends[2:], 16)))
            entries[letter, int(fields[0])] = Entry(fields[2], int(fields[1]), words, lex_ids, pointers)
    return entries


def read_senses(folder: Path) -> dict[tuple[str, str], list[Place]]:
    """Return the synsets of each lemma and part of speech, in sense order."""
    senses = {}
    for letter, name in FILES:
        for line in _lines(folder / f"index.{name}"):
            fields = line.split()
            senses[fields[0], letter] = [(letter, int(offset)) for offset in fields[-int(fields[2]) :]]
    return senses


def read_counts(folder: Path, entries: dict[Place, Entry]) -> dict[tuple[str, Place], int]:
    """Return how often each (lemma, synset) is tagged in SemCor and its like."""
    keys = {}
    for place, entry in entries.items():
        head = ":"
        if entry.kind == "s":
            target = next(target for symbol, target, _, _ in entry.pointers if symbol == "&")
            head = f"{entries[target].words[0]}:{entries[target].lex_ids[0]:02}"
        for word, lex_id in zip(entry.words, entry.lex_ids, strict=True):
            keys[f"{word}%{KINDS.index(entry.kind) + 1}:{entry.file:02}:{lex_id:02}:{head}"] = word, place
    # cntlist.rev numbers the kinds n 1, v 2, a 3, r 4, s 5, as KINDS does.
    counts: dict[tuple[str, Place], int] = defaultdict(int)
    for line in _lines(folder / "cntlist.rev"):
        key, _, count = line.split()
        if key in keys:
            counts[keys[key]] += int(count)
    return counts


def name_of(place: Place, entries: dict[Place, Entry], senses: dict[tuple[str, str], list[Place]]) -> str:
    """Return the name that NLTK gives a synset: first lemma, part of speech, number of the sense."""
    entry = entries[place]
    listed = senses[entry.words[0], place[0]]
    if entry.kind == "s":
        listed = [other for other in listed if entries[other].kind == "s"]
    return f"{entry.words[0]}.{entry.kind}.{listed.index(place) + 1:02}"
