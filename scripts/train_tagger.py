"""Train the tagger that ships in features/data/tagger, on one core.

Usage: python scripts/train_tagger.py DATA [-o FOLDER] [--epochs N] [--seed N]
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: the same sums on any machine

import argparse
import hashlib
import json
import platform
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from samewise.features.analysis.annotator import FOLDER
from samewise.features.analysis.lemmas import LemmaRules
from samewise.features.analysis.tagger import (
    CONTEXT,
    HERE,
    HIGHEST,
    PAD,
    STEP,
    WINDOW,
    Tagger,
    Weights,
    word_features,
)
from samewise.features.lexicon.wordnet import WordNet, wordnet
from scipy.sparse import csr_array
from train_pipeline import read
from treebank import GENRES, Tree, retokenised, varied

DIMENSION, FIRST, SECOND = 64, 128, 64
"""Coordinates of a word, and units of the two hidden layers."""

LEAST_WORD, LEAST_FEATURE = 4, 6
"""A form is learned if it occurs so often, both forms of a sentence counted; any other feature likewise."""

BATCH_WORDS, RATE = 1_000, 0.002
DROPPED_UNITS, DROPPED_FEATURES = 0.3, 0.2

_TEMPLATE = Path(__file__).with_suffix(".md")


class Batch(NamedTuple):
    """Sentences one after the other with `PAD` around each: features a row, tag a row, and which rows are tokens."""

    features: csr_array
    tags: np.ndarray
    real: np.ndarray


class Inventory:
    """The features and tags that are learned."""

    def __init__(self, trees: Sequence[Tree], net: WordNet) -> None:
        words = Counter(word for tree in trees for word in tree.words)
        counts: Counter[str] = Counter()
        for names, count in zip(word_features(list(words), net), words.values(), strict=True):
            for name in names:
                counts[name] += count
        learned = (n for n, c in counts.items() if c >= (LEAST_WORD if n.startswith("w=") else LEAST_FEATURE))
        self.names = ["pad", *sorted(learned)]
        self.tags = sorted({tag for tree in trees for tag in tree.tags})
        self._row = {name: row for row, name in enumerate(self.names)}
        self._tag = {tag: i for i, tag in enumerate(self.tags)}
        self._net, self._cache = net, {PAD: [0]}
        # Rare forms are dropped more often than common ones, so that the other features learn to do without.
        form = np.array([name.startswith("w=") for name in self.names])
        seen = np.array([max(counts[name], 1) for name in self.names])
        self._dropped = np.where(form, np.minimum(0.5, 0.02 + 0.5 / np.sqrt(seen / 2)), DROPPED_FEATURES)
        self._dropped[[0, self._row["word"]]] = 0

    def batch(self, trees: Sequence[Tree], random: np.random.Generator | None = None) -> Batch:
        """Return sentences as a batch; features are dropped where there is a source of random numbers."""
        words, tags = [PAD] * WINDOW, [-1] * WINDOW
        for tree in trees:
            words += [*tree.words, *[PAD] * WINDOW]
            tags += [*[self._tag[tag] for tag in tree.tags], *[-1] * WINDOW]
        new = [word for word in dict.fromkeys(words) if word not in self._cache]
        for word, names in zip(new, word_features(new, self._net), strict=True):
            self._cache[word] = [self._row[name] for name in names if name in self._row]
        rows = [self._cache[word] for word in words]
        offsets = np.append(0, np.cumsum([len(row) for row in rows]))
        columns = np.concatenate([np.array(row) for row in rows])
        values = np.ones(len(columns), dtype=np.float32)
        if random is not None:
            values[random.random(len(columns)) < self._dropped[columns]] = 0
        gold = np.array(tags)
        return Batch(csr_array((values, columns, offsets), shape=(len(words), len(self.names))), gold, gold >= 0)


# ---- the network


def windows(rows: np.ndarray, reach: int) -> np.ndarray:
    """Return each row with its neighbours, zeros beyond the ends: (n, d) to (n, (2 * reach + 1) * d)."""
    out = np.zeros((len(rows), 2 * reach + 1, rows.shape[1]), dtype=np.float32)
    for k in range(-reach, reach + 1):
        start, stop = max(0, -k), min(len(rows), len(rows) - k)
        out[start:stop, k + reach] = rows[start + k : stop + k]
    return out.reshape(len(rows), -1)


def from_windows(slopes: np.ndarray, reach: int) -> np.ndarray:
    """Return the slopes of the rows from those of `windows`."""
    parts = slopes.reshape(len(slopes), 2 * reach + 1, -1)
    out = np.zeros((len(parts), parts.shape[2]), dtype=np.float32)
    for k in range(-reach, reach + 1):
        start, stop = max(0, -k), min(len(parts), len(parts) - k)
        out[start + k : stop + k] += parts[start:stop, k + reach]
    return out


Parameters = dict[str, np.ndarray]


def initial(features: int, tags: int, random: np.random.Generator) -> Parameters:
    """Return random parameters (He et al., 2015)."""

    def drawn(rows: int, columns: int, scale: float) -> np.ndarray:
        return (random.standard_normal((rows, columns)) * scale).astype(np.float32)

    wide, wider = (2 * WINDOW + 1) * DIMENSION, (2 * CONTEXT + 1) * FIRST
    return {
        "embeddings": drawn(features, DIMENSION, 0.1),
        "window": drawn(wide, FIRST, (2 / wide) ** 0.5),
        "window_bias": np.zeros(FIRST, dtype=np.float32),
        "context": drawn(wider, SECOND, (2 / wider) ** 0.5),
        "context_bias": np.zeros(SECOND, dtype=np.float32),
        "output": drawn(FIRST + SECOND, tags, 0.3 * (2 / (FIRST + SECOND)) ** 0.5),
        "output_bias": np.zeros(tags, dtype=np.float32),
    }


def forward(p: Parameters, batch: Batch, random: np.random.Generator | None = None) -> tuple[np.ndarray, ...]:
    """Return the scores of the tags of each token, and the masks and inputs of each layer for the slopes."""

    def kept(sums: np.ndarray) -> np.ndarray:
        if random is None:
            return (sums > 0).astype(np.float32)
        chosen = (sums > 0) & (random.random(sums.shape, dtype=np.float32) >= DROPPED_UNITS)
        return chosen / np.float32(1 - DROPPED_UNITS)

    words = windows(batch.features @ p["embeddings"], WINDOW)
    sums = words @ p["window"] + p["window_bias"]
    first_kept = kept(sums) * batch.real[:, None]
    first = sums * first_kept
    around = windows(first, CONTEXT)[batch.real]
    sums = around @ p["context"] + p["context_bias"]
    second_kept = kept(sums)
    second = sums * second_kept
    both = np.concatenate([first[batch.real], second], axis=1)
    return both @ p["output"] + p["output_bias"], words, first_kept, around, second_kept, both


def slopes(p: Parameters, batch: Batch, random: np.random.Generator) -> tuple[float, Parameters]:
    """Return the cross entropy a token and its slopes by every parameter."""
    scores, words, first_kept, around, second_kept, both = forward(p, batch, random)
    gold, rows = batch.tags[batch.real], np.arange(len(scores))
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    loss = -float(np.log(chances[rows, gold] + 1e-9).mean())
    chances[rows, gold] -= 1
    chances /= len(gold)
    g = {"output": both.T @ chances, "output_bias": chances.sum(axis=0)}
    down = chances @ p["output"].T
    second = down[:, FIRST:] * second_kept
    g |= {"context": around.T @ second, "context_bias": second.sum(axis=0)}
    wide = np.zeros((len(batch.real), around.shape[1]), dtype=np.float32)
    wide[batch.real] = second @ p["context"].T
    first = from_windows(wide, CONTEXT)
    first[batch.real] += down[:, :FIRST]
    first *= first_kept
    g |= {"window": words.T @ first, "window_bias": first.sum(axis=0)}
    g["embeddings"] = batch.features.T @ from_windows(first @ p["window"].T, WINDOW)
    return loss, g


# ---- training


def drawn_batches(trees: Sequence[tuple[Tree, Tree | None]], random: Random) -> Iterator[list[Tree]]:
    """Yield one epoch in random order, each sentence in one of its forms, as `train_pipeline.batches` does."""
    order = list(range(len(trees)))
    random.shuffle(order)
    batch: list[Tree] = []
    for i in order:
        as_is, ours = trees[i]
        batch.append(varied(ours if ours is not None and random.random() < 0.8 else as_is, random))
        if sum(len(tree.words) for tree in batch) >= BATCH_WORDS:
            yield batch
            batch = []
    if batch:
        yield batch


def train(trees: Sequence[tuple[Tree, Tree | None]], inventory: Inventory, epochs: int, seed: int) -> Parameters:
    """Return the running mean of the parameters under Adam (Kingma and Ba, 2015) with a rate that falls to nothing."""
    random, numbers = Random(seed), np.random.default_rng(seed)
    p = initial(len(inventory.names), len(inventory.tags), numbers)
    mean = {name: value.copy() for name, value in p.items()}
    first, second = ({name: np.zeros_like(value) for name, value in p.items()} for _ in range(2))
    total = epochs * sum(len(tree.words) for tree, _ in trees)
    seen = step = 0
    for epoch in range(1, epochs + 1):
        losses = []
        for batch in drawn_batches(trees, random):
            loss, found = slopes(p, inventory.batch(batch, numbers), numbers)
            losses.append(loss)
            seen, step = seen + sum(len(tree.words) for tree in batch), step + 1
            rate = RATE * min(1, step / 100) * max(0.02, 1 - seen / total)
            for name, slope in found.items():
                first[name] += np.float32(0.1) * (slope - first[name])
                second[name] += np.float32(0.001) * (slope * slope - second[name])
                spread = np.sqrt(second[name] / np.float32(1 - 0.999**step)) + np.float32(1e-8)
                p[name] -= np.float32(rate / (1 - 0.9**step)) * first[name] / spread
                mean[name] += np.float32(max(0.001, 9 / (10 + step))) * (p[name] - mean[name])
        print(epoch, f"loss {np.mean(losses):.4f}", f"{time.process_time():.0f} s", flush=True)
    return mean


def quantised(p: Parameters, inventory: Inventory, sample: Batch) -> Weights:
    """Return the parameters in whole numbers; the sample gives the range of the hidden units."""
    _, words, first_kept, around, second_kept, both = forward(p, sample)
    high_first, high_second = (float(np.quantile(part.max(axis=0), 0.9)) for part in np.split(both, [FIRST], axis=1))
    unit_first, unit_second = high_first / HIGHEST, high_second / HIGHEST  # worth of one code

    # Each coordinate of a word has a unit of its own, which the first layer takes in.
    units = np.quantile(np.abs(p["embeddings"]), 0.9995, axis=0) / 127
    embeddings = np.clip(np.rint(p["embeddings"] / units), -127, 127)
    window = (p["window"].reshape(-1, DIMENSION, FIRST) * units[:, None]).transpose(1, 0, 2).reshape(DIMENSION, -1)
    fine = 2**20 / np.abs(window).max()

    context = p["context"].reshape(-1, FIRST, SECOND).transpose(1, 0, 2).reshape(FIRST, -1) * unit_first
    context_bias = p["context_bias"]
    scale = _largest(p["context"] * unit_first, context_bias)
    output = np.concatenate([p["output"][:FIRST] * unit_first, p["output"][FIRST:] * unit_second])
    output_scale = _largest(output, p["output_bias"])
    return Weights(
        features=_text(inventory.names),
        tags=_text(inventory.tags),
        embeddings=embeddings.astype(np.int8),
        window=np.rint(window * fine).astype(np.int32),
        window_bias=np.rint(p["window_bias"].astype(np.float64) * fine),
        context=np.rint(context * scale).astype(np.int16),
        context_bias=np.rint(context_bias * scale).astype(np.int32),
        output=np.rint(output * output_scale).astype(np.int16),
        output_bias=np.rint(p["output_bias"] * output_scale).astype(np.int32),
        scales=np.array([STEP / unit_first / fine, 1 / unit_second / scale]),
    )


def _largest(weights: np.ndarray, bias: np.ndarray) -> float:
    # The finest unit in which no sum of codes can leave the whole numbers that float32 holds, nor a weight int16.
    highest = (np.abs(weights).sum(axis=0) * HIGHEST + np.abs(bias)).max()
    return min(0.98 * 2**24 / highest, 32_000 / np.abs(weights).max())


def _text(names: Sequence[str]) -> np.ndarray:
    return np.frombuffer("\n".join(names).encode("utf-8", "surrogatepass"), dtype=np.uint8)


# ---- writing and describing


def evaluate(tagger: Tagger, trees: Sequence[Tree], lemma_of: LemmaRules) -> dict[str, Any]:
    """Return accuracies in per cent on gold tokens."""
    tags = tagger.tag([tree.words for tree in trees])
    gold = [
        (word.lower(), tag, lemma.lower())
        for tree in trees
        for word, tag, lemma in zip(tree.words, tree.tags, tree.lemmas, strict=True)
    ]
    right = sum(found == tag for found, (_, tag, _) in zip(tags, gold, strict=True))
    lemmas = sum(lemma_of(word, found) == lemma for found, (word, _, lemma) in zip(tags, gold, strict=True))
    return {
        "sentences": len(trees),
        "words": len(gold),
        "tags": round(100 * right / len(gold), 2),
        "lemmas": round(100 * lemmas / len(gold), 2),
    }


def write(weights: Weights, out: Path, record: dict[str, Any]) -> None:
    """Write the arrays, their manifest with the recorded facts, and the card."""
    out.mkdir(parents=True, exist_ok=True)
    files = {}
    for name, array in weights._asdict().items():
        path = out / f"{name}.npy"
        np.save(path, np.ascontiguousarray(array))
        files[path.name] = {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    (out / "manifest.json").write_text(json.dumps({"files": files, **record}, indent=1) + "\n", encoding="utf-8")
    old = json.loads((FOLDER / "card.json").read_text(encoding="utf-8"))["scores"]
    rows = [
        f"| {split.replace('ewt_', 'EWT ').replace('gum_', 'GUM ')} | {found['sentences']:,} "
        f"| {found['words']:,} | {found['tags']:.1f} | {old[split]['tags']:.1f} | {found['lemmas']:.1f} "
        f"| {old[split]['lemmas']:.1f} |"
        for split, found in record["scores"].items()
    ]
    text = _TEMPLATE.read_text(encoding="utf-8").format(
        figures="\n".join(rows),
        genres=", ".join(sorted(GENRES)),
        features=record["features"],
        size=round(sum((out / name).stat().st_size for name in files) / 1000),
        **{key: record[key] for key in ("command", "seed", "epochs", "seconds")},
        versions=", ".join(f"{name} {value}" for name, value in record["versions"].items()),
    )
    (out / "README.md").write_text(text, encoding="utf-8")


def main() -> None:
    """Train, write, and score what was written on the development and test splits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder that holds ud/UD_English-EWT and ud/UD_English-GUM")
    parser.add_argument("-o", "--out", type=Path, default=HERE)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dev-only", action="store_true", help="leave the test splits alone and write nothing")
    options = parser.parse_args()
    net = wordnet()
    trees = [(tree, retokenised(tree)) for tree in read(options.data, "train")]
    inventory = Inventory([tree for pair in trees for tree in pair if tree is not None], net)
    p = train(trees, inventory, options.epochs, options.seed)
    sample = inventory.batch([tree for tree, _ in trees[:2000]])
    weights = quantised(p, inventory, sample)
    tagger = Tagger(weights, net)
    plain = [inventory.tags[i] for i in forward(p, sample)[0].argmax(axis=1)]
    whole = tagger.tag([tree.words for tree, _ in trees[:2000]])
    changed = sum(a != b for a, b in zip(plain, whole, strict=True))
    print(f"{changed} of {len(plain)} tags of training sentences change in whole numbers")
    rules = LemmaRules(**json.loads((FOLDER / "lemmas.json").read_text(encoding="utf-8")))
    splits = ("dev",) if options.dev_only else ("dev", "test")
    scores = {
        f"{name}_{split}": evaluate(tagger, read(options.data, split, name), rules)
        for split in splits
        for name in ("ewt", "gum")
    }
    print(json.dumps(scores, indent=1))
    if options.dev_only:
        return
    record = {
        "command": f"python scripts/train_tagger.py DATA --epochs {options.epochs} --seed {options.seed}",
        "seed": options.seed,
        "epochs": options.epochs,
        "seconds": round(time.process_time()),
        "features": len(inventory.names),
        "changed_by_whole_numbers": round(100 * changed / len(plain), 3),
        "wordnet": net.digest,
        "versions": {name: version(name) for name in ("numpy", "scipy")} | {"python": platform.python_version()},
        "scores": scores,
    }
    write(weights, options.out, record)


if __name__ == "__main__":
    main()
