"""Settings of the regressors by random search (Bergstra and Bengio, 2012): scikit-learn's, in folds by sentence."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pyarrow as pa
from scipy.stats import loguniform, randint, uniform
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import make_scorer
from sklearn.model_selection import ParameterSampler, RandomizedSearchCV

from ...features.matrix import FeatureMatrix
from ...models.member import REGRESSORS, make_member
from ..core.folds import grouped_folds
from .member_fits import Progress, Tally
from .variants import quiet_pearson

Space = Mapping[str, Mapping[str, Any]]
"""For a regressor's name and each of its settings, a distribution of scipy's or a sequence to draw from."""

SPACE: Space = {
    "rf": {"min_samples_leaf": randint(1, 11), "max_features": uniform(0.05, 0.55)},
    "gbm": {
        "n_estimators": randint(200, 1_001),
        "learning_rate": loguniform(0.01, 0.1),
        "max_depth": randint(2, 9),
        "subsample": uniform(0.3, 0.7),
        "max_features": uniform(0.05, 0.45),
        "min_samples_leaf": randint(2, 51),
    },
    "xgb": {
        "n_estimators": randint(200, 1_201),
        "learning_rate": loguniform(0.01, 0.1),
        "max_depth": randint(2, 9),
        "subsample": uniform(0.3, 0.7),
        "colsample_bytree": uniform(0.1, 0.9),
        "min_child_weight": loguniform(1, 64),
        "reg_lambda": loguniform(0.1, 10),
    },
}
"""What is searched: the settings of the regressors in `models.regressors`, around their values there.

