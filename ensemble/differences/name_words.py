"""Names in a sentence of the level ``lexical``: persons, places, organisations, products, nationalities."""

from functools import lru_cache

import numpy as np

from ...features.lexicon.wordnet import wordnet
from ...features.linguistics.stopwords import stop_words
from ...features.sentences import Sentence

_NOT_NAMES = frozenset(
    """i ok mb gb tb kb tv id pin pdf usb am pm mr mrs ms miss dr prof sir lady lord president minister king queen
    nurse saint st""".split()
)
_OPENERS = frozenset({".", "!", "?", ":", "``", '"', "'", "("})


def name_places(sentence: Sentence, taken: frozenset[int]) -> frozenset[int]:
    """Return the places of the tokens of names.

    A name has a capital letter and is tagged a proper noun. Names are also, inside a sentence, nouns, adjectives and
    words that WordNet does not list and, at its beginning, nouns that WordNet does not list. Where most words have
    capitals, the tag decides.

    Parameters
    ----------
    sentence
        The sentence.
    taken
        Places of tokens that belong to dates and amounts.
    """
    capital = [place for place, token in enumerate(sentence.tokens) if token[0].isupper() and place not in taken]
    letters = sum(token[0].isalpha() for token in sentence.tokens)
    by_tag = 5 * len(capital) > 3 * letters > 12
    return frozenset(place for place in capital if _is_name(sentence, place, by_tag))


def _is_name(sentence: Sentence, place: int, by_tag: bool) -> bool:
    word, tag = sentence.words[place], sentence.tags[place]
    if word in _NOT_NAMES:
        return False
    if tag in ("NNP", "NNPS"):
        return True
    if by_tag or not word.isalpha() or word in stop_words("nltk"):
        return False
    if place == 0 or sentence.tokens[place - 1] in _OPENERS:
        return tag in ("NN", "NNS", "JJ") and not _is_listed(word)
    return tag in ("NN", "NNS", "JJ") or not _is_listed(word)


@lru_cache(1 << 12)
def _is_listed(word: str) -> bool:
    return bool((wordnet().word_ids([word, word.removesuffix("s")] * 4, np.arange(8) // 2) >= 0).any())
