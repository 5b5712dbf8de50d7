"""WordNet 3.0 (Miller, 1995) as arrays mapped into memory: senses, hypernyms, lexical relations, information content.

Reading the database with NLTK takes seconds, and its measures some ten microseconds a pair of synsets. These arrays are
mapped in milliseconds, are shared between processes, and serve whole batches (``benchmarks/wordnet_speed.py``).
"""

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..arrays.joins import PART_BITS, by_first, distinct, overlap, pair_keys, then
from ..arrays.ragged import Ragged, mix, offsets_of
from ..base.mapped_arrays import map_arrays
from ..base.token_sequences import text_hash
from .hypernyms import HypernymPaths

FOLDER = Path(__file__).parents[1] / "data" / "wordnet-3.0"

CLASSES = ("n", "v", "a", "r")
"""Parts of speech of words, in order of their codes 0 to 3; satellites are adjectives."""

INFORMATION = ("semcor", "senses", "words")
"""The counts behind information content; `WordNet.information_content` describes them."""

CLASS_OF_KIND = np.array([0, 1, 2, 3, 2])
"""Part of speech by the kind of a synset: noun, verb, adjective, adverb, adjective satellite."""

_KINDS = "nvars"


class Ancestors(NamedTuple):
    """Hypernyms of n synsets, each synset itself included, in no particular order."""

    synsets: Ragged
    distances: np.ndarray  # fewest steps up, parallel to the values of `synsets`
    crossings: np.ndarray  # the same if the path may lead up and down again over another hypernym of both, as in NLTK


