"""Later layers of a transformer in PyTorch, and the states of texts that they are fitted on."""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np
import torch
from transformers import AutoModel

from ...features.encoders.onnx_transformer import LowerStates
from ...features.encoders.sentence_encoder import FIRST_LAYERS, SentenceEncoder
from .transformer_export import relative_bias
from .transformer_member import WEIGHTS


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
