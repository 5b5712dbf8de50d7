"""Training of the cross-encoder, and its export."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModel

from ...features.encoders.onnx_transformer import WordPieces
from ...features.encoders.sentence_encoder import shipped_encoder
from .distillation import lessons_of
from .pair_head import PairHead
from .pair_reader_training import HEAD, ReadPairs, learn
from .transformer_export import first_layers_onnx, reaches
from .transformer_member import WEIGHTS
from .transformer_training import Plan, fit_once, some_of, threads

LESSONS = Plan(epochs=1, batch_size=64, rate=7e-5, warm_up=0.05, last=0.02)
"""Plan of the training on lessons, which comes before that on the scores."""


class PairReader(PairHead):
    """A BERT over both texts, and a score from its last states."""

    def __init__(self, encoder: Any) -> None:
        super().__init__(encoder.config.hidden_size)
        self.encoder = encoder

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the score of each row; all arguments have the shape (rows, length)."""
        read = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=segments)
        return self.score(read.last_hidden_state.float(), mask, segments)


def read_start(start: str) -> PairReader:
    """Return the network before it is fitted; its vectors of word pieces are those that ship."""
    rule = f"start must be {WEIGHTS}, a folder or owner/name of a hub"
    if start == WEIGHTS:
        folder = str(files(WEIGHTS.replace("-", "_")).joinpath("model"))
    elif Path(start).is_dir() or start.count("/") == 1:
        folder = start
    else:
        raise ValueError(f"{rule}, got {start!r}; name one of these")
    try:
        encoder = AutoModel.from_pretrained(folder, use_safetensors=True)
    except (OSError, ValueError) as error:
        what = str(error).strip().partition("\n")[0][:200]
        raise ValueError(f"{rule}, got {start!r} ({what}); correct the name") from None
    words, table = shipped_encoder().words, encoder.embeddings.word_embeddings.weight
    assert isinstance(words, WordPieces), "the shipped encoder reads vectors of word pieces"
    if tuple(table.shape) != words.codes.shape or encoder.config.model_type != "bert":
        raise ValueError(
            f"{start!r} has {encoder.config.model_type} with word pieces {tuple(table.shape)} and the shipped encoder "
            f"bert with {words.codes.shape}; start from a model that was made from it"
        )
    with torch.no_grad():
        table.copy_(torch.from_numpy(words.rows(np.arange(len(words)))))
    table.requires_grad = False
    model = PairReader(encoder)
    head = Path(folder) / HEAD
    if head.is_file():
        model.load_state_dict(torch.load(head, weights_only=True, map_location="cpu"), strict=False)
    return model


def to_network(model: PairReader, read: ReadPairs, seed: int = 0) -> bytes:
    """Return a network as an ONNX file; the ranges of its activations are measured on some of the pairs."""
    model.eval()
    cpu = torch.device("cpu")
    some = (read.batch([row], cpu) for row in some_of(len(read.lengths), seed))
    inputs = ({"input_ids": ids, "token_type_ids": segments} for ids, _, segments in some)
    layers = list(model.encoder.encoder.layer)
    reach = reaches(model.encoder, layers, inputs)
    with torch.inference_mode():
        return first_layers_onnx(model.encoder, len(layers), reach, segments=True, head=model.on_graph)


def fitted_network(
    pairs: Sequence[tuple[str, str]], y: np.ndarray, params: Mapping[str, Any], seed: int | None, n_jobs: int | None
) -> bytes:
    """Return the ONNX file of a network fitted on n pairs and their scores, shape (n,), 0..5."""
    if bool(params["lessons"]) != bool(params["teacher"]):
        given = "lessons" if params["lessons"] else "teacher"
        raise ValueError(f"lessons and teacher must be set together, got {given} alone; set both or neither")

    def fit(seed: int, checkpoint: Path | None) -> bytes:
        torch.manual_seed(seed)
        model, read = read_start(params["start"]), ReadPairs(pairs, shipped_encoder())
        if params["lessons"]:
            texts, target = lessons_of(params, pairs, y, seed, n_jobs)
            beside = checkpoint and checkpoint.with_suffix(".lessons.pt")
            learn(model, ReadPairs(texts, shipped_encoder()), target, LESSONS, seed, beside)
        learn(model, read, y, Plan(params["epochs"], params["batch_size"], params["learning_rate"]), seed, checkpoint)
        return to_network(model, read, seed)

    with threads(n_jobs):
        return fit_once("cross_encoder", shipped_encoder().digest, pairs, y, params, seed, fit)
