"""One sentence, its values, and the words at places of it, for the tests of this folder."""

from samewise.features.analysis.analysis import analyse
from samewise.features.values.reading import read_values


def sentence(text, level="tokens"):
    """Return a sentence of a level."""
    return analyse([(text, "")], level)[0].a


def values(text, level="tokens"):
    """Return the values of a sentence."""
    return read_values(sentence(text, level))


def words(one, places):
    """Return the tokens at places, joined by blanks."""
    return " ".join(one.tokens[place] for place in places)
