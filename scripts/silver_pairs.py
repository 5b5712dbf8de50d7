"""Pairs of translated sentences whose English originals a model has scored: silver scores for any language.

A set has sentences in several languages, line by line. English sentences stand beside near and far neighbours, and
beside themselves without one of their clauses, where every language has as many clauses, so that all translations can
lose the same one. The model was fitted on STS Benchmark train alone.
"""

import argparse
import csv
import gzip
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from parallel_text import learned_from, text_kept_back
from samewise.features.analysis.analysis import normalise
from samewise.features.encoders.sentence_encoder import shipped_encoder

from samewise import load

SETS = ("ntrex", "pud", "tatoeba", "tatoeba-tr", "benchmark")
"""Sets of translations that people made (``tatoeba`` in Arabic, ``tatoeba-tr`` in Turkish), and ``benchmark``, STS
Benchmark train in machine translation."""

DEFAULT_SETS = ("ntrex", "pud", "tatoeba")
"""Sets that encoders, regressors and measurements read."""

TEACHER = "best-stsb"
"""Model that scores the English pairs."""

NEIGHBOURS = (1, 2, 4, 10, 40)
"""Whichever nearest English sentence of these stands opposite; most are unrelated, so few are far."""

LONGEST = 40
"""Longer sentences, in English words, are left out."""

_TATOEBA = {"tatoeba": ("ar", "eng-ara.tsv.gz"), "tatoeba-tr": ("tr", "eng-tur.tsv.gz")}
_CODES = {"eng": "en", "ara": "ar", "spa": "es", "tur": "tr", "deu": "de", "fra": "fr", "ita": "it", "por": "pt"}
_CLAUSE = re.compile(r"\s*[,،;؛:–—]\s+")
_SHORTEST_CLAUSE = 3
_BINS = 10


class Silver(NamedTuple):
    """Two rows of a set, the clause that the second loses (-1: none), and the score of the English texts, 0..5."""

    left: int
    right: int
    dropped: int
    score: float

    def second(self, texts: Sequence[str]) -> str:
        """Return the second text among the translations into one language."""
        text = texts[self.right]
        return text if self.dropped < 0 else without_clause(text, self.dropped)


