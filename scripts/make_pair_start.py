"""Teach a small transformer to read two texts at once, before it sees any score: where the cross-encoder starts from.

all-MiniLM-L6-v2, which knows one text at a time, reads pairs and learns the cosine that the larger all-mpnet-base-v2
gives them, pair by pair. No score of a pair is read, so that folds of a training file stay apart. The result is a
folder for the setting ``start`` of `models.neural.cross_encoder`; it does not ship, what is fitted from it does.
"""

import argparse
import math
import random
import time
from pathlib import Path

import numpy as np
import torch
from pair_pool import make_pairs
from samewise.models.neural.cross_encoder_training import PACKAGE, PairReader, batches, padded, read_start
from samewise.models.neural.torch_internals import bfloat16_supported
from samewise.models.neural.word_piece_inputs import joined, piece_ids
from teacher import encode, join_parts

RATE, HEAD_RATE, BATCH, WARM_UP, LAST = 1e-4, 1e-3, 32, 0.05, 0.02
"""The learning rate rises over the first share of the steps, then falls along a line to the last share of itself."""


def main() -> None:
    """Make the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with stsbenchmark, parallel, ppdb and ud")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--teacher", help="folder or hub name of the weights; from the installed packages if not given")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    pairs = make_pairs(options.data, options.wordnet, options.seed)
    texts = sorted({text for pair in pairs for text in pair})
    place = {text: row for row, text in enumerate(texts)}
    print(f"{len(pairs):,} pairs of {len(texts):,} sentences", flush=True)
    teacher = options.teacher or str(join_parts(options.output / "teacher"))
    vectors = encode(texts, teacher)
    target = torch.tensor([5 * float(vectors[place[a]] @ vectors[place[b]]) for a, b in pairs])
    model = learn(pairs, target, options.epochs, options.seed)
    model.encoder.save_pretrained(options.output)
    head = {name: value for name, value in model.state_dict().items() if not name.startswith("encoder.")}
    torch.save(head, options.output / "head.pt")


def learn(pairs: list[tuple[str, str]], target: torch.Tensor, epochs: int, seed: int) -> PairReader:
    """Return a reader that comes near to the target of each pair, shape (n,)."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    model = read_start(PACKAGE)
    firsts, seconds = (piece_ids([pair[side] for pair in pairs]) for side in (0, 1))
    inputs = [joined(b, a) if chance.random() < 0.5 else joined(a, b) for a, b in zip(firsts, seconds, strict=True)]
    body = [value for value in model.encoder.parameters() if value.requires_grad]
    head = [model.line, *model.head.parameters()]
    groups = [{"params": body, "lr": RATE}, {"params": head, "lr": HEAD_RATE}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = epochs * math.ceil(len(pairs) / BATCH)

    def share(step: int) -> float:
        return min(1.0, (step + 1) / (WARM_UP * steps)) * max(LAST, (steps - step) / steps)

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, share)
    fast = bfloat16_supported()
    model.train()
    began, losses = time.perf_counter(), []
    for _ in range(epochs):
        for rows in batches([len(ids) for ids, _ in inputs], BATCH, chance):
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast):
                scores = model(*padded([inputs[row] for row in rows]))
            loss = torch.nn.functional.mse_loss(scores.float(), target[rows])
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([*body, *head], 1.0)
            optimiser.step()
            schedule.step()
            losses.append(float(loss))
            if len(losses) % 200 == 0:
                print(f"{len(losses)} of {steps}: {np.mean(losses[-200:]):.4f}, {time.perf_counter() - began:.0f} s")
    return model


if __name__ == "__main__":
    main()
