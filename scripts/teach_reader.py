"""Teach the cross-encoder of a bundle to tell meanings apart: squares, neighbours, and scored pairs together.

It goes on from the network of the bundle, so that what that learned of scores is kept. Three kinds of pairs are read:

- some pairs of each contrast square that networks are taught, with their scores, and with a loss for each pair of one
  meaning that does not stand above one of two meanings of its square (RankNet; Burges et al., 2005);
- texts of squares and of scored pairs beside neighbours, as they meet in collections, with the scores of a teacher;
- the pairs of a table of ``make_scored_pairs.py``.

Pairs of the two last kinds are read in so many epochs, those of squares once.

No held square, and no pair of a table but the given one, is read. A run that was stopped goes on. The network that is
written has weights between the old and the new ones (Wortsman et al., 2022), which keeps most of what either knows.

    python scripts/teach_reader.py TABLE --bundle full-stsb --teacher best-stsb -o .start/taught/reader
"""

import argparse
import copy
import csv
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from exported_layers import larger_pair_reader, pair_reader
from make_scored_pairs import WRITTEN, taught_to_networks
from samewise.ensemble.contrasts.squares import ALIKE, SIDES, read_squares, square_pairs, square_scores
from samewise.ensemble.loading import load
from samewise.features.encoders.large_encoder import base_encoder
from samewise.features.encoders.sentence_encoder import SentenceEncoder, shipped_encoder
from samewise.models.bundle import read_bundle, write_bundle
from samewise.models.profiles import profile_folder
from samewise.models.transformers.cross_encoder_training import PairStates, to_large_network, to_network
from samewise.models.transformers.layers import PairHead
from samewise.models.transformers.transformer_training import Plan, ReadPairs, mixed_precision, train, training_device
from torch.nn import functional

Pair = tuple[str, str]

SAME, OTHER = 2, 4
"""Pairs of one meaning and of two that are drawn of each square, of its four and six."""

GROUP = SAME + OTHER
RANK = 0.5
"""Weight of the loss of wrong orders in a square, beside the squared error."""

NEIGHBOURS = 8_000
"""Texts of squares, and of scored pairs, that are drawn to stand beside a neighbour."""

NEAR, FAR = 3, 30
"""A neighbour of each text is drawn from the nearest ones, and of every other text from the less near ones."""


def taught_squares() -> list[dict[str, str]]:
    """Return the squares from which networks learn."""
    files = sorted(WRITTEN.glob("contrasts/squares-*.tsv"))
    return [row for path in files for row in read_squares(path, held=False) if taught_to_networks(row["id"])]


def drawn_pairs(rows: Sequence[dict[str, str]], chance: random.Random) -> tuple[list[Pair], list[float]]:
    """Return some pairs of each square, those of one meaning first, and their scores."""
    pairs, scores, sides = square_pairs(rows), square_scores(rows).tolist(), range(len(SIDES))
    drawn = [
        first + place
        for first in range(0, len(pairs), len(SIDES))
        for place in (*chance.sample(sides[:ALIKE], SAME), *chance.sample(sides[ALIKE:], OTHER))
    ]
    return [pairs[row] for row in drawn], [scores[row] for row in drawn]


