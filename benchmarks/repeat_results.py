"""Measure the figures of docs/results.md and README.md again, and compare each with docs/results/figures.json.

Figures of the models that ship are repeated within minutes; the options add those that take longer. A figure is the
same if it is at most one unit of its last printed digit away, and never less than 0.001: the networks multiply with the
instructions that the processor has, and bfloat16, 8-bit and float32 round the last digits differently.

The test split of STS Benchmark and the half ``held`` of the couples were scored when each model was released. To score
an unchanged model again repeats a published figure; it is no new look, as long as nothing is chosen by it.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import left_out_sources
import numpy as np
from challenge import by_class, cosine, cosine_scores, read_suite
from discrimination import by_group, couples, read_rows
from samewise.ensemble.evaluation.metrics import pearson, pearson_interval
from samewise.ensemble.tables.labelled_pairs import need_scores, read_pairs
from samewise.models.profiles import BENCHMARK_TWINS, BEST, PROFILES, profile_folder
from sick import read_sick

from samewise import evaluate, load

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs"))

from recorded_figures import FIGURES, Figures  # noqa: E402

Pairs = list[tuple[str, str]]
Found = Iterator[tuple[str, str, float]]
"""Names of a series and of a figure in it, and the value."""

GENERAL = (*PROFILES, BEST)
CLASSES = ("roles", "negation", "blending")
TRACKS = {"1": "ar-ar", "2": "ar-en", "3": "es-es", "4a": "es-en", "4b": "es-en-4b", "5": "en-en", "6": "tr-en"}


class LeftOut(Exception):
    """A run that this machine cannot do; the message has the reason."""


class Row(NamedTuple):
    """A figure that was repeated: its name, as recorded, as found, and the verdict."""

    name: str
    recorded: str
    found: str
    verdict: str


def sizes(data: Path) -> Found:
    """Yield sizes in MB, and the weights of the stacks, as they lie in the files."""
    for name in GENERAL:
        manifest = profile_folder(name) / "manifest.json"
        files = json.loads(manifest.read_text(encoding="utf-8"))["files"].values()  # its own, and those that it shares
        yield "size", name, (sum(fact["size"] for fact in files) + manifest.stat().st_size) / 1e6
    best, languages = ROOT / "weights/best/samewise_best", ROOT / "weights/languages/samewise_languages"
    yield "size", "encoder-of-best", _megabytes(best / "encoder")
    yield "size-shipped", "parts", _megabytes(ROOT / "features/data")
    yield "size-shipped", "models", _megabytes(ROOT / "models/pretrained")
    yield "size-shipped", "languages", _megabytes(languages)
    yield "size-shipped", "best", _megabytes(best)
    for name in ("full-stsb", "full", "best"):
        manifest = json.loads((Path(profile_folder(name)) / "manifest.json").read_text(encoding="utf-8"))
        weights = manifest["combination"]["weights"]
        yield "stack-weight", f"{name}.regressor", weights[0]
        yield "stack-weight", f"{name}.cross-encoder", weights[3]


def _megabytes(folder: Path | str) -> float:
    files = (path for path in Path(folder).rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc"))
    return sum(path.stat().st_size for path in files) / 1e6


def benchmark(data: Path) -> Found:
    """Yield how the twins, the encoder's cosine and the one-hot cosine do on STS Benchmark dev and test."""
    parts = {part: _stsbenchmark(data, part) for part in ("train", "dev", "test")}
    seen = {frozenset(pair) for pair in parts["train"][0]}
    texts = {text for pair in parts["train"][0] for text in pair}
    test, gold = parts["test"]
    new_pair = np.asarray([frozenset(pair) not in seen for pair in test])
    new_text = np.asarray([texts.isdisjoint(pair) for pair in test])
    yield "test-pairs-in-train", "pair", float((~new_pair).sum())
    yield "test-pairs-in-train", "sentence", float((~new_text).sum())
    for name in BENCHMARK_TWINS:
        model = load(name)
        for part in ("dev", "test"):
            pairs, scores = parts[part]
            found = np.asarray(model.predict(pairs))
            measured = evaluate(scores, found)
            yield part, name, measured.pearson
            yield f"{part}-low", name, measured.pearson_low
            yield f"{part}-high", name, measured.pearson_high
        yield "test-new-pairs", name, pearson(gold[new_pair], found[new_pair])
        yield "test-new-sentences", name, pearson(gold[new_text], found[new_text])
    yield "dev", "encoder", pearson(parts["dev"][1], cosine(parts["dev"][0]))
    for part in ("dev", "test"):
        yield part, "one-hot", _evaluated(data / f"stsbenchmark/sts-{part}.csv", "--baseline")["pearson"]


def _stsbenchmark(data: Path, part: str) -> tuple[Pairs, np.ndarray]:
    name = f"sts-{part}.csv"
    pairs, scores, _ = read_pairs(data / "stsbenchmark" / name)
    return pairs, need_scores(scores, name)


