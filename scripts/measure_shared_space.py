"""Measure the encoders of other languages on the tracks of SemEval-2017 Task 1: Pearson of the cosine alone."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from parallel_text import Pair, scored
from samewise.features.encoders.sentence_encoder import SentenceEncoder, shipped_encoder
from samewise.features.encoders.shared_space_encoder import ENCODERS_HERE, SharedSpaceEncoder, load_encoder_of

TRACKS = {"1": "ar-ar", "2": "ar-en", "3": "es-es", "4a": "es-en", "4b": "es-en", "6": "tr-en"}
ORDER = {"1": "ar ar", "2": "en ar", "3": "es es", "4a": "es en", "4b": "en es", "6": "en tr"}
"""The languages of the two columns, which are not in the order of the name of the track."""


def read_track(folder: Path, track: str) -> tuple[list[list[str]], list[float]]:
    """Return the two columns of a track, as far as it has scores, and the scores."""
    name = f"track{track}.{TRACKS[track]}.txt"
    scores = [float(line) for line in (folder / f"STS.gs.{name}").read_text(encoding="utf-8").split()]
    lines = (folder / f"STS.input.{name}").read_text(encoding="utf-8").split("\n")[: len(scores)]
    return [[line.split("\t")[k] for line in lines] for k in (0, 1)], scores


def held_out_figures(encoder: SharedSpaceEncoder, held_out: Sequence[Pair], data: Path) -> dict[str, float]:
    """Return how well held-out pairs and, where there is one, STS Benchmark dev in the language are told apart."""
    english = shipped_encoder()
    found: dict[str, float] = {}
    if held_out:
        own, goal = encoder.vectors([pair.text for pair in held_out]), english.vectors([p.english for p in held_out])
        texts = [pair.english for pair in held_out]
        grid = own @ goal.T
        # What is translated twice has several right answers.
        found["retrieved"] = float(
            np.mean([texts[k] == text for text, k in zip(texts, grid.argmax(1).tolist(), strict=True)])
        )
        found["cosine"] = float(np.diag(grid).mean())
        near = goal @ goal.T
        np.fill_diagonal(near, -1)
        a, b = np.nonzero(near >= np.sort(near, axis=1)[:, -10:-9])
        found["as English, within"] = float(np.corrcoef((own[a] * own[b]).sum(1), near[a, b])[0, 1])
        found["as English, across"] = float(np.corrcoef((own[a] * goal[b]).sum(1), near[a, b])[0, 1])
    rows = scored(data, encoder.language, "dev")
    if rows:
        one, two = (encoder.vectors([row.texts[k] for row in rows]) for k in (0, 1))
        three, four = (english.vectors([row.english[k] for row in rows]) for k in (0, 1))
        gold = [row.score for row in rows]
        found["dev, within"] = float(np.corrcoef((one * two).sum(1), gold)[0, 1])
        found["dev, across"] = float(
            np.mean([np.corrcoef((one * four).sum(1), gold)[0, 1], np.corrcoef((three * two).sum(1), gold)[0, 1]])
        )
        found["dev, English"] = float(np.corrcoef((three * four).sum(1), gold)[0, 1])
    return {name: round(value, 4) for name, value in found.items()}


def main() -> None:
    """Print one line a track."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of public data sets")
    parser.add_argument("--languages", type=Path, default=ENCODERS_HERE, help="folder with one folder a language")
    options = parser.parse_args()
    encoders: dict[str, SentenceEncoder] = {"en": shipped_encoder()}
    for track, order in ORDER.items():
        sides, scores = read_track(options.data / "sts2017", track)
        vectors = []
        for language, texts in zip(order.split(), sides, strict=True):
            if language not in encoders:
                encoders[language] = load_encoder_of(options.languages / language)
            vectors.append(encoders[language].vectors(texts).astype(np.float64))
        found = np.corrcoef((vectors[0] * vectors[1]).sum(axis=1), scores)[0, 1]
        print(f"track {track:2}  {order}  {len(scores)} pairs  {found:.4f}")


if __name__ == "__main__":
    main()
