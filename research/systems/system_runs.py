"""Runs of systems: extraction of all columns, fits of the distinct members, and combination of their scores."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from ...ensemble.core.bundle_parts import USER_RESOURCES
from ...ensemble.core.folds import grouped_folds, sentence_groups
from ...features.base.sentences import LEVELS
from ...features.pipeline.catalogue import resolve
from ...features.pipeline.extraction import Extraction
from ...features.pipeline.matrix import FeatureMatrix
from .member_scores import Corpus, Parts, Scores, Source, Task, fitted_scores
from .specification import Lack, Member, Run, System
from .training_and_test_sets import Exercise

FOLDS = 3
"""Number of folds for a fitted combination; more would take long with networks."""

Progress = Callable[[int, int | None], None]


@dataclass(frozen=True, eq=False)
class Outcome:
    """Scores of a run of a system for the pairs of one set.

    Attributes
    ----------
    system, run
        The system and the name of the run.
    set
        The name of the exercise and of the set: ``STS Benchmark test``, ``track 5``.
    gold, scores
        Shape (n,). Scores of a run without a fit are on its own scale; those of a failed run are None.
    seconds
        Duration of its fits, including fits that other runs share.
    lacks
        Parts of the publication that the run lacks, less those that the user supplied.
    failure
        Reason for a failure, or None.
    """

    system: System
    run: str
    set: str
    gold: np.ndarray
    scores: np.ndarray | None
    seconds: float
    lacks: tuple[Lack, ...]
    failure: str | None = None

    @property
    def label(self) -> str:
        """Name of the system, followed by that of the run if the system has several."""
        return self.system.name if len(self.system.runs) == 1 else f"{self.system.name} {self.run}"

    @property
    def rebuild(self) -> str:
        """Nearness of the run to its publication, one of `specification.REBUILDS`."""
        return self.system.runs[self.run].rebuild if self.lacks else "faithful"


@dataclass(frozen=True, eq=False)
class _Planned:
    system: System
    name: str
    run: Run
    sources: tuple[Source, ...]
    beside: tuple[str, ...]
    lacks: tuple[Lack, ...]


def run_systems(
    systems: Iterable[System],
    exercise: Exercise,
    folder: str | Path,
    *,
    seed: int = 0,
    jobs: int | None = None,
    cache: str | Path | None = None,
    vectors: str | Path | None = None,
    encoder: str | Path | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Fit all runs of systems and score the sets of an exercise.

    Parameters
    ----------
    systems
        Systems to run.
    exercise
        Training set, and sets to score.
    folder
        Folder of finished fits, which are not repeated.
    seed
        Seed of everything random.
    jobs
        Number of processes, as in joblib.
    cache
        Folder for extracted features, keyed by content.
    vectors, encoder
        User-supplied word vectors and sentence encoder for the members that read them; without them the stand-ins run.
    progress
        Called with the numbers of finished and of all fits.

    Raises
    ------
    ValueError
        If a pattern matches no column.
    """
    paths = {"vectors": vectors, "encoder": encoder}
    given = {key: path for key, path in paths.items() if path is not None}
    planned = [_plan(system, name, given) for system in systems for name in system.runs]
    corpus = _corpus(planned, exercise, given, cache)
    parts = Parts(corpus, seed, jobs, Path(folder), progress)
    folds = grouped_folds(corpus.groups, FOLDS)
    tasks = [_tasks(plan, folds) for plan in planned]
    member_scores = iter(parts.run(chain.from_iterable(tasks)))
    outcomes = []
    for plan, run_tasks in zip(planned, tasks, strict=True):
        scores = _combined(plan, list(islice(member_scores, len(run_tasks))), corpus, folds, seed)
        outcomes += _outcomes(plan, scores, exercise)
    return outcomes


def _plan(system: System, name: str, given: Mapping[str, Any]) -> _Planned:
    run, sources = system.runs[name], []
    lacks = run.lacks
    for member in run.members.values():
        if member.needs is not None and member.needs not in given and member.instead is not None:
            member = member.instead
        elif member.needs in given:
            # The user-supplied resource replaces all replacements.
            lacks = ()
        sources.append(Source(member, resolve(member.columns)[1] if member.columns else ()))
    beside = resolve(run.beside)[1] if run.beside else ()
    return _Planned(system, name, run, tuple(sources), beside, lacks)


