"""Teach a small transformer to read two texts at once, without scores: the start of the cross-encoder.

all-MiniLM-L6-v2, which knows one text at a time, reads pairs and learns the cosine that the larger all-mpnet-base-v2
gives them, and the scores of triples made by rule. No score of a person is read, so that folds of a training file stay
apart. A model that ships can be the teacher too, but it was fitted on scores of people. The result is a folder for the
setting ``start`` of `models.neural.cross_encoder`; it does not ship, but networks fitted from it do. A stopped run
continues.
"""

import argparse
import csv
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from corpus import by_source
from pair_pool import natural_pairs
from rule_triples import ScoredPair, near_copy, rule_triples
from samewise.ensemble.core.profiles import ALL_PROFILES
from samewise.features.encoders.sentence_encoder import shipped_encoder
from samewise.models.neural.cross_encoder_training import HEAD, ReadPairs, learn, read_start
from samewise.models.neural.pair_head import PairHead
from samewise.models.neural.transformer_member import WEIGHTS
from samewise.models.neural.transformer_training import Plan
from teacher import cosines_of, scores_of

PLAN = Plan(epochs=1, batch_size=32, rate=1e-4, warm_up=0.05, last=0.02)
TRIPLES = 30_000


def scored_pairs(data: Path, wordnet: Path, teacher: str, work: Path, seed: int) -> list[ScoredPair]:
    """Return all pairs with the target of each, 0..5, in random order."""
    chance = random.Random(seed)
    pairs = [pair for pair in natural_pairs(data, wordnet, seed) if not near_copy(*pair)]
    print(f"{len(pairs):,} natural pairs", flush=True)
    natural = [(*pair, float(score)) for pair, score in zip(pairs, _taught(pairs, teacher, work), strict=True)]
    sources = by_source(data, wordnet)
    by_rule = rule_triples([*sources["benchmark"], *sources["texts"], *sources["wordnet"][::4]], TRIPLES, chance)
    print(f"{len(by_rule):,} pairs made by rule", flush=True)
    every = natural + by_rule
    chance.shuffle(every)
    return every


def _taught(pairs: Sequence[tuple[str, str]], teacher: str, work: Path) -> np.ndarray:
    # 0..5, shape (n,).
    return scores_of(pairs, teacher, work) if teacher in ALL_PROFILES else 5.0 * cosines_of(pairs, teacher, work)


def main() -> None:
    """Make the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with stsbenchmark, parallel, ppdb and ud")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument(
        "--teacher", required=True, help="folder or hub name of all-mpnet-base-v2, or a profile that gives scores"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder; keeps what is done so far too")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    kept = options.output / "pairs.tsv"
    if not kept.is_file():
        made = scored_pairs(options.data, options.wordnet, options.teacher, options.output, options.seed)
        with kept.with_suffix(".partial").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter="\t").writerows(made)
        kept.with_suffix(".partial").replace(kept)
    with kept.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    torch.manual_seed(options.seed)
    model = read_start(WEIGHTS)
    pairs, scores = [(a, b) for a, b, _ in rows], np.asarray([float(score) for *_, score in rows])
    read = ReadPairs(pairs, shipped_encoder())
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