def word_hashes(hashes: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return the hash of (lemma, part of speech), shape (n,), uint64."""
    return mix(hashes ^ mix(classes.astype(np.uint64) + np.uint64(1)))


class WordNet:
    """WordNet 3.0 for arrays of words and of synsets.

    A word is an index of (lemma, part of speech), and a synset is an index; -1 stands for an unknown word.

    Parameters
    ----------
    arrays
        The arrays of ``scripts/make_wordnet.py``.
    digest
        A digest of their content.

    Attributes
    ----------
    digest
        Hex digest of the arrays, for memo keys.
    kinds
        Part of speech of each synset, uint8: 0 noun, 1 verb, 2 adjective, 3 adverb, 4 adjective satellite.
    size
        Number of words.
    max_depth, min_depth
        Longest and shortest way up to a root of each synset, uint8, as NLTK defines them.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray], digest: str) -> None:
        self.arrays = dict(arrays)
        self.digest = digest
        self.kinds = arrays["kinds"]
        self.size = len(arrays["word_hashes"])
        self.max_depth, self.min_depth = arrays["max_depth"], arrays["min_depth"]
        self._senses = Ragged(arrays["senses"], arrays["sense_offsets"])
        self._members = Ragged(arrays["members"], arrays["member_offsets"])
        self._ancestors = Ragged(arrays["ancestors"], arrays["ancestor_offsets"])
        self._content: dict[str, np.ndarray] = {}

    # ---- words

    def word_ids(self, lemmas: Sequence[str], classes: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the word of each (lemma, part of speech), shape (n,), int64; -1 for an unknown word.

        Parameters
        ----------
        lemmas
            In lower case; blanks stand for underscores.
        classes
            Part of speech of each, as in `WORD_CLASSES`: 0 noun, 1 verb, 2 adjective, 3 adverb, 4 other.
        """
        hashes = [text_hash(lemma.replace(" ", "_")) for lemma in lemmas]
        return self.hashed_word_ids(np.asarray(hashes, dtype=np.uint64), np.asarray(classes, dtype=np.int64))

    def hashed_word_ids(self, hashes: np.ndarray, classes: np.ndarray) -> np.ndarray:
        """Return `word_ids` of lemmas by their `text_hash`, such as `Vocabulary.hashes`."""
        listed = self.arrays["word_hashes"]
        sought = word_hashes(hashes, classes)
        place = np.minimum(np.searchsorted(listed, sought), len(listed) - 1)
        return np.where((listed[place] == sought) & (np.asarray(classes) < len(CLASSES)), place, -1)

    @cached_property
    def _texts(self) -> list[str]:
        return self.arrays["word_texts"].tobytes().decode().split("\n")

    def word_names(self, words: np.ndarray) -> list[str]:
        """Return the lemma of each word, underscores for blanks."""
        return [self._texts[word] for word in words.tolist()]

    def word_classes(self, words: np.ndarray) -> np.ndarray:
        """Return the part of speech of each word, shape (n,): 0 to 3, and -1 for an unknown word."""
        first = self._senses.values[self._senses.offsets[np.maximum(words, 0)]]
        return np.where(words < 0, -1, CLASS_OF_KIND[self.kinds[first]])

    def senses(self, words: np.ndarray) -> Ragged:
        """Return the synsets of each word in sense order; none for an unknown word."""
        return _rows(self._senses, words)

    def sense_counts(self, words: np.ndarray) -> Ragged:
        """Return the number of times that each of `senses` is tagged in SemCor and similar text."""
        return _rows(Ragged(self.arrays["sense_counts"], self._senses.offsets), words)

    # ---- synsets

    def members(self, synsets: np.ndarray) -> Ragged:
        """Return the words of each synset, as WordNet orders them."""
        return self._members.take(synsets)

    def names(self, synsets: np.ndarray) -> list[str]:
        """Return NLTK's name of each synset, such as ``dog.n.01``."""
        names_of_synsets = []
        for synset in synsets.tolist():
            word = self._members.values[self._members.offsets[synset]]
            listed = self._senses.values[self._senses.offsets[word] : self._senses.offsets[word + 1]]
            if self.kinds[synset] == 4:
                listed = listed[self.kinds[listed] == 4]
            number = int(np.flatnonzero(listed == synset)[0]) + 1
            names_of_synsets.append(f"{self._texts[word]}.{_KINDS[self.kinds[synset]]}.{number:02}")
        return names_of_synsets

    def ancestors(self, synsets: np.ndarray) -> Ancestors:
        """Return the hypernyms of each synset, instance hypernyms included, itself first, and their distances."""
        places, offsets = self._ancestors.positions(self.arrays["ancestor_rows"][synsets])
        offsets = offsets + np.arange(len(offsets))
        rest = np.ones(offsets[-1], dtype=bool)
        rest[offsets[:-1]] = False
        values = np.zeros((3, len(rest)), dtype=np.int64)
        values[0, ~rest] = synsets
        for row, name in zip(values, ("ancestors", "ancestor_distances", "ancestor_crossings"), strict=True):
            row[rest] = self.arrays[name][places]
        return Ancestors(Ragged(values[0], offsets), values[1], values[2])

    def information_content(self, kind: str = "semcor") -> np.ndarray:
        """Return the information content of each synset, ``-ln(count / count of the root)``, float64, at least 0.

        Parameters
        ----------
        kind
            ``semcor``: counts of senses in SemCor, every synset counting one more (as NLTK smooths);
            ``senses``: the frequency in running text of each lemma split over its senses;
            ``words``: the frequency in running text of the distinct words of a synset and of those below it (Wu et
            al., 2017). Each part of speech has one root.

        Raises
        ------
        ValueError
            If the kind is unknown.
        """
        if kind not in INFORMATION:
            raise ValueError(f"information content must be one of {', '.join(INFORMATION)}, got {kind!r}")
        if kind not in self._content:
            counts = self.arrays[f"information_{kind}"].astype(np.float64)
            root = counts[-len(CLASSES) :][CLASS_OF_KIND[self.kinds]]
            # Plus 0: the root has 0, not -0.
            values = -np.log(counts[: -len(CLASSES)] / root) + 0.0
            values.setflags(write=False)
            self._content[kind] = values
        return self._content[kind]

    def greatest_content(self, kind: str = "semcor") -> float:
        """Return the greatest information content of a synset that is counted."""
        return float(self.information_content(kind).max())

    @cached_property
    def paths(self) -> HypernymPaths:
        """Tree of all hypernym paths."""
        return HypernymPaths(self.arrays)

    # ---- relations of words

    def share_synset(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return whether the words are synonyms in some sense, or one word; shape (n,), bool."""
        return overlap(x, y, self.senses, self.senses, len(self.kinds))

    def antonyms(self, x: np.ndarray, y: np.ndarray, indirect: bool = False) -> np.ndarray:
        """Return whether the words are antonyms in some sense, shape (n,), bool.

        Parameters
        ----------
        x, y
            Words.
        indirect
            Include adjectives that are similar to antonyms (Gross et al., 1989): wet and parched.
        """
        opposite = self._related("antonyms", x, y)
        if not indirect:
            return opposite
        adjectives = np.flatnonzero((self.word_classes(x) == 2) & (self.word_classes(y) == 2))
        opposite[adjectives] |= overlap(
            x[adjectives],
            y[adjectives],
            lambda words: then(self.senses(words), self._clusters),
            lambda words: then(then(self.senses(words), self._clusters), self._opposites),
            len(self.kinds),
        )
        return opposite

    def derivationally_related(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return whether some sense of one word derives from the other, such as teach and teacher; shape (n,), bool."""
        return self._related("derivations", x, y)

    def pertainyms(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return whether one word pertains to the other, such as musical and music; shape (n,), bool."""
        return self._related("pertainyms", x, y)

    def similar_to(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return whether some sense of one adjective is similar to one of the other; shape (n,), bool."""
        return overlap(x, y, self.senses, lambda words: then(self.senses(words), self._similar), len(self.kinds))

    def hypernym_of(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return whether some sense of ``x[i]`` is a proper hypernym of one of ``y[i]``, shape (n,), bool."""
        return overlap(x, y, self.senses, self._above, len(self.kinds))

    def hypernyms_among(self, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the places of all u and v among some known words for which ``hypernym_of(v, u)`` holds."""
        return self._meeting(words, self._above(words))

    def synonyms_among(self, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the places of all u and v among some known words for which ``share_synset(u, v)`` holds."""
        return self._meeting(words, self.senses(words))

    def _meeting(self, words: np.ndarray, synsets: Ragged) -> tuple[np.ndarray, np.ndarray]:
        # The places of a row of `synsets` and of a word that has one of the row among its senses.
        senses = self.senses(words)
        order = np.argsort(senses.values)
        counts = np.bincount(senses.values, minlength=len(self.kinds))
        of_synset = Ragged(senses.rows[order], offsets_of(counts))
        keys = distinct(pair_keys(synsets.rows, synsets.values)[counts[synsets.values] > 0])
        places = of_synset.take(keys & (1 << PART_BITS) - 1)
        return (keys >> PART_BITS)[places.rows], places.values

    def _above(self, words: np.ndarray) -> Ragged:
        senses = self.senses(words)
        return then(Ragged(self.arrays["ancestor_rows"][senses.values], senses.offsets), self._ancestors)

    def _related(self, relation: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        keys, members = pair_keys(np.maximum(x, 0), np.maximum(y, 0)), self.arrays[relation]
        place = np.minimum(np.searchsorted(members, keys), len(members) - 1)
        return (x >= 0) & (y >= 0) & (members[place] == keys)

    @cached_property
    def _similar(self) -> Ragged:
        return by_first(self.arrays["similar"], len(self.kinds))

    @cached_property
    def _opposites(self) -> Ragged:
        return by_first(self.arrays["opposites"], len(self.kinds))

    @cached_property
    def _clusters(self) -> Ragged:
        # Each synset and, for a satellite, its head, which has the antonyms.
        s, t = self.arrays["similar"] >> PART_BITS, self.arrays["similar"] & (1 << PART_BITS) - 1
        satellites = (self.kinds[s] == 4) & (self.kinds[t] != 4)
        synsets = np.arange(len(self.kinds))
        keys = np.concatenate([pair_keys(synsets, synsets), self.arrays["similar"][satellites]])
        return by_first(np.sort(keys), len(self.kinds))


def _rows(values: Ragged, words: np.ndarray) -> Ragged:
    rows = values.take(np.maximum(words, 0))
    return rows if np.all(words >= 0) else rows.where(np.repeat(words >= 0, rows.lengths))


def load(folder: Path = FOLDER) -> WordNet:
    """Map the arrays of a folder into memory.

    Raises
    ------
    MappedError
        If a file is missing or differs from the manifest.
    """
    return WordNet(*map_arrays(folder, "install samewise again, or make the folder with scripts/make_wordnet.py"))


@cache
def wordnet() -> WordNet:
    """Return the shipped WordNet; read once a process."""
    return load()
