"""What a member of the ensemble is, and the members by name."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from ..features.matrix import FeatureMatrix
from ..features.sentences import PairBatch

_HOMES = {
    "tree_ensembles.regressors:Regressor": ("rf", "gbm", "xgb"),
    "neural.pair_network:PairNetwork": ("dl_word", "dl_proj", "dl_dan", "dl_lstm", "cnn", "esim"),
    "neural.cross_encoder:CrossEncoder": ("cross_encoder",),
}

MEMBERS = {name: home for home, names in _HOMES.items() for name in names}
"""The module and the class of each member, by its name."""

REGRESSORS = _HOMES["tree_ensembles.regressors:Regressor"]
"""The members that read columns (Tian et al., 2017)."""


class Scorer(Protocol):
    """A member of the ensemble: it maps pairs to scores, and stays as it is once it is fitted.

    Attributes
    ----------
    suffix
        How the name of its file ends.
    reads_columns
        Whether it reads the columns of a matrix; otherwise it reads the pairs.
    name
        One of `MEMBERS`.
    params
        Its settings, as JSON values.
    tables
        Names of the tables of the package, beside those of the features, on which its scores depend.
    """

    suffix: ClassVar[str]
    reads_columns: ClassVar[bool]

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def params(self) -> Mapping[str, Any]: ...  # noqa: D102
    @property
    def tables(self) -> tuple[str, ...]: ...  # noqa: D102

    def fit(self, matrix: FeatureMatrix, y: np.ndarray) -> Self:
        """Return the scorer fitted on n pairs and their scores, shape (n,), 0..5."""
        ...

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the score of each pair, shape (n,), float64, on 0..5 but not clipped to it."""
        ...

    def to_bytes(self) -> bytes:
        """Return the fitted scorer as a file that holds no code."""
        ...


def pairs_of(matrix: FeatureMatrix) -> PairBatch:
    """Return the pairs of a matrix, which networks read.

    Raises
    ------
    ValueError
        If it came without them, from a file.
    """
    if matrix.pairs is None:
        raise ValueError("a network reads the texts, and this matrix holds numbers alone; extract it from pairs")
    return matrix.pairs


def _home(name: str) -> Any:
    if name not in MEMBERS:
        raise ValueError(f"member {name!r} is unknown; the members are {', '.join(MEMBERS)}")
    module, _, kind = MEMBERS[name].partition(":")
    return getattr(import_module(f".{module}", __package__), kind)


def make(
    name: str, params: Mapping[str, Any] | None = None, random_state: int | None = 0, n_jobs: int | None = None
) -> Scorer:
    """Return an unfitted member by name.

    Parameters
    ----------
    name
        One of `MEMBERS`.
    params
        Settings that differ from the tuned ones of the member.
    random_state
        Seed.
    n_jobs
        Processor cores to fit on.

    Raises
    ------
    ValueError
        If the name is unknown.
    """
    made: Scorer = _home(name).make(name, params, random_state, n_jobs)
    return made


def load(name: str, data: bytes, columns: Sequence[str], params: Mapping[str, Any] | None = None) -> Scorer:
    """Return the fitted member that `Scorer.to_bytes` wrote.

    Raises
    ------
    ValueError
        If the name is unknown, or the file is damaged or does not fit the columns.
    """
    made: Scorer = _home(name).from_bytes(name, data, columns, params)
    return made
