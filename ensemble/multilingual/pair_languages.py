"""Languages of the texts of pairs: as the user names them, or detected."""

from collections.abc import Sequence

from ...features.linguistics.languages import ENGLISH, Languages, detect
from ...features.sentences import PairBatch
from ..core.english_text import in_another_script

SUSPECT = 0.6
"""Share of common English words below which the language of a text is detected, if the languages are `auto`.

Measured: 2 % of the English sentences of STS Benchmark train are, 97 % of their Spanish translations, 99 % of the
Turkish ones, and all captions in Arabic. Of the English ones 0.1 % are then taken for another language.
"""


def languages_of_pairs(
    batch: PairBatch, languages: Languages, candidates: Sequence[str], vocabulary: frozenset[str]
) -> list[tuple[str, str]]:
    """Return the languages of both texts of each pair: ISO 639-1 codes, or ``und``.

    Parameters
    ----------
    batch
        n pairs.
    languages
        Languages that the user names.
    candidates
        ISO 639-1 codes of the languages to choose from.
    vocabulary
        Common English words.
    """
    if languages.sides is not None:
        return [languages.sides] * len(batch)
    of_sentence = [ENGLISH] * len(batch.sentences)
    rows = [
        row
        for row, sentence in enumerate(batch.sentences)
        if languages != Languages() or is_suspect(sentence.words, vocabulary)
    ]
    detected = detect([batch.sentences[row].text for row in rows], candidates) if rows else ()
    for row, language in zip(rows, detected, strict=True):
        of_sentence[row] = language
    return [(of_sentence[i], of_sentence[j]) for i, j in zip(batch.left.tolist(), batch.right.tolist(), strict=True)]


def is_suspect(words: Sequence[str], vocabulary: frozenset[str]) -> bool:
    """Return whether less than the share `SUSPECT` of the words of a sentence is in a vocabulary.

    Where the vocabulary is empty, because a model was fitted on too little text, words without accents count.
    """
    words = [word for word in words if word.isalpha() or in_another_script(word)]
    common = sum(word in vocabulary if vocabulary else word.isascii() for word in words)
    return common < SUSPECT * len(words)
