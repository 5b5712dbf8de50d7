"""One analysed sentence, and the words at places of it, for the tests of this folder."""

from samewise.features.analysis.analysis import analyse


def sentence(text):
    """Return a sentence of the level ``lexical``."""
    return analyse([(text, "")], "lexical")[0].a


def words(one, places):
    """Return the tokens at places, joined by blanks."""
    return " ".join(one.tokens[place] for place in places)
