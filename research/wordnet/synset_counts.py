"""Counts behind information content: of tagged text, of running text, and of files that list them.

Every kind is one array: a count a synset, then the counts of the four roots, one a part of speech.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ..._messages import from_extra
from ...features.arrays.ragged import Ragged
from ...features.base.word_tables import stop_words
from ...features.lexicon.wordnet import CLASS_OF_KIND, CLASSES
from .wordnet_files import Place
from .wordnet_lexicon import Word

RAREST = 1e-9
"""The frequency of a lemma that wordfreq does not list; the rarest that it lists have 1e-8."""


def tagged_counts(arrays: Mapping[str, np.ndarray], tagged: Sequence[int]) -> np.ndarray:
    """Return the times that a synset or one below it was tagged, 1 added to each synset.

    `WordNetCorpusReader.ic` of NLTK counts a hypernym once more for every other way up to it that is as long; here it
    counts once.
    """
    return (_spread(arrays, np.asarray(tagged, dtype=np.float64)) + 1).astype(np.int32)


def running_text_counts(arrays: Mapping[str, np.ndarray], words: Sequence[Word]) -> dict[str, np.ndarray]:
    """Return the counts of English running text by kind, ``senses`` and ``words``, as `WordNet` describes them."""
    used = _sense_frequencies(arrays, words)
    senses, offsets = arrays["senses"], arrays["sense_offsets"]
    frequency = np.add.reduceat(used, offsets[:-1])
    below, ancestors = _reached(arrays)
    members = Ragged(arrays["members"], arrays["member_offsets"]).take(below)
    distinct = np.unique(np.repeat(ancestors, members.lengths) * len(frequency) + members.values)
    n = len(arrays["kinds"])
    by_word = np.bincount(distinct // len(frequency), weights=frequency[distinct % len(frequency)], minlength=n)
    first_class = CLASS_OF_KIND[arrays["kinds"]][senses[offsets[:-1]]]
    roots = np.bincount(first_class, weights=frequency, minlength=len(CLASSES))
    return {
        "senses": _spread(arrays, np.bincount(senses, weights=used, minlength=n)).astype(np.float32),
        "words": np.concatenate([by_word, roots]).astype(np.float32),
    }


def listed_counts(counts: Mapping[Place, float], roots: Mapping[str, float], places: Sequence[Place]) -> np.ndarray:
    """Return counts that a file of information content lists, by the numbers of the synsets, float64."""
    unknown = counts.keys() - set(places)
    if unknown:
        letter, offset = min(unknown)
        raise ValueError(
            f"each count must belong to a synset of this database, got one for {offset:08}{letter} and "
            f"{len(unknown) - 1} more for synsets that it lacks; use the counts of its version"
        )
    values = np.asarray([counts.get(place, 0.0) for place in places], dtype=np.float64)
    of_roots = np.asarray([roots.get(letter, 0.0) for letter in CLASSES], dtype=np.float64)
    whole = of_roots[[CLASSES.index(letter) for letter, _ in places]]
    bad = np.flatnonzero(~((values >= 0) & (values <= whole) & np.isfinite(values)))
    if len(bad):
        letter, offset = places[bad[0]]
        raise ValueError(
            f"the count of {offset:08}{letter} must be between 0 and {whole[bad[0]]:g}, the count of the roots, got "
            f"{values[bad[0]]:g}; correct the file"
        )
    return np.concatenate([values, of_roots])


def more_than_above(arrays: Mapping[str, np.ndarray], counts: np.ndarray) -> int:
    """Return the number of synsets that are counted more often than one of their hypernyms."""
    below, ancestors = _reached(arrays)
    return len(np.unique(below[counts[below] > counts[ancestors]]))


def _reached(arrays: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    # Every synset with itself and with each of its hypernyms.
    proper = Ragged(arrays["ancestors"], arrays["ancestor_offsets"]).take(arrays["ancestor_rows"])
    itself = np.arange(len(arrays["kinds"]))
    return np.concatenate([itself, proper.rows]), np.concatenate([itself, proper.values])


def _spread(arrays: Mapping[str, np.ndarray], own: np.ndarray) -> np.ndarray:
    # Counts of each synset and what is below it, then of the roots.
    below, ancestors = _reached(arrays)
    total = np.bincount(ancestors, weights=own[below], minlength=len(own))
    roots = np.bincount(CLASS_OF_KIND[arrays["kinds"]], weights=own, minlength=len(CLASSES))
    return np.concatenate([total, roots])


def _sense_frequencies(arrays: Mapping[str, np.ndarray], words: Sequence[Word]) -> np.ndarray:
    """Return the frequency of each lemma split over its senses of any part of speech in proportion to count + 1."""
    lemmas = [lemma for lemma, _ in words]
    rows = np.repeat(np.arange(len(words)), np.diff(arrays["sense_offsets"]))
    lemma = np.unique(lemmas, return_inverse=True)[1][rows]
    weights = arrays["sense_counts"].astype(np.float64) + 1
    frequency = _frequencies(lemmas)[rows] * weights / np.bincount(lemma, weights=weights)[lemma]
    stops = stop_words("nltk")
    function = np.asarray([name in stops and kind == 0 for name, kind in words])
    return np.where(function[rows], np.minimum(frequency, RAREST), frequency)


def _frequencies(lemmas: Sequence[str]) -> np.ndarray:
    """Return the share of running text of each lemma by wordfreq, inflected forms apart."""
    with from_extra("fit", "counting the words of running text"):
        from wordfreq import word_frequency

    of_text = {
        lemma: word_frequency(lemma.replace("_", " "), "en") / 10.0 ** len(re.findall("[_-]", lemma))
        for lemma in lemmas
    }
    return np.asarray([max(of_text[lemma], RAREST) for lemma in lemmas])
