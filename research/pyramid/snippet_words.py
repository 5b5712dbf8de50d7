"""Words of a snippet: all, content words, and pronouns."""

from typing import NamedTuple

from ...features.linguistics.stopwords import stop_words
from ...features.linguistics.tokenizer import tokenize

PRONOUNS = frozenset(
    "i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers "
    "herself it its itself they them their theirs themselves".split()
)
"""Personal, possessive and reflexive pronouns. ``mine`` is not among them: in the news it is a place."""

_NAMES = frozenset({"US", "IT"})  # so written they are none


class Words(NamedTuple):
    """Words of a text that the tests ask for.

    Attributes
    ----------
    words
        Its Penn Treebank tokens that hold a letter or a digit, in lower case, in order.
    content
        Those that are not on the stop list ``ecnu``, each once.
    pronoun
        Whether one of them is in `PRONOUNS`; US and IT in capitals are names.
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
