"""Shallow parsing: the base phrases of a sentence from its part-of-speech tags alone (after Abney, 1991)."""

import re

from ..base.sentences import Sentence

_SYMBOLS = {
    "d": ("DT", "PDT", "PRP$", "WP$"),
    "s": ("POS",),
    "p": ("PRP", "WP", "WDT", "EX"),
    "j": ("JJ", "JJR", "JJS", "CD", "$", "#"),
    "n": ("NN", "NNS", "NNP", "NNPS"),
    "v": ("VB", "VBD", "VBP", "VBZ"),
    "g": ("VBG", "VBN"),
    "m": ("MD",),
    "r": ("RB", "RBR", "RBS"),
    "t": ("TO",),
    "x": ("RP",),
    "i": ("IN",),
}
_SYMBOL_OF_TAG = {tag: symbol for symbol, tags in _SYMBOLS.items() for tag in tags}

_CHUNK = re.compile(
    r"""
      (?P<NP> [ds]+(?:r*[jg])*n+ | (?:r*j)*n+ | [ds]+(?:r*j)* | p )
    | (?P<VP> [mtr]*[vg](?:r*[mtvg])*x? )
    | (?P<PP> [it]+ )
    | (?P<AP> (?:r*j)+ | r+ )
    | (?P<O> . )
    """,
    re.VERBOSE,
)


def chunks(sentence: Sentence) -> list[tuple[str, int]]:
    """Return the label and the number of tokens of each chunk of a sentence of the level ``lexical``, in order.

    Noun phrases (``NP``) reach from the determiner or the possessive mark to the last noun, verb phrases (``VP``) are
    runs of verbs and the words among them, prepositions (``PP``) stand alone, adjectives and adverbs outside of
    these are an ``AP``. Any other token is a chunk of its own, ``O``.
    """
    symbols = "".join(_SYMBOL_OF_TAG.get(tag, "o") for tag in sentence.tags)
    return [(str(spans.lastgroup), spans.end() - spans.start()) for spans in _CHUNK.finditer(symbols)]
