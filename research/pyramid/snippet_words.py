"""Words of a snippet: all, content words, and pronouns."""

from typing import NamedTuple

from ...features.base.word_tables import stop_words
from ...features.linguistics.tokenizer import tokenize

PRONOUNS = frozenset(
    "i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers "
    "herself it its itself they them their theirs themselves".split()
)
"""Personal, possessive and reflexive pronouns, without ``mine``, which is a place in news texts."""

_NAMES = frozenset({"US", "IT"})  # in capitals these are not pronouns


class Words(NamedTuple):
    """Words of a text for the tests.

    Attributes
    ----------
    words
        Its Penn Treebank tokens with a letter or a digit, in lower case, in order.
    content
        Distinct words that are not on the stop list ``ecnu``.
    pronoun
        Whether a word is in `PRONOUNS`; US and IT in capitals are names.
    """

    words: tuple[str, ...]
    content: frozenset[str]
    pronoun: bool


def words_of(text: str) -> Words:
    """Return the words of a normalised text."""
    tokens = [token for token in tokenize(text) if any(map(str.isalnum, token))]
    words = tuple(token.lower() for token in tokens)
    pronoun = any(word in PRONOUNS and token not in _NAMES for token, word in zip(tokens, words, strict=True))
    return Words(words, frozenset(words) - stop_words("ecnu"), pronoun)