def nearest(
    encoder: SentenceEncoder, texts: Sequence[str], most: int, chance: random.Random
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield some rows of texts, the `FAR` rows nearest to each by cosine, in any order, and their cosines."""
    vectors = encoder.vectors(texts)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for row in sorted(chance.sample(range(len(texts)), min(most, len(texts)))):
        likeness = vectors @ vectors[row]
        likeness[row] = -np.inf
        rows = np.argpartition(-likeness, FAR)[:FAR]
        yield row, rows, likeness[rows]


def neighbours(texts: Sequence[str], chance: random.Random) -> list[Pair]:
    """Return some texts beside one of their neighbours by the cosine of the encoder, each pair once."""
    found = set()
    for row, rows, likeness in nearest(shipped_encoder(), texts, NEIGHBOURS, chance):
        order = rows[np.argsort(-likeness, kind="stable")]
        other = texts[int(order[chance.randrange(NEAR) if row % 2 else chance.randrange(NEAR, FAR)])]
        found.add((min(texts[row], other), max(texts[row], other)))
    return sorted(found)


def scored_pairs(table: Path) -> tuple[list[Pair], list[float]]:
    """Return the pairs of a table and their scores, without those of squares, which are drawn here."""
    with table.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    rows = [row for row in rows if row["source"] != "contrasts"]
    return [(row["sentence1"], row["sentence2"]) for row in rows], [float(row["score"]) for row in rows]


def by_teacher(pairs: Sequence[Pair], teacher: str, keep: Path) -> list[float]:
    """Return the score of each pair by a model; they are kept in a file, because they take minutes."""
    if not keep.is_file():
        np.save(keep, load(teacher).predict(list(pairs)))
    scores: list[float] = np.load(keep, allow_pickle=False).tolist()
    return scores


def teach(
    model: PairHead, read: ReadPairs, scores: Sequence[float], in_squares: int, plan: Plan, seed: int, checkpoint: Path
) -> None:
    """Train a reader in place on pairs and their scores, of which the first ones are those of `drawn_pairs`."""
    device, chance = training_device(), random.Random(seed)
    model.to(device)
    # A square stays together, so that its pairs are compared; other pairs are grouped by length.
    others = sorted(range(in_squares, len(scores)), key=lambda row: (read.lengths[row], chance.random()))
    order = [*range(in_squares), *others]
    groups = [order[first : first + GROUP] for first in range(0, len(order), GROUP)]
    target = torch.tensor(scores, dtype=torch.float32, device=device)

    def loss_of(chosen: list[int]) -> torch.Tensor:
        rows = [row for group in chosen for row in groups[group]]
        with mixed_precision(device):
            found = model(*read.batch(rows, device)).float()
        loss = functional.mse_loss(found, target[rows])
        ranked = found[[place for place, row in enumerate(rows) if row < in_squares]].reshape(-1, GROUP)
        if len(ranked):
            gaps = ranked[:, :SAME, None] - ranked[:, None, SAME:]
            loss = loss + RANK * functional.softplus(-gaps).mean()
        return loss

    def report(step: int, steps: int, loss: float) -> None:
        print(f"step {step} of {steps}: loss {loss:.3f}", flush=True)

    lengths = [max(read.lengths[row] for row in group) for group in groups]
    train(model, model.new, lengths, loss_of, plan, seed, checkpoint, report)
    model.to("cpu")


def between(old: dict[str, torch.Tensor], new: dict[str, torch.Tensor], share: float) -> dict[str, torch.Tensor]:
    """Return weights between the old and the new ones, with this share of the new."""
    return {name: torch.lerp(old[name], new[name], share) for name in new}


def main() -> None:
    """Teach, and write a bundle whose cross-encoder is the taught one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path, help="table of make_scored_pairs.py")
    parser.add_argument("--bundle", default="full-stsb", help="profile to go on from")
    parser.add_argument("--start", help="folder of all-mpnet-base-v2: teach the larger cross-encoder of the bundle")
    parser.add_argument("--teacher", help="model that scores neighbours; none are read without it")
    parser.add_argument("--squares", type=float, default=1.0, help="share of the squares that are read")
    parser.add_argument("--epochs", type=int, default=3, help="times that each pair outside of squares is read")
    parser.add_argument("--steps", type=int, help="most steps, of a random part of the pairs")
    parser.add_argument("--batch", type=int, default=8, help=f"groups of {GROUP} pairs in a step")
    parser.add_argument("--share", type=float, default=0.5, help="share of the new weights in what is written")
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder; files beside it keep what is done")
    options = parser.parse_args()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    chance = random.Random(options.seed)

    squares = taught_squares()
    squares = chance.sample(squares, round(options.squares * len(squares)))
    texts, scores = drawn_pairs(squares, chance)
    in_squares = len(texts)
    known, gold = scored_pairs(options.table)
    if options.teacher:
        natural = neighbours(sorted({chance.choice((row["text"], row["same"])) for row in squares}), chance)
        natural += neighbours(sorted({text for pair in known for text in pair}), chance)
        gold += by_teacher(natural, options.teacher, options.output.with_suffix(".npy"))
        known += natural
    texts, scores = texts + known * options.epochs, scores + gold * options.epochs

    name = "base_cross_encoder" if options.start else "cross_encoder"
    bundle = read_bundle(profile_folder(options.bundle))
    [file] = (facts["file"] for facts in bundle.manifest["members"] if facts["name"] == name)
    model: PairHead
    read: ReadPairs
    if options.start:
        model, read = larger_pair_reader(bundle.files[file], options.start), PairStates(texts, base_encoder())
    else:
        encoder = shipped_encoder()
        assert encoder.words is not None, "the encoder reads vectors of word pieces"
        model = pair_reader(bundle.files[file], encoder.words.rows(np.arange(len(encoder.words))))
        read = ReadPairs(texts, encoder)
    print(f"{len(texts):,} pairs, {in_squares:,} of them in squares", flush=True)
    plan = Plan(epochs=1, batch_size=options.batch, rate=options.rate, warm_up=0.05, last=0.02, most=options.steps)
    old = copy.deepcopy(model.state_dict())
    teach(model, read, scores, in_squares, plan, options.seed, options.output.with_suffix(".pt"))
    model.load_state_dict(between(old, model.state_dict(), options.share))
    export: Any = to_large_network if options.start else to_network
    write_bundle(options.output, bundle.manifest, {**bundle.files, file: export(model, read, options.seed)})


if __name__ == "__main__":
    main()