But for the number of trees in a forest, of which more never hurt.
"""

DIGITS = 3
"""Significant digits of a number that is drawn: it is to be read, and typed again."""


@dataclass(frozen=True)
class Candidate:
    """Settings of a regressor, and how well they did.

    Attributes
    ----------
    member
        The regressor.
    settings
        All of them, in the words of its library.
    is_default
        Whether these are what it has without a search.
    folds
        Pearson correlation in each fold, -1..1; 0 where every score is the same.
    rank
        Its place among the candidates of its regressor, from 1; of equals, the first drawn comes first.
    seconds
        How long its fits took, on one core. It alone differs between runs.
    """

    member: str
    settings: Mapping[str, Any]
    is_default: bool
    folds: tuple[float, ...]
    rank: int
    seconds: float

    @property
    def mean(self) -> float:
        """Mean of the folds."""
        return float(np.mean(self.folds))

    @property
    def std(self) -> float:
        """Standard deviation of the folds, of all of them as a population."""
        return float(np.std(self.folds))


@dataclass(frozen=True)
class Search:
    """What a search found.

    Attributes
    ----------
    candidates
        By regressor, the default first and then as drawn.
    drawn
        For each regressor the names of the settings that were searched.
    """

    candidates: tuple[Candidate, ...]
    drawn: Mapping[str, tuple[str, ...]]

    @property
    def members(self) -> tuple[str, ...]:
        """The regressors that were searched."""
        return tuple(self.drawn)

    def default(self, member: str) -> Candidate:
        """Return the candidate that a regressor has without a search."""
        return next(found for found in self.candidates if found.member == member and found.is_default)

    def best(self, member: str) -> Candidate:
        """Return the candidate of a regressor with the highest mean; of equals the default, then the first drawn."""
        return next(found for found in self.candidates if found.member == member and found.rank == 1)

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """The searched settings of each regressor that some draw is better for; nothing where the default is best."""
        found = {member: self.best(member) for member in self.members}
        return {
            member: {key: best.settings[key] for key in self.drawn[member]}
            for member, best in found.items()
            if not best.is_default
        }

    def as_options(self) -> list[str]:
        """Return `settings` as values of ``--set``: ``xgb.max_depth=4``."""
        return [
            f"{member}.{key}={json.dumps(value)}"
            for member, settings in self.settings.items()
            for key, value in settings.items()
        ]

    def to_table(self) -> pa.Table:
        """Return a row a candidate: its figures, and a column for every setting, null where it does not have it."""
        names = sorted({key for found in self.candidates for key in found.settings})
        rows = [
            {
                "member": found.member,
                "rank": found.rank,
                "default": found.is_default,
                "pearson_mean": found.mean,
                "pearson_std": found.std,
                **{f"pearson_fold_{k}": value for k, value in enumerate(found.folds, start=1)},
                "seconds": found.seconds,
                **{name: found.settings.get(name) for name in names},
            }
            for found in self.candidates
        ]
        return pa.table({key: _array([row[key] for row in rows]) for key in rows[0]})

    def write(self, path: str | Path) -> Path:
        """Write `to_table` as CSV; return the path."""
        import pyarrow.csv

        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        pyarrow.csv.write_csv(self.to_table(), path)
        return path


def search(
    matrix: FeatureMatrix,
    y: Sequence[float] | np.ndarray,
    groups: np.ndarray,
    *,
    members: Sequence[str] = REGRESSORS,
    draws: int = 20,
    params: Mapping[str, Mapping[str, Any]] | None = None,
    space: Space = SPACE,
    seed: int = 0,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Search:
    """Compare settings of regressors by cross-validation: the mean of the Pearson correlations of five folds.

    Parameters
    ----------
    matrix
        n pairs.
    y
        Shape (n,), scores on 0..5.
    groups
        Shape (n,): pairs of a group stay in one fold; see `sentence_groups`.
    members
        Of these the ones in `space` are searched, each alone; others, such as networks, are left as they are.
    draws
        How many settings to draw for each regressor, beside its default.
    params
        For a member's name, settings that replace its own. They are not searched.
    space
        What to draw from.
    seed
        Of the draws and of the fits. More draws begin with those of fewer.
    jobs
        Processes, as in joblib.
    progress
        Called with (fits done, fits to do).

    Raises
    ------
    ValueError
        If there is no regressor, nothing of one to search, no draw, a single group, or an unknown setting.
    """
    names = [name for name in members if name in space]
    if not names:
        raise ValueError(f"no member of {', '.join(members)} is searched; name one of {', '.join(space)}")
    if draws < 1:
        raise ValueError(f"draws={draws} is no number of settings to draw; give 1 or more")
    folds = grouped_folds(groups)
    if not folds:
        raise ValueError("all pairs are in one group, so there are no folds to search in; give more pairs")
    given = params or {}
    wanted = {
        name: {key: value for key, value in space[name].items() if key not in given.get(name, {})} for name in names
    }
    for name, distributions in wanted.items():
        if not any(_varies(distribution) for distribution in distributions.values()):
            raise ValueError(f"every setting of {name} that is searched is given, so nothing is left; give fewer")
    tally = Tally(progress)
    tally.expect(len(names) * (draws + 1) * len(folds))
    found: list[Candidate] = []
    for name in names:
        default = dict(make_member(name, given.get(name)).params)
        drawing = _Search(
            _Member(name, random_state=seed),
            {_SETTINGS: _Draw(default, wanted[name])},
            n_iter=draws,
            scoring=make_scorer(quiet_pearson),
            n_jobs=jobs,
            refit=False,
            cv=folds,
            random_state=seed,
            error_score="raise",
        )
        drawing.tell = tally.step
        found += _candidates(name, drawing.fit(matrix.values, np.asarray(y, dtype=np.float64)).cv_results_, len(folds))
    return Search(tuple(found), {name: tuple(wanted[name]) for name in names})


_SETTINGS = "settings"


class _Member(RegressorMixin, BaseEstimator):
    """A regressor of the ensemble on rows of numbers: what is compared is what is fitted in the end."""

    def __init__(self, name: str = "xgb", settings: Mapping[str, Any] | None = None, random_state: int = 0) -> None:
        self.name = name
        self.settings = settings
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> "_Member":
        columns = tuple(map(str, range(X.shape[1])))
        self.fitted_ = make_member(self.name, self.settings, self.random_state, 1).fit(FeatureMatrix(X, columns), y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.fitted_.predict(FeatureMatrix(X, tuple(map(str, range(X.shape[1])))))


@dataclass(frozen=True)
class _Draw:
    """A distribution of whole settings: the default, with what is drawn in place of its own."""

    default: Mapping[str, Any]
    distributions: Mapping[str, Any]

    def rvs(self, random_state: np.random.RandomState) -> dict[str, Any]:
        return {**self.default, **{key: _one(value, random_state) for key, value in self.distributions.items()}}


class _Search(RandomizedSearchCV):
    """Scikit-learn's, with the default before all that is drawn, and in steps, so that they can be told of."""

    tell: Callable[[], None]

    def _run_search(self, evaluate_candidates: Callable[[list[dict[str, Any]]], Any]) -> None:
        drawn = ParameterSampler(self.param_distributions, self.n_iter, random_state=self.random_state)
        candidates = [{_SETTINGS: dict(self.param_distributions[_SETTINGS].default)}, *drawn]
        step = math.ceil(joblib.effective_n_jobs(self.n_jobs) / len(self.cv))
        for start in range(0, len(candidates), step):
            some = candidates[start : start + step]
            evaluate_candidates(some)
            for _ in range(len(some) * len(self.cv)):
                self.tell()


def _one(distribution: Any, random_state: np.random.RandomState) -> Any:
    if hasattr(distribution, "rvs"):
        value = distribution.rvs(random_state=random_state)
    else:
        value = distribution[random_state.randint(len(distribution))]
    value = value.item() if isinstance(value, np.generic) else value
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def _varies(distribution: Any) -> bool:
    return hasattr(distribution, "rvs") or len(distribution) > 1


def _candidates(member: str, results: Mapping[str, Any], folds: int) -> list[Candidate]:
    scores = np.column_stack([results[f"split{k}_test_score"] for k in range(folds)])
    seconds = (results["mean_fit_time"] + results["mean_score_time"]) * folds
    rank = np.empty(len(scores), dtype=np.int64)
    rank[np.argsort(-scores.mean(axis=1), kind="stable")] = np.arange(1, len(scores) + 1)
    return [
        Candidate(member, params[_SETTINGS], k == 0, tuple(scores[k].tolist()), int(rank[k]), float(seconds[k]))
        for k, params in enumerate(results["params"])
    ]


def _array(values: list[Any]) -> pa.Array:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} or kinds in ({bool}, {str}):
        return pa.array(values)
    return pa.array([None if value is None else json.dumps(value) for value in values])
