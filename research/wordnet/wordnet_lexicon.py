"""WordNet between its files and its arrays: numbered words and synsets, and their relations.

The words are those of the database, or those that another language has for the same synsets.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...features.arrays.joins import PART_BITS, pair_keys
from ...features.base.token_sequences import text_hash
from ...features.lexicon.hypernyms import closure, downwards, flat, paths
from ...features.lexicon.wordnet import CLASSES, word_hashes
from .wordnet_files import KINDS, Database, Place, synset_name

Word = tuple[str, int]
"""Lemma in lower case, underscores for blanks, and part of speech, an index into `wordnet.CLASSES`."""

_OF_WORDS = {"!": "antonyms", "+": "derivations", "\\": "pertainyms"}
"""Relations of words by the symbol of their pointers."""

_OF_SYNSETS = {"&": "similar", "!": "opposites"}
"""Relations of synsets; the second holds where any of the words are antonyms."""

_NO_PAIR = np.asarray([-1], dtype=np.int64)
"""Relation of words without a pair: `WordNet` looks up the place of a key, so there must be one, and none is -1."""


@dataclass(frozen=True)
class Lexicon:
    """Words and synsets by number.

    Attributes
    ----------
    places, names, kinds
        Place of each synset in the database, its name in NLTK, and its kind as `WordNet.kinds` has it; in the order of
        part of speech and name, in which NLTK chooses among hypernyms that are equally deep.
    parents
        Hypernyms of each synset, instance hypernyms included.
    tagged
        Times that each synset was tagged.
    words
        The words, in the order of their hashes.
    senses, counts
        Synsets of each word in sense order, and the times that each was tagged.
    members
        Words of each synset.
    pairs
        Pairs of numbers by relation: antonyms, derivations and pertainyms of words, similar and opposite synsets.
    """

    places: list[Place]
    names: list[str]
    kinds: list[int]
    parents: list[list[int]]
    tagged: list[int]
    words: list[Word]
    senses: list[list[int]]
    counts: list[list[int]]
    members: list[list[int]]
    pairs: Mapping[str, set[tuple[int, int]]]

    @property
    def classes(self) -> list[int]:
        """Part of speech of each synset."""
        return [CLASSES.index(letter) for letter, _ in self.places]


def lexicon_of(database: Database) -> Lexicon:
    """Return the lexicon of a database.

    A word that a data file has and the index does not list for the synset is left out, as NLTK does not find it either.
    """
    named = {place: synset_name(place, database) for place in database.entries}
    places = sorted(named, key=lambda place: (CLASSES.index(place[0]), named[place]))
    numbers = {place: number for number, place in enumerate(places)}
    words = _ordered((lemma, CLASSES.index(letter)) for lemma, letter in database.senses)
    _check_size("words", len(words))
    _check_size("synsets", len(places))
    word_numbers = {word: number for number, word in enumerate(words)}
    senses, counts, members = [], [], [list[int]() for _ in places]
    tagged = [0] * len(places)
    for lemma, kind in words:
        listed = database.senses[lemma, CLASSES[kind]]
        senses.append([numbers[place] for place in listed])
        counts.append([database.counts.get((lemma, place), 0) for place in listed])
    for place, number in numbers.items():
        for lemma in dict.fromkeys(database.entries[place].words):
            if place in database.senses.get((lemma, place[0]), ()):
                members[number].append(word_numbers[lemma, CLASSES.index(place[0])])
                tagged[number] += database.counts.get((lemma, place), 0)
    return Lexicon(
        places=places,
        names=[named[place] for place in places],
        kinds=[KINDS.index(database.entries[place].kind) for place in places],
        parents=[_targets(database, place, ("@", "@i"), numbers) for place in places],
        tagged=tagged,
        words=words,
        senses=senses,
        counts=counts,
        members=members,
        pairs=_pairs(database, numbers, word_numbers),
    )


def translated(lexicon: Lexicon, senses: Mapping[Word, Sequence[Place]]) -> Lexicon:
    """Return the lexicon with the words of another language; relations between words and counts of senses are lost.

    A synset without a word gets its name as one, so that every synset has a word.

    Parameters
    ----------
    lexicon
        The lexicon of the database.
    senses
        Places of the synsets of each word, in sense order. Those that the database lacks are left out.
    """
    numbers = {place: number for number, place in enumerate(lexicon.places)}
    known = {word: [numbers[place] for place in places if place in numbers] for word, places in senses.items()}
    named = {synset for listed in known.values() for synset in listed}
    for synset, (name, kind) in enumerate(zip(lexicon.names, lexicon.classes, strict=True)):
        if synset not in named:
            known[name, kind] = [synset]
    words = _ordered(word for word, listed in known.items() if listed)
    _check_size("words", len(words))
    members: list[list[int]] = [[] for _ in lexicon.places]
    for number, word in enumerate(words):
        for synset in known[word]:
            members[synset].append(number)
    return replace(
        lexicon,
        words=words,
        senses=[known[word] for word in words],
        counts=[[0] * len(known[word]) for word in words],
        members=members,
        pairs={name: pairs for name, pairs in lexicon.pairs.items() if name in _OF_SYNSETS.values()},
    )


def arrays_of(lexicon: Lexicon) -> dict[str, np.ndarray]:
    """Return the arrays of a lexicon that `wordnet.WordNet` reads, without information content."""
    senses, sense_offsets = flat(lexicon.senses, np.int32)
    members, member_offsets = flat(lexicon.members, np.int32)
    most = max((count for row in lexicon.counts for count in row), default=0)
    counts, _ = flat(lexicon.counts, np.promote_types(np.uint16, np.min_scalar_type(most)))
    return {
        "word_hashes": _hashes(lexicon.words),
        "word_texts": np.frombuffer("\n".join(lemma for lemma, _ in lexicon.words).encode(), dtype=np.uint8),
        "senses": senses,
        "sense_offsets": sense_offsets,
        "sense_counts": counts,
        "members": members,
        "member_offsets": member_offsets,
        "kinds": np.asarray(lexicon.kinds, dtype=np.uint8),
        **closure(lexicon.parents, downwards(lexicon.parents, lexicon.names)),
        **paths(lexicon.parents),
        **_relations(lexicon.pairs),
    }


def _hashes(words: Sequence[Word]) -> np.ndarray:
    lemmas = np.asarray([text_hash(lemma) for lemma, _ in words], dtype=np.uint64)
    return word_hashes(lemmas, np.asarray([kind for _, kind in words], dtype=np.int64))


def _ordered(words: Iterable[Word]) -> list[Word]:
    listed = list(words)
    hashes = _hashes(listed)
    order = np.argsort(hashes)
    twins = np.flatnonzero(np.diff(hashes[order]) == 0)
    if len(twins):
        one, other = (listed[place][0] for place in order[twins[0] : twins[0] + 2].tolist())
        raise ValueError(f"words must have different hashes, got the same for {one!r} and {other!r}; leave one out")
    return [listed[place] for place in order.tolist()]


def _check_size(what: str, size: int) -> None:
    if not 0 < size < 1 << PART_BITS:
        raise ValueError(
            f"a WordNet must have between 1 and {(1 << PART_BITS) - 1:,} {what}, got {size:,}; use another version"
        )


def _targets(database: Database, place: Place, symbols: tuple[str, ...], numbers: Mapping[Place, int]) -> list[int]:
    return [numbers[pointer.target] for pointer in database.entries[place].pointers if pointer.symbol in symbols]


def _pairs(
    database: Database, numbers: Mapping[Place, int], words: Mapping[Word, int]
) -> dict[str, set[tuple[int, int]]]:
    pairs: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for place, entry in database.entries.items():
        for pointer in entry.pointers:
            if pointer.symbol in _OF_SYNSETS:
                pairs[_OF_SYNSETS[pointer.symbol]].add((numbers[place], numbers[pointer.target]))
            if pointer.symbol in _OF_WORDS and pointer.word:
                target = database.entries[pointer.target].words
                ends = (
                    (entry.words[pointer.word - 1], CLASSES.index(place[0])),
                    (target[pointer.target_word - 1], CLASSES.index(pointer.target[0])),
                )
                if all(end in words for end in ends):
                    pairs[_OF_WORDS[pointer.symbol]].add((words[ends[0]], words[ends[1]]))
    return pairs


def _relations(pairs: Mapping[str, set[tuple[int, int]]]) -> dict[str, np.ndarray]:
    # Both ways, as sorted keys.
    arrays = {}
    for name in (*_OF_WORDS.values(), *_OF_SYNSETS.values()):
        listed = pairs.get(name, set())
        both = np.asarray(sorted(listed | {(b, a) for a, b in listed}), dtype=np.int64).reshape(-1, 2)
        keys = np.unique(pair_keys(both[:, 0], both[:, 1]))
        arrays[name] = keys if len(keys) or name in _OF_SYNSETS.values() else _NO_PAIR
    return arrays
