"""Layers of transformers in PyTorch, the states that they are fitted on, and the head that scores a pair."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np
import torch
from torch.nn import functional
from transformers import AutoModel

from ...features.encoders.onnx_transformer import LowerStates
from ...features.encoders.sentence_encoder import FIRST_LAYERS, SentenceEncoder
from .transformer_export import FusedGraph, relative_bias
from .transformer_member import WEIGHTS


class PairHead(torch.nn.Module):
    """A score from the means of the states over each text.

    It is a linear function of the cosine of the means, plus a correction by a linear layer.

    Parameters
    ----------
    width
        Number of coordinates of a state.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.line = torch.nn.Parameter(torch.tensor([4.0, 0.0]))
        self.dropout = torch.nn.Dropout(0.1)
        self.head = torch.nn.Linear(3 * width, 1)
        torch.nn.init.normal_(self.head.weight, std=0.02)
        torch.nn.init.zeros_(self.head.bias)

    @property
    def new(self) -> list[torch.nn.Parameter]:
        """The parameters that begin at random."""
        return [self.line, *self.head.parameters()]

    def score(self, states: torch.Tensor, mask: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the score of each row for states, shape (rows, length, d); mask and segments have one a piece."""
        second = (segments * mask).float()[..., None]
        first = mask.float()[..., None] - second
        u, v = (functional.normalize((states * part).sum(dim=1), dim=1) for part in (first, second))
        joint = torch.cat([(u - v).abs(), u * v, states[:, 0]], dim=1)
        score: torch.Tensor = self.line[0] * (u * v).sum(dim=1) + self.line[1] + self.head(self.dropout(joint))[:, 0]
        return score

    def on_graph(self, graph: FusedGraph, states: str) -> str:
        """Add the operations of `score`, and return the name of the score."""
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


class LaterLayers(torch.nn.Module):
    """Layers of a transformer that read the states of the layers before them.

    Parameters
    ----------
    model
        ``transformers.BertModel`` or ``MPNetModel``, of which the layers are taken.
    first
        Number of layers that are left out.
    """

    def __init__(self, model: Any, first: int) -> None:
        super().__init__()
        self.config = model.config
        self.layers = torch.nn.ModuleList(list(model.encoder.layer)[first:])
        # Relative places of an MPNet; they stay as they are, since the first layers share them.
        self.relative, self._position_bias = relative_bias(model), None
        if self.relative is not None:
            self.relative_bias = model.encoder.relative_attention_bias.requires_grad_(False)
            self._position_bias = model.encoder.compute_position_bias

    def forward(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return the last states, float32, for states of shape (rows, length, d) and a mask of shape (rows, length)."""
        # Added to the logits of attention: 0 where there is a piece, and a large negative number elsewhere.
        seen = (1.0 - mask[:, None, None].float()) * torch.finfo(torch.float32).min
        more = {} if self._position_bias is None else {"position_bias": self._position_bias(states)}
        for layer in self.layers:
            states = layer(states, seen, **more)
            states = states[0] if isinstance(states, tuple) else states
        return states.float()


def later_layers() -> LaterLayers:
    """Return the later layers of the sentence encoder that ships, in floating point, as its authors published them."""
    folder = str(files(WEIGHTS.replace("-", "_")).joinpath("model"))
    return LaterLayers(AutoModel.from_pretrained(folder), FIRST_LAYERS)


def states_of(texts: Sequence[str], encoder: SentenceEncoder) -> LowerStates:
    """Return the states of texts after the first layers, in float16 to save memory."""
    parts = [encoder.lower_states(texts[start : start + 2_048]) for start in range(0, len(texts), 2_048)]
    lengths = np.concatenate([part.lengths for part in parts])
    values = np.concatenate([part.values.astype(np.float16) for part in parts])
    return LowerStates(values, np.concatenate([[0], np.cumsum(lengths)]))


def padded(parts: Sequence[np.ndarray], device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Return rows of states, each of shape (length, d), as one array, shape (rows, longest, d), and their mask."""
    states = np.zeros((len(parts), max(map(len, parts)), parts[0].shape[1]), dtype=np.float32)
    mask = np.zeros(states.shape[:2], dtype=np.int64)
    for row, part in enumerate(parts):
        states[row, : len(part)] = part
        mask[row, : len(part)] = 1
    return torch.from_numpy(states).to(device), torch.from_numpy(mask).to(device)
