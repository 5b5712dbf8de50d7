"""Scoreboard of the published systems: our scores beside the published ones."""

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ...ensemble.evaluation.aggregates import aggregates, primary
from ...ensemble.evaluation.published_scores import (
    SUMMARIES,
    TABLES,
    PublishedRow,
    PublishedTable,
    place_of,
    read_table,
)
from .expected_scores import BANDS, Band
from .run_scores import Score, scores_of_set
from .specification import REBUILDS
from .system_runs import Outcome

_COLUMNS = {"mean": "weighted mean", "all": "ALL", "allnrm": "ALLnrm"}
_TITLES = {"sts2017": "STS 2017", "stsbenchmark": "STS Benchmark"}
_TYPES = {
    **dict.fromkeys(("system", "run", "set"), pa.string()),
    "n": pa.int64(),
    **dict.fromkeys(("pearson", "low", "high", "published", "difference"), pa.float64()),
    **dict.fromkeys(("p_best", "p_best_holm", "seconds"), pa.float64()),
    **dict.fromkeys(("stand_ins", "failure", "rebuild", "lacks", "same_scores_as"), pa.string()),
}


@dataclass(frozen=True, eq=False)
class Line:
    """One of our runs on the sets of a table.

    Attributes
    ----------
    label
        The system and the run.
    outcome
        Outcome on one of the sets, for the facts that are the same on all sets.
    scores
        Scores by column.
    summaries
        Values of the columns `SUMMARIES` of which it has all sets, -1..1.
    published
        Published row of the rebuilt run, or None.
    """

    label: str
    outcome: Outcome
    scores: Mapping[str, Score]
    summaries: Mapping[str, float]
    published: PublishedRow | None

    def value(self, column: str) -> float | None:
        """Return the correlation of a set or a summary, -1..1, or None."""
        return self.scores[column].pearson if column in self.scores else self.summaries.get(column)

    @property
    def failure(self) -> str | None:
        """Reason for the first missing score, or None."""
        return next((score.failure for score in self.scores.values() if score.failure is not None), None)

    @property
    def seconds(self) -> float:
        """Duration of its fits in seconds; one fit scores several sets."""
        return sum({score.outcome.seconds for score in self.scores.values()})


@dataclass(frozen=True, eq=False)
class Result:
    """Our runs with the same scores for every pair of the sets of a table.

    Attributes
    ----------
    lines
        The runs, the nearest to its publication first; one for most results.
    """

    lines: tuple[Line, ...]

    @property
    def line(self) -> Line:
        """The run that is nearest to its publication."""
        return self.lines[0]

    @property
    def rebuild(self) -> str:
        """Nearness of that run to its publication, one of `REBUILDS`."""
        return self.line.outcome.rebuild

    @property
    def label(self) -> str:
        """The labels of all runs; a stand-in among nearer runs is marked."""
        labels = []
        for line in self.lines:
            farther = line.outcome.rebuild == "stand-in" and self.rebuild != "stand-in"
            labels.append(f"{line.label} (stand-in)" if farther else line.label)
        return " = ".join(labels)

    @property
    def lacks(self) -> str:
        """Missing parts with their replacements in brackets; by run where the runs do not lack the same."""
        lacks = {line.label: "; ".join(lack.short for lack in line.outcome.lacks) or "nothing" for line in self.lines}
        if len(set(lacks.values())) == 1:
            return lacks[self.line.label]
        return ". ".join(f"{label}: {lacking}" for label, lacking in lacks.items())


