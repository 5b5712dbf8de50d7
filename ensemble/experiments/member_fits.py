"""Fits of single members on columns of one matrix, run in parallel, each done once and cached by content."""

import hashlib
import json
import time
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast

import joblib
import numpy as np

from ..._code_version import package_digest
from ..._files import complete_file
from ..._messages import from_extra
from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import Member, load_member, make_member

Progress = Callable[[int, int | None], None]
"""Function called with the number of finished fits and the number of all fits, None if unknown."""


class Fit(NamedTuple):
    """Fit of a member: its name, the columns it reads (none for a network, which reads the pairs), and its seed."""

    member: str
    columns: tuple[str, ...]
    seed: int


class Scores(NamedTuple):
    """Scores of the n held-out pairs by a fit, shape (n,), its seconds, and its model if that is kept."""

    values: np.ndarray
    seconds: float
    model: bytes | None = None


class Tally:
    """Counter of finished and planned fits."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress, self._done, self._total = progress, 0, 0

    def expect(self, fits: int) -> None:
        """Count planned fits."""
        self._total += fits

    def step(self) -> None:
        """Count a finished fit and report progress."""
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total)


class Fits:
    """Cache of fits on one pair of matrices, in memory and, with a folder, on disk.

    Parameters
    ----------
    train, target
        The pairs to fit on and the n pairs to score, with the same columns; the same matrix for cross-validation.
    gold
        Scores of the training pairs.
    parts
        (rows of `train`, rows of `target`) of each fold; the rows of `target` make up all of it.
    params
        Settings of each member that replace its own.
    n_jobs
        Number of processes.
    folder
        Folder of results, one file each, named by a digest of everything that it depends on; None to keep none.
    tally
        Counter of the fits.
    """

    def __init__(
        self,
        train: FeatureMatrix,
        target: FeatureMatrix,
        gold: np.ndarray,
        parts: Sequence[tuple[np.ndarray, np.ndarray]],
        *,
        params: Mapping[str, Mapping[str, Any]] | None = None,
        n_jobs: int | None = None,
        folder: str | Path | None = None,
        tally: Tally | None = None,
    ) -> None:
        self._train, self.target, self._gold, self.parts = train, target, gold, parts
        self._params, self.n_jobs, self.tally = params or {}, n_jobs, tally or Tally(None)
        self._folder = None if folder is None else Path(folder)
        self._place = {column: j for j, column in enumerate(train.columns)}
        self._members: dict[tuple[str, int], Member] = {}
        self._results: dict[str, Scores] = {}
        self._keys: dict[tuple[Fit, int], str] = {}
        self._column_digests = {
            column: _digest(train.values[:, j].tobytes(), target.values[:, j].tobytes())
            for column, j in self._place.items()
        }
        self._part_digests = [_digest(gold.tobytes(), rows.tobytes(), held_out.tobytes()) for rows, held_out in parts]

    def beside(
        self,
        train: FeatureMatrix,
        target: FeatureMatrix,
        gold: np.ndarray,
        parts: Sequence[tuple[np.ndarray, np.ndarray]],
    ) -> "Fits":
        """Return fits with the same settings on other matrices."""
        settings: dict[str, Any] = {"params": self._params, "n_jobs": self.n_jobs, "tally": self.tally}
        return Fits(train, target, gold, parts, folder=self._folder, **settings)

    def member(self, name: str, seed: int) -> Member:
        """Return a member, unfitted."""
        if (name, seed) not in self._members:
            self._members[name, seed] = make_member(name, self._params.get(name), random_state=seed, n_jobs=1)
        return self._members[name, seed]

    def fit(self, name: str, columns: Sequence[str], seed: int) -> Fit:
        """Return the fit of a member; a network has the same fit for all columns."""
        return Fit(name, tuple(columns) if self.member(name, seed).reads_columns else (), seed)

    def run(self, fits: Iterable[Fit], models: bool = False) -> dict[Fit, Scores]:
        """Return the scores of fits, running only those without a result. With `models`, fitted models are kept too.

        Raises
        ------
        ValueError
            If a setting is unknown, or a member cannot be fitted on the matrix.
        """
        distinct_fits = list(dict.fromkeys(fits))
        tasks = {}
        for fit in distinct_fits:
            for k in range(len(self.parts)):
                key = self._key(fit, k)
                keep = models and self.member(fit.member, fit.seed).reads_columns
                if not self._has(key, len(self.parts[k][1]), keep):
                    tasks[key] = (fit, k)
        self.tally.expect(len(tasks))
        parallel = joblib.Parallel(n_jobs=self.n_jobs, return_as="generator_unordered")
        try:
            for key, scores in parallel(
                joblib.delayed(_fit_one)(key, models, *self._task(*task)) for key, task in tasks.items()
            ):
                self._keep(key, scores)
        except (KeyboardInterrupt, SystemExit) as error:
            if self._folder is not None:
                error.add_note(f"finished fits are kept in {self._folder}; the same command goes on from there")
            raise
        return {fit: self._whole(fit) for fit in distinct_fits}

    def models(self, fit: Fit) -> tuple[Member, ...]:
        """Return the fitted members, one a fold, of a fit that reads columns and was run with ``models=True``."""
        kept = (self._results[self._key(fit, k)].model for k in range(len(self.parts)))
        return tuple(load_member(fit.member, cast(bytes, model), fit.columns) for model in kept)

    def _task(self, fit: Fit, k: int) -> tuple[Any, ...]:
        # A network reads the pairs, a regressor the columns: only that goes to another process.
        member = replace(cast(Any, self.member(fit.member, fit.seed)), n_jobs=1)
        matrices = (self._train, self.target)
        if member.reads_columns:
            places = np.asarray([self._place[column] for column in fit.columns], dtype=np.intp)
            sides = [FeatureMatrix(matrix.values, matrix.columns) for matrix in matrices]
        else:
            places = np.empty(0, dtype=np.intp)
            sides = [FeatureMatrix(np.empty((len(m), 0), dtype=np.float32), (), m.pairs) for m in matrices]
        return member, *sides, self._gold, places, *self.parts[k]

    def _whole(self, fit: Fit) -> Scores:
        values, seconds = np.empty(len(self.target)), 0.0
        for k, (_, held_out) in enumerate(self.parts):
            part = self._results[self._key(fit, k)]
            values[held_out] = part.values
            seconds += part.seconds
        return Scores(values, seconds)

    def _key(self, fit: Fit, k: int) -> str:
        if (fit, k) not in self._keys:
            member = self.member(fit.member, fit.seed)
            columns = [[column, self._column_digests[column]] for column in fit.columns]
            facts = [*_code(), fit.member, dict(member.params), fit.seed, self._part_digests[k]]
            texts = None if member.reads_columns else self._text_digest
            self._keys[fit, k] = _digest(json.dumps([facts, columns, texts], sort_keys=True, default=str).encode())
        return self._keys[fit, k]

    @cached_property
    def _text_digest(self) -> str:
        pairs = (pair for matrix in (self._train, self.target) for pair in matrix.pairs or ())
        return _digest(*(sentence.text.encode("utf-8", "surrogatepass") for pair in pairs for sentence in pair))

    def _has(self, key: str, size: int, model: bool) -> bool:
        if key not in self._results and not self._read(key, size):
            return False
        return not model or self._results[key].model is not None

    def _read(self, key: str, size: int) -> bool:
        if self._folder is None:
            return False
        path = self._folder / f"{key}.npz"
        if not path.is_file():
            return False
        try:
            # Opened here: numpy leaves a damaged file open.
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                values, seconds = file["values"], float(file["seconds"])
                model = file["model"].tobytes() if "model" in file else None
        except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile):
            return False
        if values.shape != (size,) or values.dtype != np.float64 or not np.isfinite(values).all():
            return False
        self._results[key] = Scores(values, seconds, model)
        return True

    def _keep(self, key: str, scores: Scores) -> None:
        self._results[key] = scores
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            arrays: dict[str, Any] = {"values": scores.values, "seconds": np.asarray(scores.seconds)}
            if scores.model is not None:
                arrays["model"] = np.frombuffer(scores.model, dtype=np.uint8)
            with complete_file(self._folder / f"{key}.npz") as file:
                np.savez(file, **arrays)
        self.tally.step()


def _fit_one(
    key: str,
    keep: bool,
    member: Member,
    train: FeatureMatrix,
    target: FeatureMatrix,
    gold: np.ndarray,
    places: np.ndarray,
    rows: np.ndarray,
    held_out: np.ndarray,
) -> tuple[str, Scores]:
    start = time.perf_counter()
    fitted = member.fit(_part(train, rows, places), gold[rows])
    values = np.asarray(fitted.predict(_part(target, held_out, places)), dtype=np.float64)
    model = fitted.to_bytes() if keep and fitted.reads_columns else None
    return key, Scores(values, time.perf_counter() - start, model)


def _part(matrix: FeatureMatrix, rows: np.ndarray, places: np.ndarray) -> FeatureMatrix:
    columns = tuple(matrix.columns[j] for j in places)
    return FeatureMatrix(matrix.values[np.ix_(rows, places)], columns, matrix.pairs and matrix.pairs.take(rows))


def _digest(*parts: bytes) -> str:
    content = hashlib.sha256()
    for part in parts:
        content.update(len(part).to_bytes(8, "little") + part)
    return content.hexdigest()[:32]


@cache
def _code() -> tuple[str, ...]:
    """Return a digest of the code that fits members, and the versions of libraries that may fit other trees."""
    with from_extra("fit", "an experiment"):
        import sklearn
        import xgboost

    return package_digest(), sklearn.__version__, xgboost.__version__
