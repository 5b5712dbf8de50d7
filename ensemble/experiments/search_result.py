"""Result of a random search: candidate settings of each regressor and their figures, as a table or as options."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ..._messages import short_repr


@dataclass(frozen=True)
class Candidate:
    """Settings of a regressor, and their figures in cross-validation."""

    member: str
    settings: Mapping[str, Any]
    is_default: bool  # the settings that the regressor has without a search
    folds: tuple[float, ...]  # Pearson correlation in each, -1..1; 0 where every score is the same
    rank: int  # place among the candidates of its regressor, from 1; among equals, the first drawn comes first
    seconds: float  # of its fits on one core; it alone differs between runs

    @property
    def mean(self) -> float:
        """Mean of the folds."""
        return float(np.mean(self.folds))

    @property
    def std(self) -> float:
        """Population standard deviation of the folds."""
        return float(np.std(self.folds))


@dataclass(frozen=True)
class Search:
    """Candidates of a search.

    Attributes
    ----------
    candidates
        Grouped by regressor: the default first, then in the order drawn.
    drawn
        Names of the searched settings of each regressor.
    """

    candidates: tuple[Candidate, ...]
    drawn: Mapping[str, tuple[str, ...]]

    def __repr__(self) -> str:
        return short_repr(
            self, candidates=len(self.candidates), best={name: self.best(name).mean for name in self.drawn}
        )

    @property
    def members(self) -> tuple[str, ...]:
        """The regressors that were searched."""
        return tuple(self.drawn)

    def default(self, member: str) -> Candidate:
        """Return the candidate with the settings that a regressor has without a search."""
        return next(each for each in self.candidates if each.member == member and each.is_default)

    def best(self, member: str) -> Candidate:
        """Return the candidate with the highest mean; among equals the default, then the first drawn."""
        return next(each for each in self.candidates if each.member == member and each.rank == 1)

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """The best searched settings of each regressor, without the regressors whose default is best."""
        best = {member: self.best(member) for member in self.members}
        return {
            member: {key: candidate.settings[key] for key in self.drawn[member]}
            for member, candidate in best.items()
            if not candidate.is_default
        }

    def as_options(self) -> list[str]:
        """Return `settings` as values of ``--set``: ``xgb.max_depth=4``."""
        return [
            f"{member}.{key}={json.dumps(value)}"
            for member, settings in self.settings.items()
            for key, value in settings.items()
        ]

    def to_table(self) -> pa.Table:
        """Return one row for each candidate: its figures, and a column for each setting, null where it has none."""
        names = sorted({key for candidate in self.candidates for key in candidate.settings})
        rows = [
            {
                "member": candidate.member,
                "rank": candidate.rank,
                "default": candidate.is_default,
                "pearson_mean": candidate.mean,
                "pearson_std": candidate.std,
                **{f"pearson_fold_{k}": value for k, value in enumerate(candidate.folds, start=1)},
                "seconds": candidate.seconds,
                **{name: candidate.settings.get(name) for name in names},
            }
            for candidate in self.candidates
        ]
        return pa.table({key: _array([row[key] for row in rows]) for key in rows[0]})

    def write(self, path: str | Path) -> Path:
        """Write `to_table` as CSV; return the path."""
        import pyarrow.csv

        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        pyarrow.csv.write_csv(self.to_table(), path)
        return path


def _array(values: list[Any]) -> pa.Array:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} or kinds in ({bool}, {str}):
        return pa.array(values)
    return pa.array([None if value is None else json.dumps(value) for value in values])
