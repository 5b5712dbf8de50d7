"""The cross-encoder of several languages: a BERT that reads both texts of a pair at once (Devlin et al., 2019).

It is a part of the distribution ``samewise-languages``, was made from its encoder, and reads the word pieces of that.
"""

from functools import lru_cache
from pathlib import Path

from ..linguistics.languages import languages_folder
from .multilingual_encoder import NETWORK
from .network_checks import Declared, Value
from .sentence_encoder import DIMENSION
from .shipped_files import ShippedNetwork, read_network


def cross_encoder_folder() -> Path:
    """Return the folder of the cross-encoder, which need not exist."""
    return languages_folder() / "cross_encoder"


@lru_cache(maxsize=1)
def multilingual_cross_encoder() -> ShippedNetwork:
    """Return the cross-encoder of ``samewise-languages``, checked against its manifest, once a process.

    Raises
    ------
    ValueError
        If a file is missing, cut or changed.
    """
    pieces = Value("float32", 3, DIMENSION)
    declared = Declared({"word_embeddings": pieces, "token_type_ids": Value("int64", 2)}, "output")
    title, remedy = "the cross-encoder of samewise-languages", "install samewise-languages again"
    return read_network(cross_encoder_folder(), NETWORK, declared, title, remedy)
