"""Training of the members that are transformers, in PyTorch.

With a folder of checkpoints, a stopped fit goes on from its last checkpoint, and a finished fit is not repeated; on one
kind of processor and number of threads the result is the same as without a stop.
"""

import hashlib
import json
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.nn import functional

from ...features.encoders.pair_reading import canonical_order, joined, piece_ids
from ...features.encoders.sentence_encoder import SentenceEncoder
from .layers import PairHead


def training_device() -> torch.device:
    """Return the first GPU that torch sees, otherwise the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def mixed_precision(device: torch.device) -> Any:
    """Return a context in which matrix products are in bfloat16, if the processor has instructions for them.

    Without them bfloat16 takes 3.5 times as long as float32, measured on a processor of 2017.
    """
    fast = device.type != "cpu" or torch.cpu.get_capabilities().get("avx512_bf16", False)
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=bool(fast))


HEAD_RATE = 10.0
"""Learning rate of parameters that begin at random, in multiples of that of the others."""

CALIBRATION_TEXTS = 400
_BATCHES_SORTED = 20
_STEPS_A_CHECKPOINT = 300


class Plan(NamedTuple):
    """Settings of the training of a network.

    Attributes
    ----------
    epochs, batch_size
        How often each row is read, and with how many others.
    rate
        Greatest learning rate; parameters that begin at random have `HEAD_RATE` times as much.
    warm_up
        Share of the steps in which the rate rises; after them it falls along a line.
    last
        The rate does not fall below this share of itself.
    most
        Steps after which the training ends, with rows that were not read; None for all.
    """

    epochs: int
    batch_size: int
    rate: float
    warm_up: float = 0.1
    last: float = 0.0
    most: int | None = None


class Texts(NamedTuple):
    """Distinct texts, and n pairs of them.

    Attributes
    ----------
    texts
        The texts, sorted.
    pairs
        Shape (n, 2), int64: the rows of the texts of each pair.
    """

    texts: list[str]
    pairs: np.ndarray

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]]) -> "Texts":
        """Return the texts of pairs."""
        texts = sorted({text for pair in pairs for text in pair})
        place = {text: row for row, text in enumerate(texts)}
        return cls(texts, np.asarray([[place[a], place[b]] for a, b in pairs], dtype=np.int64).reshape(-1, 2))


def batches(lengths: Sequence[int], size: int, chance: random.Random) -> Iterator[list[int]]:
    """Yield every row once, in batches of rows of about one length, the batches in random order."""
    order = list(range(len(lengths)))
    chance.shuffle(order)
    step = size * _BATCHES_SORTED
    parts = [sorted(order[k : k + step], key=lengths.__getitem__) for k in range(0, len(order), step)]
    rows = [part[k : k + size] for part in parts for k in range(0, len(part), size)]
    chance.shuffle(rows)
    yield from rows


def train(
    model: torch.nn.Module,
    new: Sequence[torch.nn.Parameter],
    lengths: Sequence[int],
    loss_of: Callable[[list[int]], torch.Tensor],
    plan: Plan,
    seed: int,
    checkpoint: Path | None = None,
    report: Callable[[int, int, float], None] = lambda step, steps, loss: None,
) -> None:
    """Train a network in place.

    Parameters
    ----------
    model
        The network, on the device of training.
    new
        The parameters that begin at random.
    lengths
        Length of each of n rows.
    loss_of
        Returns the loss of some rows.
    plan, seed
        Settings, and seed of the order of rows.
    checkpoint
        A file that is written now and then and read at the start if it is there.
    report
        Called every `_STEPS_A_CHECKPOINT` steps with the number of steps done and of all, and the mean loss since.
    """
    torch.manual_seed(seed)
    chance = random.Random(seed)
    rows = [part for _ in range(plan.epochs) for part in batches(lengths, plan.batch_size, chance)][: plan.most]
    others = [one for one in model.parameters() if one.requires_grad and not any(one is each for each in new)]
    groups = [{"params": others, "lr": plan.rate}, {"params": list(new), "lr": plan.rate * HEAD_RATE}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = len(rows)

    def share(step: int) -> float:
        return min(1.0, (step + 1) / max(plan.warm_up * steps, 1)) * max(plan.last, (steps - step) / max(steps, 1))

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, share)
    done = 0
    if checkpoint is not None and checkpoint.is_file():
        kept = torch.load(checkpoint, weights_only=True, map_location="cpu")
        model.load_state_dict(kept["model"])
        optimiser.load_state_dict(kept["optimiser"])
        schedule.load_state_dict(kept["schedule"])
        torch.set_rng_state(kept["chance"])
        torch.cuda.set_rng_state_all(kept["chance_of_gpus"])
        done = kept["done"]
    model.train()
    losses = []
    for step in range(done, steps):
        loss = loss_of(rows[step])
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*others, *new], 1.0)
        optimiser.step()
        schedule.step()
        losses.append(float(loss.detach()))
        if (step + 1) % _STEPS_A_CHECKPOINT == 0:
            report(step + 1, steps, float(np.mean(losses[-_STEPS_A_CHECKPOINT:])))
            if checkpoint is not None:
                kept = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "done": step + 1}
                kept |= {"schedule": schedule.state_dict(), "chance": torch.get_rng_state()}
                kept["chance_of_gpus"] = torch.cuda.get_rng_state_all()
                torch.save(kept, checkpoint.with_suffix(".partial"))
                checkpoint.with_suffix(".partial").replace(checkpoint)
    model.eval()


@contextmanager
def threads(n_jobs: int | None) -> Iterator[None]:
    """Let torch use this number of cores while the context lasts: all with -1, one with None."""
    before = torch.get_num_threads()
    torch.set_num_threads(max(os.cpu_count() or 1, 1) if n_jobs == -1 else max(n_jobs or 1, 1))
    try:
        yield
    finally:
        torch.set_num_threads(before)


def fit_once(
    member: str,
    encoder: str,
    pairs: Sequence[tuple[str, str]],
    y: np.ndarray,
    weights: np.ndarray | None,
    params: Mapping[str, Any],
    seed: int | None,
    fit: Callable[[int, Path | None], bytes],
) -> bytes:
    """Return the result of a fit, from the folder ``checkpoints`` of the settings if it is stored there.

    Parameters
    ----------
    member, encoder
        Name of the member, and digest of the encoder whose first layers it reads.
    pairs, y, weights
        Training pairs, their scores, and how much each counts.
    params
        Its settings.
    seed
        None for a new seed each time; then nothing is kept.
    fit
        Returns the network for a seed and the file of its checkpoints.
    """
    if seed is None or params["checkpoints"] is None:
        return fit(random.randrange(2**31) if seed is None else seed, None)
    folder = Path(params["checkpoints"])
    folder.mkdir(parents=True, exist_ok=True)
    settings = {key: _content(value) for key, value in params.items() if key != "checkpoints"}
    where = [member, encoder, str(training_device()), torch.get_num_threads()]
    numbers = [np.asarray(each, float).tolist() for each in (y, weights) if each is not None]
    inputs = json.dumps([where, settings, seed, list(map(list, pairs)), *numbers], sort_keys=True)
    place = folder / hashlib.sha256(inputs.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    done, unfinished = place.with_suffix(".onnx"), place.with_suffix(".pt")
    if not done.is_file():
        data = fit(seed, unfinished)
        done.with_suffix(".new").write_bytes(data)
        done.with_suffix(".new").replace(done)
        for path in folder.glob(f"{place.name}*.pt"):
            path.unlink()
    return done.read_bytes()


def _content(setting: Any) -> Any:
    # What identifies a setting: of a file or folder its bytes, not its place.
    path = Path(setting) if isinstance(setting, str) else None
    if path is not None and path.is_dir():
        return [[each.name, _digest(each)] for each in sorted(path.iterdir()) if each.is_file()]
    return _digest(path) if path is not None and path.is_file() else setting


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def some_of(count: int, seed: int) -> list[int]:
    """Return rows on which the ranges of activations are measured."""
    return random.Random(seed).sample(range(count), min(CALIBRATION_TEXTS, count))


HEAD = "head.pt"
"""File of a start that holds what follows the transformer."""


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


def learn(
    model: PairHead,
    read: ReadPairs,
    target: np.ndarray,
    plan: Plan,
    seed: int,
    checkpoint: Path | None = None,
    report: Callable[[int, int, float], None] = lambda step, steps, loss: None,
    weights: np.ndarray | None = None,
) -> None:
    """Train a reader in place on pairs as it reads them, their scores and how much each counts, shape (n,)."""
    device = training_device()
    model.to(device)
    goal = torch.from_numpy(target.astype(np.float32)).to(device)
    weight = None if weights is None else torch.from_numpy((weights / weights.mean()).astype(np.float32)).to(device)

    def loss_of(rows: list[int]) -> torch.Tensor:
        with mixed_precision(device):
            scores = model(*read.batch(rows, device))
        if weight is None:
            return functional.mse_loss(scores.float(), goal[rows])
        return (weight[rows] * (scores.float() - goal[rows]) ** 2).mean()

    train(model, model.new, read.lengths, loss_of, plan, seed, checkpoint, report)
    model.to("cpu")
