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
from .training_device import mixed_precision, training_device
from .transformer_export import FusedGraph, first_layers_onnx, reaches
from .transformer_member import WEIGHTS
from .transformer_training import Plan, Texts, fit_once, some_of, threads, train

HEAD = "head.pt"
"""File of a start that holds what follows the transformer."""


class PairReader(torch.nn.Module):
    """A BERT over both texts, and a score from the means over each.

    The score is a linear function of the cosine of the means, plus a correction by the head.
    """

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder
        width = encoder.config.hidden_size
        self.line = torch.nn.Parameter(torch.tensor([4.0, 0.0]))
        self.dropout = torch.nn.Dropout(0.1)
        self.head = torch.nn.Linear(3 * width, 1)
        torch.nn.init.normal_(self.head.weight, std=0.02)
        torch.nn.init.zeros_(self.head.bias)

    @property
    def new(self) -> list[torch.nn.Parameter]:
        """The parameters that begin at random."""
        return [self.line, *self.head.parameters()]

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the score of each row; all arguments have the shape (rows, length)."""
        read = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=segments)
        states = read.last_hidden_state.float()
        second = (segments * mask).float()[..., None]
        first = mask.float()[..., None] - second
        u, v = (functional.normalize((states * part).sum(dim=1), dim=1) for part in (first, second))
        joint = torch.cat([(u - v).abs(), u * v, states[:, 0]], dim=1)
        score: torch.Tensor = self.line[0] * (u * v).sum(dim=1) + self.line[1] + self.head(self.dropout(joint))[:, 0]
        return score

    def on_graph(self, graph: FusedGraph, states: str) -> str:
        """Add the operations that follow the layers in `forward`, and return the name of the score."""
        number = graph.constant
        axis = number(np.asarray([1], dtype=np.int64))
        second = graph.add("Unsqueeze", graph.add("Cast", "token_type_ids", to=1), number(np.asarray([2])))
        first = graph.add("Sub", number(np.float32(1)), second)
        u, v = (
            graph.add(
                "LpNormalization",
                graph.add("ReduceSum", graph.add("Mul", states, part), axis, keepdims=0),
                axis=1,
                p=2,
            )
            for part in (first, second)
        )
        both = graph.add("Mul", u, v)
        begin = graph.add("Squeeze", graph.add("Gather", states, number(np.asarray([0])), axis=1), axis)
        joint = graph.add("Concat", graph.add("Abs", graph.add("Sub", u, v)), both, begin, axis=1)
        cosine = graph.add("ReduceSum", both, axis, keepdims=0)
        line = self.line.detach().numpy()
        alone = graph.add("Add", graph.add("Mul", cosine, number(line[0])), number(line[1]))
        rest: str = graph.add("Squeeze", graph.linear(joint, self.head), axis)
        return str(graph.add("Add", alone, rest))


class ReadPairs:
    """The word pieces of pairs by an encoder, as a cross-encoder reads them."""

    def __init__(self, pairs: Sequence[tuple[str, str]], encoder: SentenceEncoder) -> None:
        known, special = Texts.of(pairs), encoder.special
        pieces = piece_ids(encoder, known.texts)
        lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
        order = canonical_order(lengths, known.texts, *known.pairs.T)
        self._inputs = [joined(special, pieces[first], pieces[second]) for first, second in order.tolist()]
        self.lengths = [len(ids) for ids, _ in self._inputs]

    def batch(self, rows: Sequence[int], device: torch.device) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the pieces, mask and segments of some pairs, shape (rows, longest), int64."""
        ids, mask, segments = torch.zeros((3, len(rows), max(self.lengths[row] for row in rows)), dtype=torch.long)
        for place, row in enumerate(rows):
            pieces, kinds = self._inputs[row]
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
    model: PairReader,
    pairs: Sequence[tuple[str, str]],
    target: np.ndarray,
    plan: Plan,
    seed: int,
    checkpoint: Path | None = None,
    report: Callable[[int, int, float], None] = lambda step, steps, loss: None,
    encoder: SentenceEncoder | None = None,
) -> ReadPairs:
    """Train a reader in place on the scores of pairs, shape (n,), and return the pairs as it read them.

    `encoder` is the one whose word pieces it reads, the shipped one if None.
    """
    device, read = training_device(), ReadPairs(pairs, encoder or shipped_encoder())
    model.to(device)
    goal = torch.from_numpy(target.astype(np.float32)).to(device)

    def loss_of(rows: list[int]) -> torch.Tensor:
        with mixed_precision(device):
            scores = model(*read.batch(rows, device))
        return functional.mse_loss(scores.float(), goal[rows])

    train(model, model.new, read.lengths, loss_of, plan, seed, checkpoint, report)
    model.to("cpu")
    return read


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
        model = read_start(params["start"])
        plan = Plan(params["epochs"], params["batch_size"], params["learning_rate"])
        read = learn(model, pairs, y, plan, seed, checkpoint)
        return to_network(model, read, seed)

    with threads(n_jobs):
        return fit_once("cross_encoder", shipped_encoder().digest, pairs, y, params, seed, fit)