def _evaluated(table: Path, *options: str) -> dict[str, Any]:
    words = [sys.executable, "-m", "samewise", "evaluate", str(table), *options, "--json", "--quiet"]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=True, encoding="utf-8")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def members(data: Path) -> Found:
    """Yield how the members of `full-stsb` do on STS Benchmark dev, and their distances to the whole."""
    found = _evaluated(data / "stsbenchmark/sts-dev.csv", "--model", "full-stsb", "--against", "members")
    for system in found["systems"]:
        name, distance = system["system"].replace("_", "-"), system["difference"]
        yield "member", name, system["pearson"]
        if distance is not None:
            yield "member-distance", name, distance["value"]
            yield "member-distance-low", name, distance["low"]
            yield "member-distance-high", name, distance["high"]


def sick(data: Path) -> Found:
    """Yield how general models do on SICK."""
    pairs, gold = read_sick(data / "sick")
    for name in GENERAL:
        found = np.asarray(load(name).predict(pairs))
        low, high = pearson_interval(gold, found)
        yield "sick", name, pearson(gold, found)
        yield "sick-low", name, low
        yield "sick-high", name, high


def challenge(data: Path) -> Found:
    """Yield the mean signed errors of `full`, its twin and the encoder's cosine on the challenge suite."""
    suite = read_suite()
    systems = {
        **{name: np.asarray(load(name).predict(suite.pairs)) for name in ("full", "full-stsb")},
        "cosine": cosine_scores(suite.pairs),
        "cosine-scaled": cosine_scores(suite.pairs, data / "stsbenchmark"),
    }
    for system, scores in systems.items():
        table = by_class(suite, scores)
        for name in CLASSES:
            yield f"challenge-{system}", name, table[name].signed_error


def held(data: Path) -> Found:
    """Yield how often general models put the couples of half `held` in the right order."""
    rows = read_rows(half="held")
    for name in GENERAL:
        yield "couples", name, by_group(rows, np.asarray(load(name).predict(couples(rows))), "class")["overall"].right


def left_out(data: Path) -> Found:
    """Yield how general models, their twins, the encoder's cosine and RapidFuzz do on sources left out.

    Names of models stand for the sources that no network has seen; with ``-25`` for all sources.
    """
    file, keep = ROOT / ".start/taught-pairs.tsv", ROOT / ".start/left-out"
    if not file.is_file():
        words = [sys.executable, str(ROOT / "scripts/make_scored_pairs.py"), str(data), "--written", "-o", str(file)]
        subprocess.run(words, check=True, cwd=ROOT)
    everything = left_out_sources.Scored.read(str(file))
    scored = everything.of(everything.scored)
    others = left_out_sources.references(scored)
    for name in GENERAL:
        twin = left_out_sources.twin_scores(name, scored, keep)
        found = left_out_sources.left_out(left_out_sources.out_of_fold(name, everything, keep))
        rows = left_out_sources.table(scored, found, {"twin": twin.score, **others})
        new = _unseen(rows)
        tables = {name: new, f"{name}-25": rows, f"{name}-stsb": _unseen(left_out_sources.table(scored, twin, {}))}
        for key, part in tables.items():
            coverage = [row["coverage"] for row in part]
            yield "left-out", key, _mean(part, "left out")
            yield "left-out-worst", key, min(row["left out"] for row in part)
            yield "left-out-coverage", key, float(np.mean(coverage))
            yield "left-out-covered", key, float(sum(value >= 0.8 for value in coverage))
            yield "left-out-least", key, min(coverage)
            yield "left-out-width", key, _mean(part, "width")
        if name in ("fast", "surface"):
            yield from ((f"source-{name}", row["source"], row["left out"]) for row in rows)
        if name == "full":
            yield "left-out-sources", "sources", float(len(new))
            for system in ("cosine", "RapidFuzz"):
                yield "left-out", system, _mean(new, system)
                yield "left-out-worst", system, min(row[system] for row in new)
            for system in ("twin", "cosine", "RapidFuzz"):
                better = np.array([row["left out"] > row[system] for row in new])
                sure = np.array([row[f"p, {system}"] < 0.05 for row in new])
                for key, mark in (
                    ("", better),
                    ("-test", better & sure),
                    ("-worse", ~better),
                    ("-worse-test", ~better & sure),
                ):
                    yield "left-out-better", f"{system}{key}", float(mark.sum())
            for series, column in SOURCE_COLUMNS.items():
                yield from ((series, row["source"], row[column]) for row in rows)


SOURCE_COLUMNS = {
    **{"source-pairs": "n", "source-full": "left out", "source-twin": "twin", "source-cosine": "cosine"},
    **{"source-rapidfuzz": "RapidFuzz", "source-rmse": "RMSE", "source-coverage": "coverage", "source-width": "width"},
}
"""Column of the table of sources left out for each series of the page."""


def _unseen(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if "*" not in row["source"]]


def _benchmark(words: list[str]) -> str:
    return subprocess.run(words, stdout=subprocess.PIPE, check=True, encoding="utf-8", cwd=Path(__file__).parent).stdout


def _mean(rows: list[dict[str, Any]], column: str) -> float:
    return float(np.mean([row[column] for row in rows]))


