"""The encoder of several languages: multilingual-e5-small (Wang et al., 2024), fine-tuned for similarity.

It is a part of the distribution ``samewise-languages``, which pairs in other languages than English need.
"""

import json
from functools import lru_cache
from pathlib import Path

from ..linguistics.languages import languages_folder
from .sentence_encoder import SentenceEncoder
from .shipped_files import read_parts

NETWORK = "layers.onnx.gz"
"""File of the twelve layers of the encoder, and of those of the cross-encoder."""

MOST_PIECES = 128
"""Greatest number of pieces of a text, special ones included."""

_TITLE, _REMEDY = "the encoder of samewise-languages", "install samewise-languages again"


def encoder_folder() -> Path:
    """Return the folder of the encoder, which need not exist."""
    return languages_folder() / "encoder"


@lru_cache(maxsize=1)
def encoder_languages() -> tuple[str, ...]:
    """Return the codes of the languages whose word pieces the installed encoder has; none if it is not installed.

    Raises
    ------
    ValueError
        If its manifest is damaged.
    """
    manifest = encoder_folder() / "manifest.json"
    if not manifest.is_file():
        return ()
    try:
        return tuple(json.loads(manifest.read_bytes())["languages"])
    except (ValueError, LookupError, TypeError):
        raise ValueError(f"{str(manifest)!r} must be the manifest of {_TITLE}, got another file; {_REMEDY}") from None


@lru_cache(maxsize=1)
def multilingual_encoder() -> SentenceEncoder:
    """Return the encoder of the distribution ``samewise-languages``, checked against its manifest, once a process.

    Raises
    ------
    ValueError
        If the distribution is not installed, or a file is missing, cut or changed.
    """
    folder = encoder_folder()
    if not (folder / "manifest.json").is_file():
        raise ValueError(f"{_TITLE} must be installed, got none; install samewise-languages")
    return read_multilingual_encoder(folder)


def read_multilingual_encoder(folder: Path) -> SentenceEncoder:
    """Return the encoder of a folder that ``scripts/make_multilingual_encoder.py`` made; see `multilingual_encoder`."""
    parts = read_parts(folder, [NETWORK], MOST_PIECES, _TITLE, _REMEDY)
    [network] = parts.networks
    return SentenceEncoder(network, parts.tokenizer, parts.words, digest=parts.digest)
