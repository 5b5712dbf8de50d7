"""Seconds and peak memory of `samewise match` on two tables of planted questions, at several sizes in one run.

Memory is that of all processes together, shared pages counted once (PSS on Linux).

    python benchmarks/matching_scale.py --rows 250000 500000 1000000
"""

import argparse
import csv
import json
import tempfile
from pathlib import Path

from planted_questions import planted_questions
from samewise.ensemble.matching.match_files import match_file
from samewise.ensemble.matching.options import MatchOptions
from throughput import Watch


def write_tables(folder: Path, rows: int) -> tuple[Path, Path]:
    """Write two tables of so many rows each and return their paths."""
    questions = planted_questions(2 * rows, seed=0).texts
    paths = folder / f"a{rows}.csv", folder / f"b{rows}.csv"
    for path, part in zip(paths, (questions[:rows], questions[rows:]), strict=True):
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["options"])
            writer.writerows([text] for text in part)
    return paths


def measure(folder: Path, rows: int, options: MatchOptions, profile: str) -> dict[str, object]:
    """Return what one match of two tables of so many rows took."""
    a, b = write_tables(folder, rows)
    with Watch() as watch:
        summary = match_file(a, b, folder / "out.parquet", model=profile, options=options)
    return {
        "rows": rows,
        "seconds": round(watch.seconds),
        "peak_pss_mb": round(max(watch.peaks)),
        "cpu_percent": round(100 * watch.busy),
        **{key: value for key, value in summary.as_dict().items() if key in ("candidates", "matched", "recall")},
    }


def main() -> None:
    """Run the measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[50_000, 100_000])
    parser.add_argument("--profile", default="fast")
    parser.add_argument("--top", type=int, default=1)
    parser.add_argument("--probability-of", type=float, default=4.0)
    parser.add_argument("--per-view", type=int, default=5)
    arguments = parser.parse_args()
    options = MatchOptions(top=arguments.top, probability_of=arguments.probability_of, per_view=arguments.per_view)
    with tempfile.TemporaryDirectory() as folder:
        for rows in arguments.rows:
            print(json.dumps(measure(Path(folder), rows, options, arguments.profile)), flush=True)


if __name__ == "__main__":
    main()
