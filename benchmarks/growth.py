"""Growth of time and memory with the number of pairs, of workers and of words in a text, for each profile.

Pairs are generated (`sentences`), and hardly any sentence comes twice. Each run reads a CSV file and writes another;
the seconds include starting up. The next larger table is left out once it would take longer than ``--longest`` seconds.
Parts of the largest output of each profile are compared, byte for byte, with what the same rows give in a small file.
"""

import argparse
import csv
import json
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

import numpy as np
from samewise.ensemble.scoring import predict_file
from sentences import make_pairs
from throughput import Watch

PROFILES = ("surface", "fast", "full", "best")
ROWS = tuple(10**power for power in range(3, 8))
WORDS = (5, 15, 50, 150, 500)
LINEAR_FROM = 10_000
"""Rows from which the exponent is fitted: below, starting up counts."""

BLOCK = 50_000
"""Pairs that are made with one seed."""

SAMPLE = 500
"""Rows at the beginning, in the middle and at the end whose bytes are compared."""


def texts_of(words: int) -> Iterator[tuple[str, str]]:
    """Yield pairs of texts of so many words, made of `BLOCK` generated sentences."""
    sides = zip(*make_pairs(BLOCK, english=True), strict=True)
    streams = [chain.from_iterable(text.split() for text in side) for side in sides]
    while all(texts := tuple(" ".join(islice(stream, words)) for stream in streams)):
        yield texts[0], texts[1]


def pairs_of(rows: int) -> Iterator[tuple[str, str]]:
    """Yield pairs of which those of a shorter table come first; what has been seen is forgotten now and then."""
    blocks = (make_pairs(BLOCK, seed=seed, english=True) for seed in count())
    return islice(chain.from_iterable(blocks), rows)


