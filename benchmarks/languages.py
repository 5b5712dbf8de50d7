"""Pairs a second and peak memory in each combination of languages, each in a process of its own, starting up apart.

The pairs are translations of STS Benchmark dev (Spanish, Turkish) and neighbouring sentences of Tatoeba (Arabic). The
ratio is to English pairs scored by the same profile in the same run.
"""

import argparse
import csv
import gzip
import json
import subprocess
import sys
import time
from pathlib import Path

COMBINATIONS = ("en-en", "es-es", "es-en", "tr-tr", "tr-en", "ar-ar", "ar-en")
LEAST = 300


def pairs_of(data: Path, sides: str, count: int) -> list[tuple[str, str]]:
    """Return pairs of texts in two languages."""
    with (data / "stsbenchmark" / "sts-dev.csv").open(encoding="utf-8") as file:
        english = [row[5:7] for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    if "ar" in sides:
        with gzip.open(data / "parallel" / "eng-ara.tsv.gz", "rt", encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t")[:2] for line in file][: count + 1]
        texts = {"en": [row[0] for row in rows], "ar": [row[1] for row in rows]}
        columns = {language: (every[:-1], every[1:]) for language, every in texts.items()}
    else:
        with (data / "stsb-multi-mt" / "stsb-es-dev.csv").open(encoding="utf-8", newline="") as file:
            spanish = [row[:2] for row in csv.reader(file)]
        with gzip.open(data / "parallel" / "stsb-tr-dev.tsv.gz", "rt", encoding="utf-8") as file:
            turkish = [line.rstrip("\n").split("\t")[5:7] for line in file][1:]
        every = {"en": english, "es": spanish, "tr": turkish}
        columns = {language: ([a for a, _ in rows], [b for _, b in rows]) for language, rows in every.items()}
    first, second = sides.split("-")
    return list(zip(columns[first][0][:count], columns[second][1][:count], strict=True))


def measure(data: Path, profile: str, sides: str, translate: str, count: int) -> dict[str, float]:
    """Return pairs a second and peak memory in MB of this process."""
    import resource

    import samewise

    named = {} if sides == "en-en" else {"languages": sides, "translate": translate}
    model = samewise.load(profile, **named)
    pairs = pairs_of(data, sides, count)
    model.predict(pairs[:20])  # what is loaded when it is first needed
    started = time.perf_counter()
    model.predict(pairs[20:])
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"pairs_per_s": (len(pairs) - 20) / seconds, "peak_mb": peak}


def main() -> None:
    """Print one line a combination."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with stsbenchmark, stsb-multi-mt and parallel")
    parser.add_argument("--profile", default="full")
    parser.add_argument("--translate", default="apertium,dictionary")
    parser.add_argument("--pairs", type=int, default=1_000)
    parser.add_argument("--only", help="measure one combination in this process and print it as JSON")
    options = parser.parse_args()
    if options.pairs < LEAST:
        raise SystemExit(f"--pairs {options.pairs} is too few to measure; take {LEAST} or more")
    if options.only:
        print(json.dumps(measure(options.data, options.profile, options.only, options.translate, options.pairs)))
        return
    english = None
    for sides in COMBINATIONS:
        command = [sys.executable, __file__, str(options.data), "--profile", options.profile, "--only", sides]
        command += ["--translate", options.translate, "--pairs", str(options.pairs)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        english = english or found["pairs_per_s"]
        ratio = found["pairs_per_s"] / english
        print(
            f"{sides}  {found['pairs_per_s']:6.0f} pairs/s  {ratio:4.2f} of English  {found['peak_mb']:6.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()
