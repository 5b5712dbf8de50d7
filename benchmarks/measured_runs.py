"""Runs that measure the figures which `repeat_results.py` compares and records."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import left_out_sources
import numpy as np
from challenge import by_class, cosine, cosine_scores, read_suite
from discrimination import by_group, couples, read_rows
from overlap_auc import judge_squares, word_overlap
from rapidfuzz import fuzz
from samewise.ensemble.contrasts.squares import read_squares, square_pairs
from samewise.ensemble.core.manifest import MEMBER_SHARES
from samewise.ensemble.evaluation.metrics import pearson, pearson_interval
from samewise.ensemble.tables.labelled_pairs import need_scores, read_pairs
from samewise.models.profiles import BENCHMARK_TWINS, BEST, PROFILES, profile_folder
from sick import read_sick

from samewise import evaluate, load

ROOT = Path(__file__).resolve().parents[1]

Pairs = list[tuple[str, str]]
Found = Iterator[tuple[str, str, float]]
"""Names of a series and of a figure in it, and the value."""

GENERAL = (*PROFILES, BEST)
CLASSES = ("roles", "negation", "blending")
TRACKS = {"1": "ar-ar", "2": "ar-en", "3": "es-es", "4a": "es-en", "4b": "es-en-4b", "5": "en-en", "6": "tr-en"}


class LeftOut(Exception):
    """A run that this machine cannot do; the message has the reason."""


def sizes(data: Path) -> Found:
    """Yield sizes in MB, and what each member has of a stack, as they lie in the files."""
    for name in GENERAL:
        manifest = profile_folder(name) / "manifest.json"
        files = _manifest(name)["files"].values()  # its own, and those that it shares
        yield "size", name, (sum(fact["size"] for fact in files) + manifest.stat().st_size) / 1e6
    best, languages = ROOT / "weights/best/samewise_best", ROOT / "weights/languages/samewise_languages"
    yield "size", "encoder-of-best", _megabytes(best / "encoder")
    yield "size-shipped", "parts", _megabytes(ROOT / "features/data")
    yield "size-shipped", "models", _megabytes(ROOT / "models/pretrained")
    yield "size-shipped", "languages", _megabytes(languages)
    yield "size-shipped", "best", _megabytes(best)
    weights = _manifest("full-stsb")["combination"]["weights"]
    yield "stack-weight", "full-stsb.regressor", weights[0]
    yield "stack-weight", "full-stsb.cross-encoder", weights[3]
    for name in ("fast", "full", "best"):
        shares = _manifest(name)[MEMBER_SHARES]
        yield "member-share", f"{name}.regressors", sum(shares.pop(member) for member in ("rf", "gbm", "xgb"))
        yield from (("member-share", f"{name}.{member}", share) for member, share in shares.items())


def _manifest(profile: str) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads((profile_folder(profile) / "manifest.json").read_text(encoding="utf-8"))
    return facts


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


def squares(data: Path) -> Found:
    """Yield how general models and simpler scores tell meanings apart on held contrast squares."""
    files = sorted((ROOT / "data/contrasts").glob("squares-*.tsv"))
    pairs = square_pairs([row for path in files for row in read_squares(path, held=True)])
    overlap = word_overlap(pairs)
    systems: dict[str, Callable[[Pairs], Any]] = {name: load(name).predict for name in GENERAL}
    systems |= {"cosine": cosine_scores, "RapidFuzz": lambda pairs: [fuzz.ratio(a, b) for a, b in pairs]}
    for name, system in systems.items():
        found = judge_squares(np.asarray(system(pairs)), overlap)
        yield "squares", name, found.auc
        yield from ((f"squares-{order.replace(' ', '-')}", name, share) for order, share in found.orders.items())


def left_out(data: Path) -> Found:
    """Yield how general models, their twins, the encoder's cosine and RapidFuzz do on sources left out.

    Names of models stand for the sources that no network has seen; with ``-25`` for all sources.
    """
    file, keep = ROOT / ".start/taught-pairs.tsv", ROOT / ".start/left-out"
    if not file.is_file():
        words = [sys.executable, str(ROOT / "scripts/make_scored_pairs.py"), str(data), "-o", str(file)]
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
    "squares": squares,
    "languages": languages,
    "left-out": left_out,
    "shared-tasks": shared_tasks,
}
"""Measures of each name; figures.json tells which of them run by default."""
