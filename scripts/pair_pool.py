"""Pairs of sentences of every degree of likeness, without any score: what the reader of pairs learns from."""

import csv
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from corpus import by_source
from make_vectors import read_partners, varied
from samewise.features.analysis import normalise
from sentence_encoder import SentenceEncoder

RANKS = ((0, 3), (3, 10), (10, 50), (50, 499))
"""One neighbour is drawn from each of these ranks for every sentence of STS Benchmark train."""

OTHER_RANKS = ((0, 6),)
TEXTS, GLOSSES, PART = 24_000, 12_000, 18_000
"""So many other sentences and parts of glosses are drawn; neighbours are sought among so many of them at a time."""

VARIED, OTHERS_VARIED = 9_000, 5_000
_BLOCK, _FARTHEST = 512, 500


class _Pool:
    def __init__(self, chance: random.Random) -> None:
        self.pairs: set[tuple[str, str]] = set()
        self._chance = chance

    def add(self, a: str, b: str) -> None:
        if a != b:
            self.pairs.add((a, b) if a < b else (b, a))

    def add_neighbours(self, texts: Sequence[str], vectors: np.ndarray, ranks: Sequence[tuple[int, int]]) -> None:
        for start in range(0, len(texts), _BLOCK):
            likeness = vectors[start : start + _BLOCK] @ vectors.T
            nearest = np.argpartition(-likeness, _FARTHEST, axis=1)[:, :_FARTHEST]
            for row in range(len(likeness)):
                order = nearest[row][np.argsort(-likeness[row, nearest[row]])]
                order = order[order != start + row]
                for low, high in ranks:
                    self.add(texts[start + row], texts[int(order[self._chance.randrange(low, high)])])


def make_pairs(data: Path, wordnet: Path, seed: int = 0) -> list[tuple[str, str]]:
    """Return distinct pairs in random order.

    Neighbours of sentences as all-MiniLM-L6-v2 sees them, pairs of STS Benchmark train, random ones, and sentences
    beside themselves with a word replaced or left out.
    """
    chance = random.Random(seed)
    sources = by_source(data, wordnet)
    benchmark, texts = sources["benchmark"], sources["texts"]
    pool = _Pool(chance)
    with (data / "stsbenchmark" / "sts-train.csv").open(encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            pool.add(normalise(row[5]), normalise(row[6]))
    encoder = SentenceEncoder()
    pool.add_neighbours(benchmark, encoder.encode(benchmark), RANKS)
    for text in benchmark:
        pool.add(text, chance.choice(benchmark))
    longer = [text for text in sources["wordnet"] if text.count(" ") >= 3]
    others = sorted(chance.sample(texts, TEXTS) + chance.sample(longer, GLOSSES))
    chance.shuffle(others)
    for part in (others[:PART], others[PART:]):
        pool.add_neighbours(part, encoder.encode(part), OTHER_RANKS)
    [paraphrases] = (data / "ppdb").glob("*.gz")
    partners = read_partners(paraphrases)
    words = [word for text in benchmark for word in text.split() if word.isalpha() and len(word) > 3]
    some = chance.sample([text for text in benchmark if 3 <= text.count(" ") <= 30], VARIED)
    some += chance.sample([text for text in others if 3 <= text.count(" ") <= 24], OTHERS_VARIED)
    for text in some:
        pool.add(text, varied(text.split(), partners, words, chance))
    pairs = sorted(pool.pairs)
    chance.shuffle(pairs)
    return pairs
