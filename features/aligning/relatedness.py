"""Which words of two sentences mean the same: equal forms and stems, and paraphrases (Sultan et al., 2014)."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import Stemmer

from ..lexicon.paraphrases import paraphrases
from ..linguistics.stopwords import stop_words
from ..pairs import Sentence

PARAPHRASE = 0.9
"""Relatedness of two words that the paraphrase table lists; that of equal words is 1 (Sultan et al., 2014)."""

_STRIPPED = str.maketrans("", "", ".-,")
_CLITICS = frozenset({"n't", "'s", "'m", "'re", "'ve", "'ll", "'d", "na", "ca", "wo"})


@cache
def _function_words() -> frozenset[str]:
    return stop_words("nltk") | _CLITICS


class Word(NamedTuple):
    """What the comparison needs of one token.

    Attributes
    ----------
    keys
        The lower-case form and lemma without ``. - ,``, and their stems; words that share one are equal.
    listed, partners
        Indices in the paraphrase table of form and lemma, and of what it lists with them; none for punctuation.
    content
        Whether it is neither a function word nor punctuation.
    number
        Whether it is tagged a number or made of digits.
    punctuation
        Whether it holds neither a letter nor a digit.
    """

    keys: tuple[str, ...]
    listed: frozenset[int]
    partners: frozenset[int]
    content: bool
    number: bool
    punctuation: bool


def stripped(form: str) -> str:
    """Return the form without ``. - ,``; a form of nothing else as it is."""
    return form.translate(_STRIPPED) or form


def word_reader() -> Callable[[str, str, bool], Word]:
    """Return a function from lower-case form, lemma and whether it is tagged a number to `Word`; it remembers words."""
    stem = Stemmer.Stemmer("english").stemWord
    function_words = _function_words()
    entry = paraphrases().entry

    @cache
    def read(form: str, lemma: str, number: bool) -> Word:
        bare = tuple(dict.fromkeys((stripped(form), stripped(lemma))))
        keys = tuple(dict.fromkeys((*bare, *map(stem, bare))))
        punctuation = not any(map(str.isalnum, form))
        content = not punctuation and form not in function_words
        entries = [] if punctuation else [entry(form), entry(lemma)]
        listed = frozenset([one.place for one in entries if one.place >= 0])
        partners = frozenset().union(*(one.partners for one in entries))
        return Word(keys, listed, partners, content, number or bare[0].isdigit(), punctuation)

    return read


class Words(NamedTuple):
    """A sentence as the aligner reads it: its words, and where each key and each paraphrase index stands."""

    words: tuple[Word, ...]
    places: dict[str, list[int]]
    listed_places: dict[int, list[int]]


def read_words(sentence: Sentence, read: Callable[[str, str, bool], Word]) -> Words:
    """Return the words of a sentence and an index of them; lemmas stand in for missing ones by the forms."""
    lemmas, tags = sentence.lemmas or sentence.words, sentence.tags or ("",) * len(sentence.words)
    words = tuple(
        [read(form, lemma, tag == "CD") for form, lemma, tag in zip(sentence.words, lemmas, tags, strict=True)]
    )
    places: dict[str, list[int]] = {}
    listed_places: dict[int, list[int]] = {}
    for place, word in enumerate(words):
        for key in word.keys:
            places.setdefault(key, []).append(place)
        for index in word.listed:
            listed_places.setdefault(index, []).append(place)
    return Words(words, places, listed_places)


def related_words(a: Words, b: Words) -> dict[tuple[int, int], float]:
    """Return the token pairs of two sentences that are equal (1) or paraphrases (`PARAPHRASE`); others are unrelated.

    The relatedness of two tokens is the greatest over their forms and lemmas. A content word is never a paraphrase of a
    function word, nor a number of another number.
    """
    found: dict[tuple[int, int], float] = {}
    listed = b.listed_places.keys()
    for i, word in enumerate(a.words):
        for other in word.partners & listed:
            for j in b.listed_places[other]:
                facing = b.words[j]
                if word.content == facing.content and not (word.number and facing.number):
                    found[i, j] = PARAPHRASE
        for key in word.keys:
            for j in b.places.get(key, ()):
                found[i, j] = 1.0
    return found
