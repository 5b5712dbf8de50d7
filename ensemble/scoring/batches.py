"""Batches of pairs in pieces, and their scores.

A whole batch of 2,048 rows takes the profile `full` nine seconds: a table of one batch would use one core, and at the
end of any table cores would wait for the last batch. Pieces take two seconds at most, and less near the end.
"""

import itertools
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

from ..core.prediction import Prediction
from ..core.scale import Scale
from ..differences.facts import Difference
from ..differences.keeping_apart import deciding_kind
from ..loading import Model
from ..tables.arrow_rows import AS_WORDS
from ..tables.table_writer import free_names

PIECE_SECONDS = 2.0
"""Most seconds that a piece is to take. A shorter one costs more a row, because a batch shares less: in the profile
`full`, rows of a piece of 0.9 s take 12 % longer than those of one of 3.3 s."""

FIRST_ROWS = 8
"""Rows of the first piece. Tables are loaded with it, so that it does not tell how long a row takes."""

SECOND_ROWS = 16
"""Rows of the second piece, which does tell."""

FEWEST_ROWS = 32
"""Fewest rows of any other piece, unless its batch has fewer left."""


@dataclass
class _Cut:
    batch: pa.RecordBatch
    rows: int = 0  # cut so far
    results: list[Any] = field(default_factory=list)
    missing: int = 0

    @property
    def uncut(self) -> bool:
        return self.rows < self.batch.num_rows or not self.results

    @property
    def complete(self) -> bool:
        return not self.uncut and not self.missing


class Piece(NamedTuple):
    """Rows of a batch: `rows` are to be processed; the other fields say where their result belongs."""

    rows: pa.RecordBatch
    cut: _Cut
    place: int


