"""Pairs in English, Spanish, Turkish and Arabic, and of two of these, to fit the profile `multilingual` on.

The scores of STS Benchmark train are carried over to its translations into Spanish and Turkish: each pair stands there
once in Spanish and once in Turkish, in one of them with one sentence left in English; every third stands there in
English too. Nobody scored Arabic pairs that may be learned from:
English sentences of Tatoeba get the scores that the model `full` gives, and their Arabic translations take them over.
No row of the tracks of SemEval-2017 is among them.
"""

import argparse
import csv
import gzip
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from samewise.ensemble.predictor import load
from samewise.features.analysis import normalise
from samewise.features.encoding.sentence_encoder import shipped_encoder

ARABIC = 2_000
"""Arabic sentences that begin a pair; each also stands beside an English one."""

NEIGHBOURS = (1, 3, 10, 40, 400)
"""Whichever nearest English sentence of these stands opposite: scores of all sizes, not of unrelated pairs alone."""

SPLITS = ("train", "dev")


class Scored(NamedTuple):
    """A pair, its score, and where it comes from."""

    sentence1: str
    sentence2: str
    score: float
    source: str


def _benchmark(data: Path, split: str) -> list[list[str]]:
    with (data / "stsbenchmark" / f"sts-{split}.csv").open(encoding="utf-8") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _spanish(data: Path, split: str) -> list[list[str]]:
    with (data / "stsb-multi-mt" / f"stsb-es-{split}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def _turkish(data: Path, split: str) -> list[list[str]]:
    with gzip.open(data / "parallel" / f"stsb-tr-{split}.tsv.gz", "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file][1:]


def translated_benchmark(data: Path, split: str, *, every: bool) -> Iterator[Scored]:
    """Yield the pairs of a split in English, Spanish and Turkish and across, without those of track 5.

    Each of them in all five ways if `every`, else in two or three, turn about.
    """
    rows = zip(_benchmark(data, split), _spanish(data, split), _turkish(data, split), strict=True)
    for number, (english, spanish, turkish) in enumerate(rows):
        if english[1].startswith("track5"):
            continue
        score = float(english[4])
        if float(spanish[2]) != score or float(turkish[4]) != score:
            raise ValueError(f"row {number + 1} of {split} has another score in translation; take files of one version")
        texts = {"en": english[5:7], "es": spanish[:2], "tr": turkish[5:7]}
        if every or number % 3 == 0:
            yield Scored(*texts["en"], score, "en-en")
        for turn, language in enumerate(("es", "tr")):
            a, b = texts[language]
            crossed = number % 2 == turn
            if every or not crossed:
                yield Scored(a, b, score, f"{language}-{language}")
            if every or crossed:
                # Either sentence in English, turn about.
                first, second = (a, texts["en"][1]) if number // 2 % 2 else (texts["en"][0], b)
                yield Scored(first, second, score, f"{language}-en")


def arabic(data: Path, count: int, seed: int) -> Iterator[Scored]:
    """Yield pairs of Arabic sentences, and of one with an English one, with the scores of the model `full`."""
    with gzip.open(data / "parallel" / "eng-ara.tsv.gz", "rt", encoding="utf-8") as file:
        known = dict(line.rstrip("\n").split("\t")[:2] for line in file)
    texts = [text for text in sorted(known) if 4 <= len(text.split()) <= 25]
    chance = random.Random(seed)
    chance.shuffle(texts)
    vectors = shipped_encoder().vectors(texts)
    pairs: list[tuple[str, str]] = []
    for row in range(min(count, len(texts))):
        order = np.argsort(-(vectors @ vectors[row]), kind="stable")
        pairs.append((texts[row], texts[int(order[min(chance.choice(NEIGHBOURS), len(order) - 1)])]))
    scores = load("full").predict_pairs(pairs).score
    for number, ((a, b), score) in enumerate(zip(pairs, scores.tolist(), strict=True)):
        yield Scored(known[a], known[b], score, "ar-ar")
        first, second = (known[a], b) if number % 2 else (a, known[b])
        yield Scored(first, second, score, "ar-en")


def write(path: Path, pairs: Sequence[Scored]) -> None:
    """Write a table of pairs, tabs between the columns."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("\t".join(Scored._fields) + "\n")
        for pair in pairs:
            texts = (normalise(text) for text in pair[:2])
            file.write("\t".join([*texts, f"{pair.score:.3f}", pair.source]) + "\n")


def main() -> None:
    """Write ``train.tsv`` and ``dev.tsv``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with stsbenchmark, stsb-multi-mt and parallel")
    parser.add_argument("--arabic", type=int, default=ARABIC, help="Arabic sentences that begin a pair")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder to write to")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        pairs = list(translated_benchmark(options.data, split, every=split != "train"))
        if split == "train":
            pairs += arabic(options.data, options.arabic, options.seed)
        write(options.output / f"{split}.tsv", pairs)
        print(f"{split}: {len(pairs):,} pairs", flush=True)


if __name__ == "__main__":
    main()
