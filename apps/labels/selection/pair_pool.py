"""Pool of pairs to choose from, read as a stream without duplicates and labelled pairs, its rows kept on disk."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Unpack

import numpy as np
import pyarrow as pa

from ....ensemble.tables.sources import Reject, TableError, TableReader, open_table
from ....ensemble.tables.table_format import DelimitedText
from ....features.analysis.analysis import normalise
from ....features.base.token_sequences import text_hash

Pairs = list[tuple[str, str]]


def pair_key(pair: Sequence[str]) -> int:
    """Return a 64-bit hash of a pair of texts, independent of their order, white space and Unicode form."""
    return text_hash("\n".join(sorted(map(normalise, pair[:2]))))


def read_labelled(path: str | Path, columns: str | Sequence[str] | None = None, **text: Unpack[DelimitedText]) -> Pairs:
    """Return the distinct pairs of a table."""
    pairs: dict[int, tuple[str, str]] = {}
    with open_table(path, columns, **text) as reader:
        for chunk in reader:
            for reject in chunk.rejects[:1]:
                raise TableError(f"line {reject.line} of {reader.name}: {reject.reason}; correct or remove it")
            for pair in zip(chunk.a, chunk.b, strict=True):
                pairs.setdefault(pair_key(pair), pair)
    return list(pairs.values())


class Pool:
    """Distinct unlabelled pairs in a file of a temporary folder; a context manager."""

    def __init__(self, folder: Path, labelled: Sequence[tuple[str, str]] = ()) -> None:
        self._path = folder / "rows.arrow"
        self._labelled_keys = {pair_key(pair) for pair in labelled}
        self._seen: set[int] = set()
        self._starts = [0]
        self._writer: Any = None
        self._schema = pa.schema([])
        self.count = self.duplicates = self.labelled = self.empty = self.rejects = 0
        self.first_reject: Reject | None = None

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def read(self, reader: TableReader) -> Iterator[tuple[pa.RecordBatch, Pairs]]:
        """Yield the rows that may be chosen and their pairs, in batches that are not empty."""
        for chunk in reader:
            self.rejects += len(chunk.rejects)
            if chunk.rejects and self.first_reject is None:
                self.first_reject = chunk.rejects[0]
            yield from self._add(chunk.batch, list(zip(chunk.a, chunk.b, strict=True)), reader.schema)
        self._close()

    def take_in(self, table: pa.Table, size: int) -> Iterator[tuple[pa.RecordBatch, Pairs]]:
        """Yield rows and pairs of a table in memory whose first two columns are texts, as `read` does."""
        for batch in table.to_batches(max_chunksize=size):
            pairs = list(zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True))
            yield from self._add(batch, pairs, table.schema)
        self._close()

    def take(self, rows: np.ndarray) -> pa.Table:
        """Return rows unchanged, in the order given."""
        if not len(rows):
            return self._schema.empty_table()
        starts = np.asarray(self._starts)
        batch_of = np.searchsorted(starts, rows, side="right") - 1
        with pa.memory_map(str(self._path)) as file, pa.ipc.open_file(file) as source:
            parts, places = [], []
            for number in np.unique(batch_of):
                here = np.flatnonzero(batch_of == number)
                parts.append(source.get_batch(int(number)).take(pa.array(rows[here] - starts[number])))
                places.append(here)
            order = np.argsort(np.concatenate(places))
            return pa.Table.from_batches(parts, self._schema).take(pa.array(order)).combine_chunks()

    def _add(self, batch: pa.RecordBatch, pairs: Pairs, schema: pa.Schema) -> Iterator[tuple[pa.RecordBatch, Pairs]]:
        kept = [row for row, pair in enumerate(pairs) if self._is_new(pair)]
        if self._writer is None:
            self._schema = schema
        if not kept:
            return
        if len(kept) < len(pairs):
            batch, pairs = batch.take(pa.array(kept)), [pairs[row] for row in kept]
        batch = _plain(batch)
        if self._writer is None:
            self._schema = batch.schema
            self._writer = pa.ipc.new_file(str(self._path), self._schema)
        self._writer.write_batch(batch)
        self.count += len(kept)
        self._starts.append(self.count)
        yield batch, pairs

    def _is_new(self, pair: tuple[str, str]) -> bool:
        if not all(text.strip() for text in pair):
            self.empty += 1
            return False
        key = pair_key(pair)
        if key in self._labelled_keys:
            self.labelled += 1
            return False
        if key in self._seen:
            self.duplicates += 1
            return False
        self._seen.add(key)
        return True

    def _close(self) -> None:
        if self._writer is not None:
            with suppress(OSError):  # an error of a full disk has been raised before
                self._writer.close()
            self._writer = None


def _plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    # Batches may differ in their dictionaries, but an Arrow file has one: values replace the dictionaries.
    for k, field in enumerate(batch.schema):
        if pa.types.is_dictionary(field.type):
            column = batch.column(k).dictionary_decode()
            batch = batch.set_column(k, field.with_type(column.type), column)
    return batch