class BatchPieces:
    """Pieces of a stream of batches; only some batches are in hand at a time."""

    def __init__(self, batches: Iterable[pa.RecordBatch], most: int, seconds_a_row: float | None = None) -> None:
        self._batches, self._most, self._seconds_a_row = iter(batches), most, seconds_a_row
        self._in_hand: deque[_Cut] = deque()
        self._ended = False
        self._done = 0

    def read(self) -> bool:
        """Read batches up to the limit of those in hand; return whether any is in hand."""
        while not self._ended and len(self._in_hand) < self._most:
            batch = next(self._batches, None)
            if batch is None:
                self._ended = True
            else:
                self._in_hand.append(_Cut(batch))
        return bool(self._in_hand)

    @property
    def seconds_in_hand(self) -> float:
        """Seconds that one process takes for the rows in hand that are not cut yet; 0 while unknown."""
        return self._rows * (self._seconds_a_row or 0.0)

    def worth(self, seconds: float) -> bool:
        """Return whether one process is known to take longer than `seconds` for the rows that are not cut yet."""
        return self._seconds_a_row is not None and (not self._ended or self.seconds_in_hand > seconds)

    def take(self, processes: int, seconds: float = PIECE_SECONDS) -> Piece | None:
        """Return the next piece, or None if all that is in hand is cut."""
        cut = next((cut for cut in self._in_hand if cut.uncut), None)
        if cut is None:
            return None
        if self._seconds_a_row is None:
            rows = SECOND_ROWS if self._done else FIRST_ROWS
        else:
            rows = int(seconds / self._seconds_a_row)
            if self._ended and processes > 1:  # half of each one's share: those that are done early take more
                rows = min(rows, self._rows // (2 * processes))
            rows = max(rows, FEWEST_ROWS)
        if cut.batch.num_rows - cut.rows - rows < FEWEST_ROWS:
            rows = cut.batch.num_rows - cut.rows
        piece = Piece(cut.batch.slice(cut.rows, rows), cut, len(cut.results))
        cut.rows += rows
        cut.results.append(None)
        cut.missing += 1
        return piece

    def put(self, piece: Piece, result: Any, seconds: float | None = None) -> None:
        """Take the result of a piece, and the seconds that it took if they are known."""
        piece.cut.results[piece.place] = result
        piece.cut.missing -= 1
        if seconds is not None and piece.rows.num_rows and self._done:
            self._seconds_a_row = max(seconds / piece.rows.num_rows, 1e-9)
        self._done += 1

    def complete(self) -> list[Any] | None:
        """Return the results of the first batch in hand and drop the batch, or None if some are missing."""
        return self._in_hand.popleft().results if self._in_hand[0].complete else None

    @property
    def _rows(self) -> int:
        return sum(cut.batch.num_rows - cut.rows for cut in self._in_hand)


NEW_COLUMNS = ("score", "low", "high", "flags")
"""Columns that are added to every row."""

SCORES = pa.schema(
    [pa.field(name, pa.float64()) for name in NEW_COLUMNS[:3]]
    + [pa.field(NEW_COLUMNS[3], pa.list_(pa.string()), metadata=AS_WORDS)]
)
"""The columns that are added, by type."""

DEVIATION = "deviation"

PREDICTION = SCORES.append(pa.field(DEVIATION, pa.float64()))
"""The columns of `scores_of`: those of `SCORES`, and the deviation, from which probabilities follow."""


class PairScorer(Protocol):
    """Anything that scores pairs, such as a `Model`."""

    def predict_pairs(self, pairs: Sequence[tuple[str, str]]) -> Prediction:
        """Return scores, intervals and flags of n pairs."""
        ...


def score_batch(batch: pa.RecordBatch, a_name: str, b_name: str, model: PairScorer) -> pa.RecordBatch:
    """Return the batch with the columns ``score``, ``low``, ``high`` (float64) and ``flags`` (lists of words) added.

    It depends on nothing but its arguments. A name that the batch uses already is prefixed (``samewise_score``).

    Parameters
    ----------
    batch
        n rows.
    a_name, b_name
        The columns with the texts.
    model
        The fitted model.
    """
    return with_scores(batch, scores_of(batch.column(a_name), batch.column(b_name), model))


def scores_of(a: pa.Array, b: pa.Array, model: PairScorer) -> pa.RecordBatch:
    """Return the scores of n pairs of texts as a batch of `PREDICTION`."""
    prediction = model.predict_pairs(list(zip(a.to_pylist(), b.to_pylist(), strict=True)))
    score, low, high, deviation = (pa.array(values, pa.float64()) for values in prediction.numbers)
    flags = pa.array(list(map(list, prediction.flags)), SCORES.types[3])
    return pa.record_batch([score, low, high, flags, deviation], schema=PREDICTION)


def prediction_of(scores: pa.RecordBatch, scale: Scale) -> Prediction:
    """Return the prediction that `scores_of` put into a batch of `PREDICTION`."""
    score, low, high, deviation = (
        scores.column(name).to_numpy(zero_copy_only=False) for name in ("score", "low", "high", "deviation")
    )
    return Prediction(score, low, high, list(map(tuple, scores.column("flags").to_pylist())), deviation, scale)


def with_scores(batch: pa.RecordBatch, scores: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with other columns added, all but the deviation, under names that are free."""
    added = scores.select([name for name in scores.schema.names if name != DEVIATION])
    schema = batch.schema
    for name, new in zip(free_names(added.schema.names, schema.names), added.schema, strict=True):
        schema = schema.append(new.with_name(name))
    return pa.record_batch([*batch.columns, *added.columns], schema=schema)


DIFFERENCES = pa.field("differences", pa.list_(pa.struct([(name, pa.string()) for name in ("kind", "a", "b")])))
"""Column of lists, one item a difference: its kind, and the words of the first and of the second text."""


def differences_of(texts: pa.RecordBatch, model: Model) -> pa.Array:
    """Return the column `DIFFERENCES` of n rows; what a row has does not depend on the other rows.

    Parameters
    ----------
    texts
        Batch whose first two columns are the texts.
    model
        The fitted model.
    """
    pairs = list(zip(texts.column(0).to_pylist(), texts.column(1).to_pylist(), strict=True))
    return differences_array(model.differences(pairs))


COVERS = (pa.field("covered", pa.float64()), pa.field("added", pa.float64()))
"""Columns of `covers_of`: the share of the first text that the second says, and the share that the second adds."""


def covers_of(texts: pa.RecordBatch, model: Model) -> pa.StructArray:
    """Return the columns `COVERS` of n rows as one array, as `differences_of`; null for texts that are not compared."""
    pairs = list(zip(texts.column(0).to_pylist(), texts.column(1).to_pylist(), strict=True))
    shares = [pa.array(column, from_pandas=True) for column in model.covers(pairs).T]
    return pa.StructArray.from_arrays(shares, fields=list(COVERS))


def deciding_kinds(found: pa.Array, kinds: Sequence[str]) -> list[str | None]:
    """Return for each row of a column `DIFFERENCES` the kind that keeps its texts apart, as `deciding_kind`."""
    columns = (found.values.field(name).to_pylist() for name in ("kind", "a", "b"))
    items = [Difference(kind, a, b, (), ()) for kind, a, b in zip(*columns, strict=True)]
    offsets = found.offsets.to_pylist()
    return [deciding_kind(items[start:end], kinds) for start, end in itertools.pairwise(offsets)]


def differences_array(found: Sequence[Sequence[Difference]]) -> pa.Array:
    """Return the differences of n rows as an array of the type of `DIFFERENCES`."""
    rows = [[{"kind": one.kind, "a": one.a, "b": one.b} for one in of_row] for of_row in found]
    return pa.array(rows, DIFFERENCES.type)
