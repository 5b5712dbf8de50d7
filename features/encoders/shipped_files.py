"""Files of an encoder or another network that ships, each compared with the SHA-256 in the manifest of their folder."""

import gzip
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .network_checks import Declared, Value
from .onnx_transformer import Network, WordPieces, read_tokenizer

if TYPE_CHECKING:
    from tokenizers import Tokenizer


BLOCK = 32
"""Coordinates that share a scale."""


def packed_codes(codes: np.ndarray) -> np.ndarray:
    """Return whole numbers from -8 to 7, shape (n, d), two a byte: the even coordinate is the lower half."""
    halves = (codes + 8).astype(np.uint8)
    return halves[..., 0::2] | halves[..., 1::2] << 4


def unpacked_codes(packed: np.ndarray) -> np.ndarray:
    """Return the numbers that `packed_codes` packed, int8."""
    return np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:-1], -1).astype(np.int8) - 8


class BlockWordPieces:
    """The vectors of word pieces: whole numbers from -8 to 7 times a scale of each block of 32 of them."""

    def __init__(self, codes: np.ndarray, scales: np.ndarray) -> None:
        fits = codes.ndim == 2 and scales.shape == (len(codes), 2 * codes.shape[-1] // BLOCK)
        if codes.dtype != np.uint8 or scales.dtype != np.float16 or not fits:
            raise ValueError(
                f"a table of word pieces must have a float16 scale for every {BLOCK} codes of a row, got {codes.dtype} "
                f"codes {codes.shape} and {scales.dtype} scales {scales.shape}; make it again"
            )
        self.codes, self.scales = codes, scales

    def __len__(self) -> int:
        """Return the number of pieces."""
        return len(self.codes)

    @property
    def dimension(self) -> int:
        """Number of coordinates."""
        return 2 * int(self.codes.shape[1])

    def rows(self, ids: np.ndarray) -> np.ndarray:
        """Return the vector of each piece, shape ``(*ids.shape, d)``, float32."""
        blocks = unpacked_codes(self.codes[ids]).reshape(*ids.shape, -1, BLOCK)
        return (blocks * self.scales[ids][..., None].astype(np.float32)).reshape(*ids.shape, -1)


_CODES, _SCALES, _TOKENIZER = "codes.npy", "scales.npy", "tokenizer.json"


class ShippedParts(NamedTuple):
    """Parts of an encoder that ships."""

    # Layers that follow one another. The first network reads ``word_embeddings``, each other one ``lower_states``; all
    # put out ``states``.
    networks: list[Network]
    tokenizer: "Tokenizer"  # cuts long texts
    words: WordPieces | BlockWordPieces
    digest: str  # of the content


class ShippedNetwork(NamedTuple):
    """A network that ships without word pieces of its own, and a hex digest of its content."""

    network: Network
    digest: str


def read_network(folder: Path, name: str, declared: Declared, title: str, remedy: str) -> ShippedNetwork:
    """Return the network of a file in a folder with ``manifest.json``."""
    digest = _check(folder, (name,), remedy)
    return ShippedNetwork(_network(folder / name, declared, title), digest)


def read_parts(folder: Path, networks: Sequence[str], most: int, title: str, remedy: str) -> ShippedParts:
    """Return the parts of an encoder from its folder.

    Parameters
    ----------
    folder
        Folder of the networks, ``codes.npy``, ``scales.npy``, ``tokenizer.json`` and ``manifest.json``.
    networks
        Names of the files of the networks, in their order; those that end in ``.gz`` are packed.
    most
        Greatest number of pieces of a text, special ones included.
    title
        Name of the encoder for messages.
    remedy
        Advice for the message of an error.

    Raises
    ------
    ValueError
        If a file is missing, cut or changed.
    """
    digest = _check(folder, (*networks, _CODES, _SCALES, _TOKENIZER), remedy)

    def table(name: str) -> Any:
        # Shared between processes; as a plain array, because indexing a memmap costs more.
        return np.asarray(np.load(folder / name, mmap_mode="r", allow_pickle=False))

    codes, scales = table(_CODES), table(_SCALES)
    words = BlockWordPieces(codes, scales) if codes.dtype == np.uint8 else WordPieces(codes, scales)

    def network(name: str, reads: str) -> Network:
        return _network(folder / name, Declared({reads: Value("float32", 3, words.dimension)}, "states"), title)

    inputs = ["word_embeddings", *["lower_states"] * (len(networks) - 1)]
    tokenizer = read_tokenizer((folder / _TOKENIZER).read_bytes(), most)
    return ShippedParts([*map(network, networks, inputs)], tokenizer, words, digest)


def _network(path: Path, declared: Declared, title: str) -> Network:
    data = path.read_bytes()
    return Network(gzip.decompress(data) if path.suffix == ".gz" else data, title, declared)


def _check(folder: Path, names: Sequence[str], remedy: str) -> str:
    # The digest that the manifest records, or else that of the manifest.
    manifest, expected = folder / "manifest.json", dict[str, str]()
    try:
        content = manifest.read_bytes()
        expected = {name: json.loads(content)["files"][name]["sha256"] for name in names}
    except (OSError, ValueError, LookupError, TypeError):
        raise ValueError(f"{str(manifest)!r} is missing or not the manifest of an encoder; {remedy}") from None
    for name, digest in expected.items():
        try:
            with (folder / name).open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            raise ValueError(f"{str(folder / name)!r} is missing; {remedy}") from None
        if found != digest:
            raise ValueError(f"{str(folder / name)!r} is not the file that its manifest describes; {remedy}")
    return str(json.loads(content).get("digest") or hashlib.sha256(content).hexdigest()[:16])
