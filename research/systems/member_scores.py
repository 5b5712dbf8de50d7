"""Scores of the members of systems for the target pairs, cached by content."""

import hashlib
import json
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np

from ..._code_version import installed_version, package_digest
from ..._files import complete_file
from ...features.base.sentences import PairBatch
from ...features.pipeline.matrix import FeatureMatrix
from .specification import Member


class Source(NamedTuple):
    """Source of a member's values.

    Attributes
    ----------
    member
        The member.
    columns
        Columns that match its patterns.
    """

    member: Member
    columns: tuple[str, ...]


class Scores(NamedTuple):
    """Scores of a member for n pairs, shape (n,), and the duration in seconds; or the reason for a failure."""

    values: np.ndarray
    seconds: float
    failure: str | None = None


@dataclass(frozen=True)
class Corpus:
    """Matrices of an exercise: the pairs to fit on and the pairs to score.

    Attributes
    ----------
    train, target
        Matrices with the columns of all members.
    gold, groups
        Gold scores and groups of the training pairs, shape (n,).
    """

    train: FeatureMatrix
    target: FeatureMatrix
    gold: np.ndarray
    groups: np.ndarray


class Task(NamedTuple):
    """One fit of a member, and the pairs that it scores.

    Without a `fold`, it is fitted on all training pairs and scores the target. With one, it is fitted on the pairs
    outside the fold and scores those in it.
    """

    source: Source
    fold: tuple[np.ndarray, np.ndarray] | None


class Parts:
    """Fits of an exercise, each computed once."""

    def __init__(
        self,
        corpus: Corpus,
        seed: int,
        jobs: int | None,
        folder: Path,
        progress: Callable[[int, int | None], None] | None,
    ) -> None:
        self._corpus, self._seed, self._jobs, self._folder, self._progress = corpus, seed, jobs, folder, progress
        self._place = {column: j for j, column in enumerate(corpus.train.columns)}
        self._texts = _digest(_texts(corpus.train), _texts(corpus.target), corpus.gold.tobytes())

    def run(self, tasks: Iterable[Task]) -> list[Scores]:
        """Return the scores of tasks, in their order; each distinct task is computed once, and only if not cached."""
        keyed = [(self._key(task), task) for task in tasks]
        wanted = dict(keyed)
        results = {key: kept for key in wanted if (kept := self._read(key)) is not None}
        missing = [(key, task) for key, task in wanted.items() if key not in results]
        parallel = joblib.Parallel(n_jobs=self._jobs, return_as="generator_unordered")
        calls = (joblib.delayed(_fit)(key, *self._inputs(task), self._seed) for key, task in missing)
        with warnings.catch_warnings():
            # joblib replaces a process that uses much memory; users need no warning about that.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
            for done, (key, scores) in enumerate(parallel(calls), start=1):
                results[key] = scores
                if scores.failure is None:
                    self._keep(key, scores)
                if self._progress is not None:
                    self._progress(done, len(missing))
        return [results[key] for key, _ in keyed]

    def _key(self, task: Task) -> str:
        # Digest of all inputs of a task.
        member, columns = task.source
        places = [self._place[column] for column in columns]
        values = [matrix.values[:, places].tobytes() for matrix in (self._corpus.train, self._corpus.target)]
        fold = b"" if task.fold is None else b"".join(rows.tobytes() for rows in task.fold)
        facts = [asdict(member), columns, self._seed, self._texts, *_code()]
        facts += [_settings(member)] if member.network is not None else []
        return _digest(json.dumps(facts, sort_keys=True, default=str).encode(), fold, *values)

    def _inputs(self, task: Task) -> tuple[Any, ...]:
        member, columns = task.source
        corpus, places = self._corpus, [self._place[column] for column in columns]
        # Send only the inputs of the member to the other process.
        reads_pairs = member.network is not None or member.weights is not None

        def part(matrix: FeatureMatrix, rows: np.ndarray | slice) -> FeatureMatrix:
            pairs = matrix.pairs if reads_pairs else None
            if pairs is not None and not isinstance(rows, slice):
                pairs = pairs.take(rows)
            return FeatureMatrix(matrix.values[rows][:, places], columns, pairs)

        if task.fold is None:
            everything = slice(None)
            fitted, target = part(corpus.train, everything), part(corpus.target, everything)
            return member, fitted, target, corpus.gold, corpus.groups
        rows, held_out = task.fold
        return member, part(corpus.train, rows), part(corpus.train, held_out), corpus.gold[rows], corpus.groups[rows]

    def _read(self, key: str) -> Scores | None:
        path = self._folder / f"{key}.npy"
        try:
            values = np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError, SyntaxError):  # missing or damaged
            return None
        if not isinstance(values, np.ndarray) or values.ndim != 1 or not len(values):
            return None
        return Scores(values[1:], float(values[0]))

    def _keep(self, key: str, scores: Scores) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        with complete_file(self._folder / f"{key}.npy") as file:
            np.save(file, np.append(scores.seconds, scores.values), allow_pickle=False)


def fitted_scores(
    member: Member, train: FeatureMatrix, target: FeatureMatrix, gold: np.ndarray, groups: np.ndarray, seed: int
) -> np.ndarray:
    """Return the scores of a fitted member for the target pairs, shape (n,)."""
    if member.network is not None:
        return np.asarray(_network(member, seed).fit(train, gold).predict(target), dtype=np.float64)
    from ..learners import make_learner

    weights = None
    if member.weights is not None:
        from ..learners.feature_decay import feature_decay_weights

        weights = feature_decay_weights(_pairs(train), _pairs(target))
    learner = make_learner(str(member.learner), member.params, random_state=seed, n_jobs=1)
    return learner.fit(train, gold, sample_weight=weights, groups=groups).predict(target)


def _fit(
    key: str,
    member: Member,
    train: FeatureMatrix,
    target: FeatureMatrix,
    gold: np.ndarray,
    groups: np.ndarray,
    seed: int,
) -> tuple[str, Scores]:
    start = time.perf_counter()
    try:
        values = fitted_scores(member, train, target, gold, groups, seed)
    except (ValueError, ModuleNotFoundError) as error:
        # A failure of one system must not stop the others.
        return key, Scores(np.empty(0), 0.0, str(error))
    return key, Scores(values, time.perf_counter() - start)


def _network(member: Member, seed: int | None = 0) -> Any:
    from ...models.member import make_member
    from ..networks.research_network import RESEARCH_NETWORKS, make_network

    build: Any = make_network if member.network in RESEARCH_NETWORKS else make_member
    return build(member.network, member.params, random_state=seed)


def _settings(member: Member) -> dict[str, Any]:
    try:
        return dict(_network(member).params)
    except ValueError:  # an unknown setting, which the fit reports
        return {}


def _pairs(matrix: FeatureMatrix) -> PairBatch:
    from ...models.member import pairs_of

    return pairs_of(matrix)


@cache
def _code() -> tuple[str, ...]:
    """Return a digest of the code that fits members, and the versions of the libraries that do."""
    libraries = ("scikit-learn", "xgboost", "torch")
    return package_digest(), *(str(installed_version(name)) for name in libraries)


def _texts(matrix: FeatureMatrix) -> bytes:
    texts: Sequence[str] = [sentence.text for pair in matrix.pairs or () for sentence in pair]
    return "\0".join(texts).encode("utf-8", "surrogatepass")


def _digest(*parts: bytes) -> str:
    content = hashlib.sha256()
    for part in parts:
        content.update(len(part).to_bytes(8, "little") + part)
    return content.hexdigest()[:32]
