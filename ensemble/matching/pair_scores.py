"""Scores and differences of candidates, and the table of pairs."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ..core.pair_inputs import IDENTICAL
from ..scoring.batches import DIFFERENCES, PREDICTION
from ..scoring.journal import SCORING, Journal
from ..scoring.worker_processes import Workers
from .candidates import Candidates
from .texts import TextRows

BATCH = 2_048
"""Pairs scored together."""

Progress = Callable[[int, int | None], None]


class Part(NamedTuple):
    """Part of a long text that another text does not have letter by letter, and the part there that is most alike.

    The partner is empty, and the score below any scale, if no part of the other text is close.
    """

    text: str
    partner: str
    score: float


class ScoredPairs(NamedTuple):
    """Candidates and their scores: m pairs, of which groups or matches follow for any threshold.

    Attributes
    ----------
    candidates
        The pairs.
    score, low, high, deviation
        Shape (m,), float64; see `Prediction`.
    flags
        Shape (m,), int32: places in `flag_sets`.
    flag_sets
        Sets of flags, each once.
    resumed
        Number of pairs that an earlier run had scored.
    parts
        By place, the pairs of long texts that were compared by parts (`long_texts.compare_parts`), and the parts of
        both texts.
    columns
        Columns about each pair that are written beside its score, m rows; None for none.
    """

    candidates: Candidates
    score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    deviation: np.ndarray
    flags: np.ndarray
    flag_sets: list[tuple[str, ...]]
    resumed: int
    parts: Mapping[int, tuple[list[Part], list[Part]]] = MappingProxyType({})
    columns: pa.RecordBatch | None = None

    @classmethod
    def of(
        cls,
        candidates: Candidates,
        batches: Iterable[tuple[pa.RecordBatch, bool]],
        progress: Progress | None = None,
    ) -> "ScoredPairs":
        """Return the scores of all pairs from batches of `PREDICTION`, each with whether it was scored before."""
        count = len(candidates.first)
        columns = tuple(np.empty(count) for _ in range(4))
        flags = np.empty(count, dtype=np.int32)
        places: dict[tuple[str, ...], int] = {}
        row = resumed = 0
        for scores, again in batches:
            part = slice(row, row + scores.num_rows)
            for name, values in zip(("score", "low", "high", "deviation"), columns, strict=True):
                values[part] = scores.column(name).to_numpy()
            flags[part] = [places.setdefault(tuple(each), len(places)) for each in scores.column("flags").to_pylist()]
            row += scores.num_rows
            resumed += scores.num_rows if again else 0
            if progress is not None:
                progress(row, count)
        score, low, high, deviation = columns
        return cls(candidates, score, low, high, deviation, flags, list(places), resumed)

    def flagged(self, flag: str) -> np.ndarray:
        """Return which pairs have a flag, shape (m,), bool."""
        return np.array([flag in flags for flags in self.flag_sets], np.bool_)[self.flags]

    def batch(self, places: np.ndarray, equal: float = np.nan) -> pa.RecordBatch:
        """Return the scores of some pairs as a batch of `PREDICTION`.

        Parameters
        ----------
        places
            Shape (k,), int64; -1 stands for two equal texts.
        equal
            Score of equal texts.
        """
        rows = np.where(places < 0, len(self.score), places)
        beyond = {"deviation": 0.0}
        columns = {
            name: pa.array(np.append(getattr(self, name), beyond.get(name, equal))[rows], from_pandas=True)
            for name in ("score", "low", "high", "deviation")
        }
        sets = [*map(list, self.flag_sets), [IDENTICAL]]
        flags = np.append(self.flags, len(sets) - 1)[rows]
        columns["flags"] = pa.array([sets[place] for place in flags.tolist()], PREDICTION.field("flags").type)
        return pa.record_batch([columns[name] for name in PREDICTION.names], schema=PREDICTION)


def with_columns(results: pa.RecordBatch, scores: ScoredPairs, places: np.ndarray) -> pa.RecordBatch:
    """Return results of some pairs with `ScoredPairs.columns` of these; a place of -1 has none."""
    if scores.columns is None:
        return results
    own = scores.columns.take(pa.array(places, mask=places < 0))
    fields = [*results.schema, *own.schema]
    return pa.record_batch([*results.columns, *own.columns], schema=pa.schema(fields))


def score_candidates(
    candidates: Candidates,
    pool: Workers,
    journal: Journal | None = None,
    progress: Progress | None = None,
    batch_size: int = BATCH,
    step: str = SCORING,
) -> ScoredPairs:
    """Return the score of each pair of texts.

    Parameters
    ----------
    candidates
        Pairs of texts, m of them.
    pool
        Processes with the model.
    journal
        Journal of the run, which also has the scores of an earlier one.
    progress
        Called with the pairs done and the pairs in all.
    batch_size
        Pairs scored together.
    step
        Step of the journal.
    """
    first, second = candidates.first, candidates.second
    batches = _scored(candidates.texts.arrow(), first, second, pool, journal, batch_size, step)
    return ScoredPairs.of(candidates, batches, progress)


def _scored(
    texts: pa.Array,
    first: np.ndarray,
    second: np.ndarray,
    pool: Workers,
    journal: Journal | None,
    batch_size: int,
    step: str,
) -> Iterator[tuple[pa.RecordBatch, bool]]:
    row = 0
    for scores in journal.replay(step) if journal is not None else ():
        row += scores.num_rows
        yield scores, True
    batches = (_batch(texts, first, second, start, batch_size) for start in range(row, len(first), batch_size))
    for counted in pool.scores(batches):
        if journal is not None:
            journal.add(counted.scores, step)
        yield counted.scores, False


def _batch(texts: pa.Array, first: np.ndarray, second: np.ndarray, start: int, size: int) -> pa.RecordBatch:
    part = slice(start, start + size)
    columns = [texts.take(pa.array(side[part])).cast(pa.string()) for side in (first, second)]
    return pa.record_batch(columns, names=["a", "b"])


def differences_between(
    texts: pa.Array, first: np.ndarray, second: np.ndarray, pool: Workers, progress: Progress | None = None
) -> pa.Array:
    """Return the differences of each pair of texts: the column `DIFFERENCES`, m rows."""
    starts = range(0, len(first), BATCH)
    parts: deque[pa.Array] = deque([pa.array([], DIFFERENCES.type)])
    for found in pool.differences(_batch(texts, first, second, start, BATCH) for start in starts):
        parts.append(found)
        if progress is not None:
            progress(sum(map(len, parts)), len(first))
    return pa.concat_arrays(parts)


def pair_table(
    sides: Sequence[TextRows],
    rows: Sequence[np.ndarray],
    results: pa.RecordBatch,
) -> pa.Table:
    """Return a table of k pairs of rows.

    The columns are ``row1`` and ``row2``, which count from 1, ``id1`` and ``id2`` where rows have names, ``sentence1``
    and ``sentence2``, and those of the results.

    Parameters
    ----------
    sides
        Tables of the first and of the second rows.
    rows
        For each side the rows, shape (k,), int64, from 0.
    results
        Scores and other columns, k rows.
    """
    numbered = [(side, table, of_side) for side, (table, of_side) in enumerate(zip(sides, rows, strict=True), 1)]
    columns = [(pa.field(f"row{side}", pa.int64()), pa.array(of_side + 1)) for side, _, of_side in numbered]
    for side, table, of_side in numbered:
        if table.ids is not None:
            columns.append((pa.field(f"id{side}", table.ids.type), table.ids.take(pa.array(of_side))))
    for side, table, of_side in numbered:
        texts = pa.array([table.texts[row] for row in of_side.tolist()], pa.string())
        columns.append((pa.field(f"sentence{side}", pa.string()), texts))
    columns += zip(results.schema, results.columns, strict=True)
    fields, values = zip(*columns, strict=True)
    return pa.table(list(values), schema=pa.schema(fields))
