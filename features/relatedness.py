"""Which words of two sentences mean the same: equal forms and stems, and paraphrases (Sultan et al., 2014)."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import Stemmer

from .pairs import Sentence
from .paraphrases import paraphrases
from .stopwords import stop_words

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
    forms
        Form and lemma, as the paraphrase table has them; empty for punctuation.
    partners
        What the paraphrase table lists with one of the forms.
    content
        Whether it is neither a function word nor punctuation.
    number
        Whether it is tagged a number or made of digits.
    punctuation
        Whether it holds neither a letter nor a digit.
    """

    keys: tuple[str, ...]
    forms: tuple[str, ...]
    partners: frozenset[str]
    content: bool
    number: bool
    punctuation: bool


def _stripped(form: str) -> str:
    return form.translate(_STRIPPED) or form


def word_reader() -> Callable[[str, str, bool], Word]:
    """Return a function from lower-case form, lemma and whether it is tagged a number to `Word`; it remembers words."""
    stem = Stemmer.Stemmer("english").stemWord
    function_words = _function_words()
    partners = paraphrases().partners

    @cache
    def read(form: str, lemma: str, number: bool) -> Word:
        bare = tuple(dict.fromkeys((_stripped(form), _stripped(lemma))))
        keys = tuple(dict.fromkeys((*bare, *map(stem, bare))))
        punctuation = not any(map(str.isalnum, form))
        content = not punctuation and form not in function_words
        forms = () if punctuation else tuple(dict.fromkeys((form, lemma)))
        listed = frozenset().union(*map(partners, forms))
        return Word(keys, forms, listed, content, number or bare[0].isdigit(), punctuation)

    return read


class Words(NamedTuple):
    """A sentence as the aligner reads it: its words, and where each key and each form stands."""

    words: tuple[Word, ...]
    places: dict[str, list[int]]
    form_places: dict[str, list[int]]


def read_words(sentence: Sentence, read: Callable[[str, str, bool], Word]) -> Words:
    """Return the words of a sentence and an index of them; lemmas stand in for missing ones by the forms."""
    lemmas, tags = sentence.lemmas or sentence.words, sentence.tags or ("",) * len(sentence.words)
    words = tuple(
        [read(form, lemma, tag == "CD") for form, lemma, tag in zip(sentence.words, lemmas, tags, strict=True)]
    )
    places: dict[str, list[int]] = {}
    form_places: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        for key in word.keys:
            places.setdefault(key, []).append(place)
        for form in word.forms:
            form_places.setdefault(form, []).append(place)
    return Words(words, places, form_places)


def related_words(a: Words, b: Words) -> dict[tuple[int, int], float]:
    """Return the token pairs of two sentences that are equal (1) or paraphrases (`PARAPHRASE`); others are unrelated.

    The relatedness of two tokens is the greatest over their forms and lemmas. A content word is never a paraphrase of a
    function word, nor a number of another number.
    """
    found: dict[tuple[int, int], float] = {}
    forms = b.form_places.keys()
    for i, word in enumerate(a.words):
        for other in word.partners & forms:
            for j in b.form_places[other]:
                facing = b.words[j]
                if word.content == facing.content and not (word.number and facing.number):
                    found[i, j] = PARAPHRASE
        for key in word.keys:
            for j in b.places.get(key, ()):
                found[i, j] = 1.0
    return found
