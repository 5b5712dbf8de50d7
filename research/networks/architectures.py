"""The networks as PyTorch modules; `export` writes the same as ONNX.

Each reads both sentences as padded vectors and lengths and returns the logarithms of the probabilities of the grades 0
to 5. All but `Esim` encode each sentence by itself.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from .grade_distributions import GRADES


class Sentences(NamedTuple):
    """Vectors of the words of n sentences, shape (n, l, d), zeros after the last, and their lengths, shape (n,)."""

    vectors: Tensor
    lengths: Tensor

    @property
    def mask(self) -> Tensor:
        """Mask of the places that hold a word, shape (n, l, 1), bool."""
        return (torch.arange(self.vectors.shape[1]) < self.lengths[:, None])[..., None]

    @property
    def mean(self) -> Tensor:
        """The mean vector of each sentence, shape (n, d)."""
        return self.vectors.sum(1) / self.lengths[:, None]


def dense(inputs: int, outputs: int) -> nn.Linear:
    """Return a dense layer with the weights of Glorot and Bengio (2010)."""
    layer = nn.Linear(inputs, outputs)
    nn.init.xavier_uniform_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


class Layers(nn.Module):
    """Dense layers on the mean vector, each with tanh (Iyyer et al., 2015); none for DL-word."""

    def __init__(self, dimension: int, units: int, layers: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(dense(units if i else dimension, units) for i in range(layers))
        self.outputs = units if layers else dimension

    def forward(self, sentences: Sentences) -> Tensor:
        """Return the encodings, shape (n, outputs)."""
        encodings = sentences.mean
        for layer in self.layers:
            encodings = torch.tanh(layer(encodings))
        return encodings


class Recurrent(nn.Module):
    """The last state of an LSTM without output gate (Wieting et al., 2016)."""

    OPEN = 100.0
    """The sigmoid of this is 1 in single precision: the gate stands open."""

    def __init__(self, dimension: int, units: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(dimension, units, batch_first=True)
        self.outputs = units
        for name, parameter in self.lstm.named_parameters():
            nn.init.zeros_(parameter) if "bias" in name else nn.init.normal_(parameter, std=0.1)
            with torch.no_grad():
                parameter[3 * units :] = self.OPEN if name == "bias_ih_l0" else 0.0
            parameter.register_hook(lambda gradient: torch.cat([gradient[: 3 * units], 0 * gradient[3 * units :]]))

    def forward(self, sentences: Sentences) -> Tensor:
        """Return the encodings, shape (n, outputs)."""
        states, _ = self.lstm(sentences.vectors)
        return states[torch.arange(len(states)), sentences.lengths - 1]


class Convolution(nn.Module):
    """The largest output of each filter over the words (Shao, 2017, as released later)."""

    def __init__(self, dimension: int, units: int) -> None:
        super().__init__()
        self.filters = nn.Linear(dimension, units)  # of width 1
        nn.init.kaiming_uniform_(self.filters.weight, nonlinearity="relu")
        nn.init.zeros_(self.filters.bias)
        self.outputs = units

    def forward(self, sentences: Sentences) -> Tensor:
        """Return the encodings, shape (n, outputs)."""
        filtered = torch.relu(self.filters(sentences.vectors))
        return (filtered * sentences.mask).amax(1)  # no output is below 0


class Siamese(nn.Module):
    """Two encodings, their product and absolute difference, and two dense layers (Tai et al., 2015)."""

    def __init__(self, encoder: nn.Module, hidden: int, activation: str, dropout: float) -> None:
        super().__init__()
        self.encoder = encoder
        self.hidden, self.output = dense(2 * encoder.outputs, hidden), dense(hidden, GRADES)
        self.activation = activation
        self.dropout = nn.Dropout(dropout)

    def forward(self, left: Sentences, right: Sentences) -> Tensor:
        """Return the logarithms of probabilities, shape (n, 6)."""
        u, v = self.dropout(self.encoder(left)), self.dropout(self.encoder(right))
        joint = torch.cat([u * v, (u - v).abs()], 1)
        return functional.log_softmax(self.output(getattr(torch, self.activation)(self.hidden(joint))), 1)


class Bidirectional(nn.Module):
    """An LSTM in either direction over sentences of unequal length."""

    def __init__(self, dimension: int, units: int) -> None:
        super().__init__()
        self.forwards = nn.LSTM(dimension, units, batch_first=True)
        self.backwards = nn.LSTM(dimension, units, batch_first=True)

    def forward(self, sentences: Sentences) -> Tensor:
        """Return the states at each word, shape (n, l, 2 * units), zeros after the last word."""
        vectors, lengths, mask = sentences.vectors, sentences.lengths[:, None], sentences.mask
        steps = torch.arange(vectors.shape[1])
        turned = torch.where(steps < lengths, lengths - 1 - steps, steps)[..., None]
        backwards, _ = self.backwards(vectors.gather(1, turned.expand_as(vectors)))
        forwards, _ = self.forwards(vectors)
        return torch.cat([forwards, backwards.gather(1, turned.expand_as(backwards))], 2) * mask


class Esim(nn.Module):
    """ESIM (Chen et al., 2017) with the six grades for its output, and both orders averaged."""

    FAR = -1e9
    """Added where there is no word: its share in a softmax is then 0, and it is never the largest."""

    def __init__(self, dimension: int, units: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.encoder = Bidirectional(dimension, units)
        self.projection = dense(8 * units, units)
        self.composition = Bidirectional(units, units)
        self.hidden, self.output = dense(8 * units, hidden), dense(hidden, GRADES)
        self.dropout = nn.Dropout(dropout)

    def forward(self, left: Sentences, right: Sentences) -> Tensor:
        """Return the logarithms of probabilities, shape (n, 6), of the mean of both orders."""
        a, b = (self.encoder(Sentences(self.dropout(side.vectors), side.lengths)) for side in (left, right))
        a_far, b_far = (self.FAR * ~side.mask for side in (left, right))
        similarity = a @ b.transpose(1, 2)
        a_soft = torch.softmax(similarity + b_far.transpose(1, 2), 2) @ b
        b_soft = torch.softmax(similarity.transpose(1, 2) + a_far.transpose(1, 2), 2) @ a
        u = self._pooled(a, a_soft, left, a_far)
        v = self._pooled(b, b_soft, right, b_far)
        orders = [torch.tanh(self.hidden(self.dropout(torch.cat(order, 1)))) for order in ((u, v), (v, u))]
        return torch.stack([torch.softmax(self.output(self.dropout(hidden)), 1) for hidden in orders]).mean(0).log()

    def _pooled(self, states: Tensor, other: Tensor, side: Sentences, far: Tensor) -> Tensor:
        joint = torch.cat([states, other, states - other, states * other], 2)
        composed = self.composition(Sentences(self.dropout(torch.relu(self.projection(joint))), side.lengths))
        return torch.cat([composed.sum(1) / side.lengths[:, None], (composed + far).amax(1)], 1)


def build(kind: str, dimension: int, units: int, hidden: int, dropout: float) -> nn.Module:
    """Return an untrained network by the name of its member."""
    if kind == "esim":
        return Esim(dimension, units, hidden, dropout)
    if kind == "cnn":
        return Siamese(Convolution(dimension, units), hidden, "tanh", dropout)
    layers = {"dl_word": 0, "dl_proj": 1, "dl_dan": 3}
    encoder = Recurrent(dimension, units) if kind == "dl_lstm" else Layers(dimension, units, layers[kind])
    return Siamese(encoder, hidden, "sigmoid", dropout)