def read_set(data: Path, name: str) -> dict[str, list[str]]:
    """Return the sentences of a set by language, ``""`` where there is none; ``es2`` is another translation.

    Raises
    ------
    KeyError
        If the set is unknown.
    """
    if name in _TATOEBA:
        language, file_name = _TATOEBA[name]
        with gzip.open(data / "parallel" / file_name, "rt", encoding="utf-8") as file:
            known = {row[0]: row[1] for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
        texts = [text for text in sorted(known) if 4 <= len(text.split()) <= 25]
        return {"en": texts, language: [normalise(known[text]) for text in texts]}
    if name == "benchmark":
        columns = {
            code: [text for row in learned_from(data, code) for text in row.texts] for code in ("en", "es", "tr")
        }
        first = {normalise(text): row for row, text in reversed([*enumerate(columns["en"])])}
        return {code: [normalise(texts[row]) for row in sorted(first.values())] for code, texts in columns.items()}
    if name not in SETS:
        raise KeyError(f"the set must be one of {', '.join(SETS)}, got {name!r}")
    with gzip.open(data / "parallel" / f"{name}.tsv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    columns = dict(zip(rows[0], zip(*rows[1:], strict=True), strict=True))
    found = {code: [normalise(text) for text in columns[long]] for long, code in _CODES.items()}
    return found | ({"es2": [normalise(text) for text in columns["spa2"]]} if "spa2" in columns else {})


def without_clause(text: str, number: int) -> str:
    """Return a text without one of its clauses, which punctuation marks divide.

    Examples
    --------
    >>> without_clause("When it rains, we stay at home, and read.", 1)
    'When it rains, and read.'
    """
    cuts = [0, *(mark.end() for mark in _CLAUSE.finditer(text)), len(text)]
    kept = text[: cuts[number]] + text[cuts[number + 1] :]
    return _CLAUSE.sub(lambda mark: mark[0], kept).rstrip(" ,،;؛:–—")


def clauses(text: str) -> list[str]:
    """Return the clauses of a text."""
    return _CLAUSE.split(text)


def kept_back(name: str, english: str) -> bool:
    """Return whether a sentence of a set is kept from encoders: all of PUD, about two fifths of NTREX.

    Of ``benchmark`` none is, because it has only those that encoders learn from.
    """
    if name == "benchmark":
        return False
    if name in _TATOEBA:
        return text_kept_back(english)
    # Fifteen in a hundred are too few of NTREX, so three draws are made, each by another spelling of the blanks.
    return name == "pud" or text_kept_back(english) or text_kept_back(f"{english} ") or text_kept_back(f" {english}")


def candidates(
    sentences: dict[str, list[str]], rows: Sequence[int], neighbours: int, chance: random.Random
) -> Iterator[tuple[int, int, int]]:
    """Yield pairs of rows, and the clause that the second loses, -1 for none."""
    english = sentences["en"]
    vectors = shipped_encoder().vectors([english[row] for row in rows])
    for place, row in enumerate(rows):
        order = np.argsort(-(vectors @ vectors[place]), kind="stable")
        for rank in (1, *chance.sample(NEIGHBOURS[1:], neighbours - 1)):
            yield row, rows[int(order[min(rank, len(order) - 1)])], -1
        parts = [clauses(texts[row]) for texts in sentences.values() if texts[row]]
        sizes = {len(each) for each in parts}
        if len(sizes) == 1 and sizes != {1}:
            number = chance.randrange(sizes.pop())
            if all(len(each[number].split()) >= _SHORTEST_CLAUSE for each in parts):
                yield row, row, number


def score(
    sentences: dict[str, list[str]], rows: Sequence[int], neighbours: int, seed: int, teacher: str
) -> list[Silver]:
    """Return scored pairs of the sentences of some rows, each beside so many neighbours."""
    chance = random.Random(seed)
    found = list(dict.fromkeys(candidates(sentences, rows, neighbours, chance)))
    english = sentences["en"]
    drawn = [Silver(*each, score=0.0) for each in found]
    pairs = [(english[pair.left], pair.second(english)) for pair in drawn]
    scores = load(teacher).predict_pairs(pairs).score.tolist()
    return [pair._replace(score=value) for pair, value in zip(drawn, scores, strict=True)]


def even(pairs: Sequence[Silver], seed: int) -> list[Silver]:
    """Return some of the pairs: as many of each half of a grade, as long as there are any."""
    chance = random.Random(seed)
    bins: list[list[Silver]] = [[] for _ in range(_BINS)]
    for pair in pairs:
        bins[min(int(pair.score / 5 * _BINS), _BINS - 1)].append(pair)
    most = sorted(len(each) for each in bins)[_BINS // 2]
    return sorted(pair for each in bins for pair in (chance.sample(each, most) if len(each) > most else each))


def read_silver(path: Path) -> list[Silver]:
    """Return the pairs of a file that this script wrote."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t")
        next(rows)
        return [Silver(*map(int, row[:3]), float(row[3])) for row in rows]


def main() -> None:
    """Write a file for each set: numbers of rows and scores, no text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of public data sets")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=DEFAULT_SETS)
    parser.add_argument("--learned", action="store_true", help="leave out sentences that are kept from encoders")
    parser.add_argument("--most", type=int, default=3_000, help="sentences of a set, of each kind")
    parser.add_argument("--neighbours", type=int, default=2, help="neighbours of each sentence, 1 to 5")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder to write to")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for name in options.sets:
        sentences = read_set(options.data, name)
        chance = random.Random(options.seed)
        kinds: list[list[int]] = [[], []]
        for row, text in enumerate(sentences["en"]):
            if len(text.split()) <= LONGEST:
                kinds[kept_back(name, text)].append(row)
        pairs = []
        for rows in kinds[:1] if options.learned else kinds:
            # No pair has one sentence that encoders learn from and one that they do not.
            some = sorted(chance.sample(rows, min(options.most, len(rows))))
            if some:
                scored = score(sentences, some, options.neighbours, options.seed, TEACHER)
                pairs += even(scored, options.seed)
        with (options.output / f"{name}.tsv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerow(Silver._fields)
            writer.writerows((*pair[:3], f"{pair.score:.3f}") for pair in sorted(pairs))
        print(f"{name}: {len(pairs):,} pairs", flush=True)


if __name__ == "__main__":
    main()
