"""First layers of all-mpnet-base-v2 (Song et al., 2020), frozen, on which networks put later layers of their own.

They are a separate distribution, ``samewise-best``, which only the profile ``best`` needs.
"""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from .sentence_encoder import MOST_PIECES, SentenceEncoder
from .shipped_files import ShippedParts, read_parts

LAYER_FILES = {"layers-1-4.onnx.gz": 4, "layers-5-6.onnx.gz": 2}
"""Files of the networks in their order, and how many layers each has."""

FIRST_LAYERS = sum(LAYER_FILES.values())
"""Number of layers of the encoder, of twelve, that ship; later layers read the states after them."""

_TITLE = "the encoder of samewise-best"


class BaseEncoder(SentenceEncoder):
    """The first layers of an encoder, in several networks; its states are for later layers, not for comparison."""

    def __init__(self, parts: ShippedParts) -> None:
        first, *self._others = parts.networks
        super().__init__(first, parts.tokenizer, parts.words, digest=parts.digest)
        self._width = parts.words.dimension

    @property
    def dimension(self) -> int:
        """Number of coordinates of the states; no network is opened for it."""
        return self._width

    def first_states(self, ids: np.ndarray) -> np.ndarray:
        """Return the states after all networks, shape (n, length, d), of word pieces, shape (n, length), int64."""
        states = super().first_states(ids)
        for network in self._others:
            states = network(lower_states=states)
        return states


def best_folder() -> Path:
    """Return the folder with the first layers and the profile ``best``: the distribution ``samewise-best``."""
    spec = find_spec("samewise_best")
    places = spec.submodule_search_locations if spec is not None else None
    return Path(places[0]) if places else Path(__file__).parents[1] / "data" / "best"


@lru_cache(maxsize=1)
def base_encoder() -> BaseEncoder:
    """Return the encoder of the distribution ``samewise-best``, checked against its manifest, once a process.

    Raises
    ------
    ValueError
        If the distribution is not installed, or a file is missing, cut or changed.
    """
    folder = best_folder() / "encoder"
    if not (folder / "manifest.json").is_file():
        raise ValueError(f"{_TITLE} must be installed, got none; make it with `make base-encoder`")
    return read_base_encoder(folder)


def read_base_encoder(folder: Path) -> BaseEncoder:
    """Return the encoder of a folder that ``scripts/make_base_encoder.py`` made; see `base_encoder`."""
    return BaseEncoder(read_parts(folder, [*LAYER_FILES], MOST_PIECES, _TITLE, "install samewise-best again"))
