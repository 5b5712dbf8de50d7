"""Parquet: typed columns, written in row groups of one size whatever the size of the batches that come."""

from functools import partial
from typing import BinaryIO

import pyarrow as pa

from ..arrow_rows import ArrowFile, open_arrow
from ..table_format import TableFormat

GROUP_ROWS = 100_000
"""Rows in a row group: enough for its pages and statistics to pay, few enough to be held."""

GROUP_BYTES = 1 << 26
"""A row group ends here even if it has fewer rows: it bounds memory where texts are long."""

_CELL = 1_000
"""Bytes are looked at after so many rows, so that where a group ends does not depend on the batches."""


def _opened(stream: BinaryIO, batch_size: int) -> ArrowFile:
    import pyarrow.parquet as pq

    # Page by page: by default a whole row group is fetched at once, and some writers make one of the whole file.
    file = pq.ParquetFile(stream, buffer_size=1 << 20, pre_buffer=False)
    return ArrowFile(file.schema_arrow, file.iter_batches(batch_size), file.metadata.num_rows)


class _Writer:
    """A Parquet file in the making; the same rows give the same bytes."""

    def __init__(self, file: BinaryIO, schema: pa.Schema) -> None:
        import pyarrow.parquet as pq

        self.schema = schema
        self._writer = pq.ParquetWriter(file, schema)
        self._cell: list[pa.RecordBatch] = []  # fewer than _CELL rows
        self._group: list[pa.RecordBatch] = []  # of _CELL rows each
        self._bytes = 0

    def write(self, batch: pa.RecordBatch) -> list[int]:
        """Append rows; Parquet can hold all of them."""
        while batch.num_rows:
            room = _CELL - sum(part.num_rows for part in self._cell)
            self._cell.append(batch.slice(0, room))
            batch = batch.slice(room)
            if self._cell[-1].num_rows == room:
                self._end_cell()
                if self._bytes >= GROUP_BYTES or len(self._group) * _CELL >= GROUP_ROWS:
                    self._end_group()
        return []

    def _end_cell(self) -> None:
        whole = pa.Table.from_batches(self._cell, self.schema).combine_chunks()
        self._group += whole.to_batches()
        self._bytes += whole.nbytes
        self._cell = []

    def _end_group(self) -> None:
        # In one piece, for pages end where pieces do.
        table = pa.Table.from_batches(self._group, self.schema).combine_chunks()
        self._writer.write_table(table, row_group_size=GROUP_ROWS)
        self._group, self._bytes = [], 0

    def close(self, complete: bool) -> None:
        """End the file; what is held is written only if it is complete."""
        if complete and self._cell:
            self._end_cell()
        if complete and self._group:
            self._end_group()
        self._writer.close()


PARQUET = TableFormat(
    name="parquet",
    title="Parquet",
    suffixes=(".parquet",),
    open=partial(open_arrow, open=_opened),
    writer=_Writer,
    magic=b"PAR1",
)
