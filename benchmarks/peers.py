"""Samewise beside its peers in one run: pairs a second, memory, start, and Pearson on STS Benchmark dev.

Every system runs in a fresh process, on all cores, several times in turn with the others; the best speed, the shortest
start and the greatest memory count. The clock starts when the models are loaded and have scored dev. Samewise scores
with the models fitted on STS Benchmark train alone.

The peers need ``pip install '.[peers]'``. A peer that is not installed is left out with its reason. Two more forms of
sentence-transformers, with ONNX and with OpenVINO, need the extras ``peers-onnx`` and ``peers-openvino``. Install each
in an environment of its own, because each holds transformers back. Name its interpreter with ``--python``::

    python benchmarks/peers.py DATA --python onnx=ONNX/bin/python openvino=OPENVINO/bin/python

In November 2026, optimum-onnx 0.1 needed transformers before 4.58, so that the newest sentence-transformers beside it
was 5.7. optimum-intel 2.2 needed transformers before 5.6, and ran with sentence-transformers 6.2.
"""

import argparse
import csv
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from peer_systems import CORES, SYSTEMS
from throughput import Watch

BASE = "torch"
"""System whose speed the ratios are of."""

SAMPLE = 3_000
"""Pairs that slow systems are timed on; the others score them all."""

OURS = "samewise"


def read_texts(data: Path) -> list[tuple[str, str]]:
    """Return pairs of sentences to time, without scores and in a mixed order: STS Benchmark and its companion."""
    pairs = []
    for name in ("stsbenchmark/sts-train", "stsbenchmark/sts-test", "stscompanion/sts-mt", "stscompanion/sts-other"):
        lines = (data / f"{name}.csv").read_text(encoding="utf-8").splitlines()
        texts_from = 5 if name.startswith("stsbenchmark") else 4
        pairs += [tuple(line.split("\t")[texts_from : texts_from + 2]) for line in lines]
    order = np.random.default_rng(0).permutation(len(pairs))
    return [(pairs[i][0], pairs[i][1]) for i in order.tolist()]


