"""Teach the cross-encoder of several languages to tell meanings apart, in one language and between two.

It goes on from the network of ``make_multilingual_cross_encoder.py``, and reads

- some pairs of each contrast square that networks are taught, as it was written, with texts of English in place of
  some, and with texts of another language in place of some where a square was written in several; with the loss of
  `teach_reader.teach` for wrong orders;
- pairs of STS Benchmark train and its translations, and texts beside their translations;
- texts beside neighbours in any language, with the scores that the network gave before, so that it keeps these.

No held square, and no text that is kept back for regressors, is read. A run that was stopped goes on. The network that
is written has weights between the old and the new ones, as those of `teach_reader`.

    python scripts/teach_languages.py DATA --steps 1200 --checkpoint .start/languages.pt -o .start/taught-languages
"""

import argparse
import copy
import gzip
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from exported_layers import pair_reader
from make_encoder import write_encoder
from make_scored_pairs import WRITTEN, taught_to_networks
from multilingual_lessons import ScoredPair, scored_pairs, translated_pairs, translations
from samewise.ensemble.contrasts.squares import read_squares
from samewise.features.analysis.analysis import analyse, normalise
from samewise.features.encoders.multilingual import (
    NETWORK,
    cross_encoder_folder,
    multilingual_encoder,
    pair_scores,
)
from samewise.models.transformers.cross_encoder_training import PairReader, to_network
from samewise.models.transformers.transformer_training import Plan, ReadPairs
from teach_reader import between, drawn_pairs, nearest, teach

Square = dict[str, str]

BENCHMARK, TRANSLATED, NEIGHBOURS = 5_000, 4_000, 6_000
"""Pairs of STS Benchmark train, texts beside translations, and texts beside neighbours that are drawn."""

EPOCHS = 2
"""Times that these are read; pairs of squares are read once."""

FIXED_LAYERS = 4
"""First layers that stay as they are; a step then takes four fifths of the time."""


def language_squares() -> dict[str, list[Square]]:
    """Return the squares of each language from which networks learn."""
    return {
        path.stem: [row for row in read_squares(path, held=False) if taught_to_networks(row["id"])]
        for path in sorted((WRITTEN / "contrasts/languages").glob("*.tsv"))
    }


def mixed(squares: Mapping[str, Sequence[Square]], chance: random.Random) -> list[Square]:
    """Return each square as it is, with texts of English, and with texts of another language if it has any."""
    parallel = {
        code: {row["id"]: row for row in rows if row["id"].startswith("parallel-")} for code, rows in squares.items()
    }
    found = []
    for code, rows in squares.items():
        for row in rows:
            # Short texts have no near copy of the same meaning; their English stands for it.
            found.append(row | {"kept": row["kept"] or row["text_en"]})
            changed = row[chance.choice(("changed", "changed_en"))]
            found.append(row | {"text": row["text_en"], "kept": row["text"], "changed": changed})
            others = [known[row["id"]] for name, known in parallel.items() if name != code and row["id"] in known]
            if others:
                other = chance.choice(others)
                found.append(row | {"same": other["same"], "kept": other["text"], "changed": other["changed"]})
    return found


def neighbours(texts: Sequence[str], chance: random.Random) -> list[tuple[str, str]]:
    """Return some texts beside one of the nearest ones, of any language, by the cosine of the encoder."""
    found = set()
    for row, rows, _ in nearest(multilingual_encoder(), texts, NEIGHBOURS, chance):
        other = texts[int(chance.choice(rows.tolist()))]
        found.add((min(texts[row], other), max(texts[row], other)))
    return sorted(found)


def own_scores(pairs: Sequence[tuple[str, str]], keep: Path) -> np.ndarray:
    """Return the scores of pairs by the network that is installed, kept in a file, because they take minutes."""
    if not keep.is_file():
        np.save(keep, pair_scores(analyse(pairs, "text")))
    scores: np.ndarray = np.load(keep, allow_pickle=False)
    return scores


def natural_pairs(data: Path, seed: int, chance: random.Random) -> list[ScoredPair]:
    """Return pairs of STS Benchmark train in translation, and texts beside translations."""
    scored = scored_pairs(data, Path(), seed, {})
    same = translated_pairs(data, TRANSLATED, seed)
    return chance.sample(scored, BENCHMARK) + chance.sample(same, TRANSLATED)


def main() -> None:
    """Teach, and write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of public data sets")
    parser.add_argument("--squares", type=float, default=0.6, help="share of the squares, as mixed, that are read")
    parser.add_argument("--share", type=float, default=1.0, help="share of the new weights in what is written")
    parser.add_argument("--steps", type=int, help="most steps, of a random part of the pairs")
    parser.add_argument("--batch", type=int, default=8, help="groups of six pairs in a step")
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--checkpoint", type=Path, required=True, help="file from which a stopped run continues")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder to write to")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    chance = random.Random(options.seed)

    encoder = multilingual_encoder()
    assert encoder.words is not None, "the encoder reads vectors of word pieces"
    network = gzip.decompress((cross_encoder_folder() / NETWORK).read_bytes())
    model: PairReader = pair_reader(network, encoder.words.rows(np.arange(len(encoder.words))))

    squares = language_squares()
    every = mixed(squares, chance)
    pairs, scores = drawn_pairs(chance.sample(every, round(options.squares * len(every))), chance)
    in_squares = len(pairs)
    natural = natural_pairs(options.data, options.seed, chance)
    written = {row[side] for rows in squares.values() for row in rows for side in ("text", "same", "text_en")}
    spoken = {text for rows in translations(options.data).values() for row in rows for text in row}
    some = chance.sample(sorted(spoken), min(len(spoken), len(written)))
    beside = neighbours(sorted(map(normalise, {*written, *some})), chance)
    known = [pair[:2] for pair in natural] + beside
    gold = [pair.score for pair in natural] + own_scores(beside, options.checkpoint.with_suffix(".npy")).tolist()
    pairs, scores = pairs + known * EPOCHS, scores + gold * EPOCHS
    print(f"{len(pairs):,} pairs, {in_squares:,} of them in squares", flush=True)

    for layer in model.encoder.encoder.layer[:FIXED_LAYERS]:
        layer.requires_grad_(False)
    model.encoder.embeddings.requires_grad_(False)
    old = copy.deepcopy(model.state_dict())
    read = ReadPairs(pairs, encoder)
    plan = Plan(epochs=1, batch_size=options.batch, rate=options.rate, warm_up=0.05, last=0.02, most=options.steps)
    teach(model, read, scores, in_squares, plan, options.seed, options.checkpoint)
    model.load_state_dict(between(old, model.state_dict(), options.share))
    settings = {name: str(getattr(options, name)) for name in ("squares", "share", "steps", "batch", "rate", "seed")}
    data = gzip.compress(to_network(model, read, options.seed), mtime=0)
    (options.output / "manifest.json").unlink(missing_ok=True)
    write_encoder(options.output, {NETWORK: data}, options=settings)


if __name__ == "__main__":
    main()