def write_pairs(path: Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Write a table of pairs."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["sentence1", "sentence2"])
        writer.writerows(pairs)


def run(source: Path, target: Path, rows: int, profile: str, workers: int) -> dict[str, Any]:
    """Score a table and return what it took: seconds, core-seconds for 1,000 pairs, MB in the middle and at the end."""
    with Watch() as watch:
        predict_file(
            source, target, model=profile, workers=workers, progress=lambda done, _: watch.progress(done, rows)
        )
    return {
        "profile": profile,
        "rows": rows,
        "workers": workers,
        "seconds": round(watch.seconds, 2),
        "core_seconds_per_1000": round(1_000 * watch.busy * watch.seconds / rows, 3),
        "mb_half": round(max(watch.peaks[:5])),
        "mb_end": round(max(watch.peaks[5:])),
    }


def same_bytes(source: Path, target: Path, rows: int, profile: str, folder: Path) -> bool:
    """Return whether rows of a large output are what the same rows give in a small file."""
    wanted: set[int] = set()
    for start in (0, rows // 2, rows - SAMPLE):
        wanted.update(range(max(start, 0), min(start + SAMPLE, rows)))

    def chosen_lines(path: Path) -> list[bytes]:
        with path.open("rb") as file:  # no generated text holds a line break
            return [line for row, line in enumerate(file, start=-1) if row in wanted or row < 0]

    few, scored = folder / "few.csv", folder / "few-scored.csv"
    few.write_bytes(b"".join(chosen_lines(source)))
    predict_file(few, scored, model=profile, workers=1)
    return scored.read_bytes() == b"".join(chosen_lines(target))


def grow(profile: str, workers: int, rows: Iterable[int], longest: float, folder: Path) -> list[dict[str, Any]]:
    """Return what tables of growing length took, with the pairs of smaller ones first in larger ones."""
    runs: list[dict[str, Any]] = []
    source, target = folder / "pairs.csv", folder / "scores.csv"
    for size in rows:
        if runs and runs[-1]["seconds"] * size / runs[-1]["rows"] > longest:
            break
        write_pairs(source, pairs_of(size))
        runs.append(run(source, target, size, profile, workers))
        print(json.dumps(runs[-1]), flush=True)
    if runs:
        runs[-1]["same_bytes"] = same_bytes(source, target, runs[-1]["rows"], profile, folder)
        print(json.dumps(law(runs)), flush=True)
    return runs


def law(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the exponent of seconds over rows, and the cost of a row of the largest table over that before it."""
    large = [entry for entry in runs if entry["rows"] >= LINEAR_FROM]
    facts: dict[str, Any] = {name: runs[-1][name] for name in ("profile", "workers", "same_bytes")}
    if len(large) > 1:
        rows, seconds = (np.asarray([float(entry[name]) for entry in large]) for name in ("rows", "seconds"))
        facts["exponent"] = round(float(np.polyfit(np.log(rows), np.log(seconds), 1)[0]), 3)
        costs = seconds / rows
        facts["cost_last_over_before"] = round(float(costs[-1] / costs[-2]), 3)
    return facts


def lengthen(profile: str, words: Iterable[int], rows: int, folder: Path) -> list[dict[str, Any]]:
    """Return what as many texts of growing length took one worker."""
    runs = []
    source, target = folder / "pairs.csv", folder / "scores.csv"
    for length in words:
        write_pairs(source, islice(texts_of(length), rows))
        runs.append({"words": length, **run(source, target, rows, profile, 1)})
        print(json.dumps(runs[-1]), flush=True)
    return runs


def plot(grown: list[dict[str, Any]], path: Path) -> None:
    """Draw seconds over rows as an SVG."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "samewise"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5))
    for number, profile in enumerate(dict.fromkeys(entry["profile"] for entry in grown)):
        for workers, style in ((1, "--"), (2, "-")):
            line = [entry for entry in grown if (entry["profile"], entry["workers"]) == (profile, workers)]
            if line:
                axes.plot(
                    [entry["rows"] for entry in line],
                    [entry["seconds"] for entry in line],
                    style,
                    marker="o",
                    color=f"C{number}",
                    label=f"{profile}, {workers} {'worker' if workers == 1 else 'workers'}",
                )
    axes.set(xscale="log", yscale="log", xlabel="pairs in the table", ylabel="seconds, starting up included")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def recorded(path: Path) -> list[dict[str, Any]]:
    """Return the rows, workers and seconds that docs/results/figures.json records."""
    series = json.loads(path.read_text(encoding="utf-8"))["series"]
    found = []
    for key, seconds in (series["growth"]["values"] | series["growth-long"]["values"]).items():
        profile, workers, rows = key.split("-")
        found.append({"profile": profile, "workers": int(workers), "rows": int(rows), "seconds": seconds})
    return found


def main() -> None:
    """Print one JSON line a run, and one with the law of each series."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profiles", nargs="+", default=list(PROFILES))
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rows", type=int, nargs="+", default=list(ROWS))
    parser.add_argument("--longest", type=float, default=120.0, help="most seconds that a run may be expected to take")
    parser.add_argument("--words", type=int, nargs="*", default=list(WORDS), help="words of a text")
    parser.add_argument("--rows-of-words", type=int, default=300, help="pairs of texts of each length")
    parser.add_argument("--json", type=Path, help="file to write all runs to")
    parser.add_argument("--plot", type=Path, help="SVG of seconds over rows to write")
    parser.add_argument("--figures", type=Path, help="file of figures to plot, instead of a run")
    options = parser.parse_args()
    if options.figures:
        if not options.plot:
            parser.error("--figures must stand beside --plot, got none; name the SVG to write")
        return plot(recorded(options.figures), options.plot)
    grown: list[dict[str, Any]] = []
    longer: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        for profile in options.profiles:
            for workers in options.workers:
                grown += grow(profile, workers, options.rows, options.longest, Path(name))
            longer += lengthen(profile, options.words, options.rows_of_words, Path(name))
    if options.json:
        options.json.write_text(json.dumps({"rows": grown, "words": longer}, indent=1) + "\n", encoding="utf-8")
    if options.plot:
        plot(grown, options.plot)
    return None


if __name__ == "__main__":
    main()
