"""Feature matrix with a row for each pair and named, grouped columns, and its extraction with a cache on disk."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._code_version import code_digest
from ..._files import complete_file
from ..._messages import short_repr
from ..analysis.analysis import VERSION as ANALYSIS_VERSION
from ..base.feature import Feature
from ..base.sentences import AnalysedPair, PairBatch
from .user_supplied import own_tables

if TYPE_CHECKING:
    from ..statistics.fitted import Resource

BATCH = 1_024
"""Number of pairs extracted at a time, to bound the size of temporary arrays; it does not change a value."""


@dataclass(frozen=True, eq=False)
class FeatureMatrix:
    """Values with column names.

    Attributes
    ----------
    values
        Array of shape (n, k), float32, finite.
    columns
        k names ``family.feature.column``.
    pairs
        The pairs of the rows; None for values read from a file.
    """

    values: np.ndarray
    columns: tuple[str, ...]
    pairs: PairBatch | None = None

    def __post_init__(self) -> None:
        if self.values.ndim != 2 or self.values.shape[1] != len(self.columns):
            raise ValueError(
                f"the values of {len(self.columns)} columns must have the shape (n, {len(self.columns)}), got "
                f"{self.values.shape}; name every column"
            )

    def __repr__(self) -> str:
        families = {family: len(columns) for family, columns in self.groups.items()}
        return short_repr(self, shape=self.values.shape, families=families)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Columns by family, in order."""
        columns_of: dict[str, list[str]] = {}
        for column in self.columns:
            columns_of.setdefault(column.partition(".")[0], []).append(column)
        return {family: tuple(columns) for family, columns in columns_of.items()}

    def _matching(self, patterns: Iterable[str]) -> list[bool]:
        patterns = list(patterns)
        for pattern in patterns:
            if not any(_matches(column, pattern) for column in self.columns):
                raise ValueError(f"no column matches {pattern!r}; the families here are {', '.join(self.groups)}")
        return [any(_matches(column, pattern) for pattern in patterns) for column in self.columns]

    def select(self, *patterns: str) -> "FeatureMatrix":
        """Return the columns that match any pattern (``"ngram"``, ``"ngram.word_f1.*"``), in matrix order."""
        return self.keep(self._matching(patterns))

    def drop(self, *patterns: str) -> "FeatureMatrix":
        """Return the matrix without the columns that match any pattern."""
        return self.keep([not matched for matched in self._matching(patterns)])

    def keep(self, chosen: Any) -> "FeatureMatrix":
        """Return the columns that a mask, or a fitted selector of scikit-learn, keeps.

        Parameters
        ----------
        chosen
            k booleans, or an object whose ``get_support()`` returns them, such as a ``SelectKBest`` fitted on `values`.

        Raises
        ------
        ValueError
            If it is not a mask of the k columns.
        """
        mask = np.asarray(chosen.get_support() if hasattr(chosen, "get_support") else chosen)
        if mask.dtype != bool or mask.shape != (len(self.columns),):
            raise ValueError(
                f"a mask must have one boolean for each of the {len(self.columns)} columns, got type {mask.dtype} and "
                f"shape {mask.shape}; give a mask, or a selector fitted on the values of this matrix"
            )
        columns = tuple(column for column, kept in zip(self.columns, mask.tolist(), strict=True) if kept)
        return FeatureMatrix(self.values[:, mask], columns, self.pairs)

    def take(self, rows: np.ndarray) -> "FeatureMatrix":
        """Return the matrix of the given rows."""
        return FeatureMatrix(self.values[rows], self.columns, None if self.pairs is None else self.pairs.take(rows))

    def reorder(self, columns: Sequence[str]) -> np.ndarray:
        """Return the values of exactly these columns, shape (n, len(columns)).

        Raises
        ------
        ValueError
            If a column is missing.
        """
        if tuple(columns) == self.columns:
            return self.values
        position = {column: j for j, column in enumerate(self.columns)}
        missing = [column for column in columns if column not in position]
        if missing:
            raise ValueError(f"the matrix has no column {missing[0]!r}; extract it with the feature set of the model")
        return self.values[:, [position[column] for column in columns]]

    def to_parquet(self, path: str | Path) -> None:
        """Write the matrix as a Parquet file, one float column a feature column."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pa.table({name: self.values[:, j] for j, name in enumerate(self.columns)})
        pq.write_table(table, path)

    @classmethod
    def from_parquet(cls, path: str | Path) -> "FeatureMatrix":
        """Read a matrix that `to_parquet` wrote."""
        import pyarrow.parquet as pq

        table = pq.read_table(path)
        arrays = [table.column(name).to_numpy() for name in table.column_names]
        values = np.column_stack(arrays).astype(np.float32) if arrays else np.empty((table.num_rows, 0), np.float32)
        return cls(values, tuple(table.column_names))


def _matches(column: str, pattern: str) -> bool:
    return fnmatchcase(column, pattern) or fnmatchcase(column, f"{pattern}.*")


def extract(
    pairs: Sequence[AnalysedPair],
    features: Sequence[Feature],
    resources: "Mapping[str, Resource] | None" = None,
    *,
    columns: Sequence[str] | None = None,
    cache: str | Path | None = None,
) -> FeatureMatrix:
    """Compute features of analysed pairs.

    Parameters
    ----------
    pairs
        n analysed pairs.
    features
        The features to compute; see `catalogue.resolve`.
    resources
        The resources that the features need, by name.
    columns
        Keep only these columns.
    cache
        A folder in which computed blocks are kept, keyed by the content of the sentences, the code of the features,
        their resources and their tables; a block is read only where all of these are equal.

    Returns
    -------
    FeatureMatrix
        Shape (n, k), columns in the order of `features`.
    """
    batch = pairs if isinstance(pairs, PairBatch) else PairBatch(*_split(pairs))
    passed: Mapping[str, Resource] = resources or {}
    own = own_tables(passed)
    read = batch.with_tables(own) if own else batch
    if cache is None:
        blocks = _extract_blocks(read, features, passed)
    else:
        blocks = _cached_blocks(read, features, passed, Path(cache))
    names = tuple(column for value in features for column in value.columns)
    values = np.hstack(blocks) if blocks else np.empty((len(batch), 0), dtype=np.float32)
    matrix = FeatureMatrix(values, names, batch)
    return matrix if columns is None else FeatureMatrix(matrix.reorder(columns), tuple(columns), batch)


def _split(pairs: Sequence[AnalysedPair]) -> tuple[list, np.ndarray, np.ndarray]:
    n = len(pairs)
    return [p[0] for p in pairs] + [p[1] for p in pairs], np.arange(n), np.arange(n, 2 * n)


def _extract_blocks(
    batch: PairBatch, features: Sequence[Feature], resources: "Mapping[str, Resource]"
) -> list[np.ndarray]:
    parts = [batch[start : start + BATCH] for start in range(0, len(batch), BATCH)] if len(batch) > BATCH else [batch]
    rows = [[value(part, **resources) for value in features] for part in parts]
    return [np.concatenate(block) for block in zip(*rows, strict=True)]


def _cached_blocks(
    batch: PairBatch, features: Sequence[Feature], resources: "Mapping[str, Resource]", cache: Path
) -> list[np.ndarray]:
    paths = _cache_paths(batch, features, resources, cache)
    stored = {value: _read_block(paths[value], (len(batch), len(value.columns))) for value in features}
    blocks = {value: block for value, block in stored.items() if block is not None}
    absent = [value for value in features if value not in blocks]
    cache.mkdir(parents=True, exist_ok=True)
    for value, block in zip(absent, _extract_blocks(batch, absent, resources), strict=True):
        with complete_file(paths[value]) as file:
            np.save(file, block, allow_pickle=False)
        blocks[value] = block
    return [blocks[value] for value in features]


def _read_block(path: Path, shape: tuple[int, int]) -> np.ndarray | None:
    """Return a block of a cache, or None if there is none or it is damaged."""
    try:
        with path.open("rb") as file:
            # By its size first: the header of a damaged file may ask for any amount of memory.
            if os.fstat(file.fileno()).st_size > shape[0] * shape[1] * 4 + 1024:
                return None
            block = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError, SyntaxError, MemoryError):
        return None
    sound = isinstance(block, np.ndarray) and block.shape == shape and block.dtype == np.float32
    return block if sound and np.isfinite(block).all() else None


def _cache_paths(
    batch: PairBatch, features: Sequence[Feature], resources: "Mapping[str, Resource]", cache: Path
) -> dict[Feature, Path]:
    from .registry import SHIPPED_TABLES  # imports every table, and most runs have no cache

    analysed = [hashlib.sha256(repr(sentence).encode()).digest() for sentence in batch.sentences]
    content = hashlib.sha256(f"analysis {ANALYSIS_VERSION}".encode())
    for left, right in zip(batch.left.tolist(), batch.right.tolist(), strict=True):
        content.update(analysed[left] + analysed[right])
    paths = {}
    for value in features:
        passed = {need: resources[need] for need in value.needs if need in resources}
        facts = {need: [resource.digest, code_digest(type(resource))] for need, resource in passed.items()}
        own = {name: table.digest for name, table in batch.own_tables.items() if name in value.tables}
        tables = {name: own.get(name) or SHIPPED_TABLES[name].digest() for name in value.tables}
        fact = json.dumps([content.hexdigest(), value.columns, code_digest(value.compute), facts, tables]).encode()
        paths[value] = cache / f"{value.full_name}-{hashlib.sha256(fact).hexdigest()[:32]}.npy"
    return paths
