"""Declaration of a feature: a function over a batch of pairs, and the facts that it states about its columns."""

import importlib
import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from .sentences import LEVELS, AnalysedPair, PairBatch, Sentence

__all__ = ["AnalysedPair", "Feature", "PairBatch", "Sentence", "feature"]


class _Levelled(Protocol):
    @property
    def level(self) -> str: ...


def highest_level(features: Sequence[_Levelled]) -> str:
    """Return the deepest analysis level that features, or members of a model, need; ``tokens`` for none."""
    return max((value.level for value in features), key=LEVELS.index, default="tokens")


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
        Names of the resources that `compute` takes as keyword arguments.
    tables
        Names of the shipped tables that `compute` loads itself.
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
    tables: tuple[str, ...] = ()

    @property
    def full_name(self) -> str:
        """``family.feature``."""
        return f"{self.family}.{self.name}"

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """``family.feature.column`` for each column."""
        return tuple(f"{self.family}.{self.name}.{column}" for column in self.names)

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        # The name of the function in its module is that of this value, so the function cannot be pickled by name.
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
        try:
            values = self.compute(batch, **{need: resources[need] for need in self.needs})
        except Exception as error:
            error.add_note(f"in the feature {self.full_name}")
            raise
        array = np.asarray(values, dtype=np.float32)
        if len(batch) == 0:
            return np.empty((0, len(self.names)), dtype=np.float32)
        if array.shape != (len(batch), len(self.names)):
            raise ValueError(
                f"the values of {self.full_name} must have the shape {(len(batch), len(self.names))}, "
                f"got {array.shape}; return one row for each pair and one column for each name"
            )
        return array

    def _check_level(self, batch: PairBatch) -> None:
        wanted = LEVELS.index(self.level)
        if wanted > LEVELS.index("tokens"):
            levels = batch.memo("levels", lambda: {sentence.level for sentence in batch.sentences})
            lowest = min(map(LEVELS.index, levels), default=wanted)
            if lowest < wanted:
                raise ValueError(
                    f"{self.full_name} needs the analysis level {self.level!r}, got a sentence of the level "
                    f"{LEVELS[lowest]!r}; call analyse(pairs, level={self.level!r})"
                )


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
        Names of the resources and tables that the function reads beside the pairs. Resources, which are fitted on
        training text or user-supplied, are passed to it as keyword arguments of the same name. Shipped tables it loads
        itself, such as by ``wordnet()``; a model records the digests of those that its features declare. The names are
        those of `RESOURCES`, `USER_SUPPLIED` and `SHIPPED_TABLES` in `features.pipeline.registry`.
    source
        Author and year of the publication.
    section
        Short names of the definitions in ``docs/features.md``.

    Raises
    ------
    ValueError
        If a name is malformed or repeated, or the level unknown.
    """
    malformed = [name for name in names if not _NAME.fullmatch(name)]
    if malformed or not names or len(set(names)) < len(names):
        raise ValueError(
            f"column names must be distinct, lower-case identifiers, got {names!r}; rename {malformed or names!r}"
        )
    if level not in LEVELS:
        raise ValueError(f"the analysis level must be one of {', '.join(LEVELS)}, got {level!r}; declare one of these")

    def declare(compute: Callable[..., Any]) -> Feature:
        family = compute.__module__.rpartition(".")[2]
        parameters = inspect.signature(compute).parameters
        takes_all = any(value.kind is value.VAR_KEYWORD for value in parameters.values())
        passed = tuple(need for need in needs if takes_all or need in parameters)
        tables = tuple(need for need in needs if need not in passed)
        value = Feature(compute, family, compute.__name__, names, low, high, level, passed, source, section, tables)
        object.__setattr__(value, "__doc__", compute.__doc__)
        return value

    return declare
