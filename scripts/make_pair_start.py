"""Teach a small transformer to read two texts at once, without scores: the start of the cross-encoder.

all-MiniLM-L6-v2, which knows one text at a time, reads the pairs of `make_start_pairs`. No score of a person is read,
so that folds of a training file stay apart. The result is a folder for the setting ``start`` of
`models.transformers.cross_encoder`; it does not ship, but networks fitted from it do. A stopped run continues.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from make_start_pairs import read_pairs
from samewise.features.encoders.sentence_encoder import shipped_encoder
from samewise.models.transformers.cross_encoder_training import read_start
from samewise.models.transformers.layers import PairHead
from samewise.models.transformers.transformer_member import WEIGHTS
from samewise.models.transformers.transformer_training import HEAD, Plan, ReadPairs, learn

PLAN = Plan(epochs=2, batch_size=64, rate=1.4e-4, warm_up=0.05, last=0.02)


def main() -> None:
    """Make the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path, help="pairs.tsv of make_start_pairs.py")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder; keeps what is done so far too")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    rows = read_pairs(options.pairs)
    torch.manual_seed(options.seed)
    model = read_start(WEIGHTS)
    read = ReadPairs([(a, b) for a, b, _ in rows], shipped_encoder())
    scores = np.asarray([score for *_, score in rows])
    learn(model, read, scores, PLAN, options.seed, options.output / "unfinished.pt", tell)
    write_start(model, options.output)


def write_start(model: PairHead, folder: Path) -> None:
    """Write a reader of pairs, whose transformer is `model.encoder`, to a folder for a setting ``start``."""
    model.encoder.save_pretrained(folder)
    head = {name: value for name, value in model.state_dict().items() if not name.startswith("encoder.")}
    torch.save(head, folder / HEAD)


def tell(step: int, steps: int, loss: float) -> None:
    """Print how far a training is."""
    print(f"{step:,} of {steps:,} steps, mean squared error {loss:.4f}", flush=True)


if __name__ == "__main__":
    main()
