"""Tables of docs/systems.md, made when the site is built from docs/results/systems.csv.

``make systems`` runs the published systems, which takes hours, and writes their figures into that file: for each run
and column 100 times the correlation, the ends of its 95 % interval, and whether it is tied with our best run.
"""

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from samewise.ensemble.evaluation.published_scores import SUMMARIES, read_table
from samewise.research.systems import Outcome, Scoreboard, exercises, markdown, run_systems, shipped_systems
from samewise.research.systems.run_scores import Score
from samewise.research.systems.scoreboard import Group, group
from samewise.research.systems.training_and_test_sets import TRACK_5, YEARS

HERE = Path(__file__).parent
FIGURES = HERE / "results" / "systems.csv"
KEPT = HERE.parent / ".systems"
"""Folder of finished fits and extracted features, so that a run that was stopped goes on."""
COLUMNS = ("table", "column", "system", "run", "score", "low", "high", "tied")


class RecordedScoreboard(Scoreboard):
    """Scoreboard of recorded figures; runs with equal figures share a row."""

    def __init__(self, rows: Sequence[dict[str, str]]) -> None:
        self.signature, self.systems = "", ()
        self.groups = tuple(
            _group(name, [row for row in rows if row["table"] == name])
            for name in dict.fromkeys(row["table"] for row in rows)
        )


def _group(name: str, rows: Sequence[dict[str, str]]) -> Group:
    table, systems = read_table(name), shipped_systems()
    scores: dict[str, dict[str, Score]] = {column: {} for column in table.sets}
    summaries: dict[str, dict[str, float]] = {}
    for row in rows:
        system, figures = systems[row["system"]], [float(row[key]) / 100 for key in COLUMNS[4:7] if row[key]]
        run, column = system.runs[row["run"]], row["column"]
        outcome = Outcome(system, row["run"], column, np.array([]), np.array(figures), 0.0, run.lacks)
        if column in SUMMARIES:
            summaries.setdefault(outcome.label, {})[column] = figures[0]
        else:
            scores[column][outcome.label] = Score(outcome, *figures, None, None, tied=bool(row["tied"]))
    reached = {column: scores_of_runs for column, scores_of_runs in scores.items() if scores_of_runs}
    return group(table, reached, lambda label: summaries.get(label, {}))


def figures_of(board: Scoreboard) -> list[dict[str, Any]]:
    """Return the rows of the file for a scoreboard, STS Benchmark first; runs that failed have none."""
    rows = []
    for found in sorted(board.groups, key=lambda found: found.table.name != "stsbenchmark"):
        for line in found.lines:
            facts = {"table": found.table.name, "system": line.outcome.system.name, "run": line.outcome.run}
            for column in found.columns:
                score = line.scores.get(column)
                values = [line.value(column), *((score.low, score.high) if score else (None, None))]
                shown = ["" if value is None else f"{100 * value:.2f}" for value in values]
                tied = "yes" if score and score.tied else ""
                if shown[0]:
                    rows.append(facts | dict(zip(("column", *COLUMNS[4:]), (column, *shown, tied), strict=True)))
    return rows


def tables() -> str:
    """Return the tables of the page."""
    with FIGURES.open(encoding="utf-8", newline="") as file:
        board = RecordedScoreboard(list(csv.DictReader(file)))
    lines = ["## The systems", "", "| system | title | published |", "|---|---|---|"]
    lines += [f"| `{system.name}` | {system.title} | {system.citation} |" for system in shipped_systems().values()]
    return markdown(board).partition("## Systems\n")[0] + "\n".join(lines) + "\n"


def measure(data: Path) -> None:
    """Run all systems under both protocols, and write their figures."""
    outcomes: list[Outcome] = []
    for exercise in [*exercises("B", (), data), *exercises("T", (TRACK_5, *YEARS), data)]:
        systems = shipped_systems().values()
        outcomes += run_systems(systems, exercise, KEPT / "fits", jobs=-1, cache=KEPT / "cache")
    with FIGURES.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(figures_of(Scoreboard(outcomes)))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--measure", metavar="DATA", type=Path, help="first run the systems on this folder of data sets"
    )
    options = parser.parse_args()
    if options.measure:
        measure(options.measure)
    print(tables(), end="")


if __name__ == "__main__":
    main()
