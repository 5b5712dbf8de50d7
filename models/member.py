"""The contract of a member of the ensemble, and the members by name."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from ..features.base.extensions import Extended
from ..features.base.sentences import PairBatch
from ..features.pipeline.matrix import FeatureMatrix

_FIRST = ("rf", "gbm", "xgb")  # the regressors of Tian et al. (2017), in their order; others follow by name
_FILES = {module.name for module in iter_modules([str(Path(__file__).parent / "regressors")])}

REGRESSORS: tuple[str, ...] = (*_FIRST, *sorted(_FILES - set(_FIRST)))
"""The regressors on all columns, one for each file in ``regressors/``, named like the file."""

COLUMN_MEMBERS: tuple[str, ...] = (*REGRESSORS, "sentence_cosine", "word_cosine")
"""The members that read columns: regressors and embedding-based scorers; all others read the pairs."""

_CORE = {
    **{name: f"{__package__}.regressors.{name}" for name in REGRESSORS},
    **dict.fromkeys(COLUMN_MEMBERS[len(REGRESSORS) :], f"{__package__}.embedding_scorers"),
    **dict.fromkeys(("base_cross_encoder", "cross_encoder"), f"{__package__}.transformers.cross_encoder"),
}


def _added() -> dict[str, str]:
    from importlib.metadata import entry_points  # late: no score needs it

    return {entry.name: entry.value for entry in sorted(entry_points(group="samewise.members"))}


MEMBERS: Extended[str] = Extended(_CORE, _added)
"""The module of each member, by its name; other packages add theirs by the entry points ``samewise.members``.

A regressor's module declares `REGRESSOR`, any other the mapping `SCORERS`.
"""


_CORRECTIONS = {"correction": f"{__package__}.linear_correction"}  # loaded, not trained with the others

LARGEST_SCORE = 1e9
"""Greatest absolute score that a member may give, before it is clipped to 0..5."""


class Member(Protocol):
    """A member of the ensemble: it maps pairs to scores. A frozen dataclass; fitting returns a new one.

    Attributes
    ----------
    suffix
        Suffix of its file.
    reads_columns
        Whether it reads the columns of a matrix; otherwise it reads the pairs.
    averaged
        Whether it enters a stack as part of one plain mean, as regressors do; otherwise with a weight of its own.
    name
        One of `MEMBERS`.
    params
        Settings, as JSON values.
    random_state
        Seed. The same seed and data give the same file, byte for byte, on one installation; for a network, on one kind
        of processor and with the same number of threads (`n_jobs`) too.
    n_jobs
        Processor cores to fit on. They do not change a regressor; see `random_state` for networks.
    libraries
        Packages that fitting imports, beyond those that samewise itself needs.
    tables
        Names of the shipped tables, besides those of the features, on which its scores depend.
    corrects
        Whether its scores are points to add to those of the others, rather than scores.
    level
        Level to which its pairs must be analysed: ``tokens`` or ``lexical``.
    """

    suffix: ClassVar[str]
    reads_columns: ClassVar[bool]
    averaged: ClassVar[bool]
    corrects: ClassVar[bool]
    level: ClassVar[str]

    @property
    def libraries(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def params(self) -> Mapping[str, Any]: ...  # noqa: D102
    @property
    def random_state(self) -> int | None: ...  # noqa: D102
    @property
    def n_jobs(self) -> int | None: ...  # noqa: D102
    @property
    def tables(self) -> tuple[str, ...]: ...  # noqa: D102

    def with_settings(
        self, params: Mapping[str, Any] | None = None, random_state: int | None = 0, n_jobs: int | None = None
    ) -> Self:
        """Return this member, unfitted, with some settings replaced.

        Raises
        ------
        ValueError
            If a setting is unknown. A regressor may raise it in `fit`, where its library is imported.
        """
        ...

    def fit(self, matrix: FeatureMatrix, y: np.ndarray, sample_weight: np.ndarray | None = None) -> Self:
        """Return the member fitted on n pairs.

        Parameters
        ----------
        matrix
            n pairs.
        y
            Shape (n,): their scores, 0..5, less the levels of their sources, which may take them out of it.
        sample_weight
            Shape (n,), positive: how much each pair counts; all count the same if None.
        """
        ...

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the score of each pair, shape (n,), float64, on 0..5 but not clipped to it."""
        ...

    def contributions(self, matrix: FeatureMatrix) -> tuple[float, dict[str, np.ndarray]] | None:
        """Return the points that each family of columns adds to the score of each pair.

        Returns
        -------
        tuple or None
            The mean score over the training pairs, and arrays of shape (n,) by family. The mean plus all points of a
            pair equals `predict`, to 1e-12. None from a member that reads the pairs: its score counts as a whole.

        Raises
        ------
        ValueError
            If it is not fitted.
        """
        ...

    def to_bytes(self) -> bytes:
        """Return the fitted member as a file that holds no code, the same bytes for the same member."""
        ...

    def from_bytes(self, data: bytes, columns: Sequence[str], params: Mapping[str, Any] | None = None) -> Self:
        """Return the fitted member that `to_bytes` wrote, given the columns of its model and its settings.

        Raises
        ------
        ValueError
            If the file is damaged or does not fit the columns.
        """
        ...


