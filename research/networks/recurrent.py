"""Sentence encoders by recurrent networks, and by attention alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from ...features.arrays.ragged import Ragged
from ...features.base.sentences import PairBatch
from .architectures import Sentences, Siamese, dense
from .network_fitting import BothSides, Fitted, ReadWords, WordReader, fit_grades, from_unit, minimise

_FAR = -1e9
_LEAST = 1e-7
"""Distance of the outputs of `ManhattanSiamese` from 0 and 1 (Mueller and Thyagarajan, 2016, as released)."""

_CELLS = {"gru": nn.GRU, "lstm": nn.LSTM}


class Recurrent(nn.Module):
    """A recurrent layer, in one direction or both, over sentences of unequal length."""

    def __init__(self, cell: str, dimension: int, units: int, directions: int) -> None:
        super().__init__()
        self.layer = _CELLS[cell](dimension, units, batch_first=True, bidirectional=directions == 2)
        self.outputs = directions * units

    def _run(self, sentences: Sentences) -> tuple[Tensor, Tensor]:
        # States at each word, zeros after the last word, and the last state of each direction.
        packed = pack_padded_sequence(sentences.vectors, sentences.lengths, batch_first=True, enforce_sorted=False)
        states, last = self.layer(packed)
        last = last[0] if isinstance(last, tuple) else last
        return pad_packed_sequence(states, batch_first=True)[0], last.transpose(0, 1).flatten(1)


class LastState(Recurrent):
    """Encoder by the last state of each direction."""

    def forward(self, sentences: Sentences) -> Tensor:
        """Return the encodings, shape (n, outputs)."""
        return self._run(sentences)[1]


class MaxOverTime(Recurrent):
    """Encoder by the maximum of each coordinate of the states (Conneau et al., 2017)."""

    def forward(self, sentences: Sentences) -> Tensor:
        """Return the encodings, shape (n, outputs)."""
        return (self._run(sentences)[0] + _FAR * ~sentences.mask).amax(1)


class Pooling(nn.Module):
    """Mean of items weighted by the softmax of a small network (Lin et al., 2017)."""

    def __init__(self, inputs: int, units: int) -> None:
        super().__init__()
        self.hidden, self.weight = dense(inputs, units), dense(units, 1)

    def forward(self, asked: Tensor, items: Tensor, mask: Tensor) -> Tensor:
        """Return the means of `items`, shape (n, l, k), with weights computed from `asked`, shape (n, l, inputs)."""
        weights = torch.softmax(self.weight(torch.tanh(self.hidden(asked))) + _FAR * ~mask, 1)
        return (weights * items).sum(1)


class Attention(Recurrent):
    """Encoder by the states of both directions weighted by attention (Zhuang and Chang, 2017)."""

    def __init__(self, cell: str, dimension: int, units: int, attention_units: int) -> None:
        super().__init__(cell, dimension, units, 2)
        self.pooling = Pooling(self.outputs, attention_units)

    def forward(self, sentences: Sentences) -> Tensor:
        """Return the encodings, shape (n, outputs)."""
        states, _ = self._run(sentences)
        return self.pooling(states, states, sentences.mask)


class Tagged(NamedTuple):
    """Sentences, and the number of the tag of each word, shape (n, l)."""

    sentences: Sentences
    tags: Tensor


class WordAttention(nn.Module):
    """Encoder by word vectors weighted by attention to each word and its part of speech (Spiewak et al., 2017)."""

    def __init__(self, dimension: int, tags: int, tag_units: int, attention_units: int) -> None:
        super().__init__()
        self.tags = nn.Embedding(tags, tag_units)
        self.pooling = Pooling(dimension + tag_units, attention_units)
        self.outputs = dimension

    def forward(self, tagged: Tagged) -> Tensor:
        """Return the encodings, shape (n, outputs)."""
        vectors, mask = tagged.sentences.vectors, tagged.sentences.mask
        return self.pooling(torch.cat([vectors, self.tags(tagged.tags)], 2), vectors, mask)


class ManhattanSiamese(nn.Module):
    """The exponential of minus the Manhattan distance of two encodings (Mueller and Thyagarajan, 2016)."""

    def __init__(self, encoder: LastState, forget_bias: float) -> None:
        super().__init__()
        self.encoder = encoder
        units = encoder.outputs
        with torch.no_grad():
            encoder.layer.bias_ih_l0[units : 2 * units] = forget_bias
            encoder.layer.bias_hh_l0[units : 2 * units] = 0.0

    def forward(self, left: Sentences, right: Sentences) -> Tensor:
        """Return the similarities, shape (n,), in (0, 1)."""
        distance = (self.encoder(left) - self.encoder(right)).abs().sum(1)
        return torch.exp(-distance).clamp(_LEAST, 1 - _LEAST)


@dataclass(frozen=True)
class TaggedReader:
    """Reader of the sentences of a batch as the vectors of their words and the numbers of their tags."""

    words: WordReader
    tags: Ragged

    @property
    def lengths(self) -> np.ndarray:
        """Words of each sentence, shape (m,)."""
        return self.words.lengths

    def __call__(self, sentences: np.ndarray) -> Tagged:
        """Return the sentences of some rows."""
        words = self.words(sentences)
        tags = self.words.words._replace(ids=self.tags).padded(sentences, words.vectors.shape[1])
        return Tagged(words, torch.from_numpy(tags))


@dataclass(frozen=True)
class ReadTagged:
    """Reader of the words and tags of sentences; numbers of tags start at 1, and 0 is a tag not seen in training."""

    words: ReadWords
    tags: Mapping[str, int]

    @classmethod
    def fit(cls, pairs: PairBatch, settings: Mapping[str, Any]) -> "ReadTagged":
        """Return the reader with the tags of the training pairs."""
        tags = sorted(set(chain.from_iterable(sentence.tags for sentence in pairs.sentences)))
        return cls(ReadWords.fit(pairs, settings), {tag: 1 + k for k, tag in enumerate(tags)})

    def __call__(self, pairs: PairBatch) -> BothSides:
        """Return both sides of the pairs."""
        words = self.words.words(pairs)
        rows = (sentence.tags[: self.words.most_words] for sentence in pairs.sentences)
        tags = np.fromiter((self.tags.get(tag, 0) for tag in chain.from_iterable(rows)), np.int64)
        return BothSides(TaggedReader(words, Ragged(tags, words.words.ids.offsets)), pairs.left, pairs.right)


def fit(name: str, pairs: PairBatch, y: np.ndarray, settings: Mapping[str, Any], seed: int) -> Fitted:
    """Fit one of the networks of this module; see `research_network.HYPERPARAMETERS`."""
    if name == "ma_lstm":
        return _fit_manhattan(pairs, y, settings, seed)
    if settings.get("cell", "gru") not in _CELLS:
        cells = ", ".join(_CELLS)
        raise ValueError(f"cell of {name} must be one of {cells}, got {settings['cell']!r}; choose one of them")
    if name == "word_attention":
        tagged = ReadTagged.fit(pairs, settings)
        asked = len(tagged.tags) + 1, settings["tag_units"], settings["attention_units"]
        return fit_grades(
            lambda: _siamese(WordAttention(tagged.words.dimension, *asked), settings), tagged, pairs, y, settings, seed
        )
    read = ReadWords.fit(pairs, settings)
    return fit_grades(
        lambda: _siamese(_encoder(name, read.dimension, settings), settings), read, pairs, y, settings, seed
    )


def _siamese(encoder: nn.Module, settings: Mapping[str, Any]) -> Siamese:
    return Siamese(encoder, settings["hidden"], "sigmoid", settings["dropout"])


def _encoder(name: str, dimension: int, settings: Mapping[str, Any]) -> nn.Module:
    units = settings["units"]
    if name == "attention":
        return Attention(settings["cell"], dimension, units, settings["attention_units"])
    if name == "bilstm_max":
        return MaxOverTime("lstm", dimension, units, 2)
    return LastState("lstm", dimension, units, 1) if name == "lstm" else LastState("gru", dimension, units, 2)


def _fit_manhattan(pairs: PairBatch, y: np.ndarray, settings: Mapping[str, Any], seed: int) -> Fitted:
    read = ReadWords.fit(pairs, settings)
    targets = torch.from_numpy((y / 5).astype(np.float32))
    network = minimise(
        lambda: ManhattanSiamese(LastState("lstm", read.dimension, settings["units"], 1), settings["forget_bias"]),
        read(pairs),
        lambda similarities, rows: ((similarities - targets[rows]) ** 2).mean(),
        settings,
        seed,
    )
    return Fitted(network, read, from_unit)
