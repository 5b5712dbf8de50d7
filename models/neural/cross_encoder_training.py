"""Training of the cross-encoder, and its export."""

from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional
from transformers import AutoModel

from ...features.encoders.onnx_transformer import WordPieces
from ...features.encoders.pair_reading import canonical_order, joined, piece_ids
from ...features.encoders.sentence_encoder import SentenceEncoder, shipped_encoder
from .pair_head import PairHead
from .training_device import mixed_precision, training_device
from .transformer_export import first_layers_onnx, reaches
from .transformer_member import WEIGHTS
from .transformer_training import Plan, Texts, fit_once, some_of, threads, train

HEAD = "head.pt"
"""File of a start that holds what follows the transformer."""


class PairReader(PairHead):
    """A BERT over both texts, and a score from its last states."""

    def __init__(self, encoder: Any) -> None:
        super().__init__(encoder.config.hidden_size)
        self.encoder = encoder

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the score of each row; all arguments have the shape (rows, length)."""
        read = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=segments)
        return self.score(read.last_hidden_state.float(), mask, segments)


class ReadPairs:
    """The word pieces of pairs by an encoder, as a cross-encoder reads them; `between` is as for `joined`."""

    def __init__(self, pairs: Sequence[tuple[str, str]], encoder: SentenceEncoder, between: int = 1) -> None:
        known, special = Texts.of(pairs), encoder.special
        pieces = piece_ids(encoder, known.texts)
        lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
        order = canonical_order(lengths, known.texts, *known.pairs.T)
        self.inputs = [joined(special, pieces[first], pieces[second], between) for first, second in order.tolist()]
        self.lengths = [len(ids) for ids, _ in self.inputs]

    def batch(self, rows: Sequence[int], device: torch.device) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the pieces, mask and segments of some pairs, shape (rows, longest), int64."""
        ids, mask, segments = torch.zeros((3, len(rows), max(self.lengths[row] for row in rows)), dtype=torch.long)
        for place, row in enumerate(rows):
            pieces, kinds = self.inputs[row]
            ids[place, : len(pieces)] = torch.tensor(pieces)
            segments[place, : len(pieces)] = torch.tensor(kinds)
            mask[place, : len(pieces)] = 1
        return ids.to(device), mask.to(device), segments.to(device)


def read_start(start: str) -> PairReader:
    """Return the network before it is fitted; its vectors of word pieces are those that ship.

    Parameters
    ----------
    start
        The package `WEIGHTS`, a folder or a hub name. A folder may hold a head in `HEAD`.

    Raises
    ------
    ValueError
        If there is none, or it is of another build than the sentence encoder that ships.
    """
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


def learn(
    model: PairHead,
    read: ReadPairs,
    target: np.ndarray,
    plan: Plan,
    seed: int,
    checkpoint: Path | None = None,
    report: Callable[[int, int, float], None] = lambda step, steps, loss: None,
) -> None:
    """Train a reader in place on pairs as it reads them, and their scores, shape (n,)."""
    device = training_device()
    model.to(device)
    goal = torch.from_numpy(target.astype(np.float32)).to(device)

    def loss_of(rows: list[int]) -> torch.Tensor:
        with mixed_precision(device):
            scores = model(*read.batch(rows, device))
        return functional.mse_loss(scores.float(), goal[rows])

    train(model, model.new, read.lengths, loss_of, plan, seed, checkpoint, report)
    model.to("cpu")


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
    """Return the ONNX file of a network fitted on n pairs and their scores, shape (n,), 0..5.

    `params` are those of `models.neural.cross_encoder.SETTINGS`; without a `seed` each fit gives another network.
    """

    def fit(seed: int, checkpoint: Path | None) -> bytes:
        torch.manual_seed(seed)
        model, read = read_start(params["start"]), ReadPairs(pairs, shipped_encoder())
        learn(model, read, y, Plan(params["epochs"], params["batch_size"], params["learning_rate"]), seed, checkpoint)
        return to_network(model, read, seed)

    with threads(n_jobs):
        return fit_once("cross_encoder", shipped_encoder().digest, pairs, y, params, seed, fit)