@dataclass(frozen=True, eq=False)
class Group:
    """Our runs on the sets of one published table.

    Attributes
    ----------
    table
        The published table.
    title
        Title of the table for readers.
    sets
        Columns of the scored sets, in the order of the table.
    summaries
        Columns among `SUMMARIES` that one of our runs has.
    lines
        Our runs in the given order.
    results
        The same runs, those with the same scores for every pair together, by the first of them.
    """

    table: PublishedTable
    title: str
    sets: tuple[str, ...]
    summaries: tuple[str, ...]
    lines: tuple[Line, ...]
    results: tuple[Result, ...]

    @property
    def rebuilds(self) -> tuple[Result, ...]:
        """Results of a faithful or partial rebuild."""
        return tuple(result for result in self.results if result.rebuild != "stand-in")

    @property
    def stand_ins(self) -> tuple[Result, ...]:
        """Results of stand-ins alone."""
        return tuple(result for result in self.results if result.rebuild == "stand-in")

    @property
    def tally(self) -> str:
        """Number of runs and of distinct results, and of these by how near they are, in words."""
        runs = [line for line in self.lines if line.failure is None]
        results = [result for result in self.results if result.line.failure is None]
        numbers = {name: sum(result.rebuild == name for result in results) for name in REBUILDS}
        return (
            f"Runs: {len(runs):,}. Distinct results: {len(results):,} ({numbers['faithful']:,} faithful, "
            f"{numbers['partial']:,} partial, {numbers['stand-in']:,} of stand-ins alone)."
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """Summaries and sets, in the order of the table."""
        return tuple(column for column in self.table.columns if column in (*self.sets, *self.summaries))

    @property
    def key(self) -> str:
        """The column by which runs are ranked: the primary score or the weighted mean, or else the last set."""
        return next((name for name in ("primary", "mean") if name in self.summaries), self.sets[-1])

    def heading(self, column: str) -> str:
        """Return the heading of a column for readers: ``track 5``, ``weighted mean``."""
        return (
            f"track {column}" if self.table.name == "sts2017" and column in self.sets else _COLUMNS.get(column, column)
        )

    def ranking(self) -> list[Result | PublishedRow]:
        """Return the published rows and our rebuilds with a value here, best first, those without a `key` last.

        Stand-ins are left out.
        """
        entries: list[tuple[float, Result | PublishedRow]] = []
        for row in self.table.rows:
            if not row.values.keys().isdisjoint(self.columns):
                entries.append((row.values.get(self.key, -math.inf), row))
        for result in self.rebuilds:
            if any(result.line.value(column) is not None for column in self.columns):
                value = result.line.value(self.key)
                entries.append((-math.inf if value is None else 100 * value, result))
        return [entry for _, entry in sorted(entries, key=lambda entry: -entry[0])]


@dataclass(frozen=True)
class Checked:
    """One of our runs, its expected range, 100 times its correlation, and the `Band.verdict`."""

    label: str
    band: Band
    value: float
    verdict: str


class Scoreboard:
    """Our runs beside the published ones.

    Parameters
    ----------
    outcomes
        Results of `run_systems` for one exercise or several.
    signature
        Version, protocol, seed and data of the runs.
    seed
        Seed of the bootstrap.

    Attributes
    ----------
    groups
        One group for each published table with a scored set.
    systems
        The systems of the outcomes.

    Raises
    ------
    ValueError
        If there are no outcomes, one is repeated, a set belongs to no published table or has different gold scores in
        different outcomes, or a run names a published row that does not exist.
    """

    def __init__(self, outcomes: Sequence[Outcome], signature: str = "", seed: int = 0) -> None:
        if not outcomes:
            raise ValueError("outcomes must hold at least one run, got none; run one system or more")
        self.signature = signature
        self.systems = tuple({outcome.system.name: outcome.system for outcome in outcomes}.values())
        places: dict[str, dict[str, dict[str, Outcome]]] = {name: {} for name in TABLES}
        for outcome in outcomes:
            table, column = place_of(outcome.set)
            outcomes_of_set = places[table].setdefault(column, {})
            if outcome.label in outcomes_of_set:
                raise ValueError(f"runs of {outcome.set} must be distinct, got {outcome.label!r} twice; give each once")
            outcomes_of_set[outcome.label] = outcome
        self.groups = tuple(
            _measured(read_table(name), outcomes_of_set, seed)
            for name, outcomes_of_set in places.items()
            if outcomes_of_set
        )

    def scores(self) -> Iterator[Score]:
        """Yield all scores by table, then by set, then by run in the given order."""
        for group in self.groups:
            for column in group.sets:
                yield from (line.scores[column] for line in group.lines if column in line.scores)

    @property
    def bands(self) -> tuple[Checked, ...]:
        """Scores of our runs that have an expected range (`BANDS`)."""
        checks = []
        for band in BANDS:
            for line in (line for group in self.groups if group.table.name == band.table for line in group.lines):
                value = line.value(band.column)
                if line.published is not None and line.published.label == band.row and value is not None:
                    checks.append(Checked(line.label, band, 100 * value, band.verdict(100 * value)))
        return tuple(checks)

    @property
    def seconds(self) -> float:
        """Duration of the fits of all runs in seconds; shared fits count for each run."""
        return sum(line.seconds for group in self.groups for line in group.lines)

    @property
    def remarks(self) -> dict[str, dict[str, str]]:
        """Footnotes by title, then by run: notes and reasons for failures."""
        lines = [line for group in self.groups for line in group.lines]
        notes = [(line, line.outcome.system.runs[line.outcome.run].note) for line in lines]
        footnotes = {
            "Notes": _by_run(notes),
            "Runs that failed": _by_run((line, line.failure or "") for line in lines),
        }
        return {title: remarks for title, remarks in footnotes.items() if remarks}

    def to_table(self) -> pa.Table:
        """Return an Arrow table with one row a run and set; correlations are -1..1, missing values null."""
        same = {
            (group.table.name, line.label): "; ".join(other.label for other in result.lines if other is not line)
            for group in self.groups
            for result in group.results
            for line in result.lines
        }
        rows = [
            _facts(score) | {"same_scores_as": same[place_of(score.outcome.set)[0], score.outcome.label] or None}
            for score in self.scores()
        ]
        return pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in _TYPES.items()})


