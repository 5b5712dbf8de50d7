"""Training of the cross-encoder on the larger encoder, and its export."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModel

from ...features.encoders.large_encoder import FIRST_LAYERS, BaseEncoder, base_encoder
from ...features.encoders.onnx_transformer import by_length
from .base_cross_encoder import BETWEEN
from .later_layers import LaterLayers, padded
from .pair_head import PairHead
from .pair_reader_training import HEAD, ReadPairs, learn
from .transformer_export import later_layers_onnx, reaches, word_pieces
from .transformer_training import Plan, fit_once, some_of, threads


class LaterPairReader(PairHead):
    """Later layers over the states of both texts, and a score from their last states."""

    def __init__(self, layers: LaterLayers) -> None:
        super().__init__(layers.config.hidden_size)
        self.layers = layers

    def forward(self, states: torch.Tensor, mask: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the score of each row of states, shape (rows, length, d); mask and segments have one a piece."""
        return self.score(self.layers(states, mask), mask, segments)


class PairStates(ReadPairs):
    """The states of pairs after the first layers of an encoder, as later layers of a cross-encoder read them."""

    def __init__(self, pairs: Sequence[tuple[str, str]], encoder: BaseEncoder) -> None:
        super().__init__(pairs, encoder, BETWEEN)
        self._encoder, self._kept = encoder, dict[int, np.ndarray]()

    def batch(self, rows: Sequence[int], device: torch.device) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the states, shape (rows, longest, d), float32, and the mask and segments of some pairs."""
        new = [row for row in dict.fromkeys(rows) if row not in self._kept]
        lengths = np.asarray([self.lengths[row] for row in new], dtype=np.int64)
        for places in by_length(lengths):
            some = [new[place] for place in places.tolist()]
            states = self._encoder.first_states(np.asarray([self.inputs[row][0] for row in some], np.int64))
            self._kept.update(zip(some, states.astype(np.float16), strict=True))
        _, _, segments = super().batch(rows, device)
        return (*padded([self._kept[row] for row in rows], device), segments)


def read_start(start: str, encoder: BaseEncoder) -> LaterPairReader:
    """Return the network before it is fitted, in floating point: layers that follow the first ones and the head."""
    rule = "start must be the folder or hub name of all-mpnet-base-v2"
    try:
        encoder_of_start = AutoModel.from_pretrained(start, use_safetensors=True)
    except (OSError, ValueError) as error:
        what = str(error).strip().partition("\n")[0][:200]
        raise ValueError(f"{rule}, got {start!r} ({what}); correct the name") from None
    # The table of word pieces stands for all the weights.
    if encoder.words is None or not np.array_equal(word_pieces(encoder_of_start)[0], encoder.words.codes):
        raise ValueError(f"{rule}, got {start!r}, which has other word pieces than samewise-best; name its weights")
    model = LaterPairReader(LaterLayers(encoder_of_start, FIRST_LAYERS))
    head = Path(start) / HEAD
    if head.is_file():
        model.load_state_dict(torch.load(head, weights_only=True, map_location="cpu"), strict=False)
    return model


def to_network(model: LaterPairReader, read: PairStates, seed: int = 0) -> bytes:
    """Return the later layers as an ONNX file; the ranges of its activations are measured on some of the pairs."""
    model.eval()
    cpu, names = torch.device("cpu"), ("states", "mask", "segments")
    inputs = (dict(zip(names, read.batch([row], cpu), strict=True)) for row in some_of(len(read.lengths), seed))
    layers = model.layers
    reach = reaches(model, layers.layers, inputs)
    with torch.inference_mode():
        return later_layers_onnx(
            list(layers.layers), layers.config, reach, relative=layers.relative, segments=True, head=model.on_graph
        )


def fitted_network(
    pairs: Sequence[tuple[str, str]], y: np.ndarray, params: Mapping[str, Any], seed: int | None, n_jobs: int | None
) -> bytes:
    """Return the ONNX file of a network fitted on n pairs and their scores, shape (n,), 0..5."""
    encoder = base_encoder()

    def fit(seed: int, checkpoint: Path | None) -> bytes:
        torch.manual_seed(seed)
        model, read = read_start(params["start"], encoder), PairStates(pairs, encoder)
        learn(model, read, y, Plan(params["epochs"], params["batch_size"], params["learning_rate"]), seed, checkpoint)
        return to_network(model, read, seed)

    with threads(n_jobs):
        return fit_once("base_cross_encoder", encoder.digest, pairs, y, params, seed, fit)