def languages(data: Path) -> Found:
    """Yield how twins do on the tracks of SemEval-2017, as 100 r, and shares of scores inside the intervals."""
    if shutil.which("apertium") is None:
        raise LeftOut("apertium is not installed")
    for name in ("best-stsb", "full-stsb"):
        found = _evaluated(data / "sts2017", "--tracks", "all", "--translate", "apertium,dictionary", "--model", name)
        tracks = {TRACKS[track]: 100 * group["pearson"] for track, group in found["tracks"].items()}
        for track, value in tracks.items():
            yield f"tracks-{name}", track, value
        yield f"tracks-{name}", "mean", float(np.mean(list(tracks.values())))
    inside = {track: group["coverage"] for track, group in found["tracks"].items() if track != "5"}
    yield "tracks-coverage", "es-en-4b", inside.pop("4b")
    yield "tracks-coverage", "least", min(inside.values())
    yield "tracks-coverage", "most", max(inside.values())


def shared_tasks(data: Path) -> Found:
    """Yield how a model fitted on the pairs of 2012 to 2015 does on the tasks after them."""
    if find_spec("torch") is None:
        raise LeftOut("torch is not installed; install the extra train")
    said = _benchmark([sys.executable, "semeval.py", str(data.resolve())])
    for line in said.splitlines():
        row = re.fullmatch(r" *(rf|gbm|xgb|cross_encoder|mean) +([\d.]+) +([\d.]+) to ([\d.]+) +([\d.]+)", line)
        if row:
            name = row[1].replace("_", "-")
            yield "track-5", name, float(row[2])
            yield "sts-2016", name, float(row[5])
            if name == "mean":
                yield "track-5-low", name, float(row[3])
                yield "track-5-high", name, float(row[4])


RUNS: dict[str, Callable[[Path], Found]] = {
    "sizes": sizes,
    "benchmark": benchmark,
    "members": members,
    "sick": sick,
    "challenge": challenge,
    "held": held,
    "languages": languages,
    "left-out": left_out,
    "shared-tasks": shared_tasks,
}
"""Measures of each name; figures.json tells which of them run by default."""


def compared(figures: Figures, run: str, found: Found) -> Iterator[Row]:
    """Yield each figure of a run beside the recorded one; figures that the run does not give come last."""
    missing = {(name, key) for name, key in figures.repeated(run)}
    for name, key, value in found:
        missing.discard((name, key))
        if key not in figures.values(name):
            yield Row(f"{name}:{key}", "", figures.printed(name, key, value), "NOT RECORDED")
            continue
        recorded = figures.values(name)[key]
        shown = figures.printed(name, key), figures.printed(name, key, value)
        near = abs(value - recorded) <= figures.tolerance(name)
        yield Row(f"{name}:{key}", *shown, "yes" if shown[0] == shown[1] else "near" if near else "NO")
    for name, key in sorted(missing):
        yield Row(f"{name}:{key}", figures.printed(name, key), "", "NOT FOUND")


def main() -> int:
    """Repeat, print a table, and return 1 if a figure differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of public data sets")
    parser.add_argument("--held", action="store_true", help="also the half of the couples that is scored once a model")
    parser.add_argument("--all", action="store_true", help="also sources left out, languages and shared tasks")
    parser.add_argument("--only", nargs="+", choices=list(RUNS), help="these runs alone")
    parser.add_argument("--json", type=Path, help="file to write what was found to, unrounded")
    parser.add_argument("--record", action="store_true", help="record what was found, after models were fitted again")
    options = parser.parse_args()
    figures = Figures.read(FIGURES)
    chosen = options.only or [
        name for name in RUNS if figures.runs[name]["default"] or (options.held if name == "held" else options.all)
    ]
    kept: dict[str, dict[str, float]] = {}
    differing, total = 0, 0
    print(f"{'figure':42} {'recorded':>10} {'found':>10}  same?")
    for run in chosen:
        print(f"-- {run}, {figures.runs[run]['time']}", flush=True)
        began = time.monotonic()
        try:
            for row in compared(figures, run, _keeping(RUNS[run](options.data), kept)):
                print(f"{row.name:42} {row.recorded:>10} {row.found:>10}  {row.verdict}", flush=True)
                differing, total = differing + row.verdict.isupper(), total + 1
        except LeftOut as reason:
            print(f"left out: {reason}")
        print(f"   {time.monotonic() - began:.0f} s", flush=True)
    others = [name for name in RUNS if name not in chosen]
    print(f"\n{total} figures, {differing} not as recorded" + (f"; not run: {', '.join(others)}" if others else ""))
    if options.json:
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    if options.record:
        figures.with_found(kept, {name: load(name).signature for name in (*GENERAL, *BENCHMARK_TWINS)}).write()
        return 0
    return 1 if differing else 0


def _keeping(found: Found, kept: dict[str, dict[str, float]]) -> Found:
    for name, key, value in found:
        kept.setdefault(name, {})[key] = value
        yield name, key, value


if __name__ == "__main__":
    sys.exit(main())
