"""Scored pairs and translations from which the encoder of several languages learns."""

import gzip
import itertools
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from parallel_text import learned_from, parallel_pairs, scored, text_kept_back
from samewise.features.analysis.analysis import normalise
from silver_pairs import kept_back, read_set, read_silver

BENCHMARK = ("en", "es", "tr")
"""Languages that STS Benchmark train can be had in."""

SILVER = {"tatoeba": ("en", "ar"), "ntrex": ("en", "ar", "es", "tr", "de", "fr", "it", "pt")}
"""Sets with silver scores that are learned from, and in which languages."""

MORE_SILVER = SILVER | {"tatoeba-tr": ("en", "tr"), "benchmark": BENCHMARK}
"""Sets from which the cross-encoder learns."""

MORE_WAYS = {"tatoeba": 2, "tatoeba-tr": 1, "benchmark": 2}
"""In so many pairs of languages the cross-encoder sees a silver pair."""

_MOST_WAYS = 4


class ScoredPair(NamedTuple):
    """Two texts and their similarity in meaning, 0..5."""

    text1: str
    text2: str
    score: float


def scored_pairs(
    data: Path,
    silver: Path,
    seed: int,
    sets: Mapping[str, Sequence[str]] = SILVER,
    ways_of: Mapping[str, int] = MappingProxyType({}),
) -> list[ScoredPair]:
    """Return the scored pairs, without those of SemEval-2017 or with a text that is kept back for regressors.

    Those of STS Benchmark train stand in each of `BENCHMARK` and across any two; Arabic and the other languages have
    silver scores, of the `sets` in the folder `silver`. A silver pair comes in as many pairs of languages as `ways_of`
    says of its set, or in `_MOST_WAYS`, if there are as many.
    """
    chance = random.Random(seed)
    sides = {code: [row.texts for row in learned_from(data, code)] for code in BENCHMARK}
    scores = [row.score for row in learned_from(data, "en")]
    found = []
    for number, score in enumerate(scores):
        for one, two in itertools.combinations_with_replacement(BENCHMARK, 2):
            first, second = (one, two) if chance.random() < 0.5 else (two, one)
            found.append(ScoredPair(normalise(sides[first][number][0]), normalise(sides[second][number][1]), score))
    for name, languages in sets.items():
        sentences = read_set(data, name)
        for pair in read_silver(silver / f"{name}.tsv"):
            if kept_back(name, sentences["en"][pair.left]):
                continue
            ways = [(one, two) for one in languages for two in languages if "en" not in (one, two) or one != two]
            for one, two in chance.sample(ways, min(ways_of.get(name, _MOST_WAYS), len(ways))):
                first, second = sentences[one][pair.left], pair.second(sentences[two])
                if first and second:
                    found.append(ScoredPair(first, second, pair.score))
    return found


def translations(data: Path) -> dict[str, list[tuple[str, ...]]]:
    """Return texts with their translations by source, without the texts that are kept back."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for language in ("ar", "tr"):
        pairs = parallel_pairs(data, language, encoder=True)
        found[f"tatoeba {language}"] = [(p.english, normalise(p.text)) for p in pairs if p.source == "tatoeba"]
    with gzip.open(data / "parallel" / "xquad-questions-eng-ara-tur-spa.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [tuple(map(normalise, line.rstrip("\n").split("\t"))) for line in file]
    found["xquad"] = [row for row in rows if not text_kept_back(row[0])]
    sentences = read_set(data, "ntrex")
    found["ntrex"] = [
        tuple(filter(None, row)) for row in zip(*sentences.values(), strict=True) if not kept_back("ntrex", row[0])
    ]
    return found


def translated_pairs(data: Path, most: int, seed: int) -> list[ScoredPair]:
    """Return texts beside one of their translations, with the score 5: at most so many of each source."""
    chance = random.Random(seed)
    found = []
    for texts in translations(data).values():
        for row in chance.sample(texts, min(most, len(texts))):
            first, second = chance.sample(row, 2)
            found.append(ScoredPair(first, second, 5.0))
    return found


def development(data: Path, ways: Sequence[tuple[str, str]]) -> dict[str, list[ScoredPair]]:
    """Return STS Benchmark dev without track 5 of SemEval-2017 by the languages of both texts."""
    rows = {code: scored(data, code, "dev") for code in BENCHMARK}
    return {
        f"{one}-{two}": [
            ScoredPair(normalise(a.texts[0]), normalise(b.texts[1]), a.score)
            for a, b in zip(rows[one], rows[two], strict=True)
        ]
        for one, two in ways
    }
