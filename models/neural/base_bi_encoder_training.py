"""Training of the bi-encoder on the larger encoder, and its export."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from transformers import AutoModel

from ...features.encoders.base_encoder import FIRST_LAYERS, BaseEncoder, base_encoder
from .bi_encoder_training import TextEncoder, learn
from .later_layers import LaterLayers
from .transformer_export import word_pieces
from .transformer_training import Plan, fit_once, threads


def later_layers_of(start: str, encoder: BaseEncoder) -> LaterLayers:
    """Return the layers of a published encoder that follow the frozen ones, in floating point.

    Parameters
    ----------
    start
        Folder or hub name of the weights.
    encoder
        The frozen first layers, made from the same weights.

    Raises
    ------
    ValueError
        If there are no such weights, or the first layers were made from others.
    """
    rule = "start must be the folder or hub name of all-mpnet-base-v2"
    try:
        model = AutoModel.from_pretrained(start, use_safetensors=True)
    except (OSError, ValueError) as error:
        what = str(error).strip().partition("\n")[0][:200]
        raise ValueError(f"{rule}, got {start!r} ({what}); correct the name") from None
    # The table of word pieces stands for all the weights.
    if encoder.words is None or not np.array_equal(word_pieces(model)[0], encoder.words.codes):
        raise ValueError(f"{rule}, got {start!r}, which has other word pieces than samewise-best; name its weights")
    return LaterLayers(model, FIRST_LAYERS)


def fitted_network(
    pairs: Sequence[tuple[str, str]], y: np.ndarray, params: Mapping[str, Any], seed: int | None, n_jobs: int | None
) -> bytes:
    """Return the ONNX file of a network fitted on n pairs and their scores, shape (n,), 0..5.

    `params` are those of `models.neural.base_bi_encoder.SETTINGS`; without a `seed` each fit gives another network.
    """
    encoder = base_encoder()

    def fit(seed: int, checkpoint: Path | None) -> bytes:
        plan = Plan(params["epochs"], params["batch_size"], params["learning_rate"])
        layers = later_layers_of(params["start"], encoder)
        return learn(TextEncoder(layers), encoder, pairs, y, plan, seed, checkpoint)

    with threads(n_jobs):
        return fit_once("base_bi_encoder", encoder.digest, pairs, y, params, seed, fit)
