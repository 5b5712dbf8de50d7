"""Deep structured semantic models: encoders of letter trigrams that give paraphrases the greatest cosine.

The module has the feed-forward network (Huang et al., 2013) and the convolutional one (Shen et al., 2014). The released
networks learnt from the clicks of a search engine. Ours learn from training pairs with a high score, with the other
pairs of a batch as negatives, so their figures are not comparable.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ...features.arrays.ragged import Ragged, offsets_of
from ...features.base.sentences import PairBatch
from ...features.base.token_sequences import text_hash, vocabulary
from .architectures import dense
from .network_fitting import BothSides, Fitted, from_unit, minimise

_FAR = -1e9


def letter_trigrams(word: str) -> list[str]:
    """Return the letter trigrams of a word between two marks (Huang et al., 2013)."""
    marked = f"#{word}#"
    return [marked[k : k + 3] for k in range(len(marked) - 2)]


class Trigrams(NamedTuple):
    """Sentences as words, and words as letter trigrams.

    Attributes
    ----------
    buckets, bags
        Bucket of each trigram of each distinct word, and the start of each word among them.
    words
        Words of each sentence, shape (n, l), -1 after the last.
    """

    buckets: Tensor
    bags: Tensor
    words: Tensor


class Encoder(nn.Module):
    """Encoder of a sentence by the maximum or the sum over its words and dense layers, all with tanh."""

    def __init__(self, buckets: int, units: int, outputs: int, window: int) -> None:
        super().__init__()
        self.window, self.units = window, units
        self.trigrams = nn.EmbeddingBag(buckets, max(window, 1) * units, mode="sum")
        nn.init.uniform_(self.trigrams.weight, -1.0, 1.0)
        with torch.no_grad():
            self.trigrams.weight *= (6 / (buckets * max(window, 1) + units)) ** 0.5  # as Glorot and Bengio (2010)
        self.bias = nn.Parameter(torch.zeros(units))
        self.hidden = None if window else dense(units, units)
        self.output = dense(units, outputs)

    def forward(self, read: Trigrams) -> Tensor:
        """Return the encodings, shape (n, outputs)."""
        # The last row stands for a missing word.
        table = functional.pad(self.trigrams(read.buckets, read.bags), (0, 0, 0, 1))
        if self.hidden is None:
            pooled = self._convolution(table, read.words)
        else:
            pooled = torch.tanh(self.hidden(torch.tanh(table[read.words].sum(1) + self.bias)))
        return torch.tanh(self.output(pooled))

    def _convolution(self, table: Tensor, words: Tensor) -> Tensor:
        before = self.window // 2
        seen = functional.pad(words, (before, self.window - 1 - before), value=-1)
        parts = table.unflatten(1, (self.window, self.units))
        size = words.shape[1]
        sums = torch.stack([parts[seen[:, k : k + size], k] for k in range(self.window)]).sum(0)
        # An empty sentence keeps its first place, so that the maximum is defined.
        kept = (words >= 0) | (torch.arange(size) == 0)
        return (torch.tanh(sums + self.bias) + _FAR * ~kept[..., None]).amax(1)


class Cosine(nn.Module):
    """Encodings of both sentences of a pair, each divided by its length."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, left: Trigrams, right: Trigrams) -> Tensor:
        """Return the encodings, shape (n, 2, outputs)."""
        return torch.stack([functional.normalize(self.encoder(side), dim=1) for side in (left, right)], 1)


@dataclass(frozen=True)
class TrigramReader:
    """Reader of the sentences of a batch as the trigrams of their words.

    Attributes
    ----------
    trigrams
        Buckets of the trigrams of each distinct word.
    words
        Words of each sentence.
    """

    trigrams: Ragged
    words: Ragged

    @property
    def lengths(self) -> np.ndarray:
        """Words of each sentence, shape (m,), at least 1."""
        return np.maximum(self.words.lengths, 1)

    def __call__(self, sentences: np.ndarray) -> Trigrams:
        """Return the sentences of some rows."""
        taken = self.words.take(sentences)
        used, which = np.unique(taken.values, return_inverse=True)
        grid = np.full((len(sentences), max(int(taken.lengths.max()), 1)), -1)
        grid[np.arange(grid.shape[1]) < taken.lengths[:, None]] = which
        bags = self.trigrams.take(used)
        return Trigrams(*map(torch.from_numpy, (bags.values, bags.offsets[:-1], grid)))


@dataclass(frozen=True)
class ReadTrigrams:
    """Reader of the trigrams of words, hashed into buckets."""

    buckets: int
    most_words: int

    def __call__(self, pairs: PairBatch) -> BothSides:
        """Return both sides of the pairs."""
        words = vocabulary(pairs, "words")
        trigrams = [letter_trigrams(item) for item in words.items]
        bucket = {one: text_hash(one) % self.buckets for one in set(chain.from_iterable(trigrams))}
        flat = np.fromiter((bucket[one] for one in chain.from_iterable(trigrams)), np.int64)
        lengths = np.fromiter(map(len, trigrams), np.int64, len(trigrams))
        ids = words.ids
        first = np.arange(len(ids.values)) - np.repeat(ids.offsets[:-1], ids.lengths) < self.most_words
        reader = TrigramReader(Ragged(flat, offsets_of(lengths)), ids.where(first))
        return BothSides(reader, pairs.left, pairs.right)


def softmax_loss(found: Tensor, left: np.ndarray, right: np.ndarray, sharpness: float) -> Tensor:
    """Return the cross-entropy of matching each sentence with its partner within a batch (Huang et al., 2013)."""
    shared = (left[:, None] == left) | (right[:, None] == right) | (left[:, None] == right) | (right[:, None] == left)
    np.fill_diagonal(shared, False)
    similarities = sharpness * found[:, 0] @ found[:, 1].T + _FAR * torch.from_numpy(shared)
    diagonal = torch.arange(len(found))
    return (functional.cross_entropy(similarities, diagonal) + functional.cross_entropy(similarities.T, diagonal)) / 2


def _scores(encodings: np.ndarray) -> np.ndarray:
    return from_unit((encodings[:, 0] * encodings[:, 1]).sum(1))


def fit(name: str, pairs: PairBatch, y: np.ndarray, settings: Mapping[str, Any], seed: int) -> Fitted:
    """Fit one of the networks of this module; see `research_network.HYPERPARAMETERS`.

    Raises
    ------
    ValueError
        If fewer than two pairs have the least score of a paraphrase.
    """
    good = np.flatnonzero(y >= settings["least_score"])
    if len(good) < 2:
        raise ValueError(
            f"{name} must have at least two pairs with a score of {settings['least_score']:g} or more, "
            f"got {len(good)}; add such pairs or lower `least_score`"
        )
    read, some = ReadTrigrams(settings["buckets"], settings["most_words"]), pairs.take(good)
    sizes = settings["buckets"], settings["units"], settings["outputs"], settings.get("window", 0)
    network = minimise(
        lambda: Cosine(Encoder(*sizes)),
        read(some),
        lambda encodings, rows: softmax_loss(encodings, some.left[rows], some.right[rows], settings["sharpness"]),
        settings,
        seed,
    )
    return Fitted(network, read, _scores)