def settings_of(name: str, known: Mapping[str, Any], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the settings of a member, with some of them replaced.

    Raises
    ------
    ValueError
        If a setting is unknown.
    """
    unknown = [key for key in given or {} if key not in known]
    if unknown:
        raise ValueError(f"{name} has no setting {unknown[0]!r}; it has {', '.join(known)}")
    return {**known, **(given or {})}


def need_equal_weights(name: str, sample_weight: np.ndarray | None) -> None:
    """Raise ValueError if pairs are weighted, for a member that cannot follow weights."""
    if sample_weight is not None:
        raise ValueError(
            f"sample_weight must be None for the member {name!r}, which counts all pairs the same, got weights; "
            "leave them out"
        )


def pairs_of(matrix: FeatureMatrix) -> PairBatch:
    """Return the pairs of a matrix, which networks read.

    Raises
    ------
    ValueError
        If the matrix has no pairs because it was read from a file.
    """
    if matrix.pairs is None:
        raise ValueError("the matrix must hold texts for a network, got numbers alone; extract it from pairs")
    return matrix.pairs


def scores_of_member(member: Member, matrix: FeatureMatrix) -> np.ndarray:
    """Return the score of each pair by a fitted member, shape (n,), float64, not clipped to 0..5.

    Raises
    ------
    ValueError
        If the member gives anything but n finite numbers up to `LARGEST_SCORE`.
    """
    scores = np.asarray(member.predict(matrix))
    if scores.shape != (len(matrix),) or scores.dtype != np.float64:
        raise ValueError(
            f"the member {member.name!r} must give a float64 for each of {len(matrix)} pairs, got {scores.dtype} of "
            f"shape {scores.shape}; do not use this model"
        )
    sound = np.abs(scores) <= LARGEST_SCORE
    if not sound.all():
        raise ValueError(
            f"the scores of the member {member.name!r} must be finite numbers up to {LARGEST_SCORE:.0e}, got "
            f"{scores[~sound][0]}; do not use this model"
        )
    return scores


def make_member(
    name: str, params: Mapping[str, Any] | None = None, random_state: int | None = 0, n_jobs: int | None = None
) -> Member:
    """Return an unfitted member by name.

    Parameters
    ----------
    name
        One of `MEMBERS`.
    params
        Settings that replace the tuned ones of the member.
    random_state
        Seed.
    n_jobs
        Processor cores to fit on.

    Raises
    ------
    ValueError
        If the name is unknown.
    """
    return _declared(name).with_settings(params, random_state, n_jobs)


_EXTRAS = {"xgboost": "fit"}
"""Extra that installs a library, if not ``train``."""


def check_libraries(members: Iterable[Member]) -> None:
    """Refuse members whose libraries are not installed, before anything else is done for their fit.

    Raises
    ------
    ModuleNotFoundError
        If a library is absent; the message names it and the extra that installs it.
    """
    for member in members:
        for library in member.libraries:
            if not _installed(library):
                extra = _EXTRAS.get(library, "train")
                raise ModuleNotFoundError(
                    f"fitting the member {member.name!r} needs {library}; pip install 'samewise[{extra}]'", name=library
                )


def _installed(library: str) -> bool:
    try:
        return find_spec(library) is not None
    except ValueError:  # imported, without a specification; None where imports of it are blocked
        return sys.modules.get(library) is not None


def load_member(name: str, data: bytes, columns: Sequence[str], params: Mapping[str, Any] | None = None) -> Member:
    """Return the fitted member that `Member.to_bytes` wrote.

    Raises
    ------
    ValueError
        If the name is unknown, or the file is damaged or does not fit the columns.
    """
    member = import_module(_CORRECTIONS[name]).REGRESSOR if name in _CORRECTIONS else _declared(name)
    return member.from_bytes(data, columns, params)


def _declared(name: str) -> Member:
    """Return a member as its module declares it: unfitted, with its tuned settings."""
    if name not in MEMBERS:
        raise ValueError(f"member {name!r} is unknown; the members are {', '.join(MEMBERS)}")
    module = import_module(MEMBERS[name])
    member: Member = module.REGRESSOR if name in REGRESSORS else module.SCORERS[name]
    return member
