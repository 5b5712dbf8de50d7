"""What a feature is: a function over a batch of pairs, and the facts it declares about its columns."""

import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .provenance import source_digest
from .sentences import LEVELS, AnalysedPair, PairBatch, Sentence

__all__ = ["AnalysedPair", "Feature", "PairBatch", "Sentence", "feature"]


def highest_level(features: "Sequence[Feature]") -> str:
    """Return the deepest analysis level that any of the features needs."""
    return max((value.level for value in features), key=LEVELS.index, default="tokens")


_PACKAGE = f"{__name__.partition('.')[0]}."

_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, eq=False)
class Feature:
    """A named block of columns computed from a batch of analysed pairs.

    Attributes
    ----------
    compute
        ``compute(pairs, **resources)`` returns n rows of `len(names)` numbers.
    family, name, names
        Module, function and the short names of the columns.
    low, high
        The declared range of every column.
    level
        The analysis level that the sentences must have.
    needs
        Names of the fitted resources handed to `compute`.
    source
        The publication that it implements.
    section
        The short name of its definition in ``docs/features.md``, such as ``NG1``; several with blanks between.
    """

    compute: Callable[..., Any]
    family: str
    name: str
    names: tuple[str, ...]
    low: float
    high: float
    level: str
    needs: tuple[str, ...]
    source: str
    section: str = ""

    @property
    def full_name(self) -> str:
        """``family.feature``."""
        return f"{self.family}.{self.name}"

    @property
    def columns(self) -> tuple[str, ...]:
        """``family.feature.column`` for each column."""
        return tuple(f"{self.family}.{self.name}.{column}" for column in self.names)

    @cached_property
    def digest(self) -> str:
        """Hex digest of the code that computes the values; see `provenance.source_digest`."""
        module = self.compute.__module__
        if module.startswith(_PACKAGE):
            return source_digest(module)
        return source_digest(Path(inspect.getfile(inspect.unwrap(self.compute))))

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        # The module's name now stands for this value, so the function under it cannot be pickled by name.
        return _find, (self.compute.__module__, self.compute.__name__)

    def __call__(self, pairs: Sequence[AnalysedPair], **resources: object) -> np.ndarray:
        """Return the columns, shape (n, len(names)), float32, for any sequence of analysed pairs."""
        batch = pairs if isinstance(pairs, PairBatch) else _as_batch(pairs)
        missing = [need for need in self.needs if need not in resources]
        if missing:
            raise ValueError(
                f"{self.full_name} needs the fitted resource {missing[0]!r}; pass it as a keyword argument"
            )
        self._check_level(batch)
        values = self.compute(batch, **{need: resources[need] for need in self.needs})
        array = np.asarray(values, dtype=np.float32)
        if len(batch) == 0:
            return np.empty((0, len(self.names)), dtype=np.float32)
        if array.shape != (len(batch), len(self.names)):
            raise ValueError(
                f"{self.full_name} returned an array of shape {array.shape} for {len(batch)} pairs; "
                f"its {len(self.names)} columns need {(len(batch), len(self.names))}"
            )
        return array

    def _check_level(self, batch: PairBatch) -> None:
        wanted = LEVELS.index(self.level)
        if wanted > LEVELS.index("tokens"):
            levels = batch.memo("levels", lambda: {sentence.level for sentence in batch.sentences})
            found = min(map(LEVELS.index, levels), default=wanted)
            if found < wanted:
                raise ValueError(
                    f"{self.full_name} needs the analysis level {self.level!r} and a sentence has {LEVELS[found]!r}; "
                    f"call analyse(pairs, level={self.level!r})"
                )


def feature_records(features: Iterable[Feature]) -> dict[str, str]:
    """Return the digest of each feature by full name, for the record of a model."""
    return {value.full_name: value.digest for value in features}


def _find(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def _as_batch(pairs: Sequence[AnalysedPair]) -> PairBatch:
    index: dict[Sentence, int] = {}
    left = [index.setdefault(pair[0], len(index)) for pair in pairs]
    right = [index.setdefault(pair[1], len(index)) for pair in pairs]
    return PairBatch(list(index), np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64))


def feature(
    *names: str,
    low: float = 0.0,
    high: float = 1.0,
    level: str = "tokens",
    needs: Sequence[str] = (),
    source: str = "",
    section: str = "",
) -> Callable[[Callable[..., Any]], Feature]:
    """Turn a function over a batch of pairs into a `Feature`.

    Parameters
    ----------
    *names
        Short names of the columns, lower case; the full name is ``module.function.name``.
    low, high
        The range that every column keeps; both finite or infinite.
    level
        One of `LEVELS`.
    needs
        Names of fitted resources, passed to the function as keyword arguments.
    source
        Author and year of the publication.
    section
        Short names of the definitions in ``docs/features.md``.

    Raises
    ------
    ValueError
        If a name is malformed or repeated, or the level unknown.
    """
    bad = [name for name in names if not _NAME.fullmatch(name)]
    if bad or not names or len(set(names)) < len(names):
        raise ValueError(f"column names {names!r} must be distinct, lower-case identifiers; rename {bad or names!r}")
    if level not in LEVELS:
        raise ValueError(f"analysis level {level!r} is unknown; choose one of {', '.join(LEVELS)}")

    def declare(compute: Callable[..., Any]) -> Feature:
        family = compute.__module__.rpartition(".")[2]
        made = Feature(compute, family, compute.__name__, names, low, high, level, tuple(needs), source, section)
        object.__setattr__(made, "__doc__", compute.__doc__)
        return made

    return declare
