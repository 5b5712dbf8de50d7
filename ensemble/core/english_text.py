"""Detection of sentences that do not look English or have unknown words, from the words of each sentence alone."""

from typing import NamedTuple
from unicodedata import name as character_name

import numpy as np

from ...features.analysis.lemmas import OWN, SHARED, UNLISTED, english_words
from ...features.base.caches import cached_by_word
from ...features.base.sentences import PairBatch
from ...features.base.token_sequences import text_hash, vocabulary
from ...features.base.word_tables import stop_words
from ...features.linguistics.languages import ENGLISH, detect

ENGLISH_SHARE = 0.45
"""Share of English words, of those that tell a language, below which a sentence is not English."""

TELLING_WORDS = 2
"""Fewest words that tell a language in Latin letters: one alone may be a name. One word in another script suffices."""

FEW_WORDS = 6
"""Number of telling words below which a sentence counts as another language only if its letters say so, too.

`detect` reads them. Its model is loaded for such a sentence alone, so that most runs do without.
"""

SURE = 3.0
"""Advantage of another language in nats that convinces; a quarter of texts of random letters have less."""

HEADLINE_WORDS = 4
"""Fewest words of a headline, where most have capitals: these tell a language, too, if the letters say the same.

These five numbers were chosen by ``benchmarks/false_alarms.py`` on the sets of its part ``choose``.
"""

UNKNOWN_SHARE = 0.5
"""Share of unknown words among the content words from which a sentence is flagged."""

_CACHED_WORDS = 1 << 14


class WordCounts(NamedTuple):
    """Numbers of words of n sentences, each of shape (n,)."""

    # Words that English shares with other languages, numbers, and names (capitals after the first word) do not count.
    english: np.ndarray
    other: np.ndarray
    names: np.ndarray  # words that would be among `other` if they had no capital
    scripts: np.ndarray  # words in other scripts than the Latin one; they are among `other`
    content: np.ndarray  # words and numbers without stop words
    unknown: np.ndarray  # those of them that are unlisted and not a name or a number


def non_english(batch: PairBatch, counts: WordCounts) -> np.ndarray:
    """Return whether each distinct sentence of a batch does not look English, shape (n,), bool."""
    telling = counts.english + counts.other
    enough = (telling >= TELLING_WORDS) | (counts.scripts > 0)
    foreign: np.ndarray = (counts.english < ENGLISH_SHARE * telling) & enough
    doubtful = foreign & (telling < FEW_WORDS) & (counts.scripts == 0)
    headline = telling + counts.names
    capitals = (counts.names > telling) & (headline >= HEADLINE_WORDS) & (counts.english < ENGLISH_SHARE * headline)
    doubtful |= capitals & ~foreign
    rows = np.flatnonzero(doubtful)
    if len(rows):
        languages = detect([batch.sentences[row].text for row in rows.tolist()], [ENGLISH], SURE)
        foreign[rows] = [language != ENGLISH for language in languages]
    return foreign


def unknown_words(counts: WordCounts) -> np.ndarray:
    """Return whether half of the content words of each sentence are unknown, shape (n,), bool.

    A single unknown word is enough only if it is the only content word; a typing error in a short sentence is not.
    """
    several = (counts.unknown >= 2) | (counts.unknown == counts.content)
    unknown: np.ndarray = (counts.unknown > 0) & (counts.unknown >= UNKNOWN_SHARE * counts.content) & several
    return unknown


def word_counts(batch: PairBatch) -> WordCounts:
    """Return the counts of the distinct sentences of a batch."""
    tokens = vocabulary(batch, "tokens")
    # Accents, which the words of a sentence lack, tell a language.
    hashes = np.fromiter((text_hash(token.lower()) for token in tokens.items), np.uint64, len(tokens.items))
    kinds = english_words().kinds(hashes).tolist()
    columns = len(WordCounts._fields)
    facts = np.asarray([_facts(*item) for item in zip(tokens.items, kinds, strict=True)], dtype=bool)
    flat = facts.reshape(-1, columns)[tokens.ids.values]
    offsets = tokens.ids.offsets
    first = offsets[:-1][tokens.ids.lengths > 0]
    other, names = WordCounts._fields.index("other"), WordCounts._fields.index("names")
    flat[first, other] |= flat[first, names]  # every first word may have a capital
    flat[first, names] = False
    totals = np.vstack([np.zeros((1, flat.shape[1]), dtype=np.int64), np.cumsum(flat, axis=0)])
    return WordCounts(*(totals[offsets[1:]] - totals[offsets[:-1]]).T)


@cached_by_word(_CACHED_WORDS)
def _facts(token: str, kind: int) -> tuple[bool, ...]:
    # The columns of `WordCounts`, in their order.
    script = in_another_script(token)
    other = kind not in (OWN, SHARED) and (script or token.isalpha())
    name = other and token[0].isupper() and not script
    content = any(map(str.isalnum, token)) and token.lower() not in stop_words("ecnu")
    unknown = content and kind == UNLISTED and token.isalpha() and token.islower()
    return kind == OWN, other and not name, name, script, content, unknown


def in_another_script(word: str) -> bool:
    """Return whether a word has letters, and none is Latin."""
    # Vowel signs, which Arabic and Hindi put between the letters, are not letters.
    letters = [] if word.isascii() else [character_name(letter, "") for letter in word if letter.isalpha()]
    return bool(letters) and not any("LATIN" in letter for letter in letters)
