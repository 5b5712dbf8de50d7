"""Training of the networks that read both texts of a pair at once."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from ...features.encoders.pair_reading import canonical_order, joined, piece_ids
from ...features.encoders.sentence_encoder import SentenceEncoder
from .pair_head import PairHead
from .training_device import mixed_precision, training_device
from .transformer_training import Plan, Texts, train

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
