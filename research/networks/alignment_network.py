"""A recurrent network over the words that an aligner links, after MITRE (Henderson et al., 2017).

Its inputs at each link follow the description: whether both words depend on their heads by the same relation, and three
recurrent convolutions: over the vectors of the two words, over their squared difference, and over the vectors of their
heads. The recurrent convolution is that of Lei et al. (2016); the paper does not name its kind.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

from ...features.alignment.coverage import links
from ...features.arrays.ragged import Ragged, offsets_of
from ...features.base.sentences import PairBatch
from .architectures import dense
from .grade_distributions import GRADES
from .network_fitting import Fitted, ReadWords, fit_grades


class Steps(NamedTuple):
    """Pairs as sequences of linked words.

    Attributes
    ----------
    words, heads
        The vectors of both words of each link, and of their heads, shape (n, l, 2, d); zeros for the head of a root,
        for a missing word, and after the last link.
    same
        Whether both have the same relation, shape (n, l, 1), float32.
    lengths
        Links of each pair, shape (n,).
    """

    words: Tensor
    heads: Tensor
    same: Tensor
    lengths: Tensor


class RecurrentConvolution(nn.Module):
    """Adaptive convolution over bigrams of words that need not be adjacent (Lei et al., 2016)."""

    def __init__(self, dimension: int, units: int) -> None:
        super().__init__()
        self.inputs = nn.Linear(dimension, 3 * units)  # of the gate, the first and the second word
        self.gate = nn.Linear(units, units, bias=False)
        self.bias = nn.Parameter(torch.zeros(units))
        self.units = units

    def forward(self, values: Tensor) -> Tensor:
        """Return the states, shape (n, l, units), of inputs of shape (n, l, dimension)."""
        gates, first, second = self.inputs(values).chunk(3, 2)
        state = one = two = values.new_zeros(len(values), self.units)
        states = []
        for step in range(values.shape[1]):
            kept = torch.sigmoid(gates[:, step] + self.gate(state))
            two = kept * two + (1 - kept) * (one + second[:, step])
            one = kept * one + (1 - kept) * first[:, step]
            state = torch.tanh(two + self.bias)
            states.append(state)
        return torch.stack(states, 1)


class AlignmentNetwork(nn.Module):
    """Grades of a pair from its links, averaged over both orders of the sentences."""

    def __init__(self, dimension: int, units: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.pair = RecurrentConvolution(2 * dimension, units)
        self.difference = RecurrentConvolution(dimension, units)
        self.heads = RecurrentConvolution(2 * dimension, units)
        self.layer = nn.GRU(3 * units + 1, units, batch_first=True)
        self.hidden, self.output = dense(units, hidden), dense(hidden, GRADES)
        self.dropout = nn.Dropout(dropout)

    def forward(self, forth: Steps, back: Steps) -> Tensor:
        """Return the logarithms of probabilities, shape (n, 6); `back` are the same pairs with swapped sentences."""
        return torch.stack([torch.softmax(self._one_way(steps), 1) for steps in (forth, back)]).mean(0).log()

    def _one_way(self, steps: Steps) -> Tensor:
        states = [
            self.pair(steps.words.flatten(2)),
            self.difference((steps.words[:, :, 0] - steps.words[:, :, 1]) ** 2),
            self.heads(steps.heads.flatten(2)),
        ]
        joint = pack_padded_sequence(
            torch.cat([*states, steps.same], 2), steps.lengths, batch_first=True, enforce_sorted=False
        )
        _, last = self.layer(joint)
        return self.output(torch.tanh(self.hidden(self.dropout(last[0]))))


@dataclass(frozen=True)
class Linked:
    """The links of n pairs; the `Inputs` of `AlignmentNetwork`.

    Attributes
    ----------
    tokens
        For each direction the linked tokens of both sides, shape (k, 2), numbered over all sentences, -1 for none, in
        the order of the words; rows are pairs.
    rows, heads, relations
        For each token the row of its vector, the row of the vector of its head (0 for a root), and its relation as a
        number. The last entry is for the token -1.
    vectors
        Zeros in row 0.
    """

    tokens: tuple[Ragged, Ragged]
    rows: np.ndarray
    heads: np.ndarray
    relations: np.ndarray
    vectors: Tensor

    @property
    def sizes(self) -> np.ndarray:
        """Links of each pair, at least 1, shape (n,)."""
        return np.maximum(self.tokens[0].lengths, 1)

    def __call__(self, rows: np.ndarray) -> tuple[Steps, Steps]:
        """Return some pairs, and the same pairs with swapped sentences."""
        forth, back = (self._steps(tokens, rows) for tokens in self.tokens)
        return forth, back

    def _steps(self, tokens: Ragged, rows: np.ndarray) -> Steps:
        taken = tokens.take(rows)
        lengths = np.maximum(taken.lengths, 1)
        grid = np.full((len(rows), int(lengths.max()), 2), -1)
        grid[np.arange(grid.shape[1]) < taken.lengths[:, None]] = taken.values
        same = (self.relations[grid[..., 0]] == self.relations[grid[..., 1]]) & (grid >= 0).all(2)
        words, heads = (self.vectors[torch.from_numpy(table[grid])] for table in (self.rows, self.heads))
        return Steps(words, heads, torch.from_numpy(same[..., None].astype(np.float32)), torch.from_numpy(lengths))


@dataclass(frozen=True)
class ReadLinks:
    """Reader of the links of pairs.

    Attributes
    ----------
    words
        Reader of the words.
    unaligned
        Whether words without a link are read too, each beside a missing word.
    """

    words: ReadWords
    unaligned: bool

    def __call__(self, pairs: PairBatch) -> Linked:
        """Return the links of pairs."""
        reader = self.words.words(pairs)
        ids, most = reader.words.ids, self.words.most_words
        alignment = links(pairs)
        kept = (alignment.i < most) & (alignment.j < most)
        row = alignment.row[kept]
        starts = ids.offsets[:-1]
        a, b = starts[pairs.left[row]] + alignment.i[kept], starts[pairs.right[row]] + alignment.j[kept]
        if self.unaligned:
            all_tokens = Ragged(np.arange(len(ids.values)), ids.offsets)
            alone_a, alone_b = (
                _without(all_tokens.take(side), row, linked) for side, linked in ((pairs.left, a), (pairs.right, b))
            )
            row = np.concatenate([row, alone_a[0], alone_b[0]])
            a, b = (
                np.concatenate([a, alone_a[1], np.full(len(alone_b[1]), -1)]),
                np.concatenate([b, np.full(len(alone_a[1]), -1), alone_b[1]]),
            )
        heads, relations = _dependencies(pairs, most)
        places = np.append(np.where(heads < 0, -1, heads + np.repeat(starts, ids.lengths)), -1)
        rows = np.append(ids.values, 0)
        tokens = _ordered(row, a, b, len(pairs)), _ordered(row, b, a, len(pairs))
        return Linked(tokens, rows, rows[places], relations, reader.vectors)


def _without(tokens: Ragged, row: np.ndarray, linked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    # Pairs and numbers of the tokens of one side that have no link.
    size = max(int(tokens.values.max(initial=0)) + 1, 1)
    free = ~np.isin(tokens.rows * size + tokens.values, row * size + linked)
    return tokens.rows[free], tokens.values[free]


def _dependencies(pairs: PairBatch, most: int) -> tuple[np.ndarray, np.ndarray]:
    # For each token within `most` the place of its head in the sentence, -1 if there is none, and its relation.
    heads, relations, index = [], [], {"": 0}
    for sentence in pairs.sentences:
        for k, (head, relation) in enumerate(zip(sentence.heads[:most], sentence.relations, strict=False)):
            heads.append(head if head < most and head != k else -1)
            relations.append(index.setdefault(relation, len(index)))
    return np.asarray(heads, dtype=np.int64), np.asarray([*relations, 0], dtype=np.int64)


def _ordered(row: np.ndarray, tokens: np.ndarray, other: np.ndarray, n: int) -> Ragged:
    # Links of each pair in the order of the words of one sentence, then the words of the other without a link.
    order = np.lexsort((other, tokens, tokens < 0, row))
    return Ragged(np.stack([tokens, other], axis=1)[order], offsets_of(np.bincount(row, minlength=n)))


def fit(name: str, pairs: PairBatch, y: np.ndarray, settings: Mapping[str, Any], seed: int) -> Fitted:
    """Fit the network ``alignment_rnn``; see `research_network.HYPERPARAMETERS`."""
    words = ReadWords.fit(pairs, settings)
    sizes = settings["units"], settings["hidden"], settings["dropout"]
    read = ReadLinks(words, settings["unaligned"])
    return fit_grades(lambda: AlignmentNetwork(words.dimension, *sizes), read, pairs, y, settings, seed)
