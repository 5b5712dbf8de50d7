"""Flags of pairs: limits of a score that follow from the texts alone."""

from ...features.analysis import LONG_TOKENS
from ...features.linguistics.known_languages import UNMEASURED
from ...features.linguistics.languages import UNKNOWN
from ...features.sentences import PairBatch, Sentence
from .english_text import non_english, unknown_words, word_counts

IDENTICAL = "identical"
"""Flag of two texts that are equal."""


def flags_of_english(batch: PairBatch) -> list[tuple[str, ...]]:
    """Return the flags of each pair of a model of English, in alphabetical order.

    Each depends on the two texts alone: not on the other pairs, nor on what the model was fitted on.
    """
    counts = word_counts(batch)
    foreign = non_english(batch, counts)
    unknown = unknown_words(counts) & ~foreign
    of_sentence = [
        _length_flags(sentence) | ({"non_english"} if other else set()) | ({"unknown_words"} if strange else set())
        for sentence, other, strange in zip(batch.sentences, foreign.tolist(), unknown.tolist(), strict=True)
    ]
    return [
        # Most pairs have none.
        tuple(sorted(of_sentence[i] | of_sentence[j] | ({IDENTICAL} if i == j else set())))
        if i == j or of_sentence[i] or of_sentence[j]
        else ()
        for i, j in zip(batch.left.tolist(), batch.right.tolist(), strict=True)
    ]


def flags_across_languages(batch: PairBatch) -> list[tuple[str, ...]]:
    """Return the flags of each pair of a model of several languages, in alphabetical order."""
    of_sentence = [_length_flags(sentence) for sentence in batch.sentences]
    flags = []
    for i, j in zip(batch.left.tolist(), batch.right.tolist(), strict=True):
        a, b = batch.sentences[i], batch.sentences[j]
        names = of_sentence[i] | of_sentence[j]
        names |= {IDENTICAL} if i == j or a.text == b.text else set()
        flags.append(tuple(sorted(names | language_flags(a.language, b.language))))
    return flags


def language_flags(one: str, two: str) -> set[str]:
    """Return the flags that follow from the languages of both texts of a pair."""
    flags = {"cross_lingual"} if one != two else set()
    flags |= {"unknown_language"} if UNKNOWN in (one, two) else set()
    return flags | {"unmeasured_language"} if UNMEASURED.intersection((one, two)) else flags


def _length_flags(sentence: Sentence) -> set[str]:
    flags = set() if sentence.tokens else {"empty"}
    if sentence.truncated:
        return flags | {"long", "truncated"}
    return flags | {"long"} if len(sentence.tokens) > LONG_TOKENS else flags
