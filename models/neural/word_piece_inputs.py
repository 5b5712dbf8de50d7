"""Input of a cross-encoder: the word pieces of two texts, joined as a BERT reads them (Devlin et al., 2019)."""

from collections.abc import Sequence

from ...features.encoders.onnx_transformer import WordPieces
from ...features.encoders.sentence_encoder import shipped_encoder

MOST_PIECES = 120
"""Word pieces that are read of each text; further ones are ignored."""


def word_pieces() -> WordPieces:
    """Return the vectors of word pieces, which are those of the sentence encoder that ships."""
    words = shipped_encoder().words
    assert isinstance(words, WordPieces), "the shipped encoder reads vectors of word pieces"
    return words


def piece_ids(texts: Sequence[str]) -> list[list[int]]:
    """Return the first `MOST_PIECES` word pieces of each text, without special ones."""
    return [token.ids[1:-1][:MOST_PIECES] for token in shipped_encoder().tokens(texts)]


def joined(first: Sequence[int], second: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the pieces of two texts as one input, and for each piece the number of its text, 0 or 1."""
    begin, end = shipped_encoder().special
    ids = [begin, *first, end, *second, end]
    return ids, [0] * (len(first) + 2) + [1] * (len(second) + 1)