def read_dev(data: Path) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Return the pairs of STS Benchmark dev and their scores."""
    rows = [
        line.split("\t") for line in (data / "stsbenchmark" / "sts-dev.csv").read_text(encoding="utf-8").splitlines()
    ]
    return [(row[5], row[6]) for row in rows], np.asarray([float(row[4]) for row in rows])


def run_one(key: str, data: Path, folder: Path) -> None:
    """Measure one system in this process; print a line when it has scored a pair, and one with what was found."""
    system = SYSTEMS[key]
    score = system.make(folder)
    score([("A dog barks.", "A dog is barking.")])
    print("ready", flush=True)
    (dev, gold), pairs = read_dev(data), read_texts(data)
    pairs = pairs[:SAMPLE] if system.slow else pairs
    pearson = float(np.corrcoef(score(dev), gold)[0, 1])
    began = time.perf_counter()
    score(pairs)
    speed = len(pairs) / (time.perf_counter() - began)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    facts = {"pairs_per_s": speed, "pearson": pearson if system.fitted else None, "own_mb": own}
    print(json.dumps(facts), flush=True)


def interpreter(text: str) -> tuple[str, str]:
    """Return the system and the interpreter of ``KEY=PATH``."""
    key, _, path = text.partition("=")
    if key not in SYSTEMS or shutil.which(path) is None:
        raise argparse.ArgumentTypeError(
            f"interpreter must be KEY=PATH with a key of --systems and a program, got {text!r}"
        )
    return key, path


def measure(key: str, data: Path, folder: Path, python: str) -> dict[str, float | None]:
    """Run one system in a fresh process and return its figures; raise RuntimeError with the reason if it fails."""
    command = [python, __file__, str(data), "--folder", str(folder), "--one", key]
    began = time.perf_counter()
    with tempfile.TemporaryFile("w+") as errors, Watch() as watch:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        assert process.stdout is not None
        first = process.stdout.readline()
        start = time.perf_counter() - began
        rest = process.stdout.read()
        if process.wait() != 0 or first.strip() != "ready":
            errors.seek(0)
            raise RuntimeError((errors.read().strip().splitlines() or ["it said nothing"])[-1])
    found = json.loads(rest)
    # All processes together, shared pages once; a short run is over before it is looked at.
    memory = max(watch.peaks[0] - watch.own, 0.0) or found["own_mb"]
    return {"start_s": start, "memory_mb": memory, "pairs_per_s": found["pairs_per_s"], "pearson": found["pearson"]}


def table(results: dict[str, dict[str, float | None]]) -> str:
    """Return the results as a table in Markdown, fastest first."""
    base = results[BASE]["pairs_per_s"] if BASE in results else None
    lines = ["| system | pairs/s | times | Pearson on dev | MB | start, s |", "|---|---|---|---|---|---|"]
    for key, found in sorted(results.items(), key=lambda item: -(item[1]["pairs_per_s"] or 0)):
        speed, pearson = found["pairs_per_s"] or 0.0, found["pearson"]
        times = f"{speed / base:.2f}" if base else ""
        lines.append(
            f"| {SYSTEMS[key].name} | {speed:,.0f} | {times} | {'' if pearson is None else f'{pearson:.3f}'} | "
            f"{found['memory_mb']:,.0f} | {found['start_s']:.1f} |"
        )
    return "\n".join(lines)


def plot(results: dict[str, dict[str, float | None]], path: Path) -> None:
    """Draw speed against accuracy as an SVG."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "samewise"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5))
    for key, found in results.items():
        if found["pearson"] is None:
            continue
        name = SYSTEMS[key].name
        ours = name.startswith(OURS)
        axes.scatter(found["pairs_per_s"], found["pearson"], color="C0" if ours else "0.5", marker="o" if ours else "s")
        axes.annotate(
            name,
            (found["pairs_per_s"], found["pearson"]),
            xytext=(5, 5 if ours else -12),
            textcoords="offset points",
            size=8,
        )
    axes.set_xscale("log")
    axes.set_xlabel(f"pairs a second on {CORES} cores")
    axes.set_ylabel("Pearson, STS Benchmark dev")
    axes.grid(alpha=0.3)
    axes.margins(x=0.2, y=0.1)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Print the table; write figures and plot where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with stsbenchmark and stscompanion")
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=list(SYSTEMS))
    parser.add_argument(
        "--python",
        nargs="+",
        default=[],
        type=interpreter,
        metavar="KEY=PATH",
        help="interpreter that a system runs in (default: this one)",
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path(".start/peers"), help="what peers make once")
    parser.add_argument("--plot", type=Path, help="SVG to write")
    parser.add_argument("--json", type=Path, help="file to write the figures to")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        return run_one(options.one, options.data, options.folder)
    texts = options.folder / "texts"
    texts.mkdir(parents=True, exist_ok=True)
    with (texts / "train.csv").open("w", newline="", encoding="utf-8") as file:
        # What OpenVINO chooses its scales by.
        csv.writer(file).writerows([["sentence"], *([a] for a, _ in read_texts(options.data)[:400])])
    pythons = dict(options.python)
    results: dict[str, dict[str, float | None]] = {}
    failed: dict[str, str] = {}
    for _ in range(options.rounds):
        for key in options.systems:
            if key in failed:
                continue
            run = key, options.data, options.folder, pythons.get(key, sys.executable)
            kept = options.folder / key
            is_new = not kept.exists()
            try:
                found = measure(*run)
                if is_new and kept.exists():
                    found = measure(*run)  # again, without the time and memory of what is made once
            except RuntimeError as error:
                failed[key] = str(error)
                continue
            print(json.dumps({"system": key, **found}), file=sys.stderr, flush=True)
            before = results.setdefault(key, found)
            for name, better in (("pairs_per_s", max), ("start_s", min), ("memory_mb", max)):
                before[name] = better(before[name] or 0.0, found[name] or 0.0)
    print(table(results))
    for key, reason in failed.items():
        print(f"\n{SYSTEMS[key].name} was left out: {reason}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if options.plot:
        plot(results, options.plot)
    return None


if __name__ == "__main__":
    main()
