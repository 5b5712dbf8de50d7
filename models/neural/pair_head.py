"""The head of a cross-encoder: a score from the states of both texts of a pair."""

import numpy as np
import torch
from torch.nn import functional

from .transformer_export import FusedGraph


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
