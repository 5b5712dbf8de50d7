"""Readers of pairs, fitting and scoring for all research networks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from ...features.base.sentences import PairBatch
from .architectures import Sentences
from .grade_distributions import expected_score, grade_distribution
from .pair_network_training import batches, divergence, one_core, read_sentences
from .word_vector_inputs import Words, WordTable

_PAIRS_AT_A_TIME = 256


class Inputs(Protocol):
    """Input of a network for n pairs."""

    @property
    def sizes(self) -> np.ndarray:
        """Sizes of the pairs, shape (n,); pairs of about equal size are read together."""
        ...

    def __call__(self, rows: np.ndarray) -> tuple[Any, ...]:
        """Return the arguments of the network for some pairs."""
        ...


class SentenceReader(Protocol):
    """Input of an encoder for m sentences."""

    @property
    def lengths(self) -> np.ndarray:
        """Length of each sentence, shape (m,), at least 1."""
        ...

    def __call__(self, sentences: np.ndarray) -> Any:
        """Return the argument of the encoder for some sentences."""
        ...


@dataclass(frozen=True)
class BothSides:
    """The `Inputs` of a network that encodes either sentence by itself."""

    reader: SentenceReader
    left: np.ndarray
    right: np.ndarray

    @property
    def sizes(self) -> np.ndarray:
        """Number of words in both sentences of each pair, shape (n,)."""
        return self.reader.lengths[self.left] + self.reader.lengths[self.right]

    def __call__(self, rows: np.ndarray) -> tuple[Any, Any]:
        """Return both sides of some pairs."""
        return self.reader(self.left[rows]), self.reader(self.right[rows])


@dataclass(frozen=True)
class WordReader:
    """Reader of the sentences of a batch as the vectors of their words."""

    words: Words
    vectors: Tensor

    @classmethod
    def of(cls, pairs: PairBatch, table: WordTable, most_words: int) -> "WordReader":
        """Return the reader of the sentences of a batch."""
        words = table.read(pairs, most_words)
        return cls(words, torch.from_numpy(words.vectors))

    @property
    def lengths(self) -> np.ndarray:
        """Words of each sentence, shape (m,)."""
        return self.words.lengths

    def __call__(self, sentences: np.ndarray) -> Sentences:
        """Return the sentences of some rows."""
        return read_sentences(self.words, self.vectors, sentences)


@dataclass(frozen=True)
class ReadWords:
    """Reader of pairs for an encoder of words."""

    table: WordTable
    most_words: int

    @classmethod
    def fit(cls, pairs: PairBatch, settings: Mapping[str, Any]) -> "ReadWords":
        """Return the reader for the vectors that the settings name."""
        return cls(WordTable.fit(pairs, settings["vectors"], settings["scale"], idf=False), int(settings["most_words"]))

    @property
    def dimension(self) -> int:
        """Number of coordinates of a vector."""
        return int(self.table.codes.shape[1])

    def words(self, pairs: PairBatch) -> WordReader:
        """Return the reader of the sentences."""
        return WordReader.of(pairs, self.table, self.most_words)

    def __call__(self, pairs: PairBatch) -> BothSides:
        """Return both sides of the pairs."""
        return BothSides(self.words(pairs), pairs.left, pairs.right)


Loss = Callable[[Any, np.ndarray], Tensor]
"""Function from the output of a network and the rows of its pairs to the value to minimise."""


def minimise(
    make: Callable[[], nn.Module], inputs: Inputs, loss: Loss, settings: Mapping[str, Any], seed: int
) -> nn.Module:
    """Return a network fitted by Adam (Kingma and Ba, 2015), in evaluation mode.

    Parameters
    ----------
    make
        Factory of the untrained network.
    inputs
        The pairs.
    loss
        Function to minimise.
    settings
        ``epochs``, ``batch_size``, ``learning_rate`` and ``l2``, twice the factor of the squared weights.
    seed
        Seed of the initial weights, the order of the pairs and dropout.
    """
    with one_core(seed):
        network, order = make(), np.random.default_rng(seed)
        rate, decay = settings["learning_rate"], settings["l2"]
        optimiser = torch.optim.Adam(network.parameters(), lr=rate, weight_decay=decay, fused=True)
        for _ in range(settings["epochs"]):
            for rows in batches(inputs.sizes, settings["batch_size"], order):
                value = loss(network(*inputs(rows)), rows)
                optimiser.zero_grad()
                value.backward()
                optimiser.step()
        return network.eval()


def outputs(network: nn.Module, inputs: Inputs) -> np.ndarray:
    """Return the output of a network for n pairs, shape (n, ...); batches hold pairs of about equal size."""
    order = np.argsort(inputs.sizes, kind="stable")
    with one_core(0), torch.no_grad():
        parts = [
            network(*inputs(order[start : start + _PAIRS_AT_A_TIME])).numpy()
            for start in range(0, len(order), _PAIRS_AT_A_TIME)
        ]
    stacked = np.concatenate(parts)
    values = np.empty_like(stacked)
    values[order] = stacked
    return values


def from_grades(found: np.ndarray) -> np.ndarray:
    """Return the expected score, shape (n,), from the logarithms of the probabilities of grades, shape (n, 6)."""
    return expected_score(np.exp(found))


def from_unit(found: np.ndarray) -> np.ndarray:
    """Return similarities on 0..1 as scores on 0..5, shape (n,)."""
    return 5 * np.maximum(found.astype(np.float64), 0.0)


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted network that scores pairs.

    Attributes
    ----------
    network
        The module, in evaluation mode.
    read
        Function from pairs to the inputs of the network.
    scores
        Function from the outputs of the network to scores on 0..5.
    """

    network: nn.Module
    read: Callable[[PairBatch], Inputs]
    scores: Callable[[np.ndarray], np.ndarray]

    def __call__(self, pairs: PairBatch) -> np.ndarray:
        """Return the score of each pair, shape (n,), float64."""
        return self.scores(outputs(self.network, self.read(pairs)))


def fit_grades(
    make: Callable[[], nn.Module],
    read: Callable[[PairBatch], Inputs],
    pairs: PairBatch,
    y: np.ndarray,
    settings: Mapping[str, Any],
    seed: int,
) -> Fitted:
    """Fit a network that predicts the probabilities of the six grades (Tai et al., 2015) to scores on 0..5."""
    targets = torch.from_numpy(grade_distribution(y).astype(np.float32))
    network = minimise(
        make, read(pairs), lambda log_probabilities, rows: divergence(log_probabilities, targets[rows]), settings, seed
    )
    return Fitted(network, read, from_grades)
