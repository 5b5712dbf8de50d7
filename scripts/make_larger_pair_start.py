"""Teach the larger cross-encoder to read two texts at once, without scores: the start of `base_cross_encoder`.

all-mpnet-base-v2, which knows one text at a time, reads the pairs of `make_start_pairs`. No score of a person is read,
so that folds of a training file stay apart. Its first layers stay as they are. The result is a folder for the setting
``start`` of `models.transformers.cross_encoder`; it does not ship. A stopped run continues.
"""

import argparse
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import torch
from make_pair_start import tell, write_start
from make_start_pairs import read_pairs
from samewise.features.encoders.large_encoder import FIRST_LAYERS, base_encoder
from samewise.models.transformers.cross_encoder import BETWEEN
from samewise.models.transformers.layers import PairHead
from samewise.models.transformers.transformer_training import Plan, ReadPairs, learn
from transformers import AutoModel

PLAN = Plan(epochs=1, batch_size=64, rate=7e-5, warm_up=0.05, last=0.02)


class LargerPairReader(PairHead):
    """All layers of an MPNet over both texts, of which the first stay as they are, and a score from its last states."""

    def __init__(self, encoder: Any) -> None:
        super().__init__(encoder.config.hidden_size)
        self.encoder = encoder
        layers = encoder.encoder.layer[:FIRST_LAYERS]
        for fixed in (encoder.embeddings, layers, encoder.encoder.relative_attention_bias):
            fixed.requires_grad_(False)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the score of each row; all arguments have the shape (rows, length)."""
        states = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        return self.score(states.float(), mask, segments)


def main() -> None:
    """Make the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path, help="pairs.tsv of make_start_pairs.py")
    parser.add_argument("--start", type=Path, required=True, help="folder of all-mpnet-base-v2")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder; keeps what is done so far too")
    options = parser.parse_args()
    shutil.copytree(options.start, options.output, dirs_exist_ok=True)
    rows = read_pairs(options.pairs)
    torch.manual_seed(options.seed)
    model = LargerPairReader(AutoModel.from_pretrained(options.start, add_pooling_layer=False, use_safetensors=True))
    read = ReadPairs([(a, b) for a, b, _ in rows], base_encoder(), BETWEEN)
    scores = np.asarray([score for *_, score in rows])
    learn(model, read, scores, PLAN, options.seed, options.output / "unfinished.pt", tell)
    write_start(model, options.output)


if __name__ == "__main__":
    main()