def _by_run(remarks: Iterable[tuple[Line, str]]) -> dict[str, str]:
    """Return remarks by the label of the run; runs of a system with the same remark share an entry."""
    shared: dict[tuple[str, str], dict[str, str]] = {}
    for line, remark in remarks:
        if remark:
            shared.setdefault((line.outcome.system.name, remark), {})[line.label] = line.outcome.run
    return {
        next(iter(runs)) if len(runs) == 1 else f"{system} ({', '.join(runs.values())})": remark
        for (system, remark), runs in shared.items()
    }


def _facts(score: Score) -> dict[str, object]:
    outcome = score.outcome
    names = ("pearson", "low", "high", "published", "difference", "p_best", "p_best_holm", "failure")
    return {
        **{"system": outcome.system.name, "run": outcome.run, "set": outcome.set, "n": len(outcome.gold)},
        **{name: getattr(score, name) for name in names},
        **{"seconds": outcome.seconds, "rebuild": outcome.rebuild},
        "stand_ins": "; ".join(lack.phrase for lack in outcome.lacks) or None,
        "lacks": "; ".join(lack.missing for lack in outcome.lacks) or None,
    }


def _measured(table: PublishedTable, outcomes: Mapping[str, Mapping[str, Outcome]], seed: int) -> Group:
    sets = [column for column in table.sets if column in outcomes]
    scores = {column: scores_of_set(column, table, outcomes[column], seed) for column in sets}
    return group(table, scores, lambda label: _summaries(table, _of_run(scores, label)))


def group(
    table: PublishedTable, scores: Mapping[str, Mapping[str, Score]], summaries: Callable[[str], Mapping[str, float]]
) -> Group:
    """Return our runs on the sets of a published table.

    Parameters
    ----------
    table
        The published table.
    scores
        Scores by set, then by the label of the run; sets in the order of the table.
    summaries
        Function that returns the values of the columns `SUMMARIES` for a label.
    """
    lines = []
    for label in dict.fromkeys(label for scores_of_runs in scores.values() for label in scores_of_runs):
        scores_of_run = _of_run(scores, label)
        outcome = next(iter(scores_of_run.values())).outcome
        named = outcome.system.runs[outcome.run].published.get(table.name)
        published = None if named is None else table.row(str(named))
        lines.append(Line(label, outcome, scores_of_run, summaries(label), published))
    reached = tuple(column for column in table.columns if any(column in line.summaries for line in lines))
    title = _TITLES.get(table.name, f"STS {table.name[3:]}")
    return Group(table, title, tuple(scores), reached, tuple(lines), _results(lines))


def _of_run(scores: Mapping[str, Mapping[str, Score]], label: str) -> dict[str, Score]:
    return {column: scores_of_runs[label] for column, scores_of_runs in scores.items() if label in scores_of_runs}


def _results(lines: Sequence[Line]) -> tuple[Result, ...]:
    """Return the runs with those of the same scores together; a run that failed stays alone."""
    by_scores: dict[object, list[Line]] = {}
    for line in lines:
        by_scores.setdefault(line.label if line.failure is not None else _score_bytes(line), []).append(line)
    nearest_first = (sorted(same, key=lambda line: REBUILDS.index(line.outcome.rebuild)) for same in by_scores.values())
    results = [Result(tuple(same)) for same in nearest_first]
    return tuple(sorted(results, key=lambda result: lines.index(result.line)))


def _score_bytes(line: Line) -> tuple[tuple[str, bytes], ...]:
    outcomes = {column: score.outcome for column, score in line.scores.items()}
    return tuple((column, np.asarray(outcome.scores, np.float64).tobytes()) for column, outcome in outcomes.items())


def _summaries(table: PublishedTable, scores: Mapping[str, Score]) -> dict[str, float]:
    """Return the summaries of the table of which the run has all sets."""
    columns = [column for column in table.columns if column in SUMMARIES]
    reached = {column: score.pearson for column, score in scores.items() if score.pearson is not None}
    if not columns or len(reached) < len(table.sets):
        return {}
    if "primary" in columns:
        return {"primary": primary(reached)["primary7"]}
    gold, values = (
        np.concatenate([np.asarray(getattr(score.outcome, name)) for score in scores.values()])
        for name in ("gold", "scores")
    )
    labels = np.repeat(list(scores), [len(score.outcome.gold) for score in scores.values()])
    sizes = {column: (len(scores[column].outcome.gold), r) for column, r in reached.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # constant scores have correlation 0
        aggregate = aggregates(gold, values, labels, sizes)
    correlations = {"mean": aggregate.mean, "all": aggregate.all, "allnrm": aggregate.all_normalised}
    return {column: value for column in columns if (value := correlations[column]) is not None}