def _corpus(
    planned: Sequence[_Planned], exercise: Exercise, given: Mapping[str, Any], cache: str | Path | None
) -> Corpus:
    members = [source.member for plan in planned for source in plan.sources]
    read = [columns for plan in planned for columns in (*(source.columns for source in plan.sources), plan.beside)]
    columns = list(dict.fromkeys(column for columns in read for column in columns))
    features = resolve(columns)[0] if columns else ()
    missing = next((need for value in features for need in value.needs if _lacks(need, given)), None)
    if missing is not None:
        raise ValueError(f"a system without stand-ins must get {missing!r}, got none; pass --vectors or --encoder")
    levels = [_network_level(member) for member in members]
    kinds = {USER_RESOURCES[key].name: key for key in given}
    used = {kinds[need] for value in features for need in value.needs if need in kinds}
    extraction, batch = Extraction.fit(
        exercise.train.pairs,
        columns or None,
        cache=cache,
        least_level=max(levels, key=LEVELS.index),
        **{key: given[key] for key in used},
    )
    texts = [pair for labelled in exercise.sets.values() for pair in labelled.pairs]
    train, target = (extraction.matrix(part) for part in (batch, extraction.analyse(texts)))
    return Corpus(train, target, exercise.train.gold, sentence_groups(batch))


def _lacks(need: str, given: Mapping[str, Any]) -> bool:
    return any(kind.name == need and key not in given for key, kind in USER_RESOURCES.items())


def _network_level(member: Member) -> str:
    from ..networks.research_network import RESEARCH_NETWORKS, make_network

    if member.network in RESEARCH_NETWORKS:
        return make_network(str(member.network), member.params).level
    return "tokens"


def _tasks(plan: _Planned, folds: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[Task]:
    """Return for each member the fit on all pairs and, for a fitted combination, one fit a fold."""
    inner: Sequence[Any] = () if plan.run.combine == "mean" else folds
    return [Task(source, fold) for source in plan.sources for fold in (None, *inner)]


def _combined(
    plan: _Planned,
    member_scores: Sequence[Scores],
    corpus: Corpus,
    folds: Sequence[tuple[np.ndarray, np.ndarray]],
    seed: int,
) -> Scores:
    failure = next((scores.failure for scores in member_scores if scores.failure is not None), None)
    seconds = sum(scores.seconds for scores in member_scores)
    if failure is not None:
        return Scores(np.empty(0), seconds, failure)
    each = len(member_scores) // len(plan.sources)
    on_target = np.column_stack([scores.values for scores in member_scores[::each]])
    if plan.run.combine == "mean":
        return Scores(on_target.mean(axis=1), seconds)
    names = tuple(f"member.{name}.score" for name in plan.run.members)
    held_out = np.empty((len(corpus.gold), len(names)))
    for j in range(len(names)):
        for (_, rows), scores in zip(folds, member_scores[j * each + 1 : (j + 1) * each], strict=True):
            held_out[rows, j] = scores.values
    train, target = (
        FeatureMatrix(np.hstack([values, matrix.reorder(plan.beside)]).astype(np.float32), (*names, *plan.beside))
        for values, matrix in ((held_out, corpus.train), (on_target, corpus.target))
    )
    combiner = Member(train.columns, plan.run.combine, params=plan.run.combine_params)
    return Scores(fitted_scores(combiner, train, target, corpus.gold, corpus.groups, seed), seconds)


def _outcomes(plan: _Planned, combined: Scores, exercise: Exercise) -> list[Outcome]:
    outcomes, start = [], 0
    for name, labelled in exercise.sets.items():
        end = start + len(labelled.pairs)
        scores = None
        if combined.failure is None:
            scores = _ruled(combined.values[start:end], labelled.pairs, plan.run.rules)
        label = f"{exercise.name} {name}" if name in ("dev", "test") else name
        facts = (
            plan.system,
            plan.name,
            label,
            labelled.gold,
            scores,
            combined.seconds,
            plan.lacks,
            combined.failure,
        )
        outcomes.append(Outcome(*facts))
        start = end
    return outcomes


def _ruled(scores: np.ndarray, pairs: Sequence[tuple[str, str]], rules: Mapping[str, Any]) -> np.ndarray:
    ruled: np.ndarray = np.asarray(scores, dtype=np.float64)
    if rules.get("clip"):
        ruled = ruled.clip(0, 5)
    if rules.get("identical"):
        same = [_letters(a) == _letters(b) for a, b in pairs]
        ruled = np.where(same, 5.0, ruled)
    if "decimals" in rules:
        ruled = ruled.round(rules["decimals"])
    return ruled


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()
