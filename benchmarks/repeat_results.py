"""Measure the figures of docs/results.md and README.md again, and compare each with docs/results/figures.json.

Figures of the models that ship are repeated within minutes; the options add those that take longer. A figure is the
same if it is at most one unit of its last printed digit away, and never less than 0.001: the networks multiply with the
instructions that the processor has, and bfloat16, 8-bit and float32 round the last digits differently.

The test split of STS Benchmark and the half ``held`` of the couples were scored when each model was released. To score
an unchanged model again repeats a published figure; it is no new look, as long as nothing is chosen by it.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from measured_runs import GENERAL, ROOT, RUNS, Found, LeftOut
from samewise.models.profiles import BENCHMARK_TWINS

from samewise import load

sys.path.insert(0, str(ROOT / "docs"))

from recorded_figures import FIGURES, Figures  # noqa: E402


class Row(NamedTuple):
    """A figure that was repeated: its name, as recorded, as found, and the verdict."""

    name: str
    recorded: str
    found: str
    verdict: str


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
