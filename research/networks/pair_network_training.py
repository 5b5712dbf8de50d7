"""The training of a pair network, on one core and seeded: the same pairs, seed and libraries give the same network."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from .architectures import Sentences, build
from .grade_distributions import GRADES, expected_score, grade_distribution
from .word_vector_inputs import Words

SORTED_AT_A_TIME = 20
"""Batches whose pairs are sorted by length together, so that little is padded."""


class Trained(NamedTuple):
    """A fitted network.

    Attributes
    ----------
    network
        The module, in evaluation mode.
    vectors
        The vectors of its words, shape (1 + v, d), float32, as `Words.vectors`.
    grades
        The score that each grade stands for, shape (6,).
    """

    network: nn.Module
    vectors: np.ndarray
    grades: np.ndarray


@contextmanager
def one_core(seed: int) -> Iterator[None]:
    """Seed PyTorch and keep it to one core: more would add in another order.

    Afterwards the caller's own random numbers go on as if nothing had been drawn.
    """
    cores = torch.get_num_threads()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(cores)


def train(
    kind: str,
    words: Words,
    trained: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    scores: np.ndarray,
    settings: Mapping[str, Any],
    seed: int,
) -> Trained:
    """Fit a network.

    Parameters
    ----------
    kind
        Name of the member.
    words
        The sentences.
    trained
        Which rows of their vectors to train too.
    left, right
        Shape (n,): the sentences of each pair.
    scores
        Shape (n,), on 0..5.
    settings
        See `pair_network.HYPERPARAMETERS`.
    seed
        Of the first weights, the order of the pairs and dropout.
    """
    with one_core(seed):
        network = build(kind, words.vectors.shape[1], *(settings[key] for key in ("units", "hidden", "dropout")))
        parameters = list(network.parameters())
        fixed, some = torch.from_numpy(words.vectors), torch.from_numpy(trained)
        start = fixed[some]
        moved = nn.Parameter(start.clone())
        optimiser = torch.optim.Adam([*parameters, moved], lr=settings["learning_rate"], fused=True)
        targets = torch.from_numpy(grade_distribution(scores).astype(np.float32))
        lengths, order, loss_of = words.lengths, np.random.default_rng(seed), _LOSSES[settings["loss"]]
        for _ in range(settings["epochs"]):
            for rows in batches(lengths[left] + lengths[right], settings["batch_size"], order):
                table = fixed.index_copy(0, some, moved) if len(some) else fixed
                predicted = network(*(read_sentences(words, table, side[rows]) for side in (left, right)))
                loss = loss_of(predicted, targets[rows])
                loss = loss + 0.5 * settings["l2"] * sum((value**2).sum() for value in parameters)
                loss = loss + 0.5 * settings["l2_words"] * ((moved - start) ** 2).sum()
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
        table = fixed.index_copy(0, some, moved.detach())
        network.eval()
        grades = np.arange(GRADES, dtype=np.float64)
        if settings["loss"] == "pearson":
            # This loss leaves open where the scale begins and how long it is.
            grades = _line(_expected(network, words, table, left, right), scores, grades)
        return Trained(network, table.numpy(), grades)


def batches(lengths: np.ndarray, size: int, order: np.random.Generator) -> list[np.ndarray]:
    """Return all rows in batches of about equal length, in random order."""
    shuffled = order.permutation(len(lengths))
    parts = []
    for start in range(0, len(shuffled), size * SORTED_AT_A_TIME):
        part = shuffled[start : start + size * SORTED_AT_A_TIME]
        part = part[np.argsort(lengths[part], kind="stable")]
        parts += [part[at : at + size] for at in range(0, len(part), size)]
    return [parts[k] for k in order.permutation(len(parts))]


def read_sentences(words: Words, table: Tensor, sentences: np.ndarray) -> Sentences:
    """Return some sentences as the vectors of `table`, shape (1 + v, d), filled up to the longest of them."""
    lengths = words.lengths[sentences]
    ids = torch.from_numpy(words.padded(sentences, int(lengths.max())))
    return Sentences(functional.embedding(ids, table, padding_idx=0), torch.from_numpy(lengths))


def divergence(predicted: Tensor, targets: Tensor) -> Tensor:
    """Return the mean divergence of logarithms of probabilities from targets, both of shape (n, 6)."""
    # Tian et al. (2017) add this to the target and divide by the number of grades.
    targets = targets + 1e-6
    return (targets * (targets.log() - predicted)).sum(1).mean() / GRADES


def _negative_pearson(predicted: Tensor, targets: Tensor) -> Tensor:
    grades = torch.arange(GRADES, dtype=torch.float32)
    x, y = (predicted.exp() @ grades, targets @ grades)
    x, y = x - x.mean(), y - y.mean()
    return -(x * y).sum() / torch.sqrt((x**2).sum() * (y**2).sum() + 1e-12)


_LOSSES = {"kl": divergence, "pearson": _negative_pearson}


def _expected(network: nn.Module, words: Words, table: Tensor, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    rows = np.arange(len(left))
    with torch.no_grad():
        parts = [
            network(*(read_sentences(words, table, side[part]) for side in (left, right))).exp().numpy()
            for part in np.array_split(rows, max(1, len(rows) // 100))
        ]
    return expected_score(np.concatenate(parts))


def _line(predicted: np.ndarray, scores: np.ndarray, grades: np.ndarray) -> np.ndarray:
    """Return the grades on the least squares line from predictions to scores."""
    spread = predicted - predicted.mean()
    total = (spread**2).sum()
    slope = (spread * scores).sum() / total if total > 0 else 1.0
    line: np.ndarray = scores.mean() + slope * (grades - predicted.mean())
    return line
