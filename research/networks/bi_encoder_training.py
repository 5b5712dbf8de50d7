"""Training of the bi-encoder, and its export."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from ...features.encoders.sentence_encoder import SentenceEncoder, shipped_encoder
from ...models.member import need_equal_weights
from ...models.transformers.layers import LaterLayers, later_layers, padded, states_of
from ...models.transformers.transformer_export import FusedGraph, later_layers_onnx, reaches
from ...models.transformers.transformer_training import (
    Plan,
    Texts,
    fit_once,
    mixed_precision,
    some_of,
    threads,
    train,
    training_device,
)

RANKED = 5.0
"""Weight of 1 - r, r the Pearson correlation of cosines and scores in a batch, beside `NEAR`."""

NEAR = 2.0
"""Weight of the mean square of what the cosines are off the scores, divided by 5."""


class TextEncoder(torch.nn.Module):
    """Later layers, and the mean of the states of a text as a unit vector."""

    def __init__(self, layers: LaterLayers) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return a vector for each row, shape (rows, d), for states of shape (rows, length, d) and their mask."""
        return functional.normalize((self.layers(states, mask) * mask[..., None]).sum(dim=1), dim=1)

    def on_graph(self, graph: FusedGraph, states: str) -> str:
        """Add the operations that follow the layers in `forward`, and return the name of the vectors."""
        axis = graph.constant(np.asarray([1], dtype=np.int64))
        return str(graph.add("LpNormalization", graph.add("ReduceSum", states, axis, keepdims=0), axis=1, p=2))


def correlation(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return the Pearson correlation of two arrays, shape (n,); 0 if one does not vary."""
    x, y = x - x.mean(), y - y.mean()
    return (x * y).sum() / (x.norm() * y.norm()).clamp_min(1e-6)


def learn(
    model: TextEncoder,
    encoder: SentenceEncoder,
    pairs: Sequence[tuple[str, str]],
    y: np.ndarray,
    plan: Plan,
    seed: int,
    checkpoint: Path | None = None,
) -> bytes:
    """Train an encoder on n pairs and their scores, shape (n,), 0..5, and return its later layers as an ONNX file.

    `encoder` gives the states after the first layers.
    """
    device = training_device()
    known = Texts.of(pairs)
    states = states_of(known.texts, encoder)
    model.to(device)
    goal = torch.from_numpy(y.astype(np.float32)).to(device)

    def of(text: int) -> np.ndarray:
        return states.values[states.offsets[text] : states.offsets[text + 1]]

    def loss_of(rows: list[int]) -> torch.Tensor:
        texts, place = np.unique(known.pairs[rows], return_inverse=True)
        with mixed_precision(device):
            vectors = model(*padded([of(text) for text in texts.tolist()], device)).float()
        left, right = torch.from_numpy(place.reshape(-1, 2)).to(device).T
        cosines, scores = (vectors[left] * vectors[right]).sum(dim=1), goal[rows]
        return RANKED * (1 - correlation(cosines, scores)) + NEAR * functional.mse_loss(cosines, scores / 5)

    lengths = states.lengths[known.pairs].sum(axis=1).tolist()
    train(model, [], lengths, loss_of, plan, seed, checkpoint)
    model.to("cpu")
    cpu = torch.device("cpu")
    inputs = (
        dict(zip(("states", "mask"), padded([of(text)], cpu), strict=True)) for text in some_of(len(known.texts), seed)
    )
    layers = model.layers
    reach = reaches(model, layers.layers, inputs)
    with torch.inference_mode():
        return later_layers_onnx(
            list(layers.layers), layers.config, reach, relative=layers.relative, head=model.on_graph
        )


def fitted_network(
    pairs: Sequence[tuple[str, str]],
    y: np.ndarray,
    weights: np.ndarray | None,
    params: Mapping[str, Any],
    seed: int | None,
    n_jobs: int | None,
) -> bytes:
    """Return the ONNX file of a network fitted on n pairs and their scores, shape (n,), 0..5.

    Raises
    ------
    ValueError
        If pairs are weighted: its loss is the correlation over a batch.
    """
    need_equal_weights("bi_encoder", weights)

    def fit(seed: int, checkpoint: Path | None) -> bytes:
        plan = Plan(params["epochs"], params["batch_size"], params["learning_rate"])
        return learn(TextEncoder(later_layers()), shipped_encoder(), pairs, y, plan, seed, checkpoint)

    with threads(n_jobs):
        return fit_once("bi_encoder", shipped_encoder().digest, pairs, y, None, params, seed, fit)


FITS = {"bi_encoder": fitted_network}
"""The function that fits the bi-encoder."""
