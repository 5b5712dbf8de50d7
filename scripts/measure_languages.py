"""Measure in several languages: STS Benchmark dev in translation, and silver scores of PUD.

Pearson's r of a score with the scores, and the share of scores within the intervals: by the encoder alone, by the
profile `multilingual`, and as samewise scores pairs. The rows of PUD are pairs of its sentences in one language and in
that language and English, with the silver scores of `silver_pairs.py`; nothing was fitted on them. The shortest
sentences of PUD also stand beside their translations into English, which should score about 5.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from multilingual_lessons import ScoredPair, development
from samewise.ensemble.loading import load
from samewise.features.encoders.multilingual import multilingual_encoder
from samewise.features.encoders.sentence_encoder import SentenceEncoder, shipped_encoder
from silver_pairs import read_set, read_silver

SHORT = 120
"""So many of the shortest sentences of PUD stand beside their translations."""

_NEARLY_THE_SAME = 4.8
WAYS = (("en", "en"), ("es", "es"), ("tr", "tr"), ("es", "en"), ("tr", "en"))


def silver_sets(data: Path, silver: Path) -> Iterator[tuple[str, list[ScoredPair]]]:
    """Yield the pairs of PUD in each language, and in each language and English."""
    sentences, rows = read_set(data, "pud"), read_silver(silver / "pud.tsv")
    for code in sentences:
        for other in dict.fromkeys((code, "en")):
            texts = sentences[code], sentences[other]
            yield f"{code}-{other}", [ScoredPair(texts[0][row.left], row.second(texts[1]), row.score) for row in rows]


def short_translations(data: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the `SHORT` shortest English sentences of PUD beside their translations, by language."""
    sentences = read_set(data, "pud")
    english = sentences.pop("en")
    rows = sorted(range(len(english)), key=lambda row: (english[row].count(" "), row))[:SHORT]
    for code, texts in sentences.items():
        yield code, [(texts[row], english[row]) for row in rows]


def cosines(encoder: SentenceEncoder, pairs: list[ScoredPair]) -> np.ndarray:
    """Return the cosine of each pair."""
    one, two = (encoder.vectors([pair[side] for pair in pairs]).astype(np.float64) for side in (0, 1))
    return (one * two).sum(axis=1)


def main() -> None:
    """Print one line for each pair of languages of each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of public data sets")
    parser.add_argument("--silver", type=Path, required=True, help="folder of silver_pairs.py")
    parser.add_argument("--profile", default="full", help="the model of English and of translations")
    parser.add_argument("--translate", default="apertium,dictionary")
    options = parser.parse_args()
    sets = [("dev", *each) for each in development(options.data, WAYS).items()]
    sets += [("PUD", *each) for each in silver_sets(options.data, options.silver)]
    print(
        f"{'set':4} {'languages':9} {'pairs':>5} {'English':>8} {'encoder':>8} {'profile':>8} {'all':>8} {'within':>7}"
    )
    for name, languages, pairs in sets:
        texts, scores = [pair[:2] for pair in pairs], [pair.score for pair in pairs]
        sides = [tuple(languages.split("-"))] * len(pairs)
        model = load(options.profile, languages=languages, translate=options.translate)
        every = model.predict_pairs(texts, sides)
        ways = [
            cosines(shipped_encoder(), pairs),
            cosines(multilingual_encoder(), pairs),
            model.multilingual.predict_pairs(texts, sides).score,
            every.score,
        ]
        found = " ".join(f"{np.corrcoef(way, scores)[0, 1]:8.4f}" for way in ways)
        within = np.mean((every.low <= scores) & (scores <= every.high))
        print(f"{name:4} {languages:9} {len(pairs):5} {found} {within:7.3f}", flush=True)
    print(f"\n{SHORT} short sentences beside their translations: mean score of the profile, and share of intervals")
    print(f"that reach {_NEARLY_THE_SAME}")
    model = load(options.profile, languages="auto")
    for code, texts in short_translations(options.data):
        found = model.multilingual.predict_pairs(texts, [(code, "en")] * len(texts))
        print(f"{code}-en {np.mean(found.score):.2f} {np.mean(np.asarray(found.high) >= _NEARLY_THE_SAME):.0%}")


if __name__ == "__main__":
    main()
