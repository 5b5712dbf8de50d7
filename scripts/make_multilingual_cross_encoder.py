"""Make the cross-encoder of several languages from the encoder of `make_multilingual_encoder.py`.

It learns from STS Benchmark train in translation, from sentences beside their neighbours, with silver scores (Thakur et
al., 2021), and from sentences beside their translations. No row of SemEval-2017 is among them, nor any that regressors
learn from. A run that was stopped goes on from its checkpoint.
"""

import argparse
import gzip
import json
from pathlib import Path

import numpy as np
import torch
from exported_layers import floating_point
from make_encoder import write_encoder
from multilingual_lessons import (
    MORE_SILVER,
    MORE_WAYS,
    ScoredPair,
    development,
    scored_pairs,
    translated_pairs,
)
from samewise.features.encoders import multilingual as encoders
from samewise.features.encoders.multilingual import NETWORK, cross_encoder_folder
from samewise.models.transformers.cross_encoder_training import PairReader, to_network
from samewise.models.transformers.transformer_training import Plan, ReadPairs, learn, mixed_precision

TRANSLATIONS = 2_000
"""So many texts of each source at most stand beside a translation."""

WAYS = [("en", "en"), ("es", "es"), ("tr", "tr"), ("es", "en"), ("tr", "en")]


def start() -> PairReader:
    """Return the reader before it is trained."""
    words = encoders.multilingual_encoder().words
    assert words is not None, "the encoder reads vectors of word pieces"
    network = gzip.decompress((encoders.encoder_folder() / encoders.NETWORK).read_bytes())
    return PairReader(floating_point(network, words.rows(np.arange(len(words)))))


@torch.inference_mode()
def scores(model: PairReader, pairs: list[ScoredPair]) -> np.ndarray:
    """Return the score of each pair, shape (n,)."""
    device = next(model.parameters()).device
    read = ReadPairs([pair[:2] for pair in pairs], encoders.multilingual_encoder())
    found = np.zeros(len(pairs))
    for rows in np.array_split(np.argsort(read.lengths, kind="stable"), max(len(pairs) // 32, 1)):
        with mixed_precision(device):
            found[rows] = model(*read.batch(rows.tolist(), device)).float().cpu().numpy()
    return found


def main() -> None:
    """Train, measure on dev, and write the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of public data sets")
    parser.add_argument("--silver", type=Path, required=True, help="folder of silver_pairs.py")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--steps", type=int, help="most steps, of a random part of the pairs")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--checkpoint", type=Path, help="checkpoint file, from which a stopped run continues")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, default=cross_encoder_folder(), help="folder to write to")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    model = start()
    pairs = scored_pairs(options.data, options.silver, options.seed, MORE_SILVER, MORE_WAYS)
    pairs += translated_pairs(options.data, TRANSLATIONS, options.seed)
    print(f"{len(pairs):,} pairs with scores", flush=True)

    def report(step: int, steps: int, loss: float) -> None:
        print(f"step {step} of {steps}: loss {loss:.3f}", flush=True)

    texts, target = [pair[:2] for pair in pairs], np.asarray([pair.score for pair in pairs])
    plan = Plan(options.epochs, options.batch, options.rate, most=options.steps)
    read = ReadPairs(texts, encoders.multilingual_encoder())
    learn(model, read, target, plan, options.seed, options.checkpoint, report)
    found = {
        name: round(float(np.corrcoef(scores(model, some), [pair.score for pair in some])[0, 1]), 4)
        for name, some in development(options.data, WAYS).items()
    }
    print("dev", json.dumps(found), flush=True)
    settings = {name: str(getattr(options, name)) for name in ("epochs", "steps", "batch", "rate", "seed")}
    network = gzip.compress(to_network(model, read, options.seed), mtime=0)
    (options.output / "manifest.json").unlink(missing_ok=True)
    write_encoder(options.output, {NETWORK: network}, options=settings)


if __name__ == "__main__":
    main()
