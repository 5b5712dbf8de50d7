"""Tables of sentence pairs, read as a stream of chunks; every row is in a chunk or among its rejects."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path

import pyarrow as pa

from .joined_tables import open_several
from .parquet_reader import open_parquet
from .table_files import Files, files_of
from .table_reader import Chunk, TableReader, find_column, split_columns
from .table_source import format_of_name, open_source
from .text_layouts import TableError
from .text_reader import open_delimited, open_json
from .text_rows import Lines, Reject, Row, json_fields, json_rows

__all__ = ["BATCH", "Chunk", "Reject", "TableError", "TableReader", "find_column", "open_table"]

BATCH = 2_048
"""Rows in a chunk."""


def open_table(
    path: str | Path,
    columns: str | Sequence[str] | None = None,
    id: str | None = None,
    format: str | None = None,
    batch_size: int = BATCH,
) -> TableReader:
    """Open a table of sentence pairs.

    Parameters
    ----------
    path
        A CSV, TSV (or .txt), JSONL or Parquet file, the first three perhaps compressed (``.gz``, ``.zst``); a folder or
        a pattern of such files, all of one format and with the same columns; or ``-`` for standard input.
    columns
        The two columns with the texts, ``"A,B"`` or a list: names, or numbers from 1. Without it, the columns are
        ``sentence1`` and ``sentence2``, or those of the STS data sets that `layouts.recognise` knows. Names that hold
        commas can be given in a list.
    id
        A column that names the rows.
    format
        The format where the name does not tell it.
    batch_size
        Most rows in a chunk.

    Raises
    ------
    TableError
        If there is no such file, it is empty or not what its name says, it lacks a column, or files differ in theirs.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size is {batch_size}; it must be at least 1")
    wanted = split_columns(columns)
    if str(path) == "-":
        return _open_one("-", wanted, id, format, batch_size)
    files = files_of(path)
    if files.root is None:
        return _open_one(str(path), wanted, id, format, batch_size)
    found = _one_format(files, format)
    fields = _json_fields(files, found) if found == "jsonl" else None
    open_part = partial(_open_one, wanted=wanted, id=None, format=found, batch_size=batch_size, fields=fields)
    return open_several(str(path), files, open_part, id)


def _open_one(
    path: str,
    wanted: tuple[str, ...],
    id: str | None,
    format: str | None,
    batch_size: int,
    fields: Mapping[str, pa.Field] | None = None,
) -> TableReader:
    name = "standard input" if path == "-" else path
    stream, head, found = open_source(path, format)
    try:
        if found == "jsonl":
            return open_json(name, stream, wanted, id, batch_size, fields)
        if found == "parquet":
            return open_parquet(name, stream, wanted, id, batch_size)
        return open_delimited(name, stream, head, found, wanted, id, batch_size)
    except BaseException:
        stream.close()
        raise


def _one_format(files: Files, format: str | None) -> str | None:
    formats = {path: format_of_name(path)[0] or format for path in files.paths}
    first = files.paths[0]
    for path, found in formats.items():
        if found is None:
            raise TableError(
                f"{files.root} holds {files.name(path)}, whose name does not tell its format; name the files by a "
                "pattern such as 'parts/*.parquet'"
            )
        if found != formats[first]:
            raise TableError(
                f"{files.name(first)} is {formats[first]} and {files.name(path)} is {found}; name the files of one "
                "format by a pattern such as 'parts/*.parquet'"
            )
    return formats[first]


def _json_fields(files: Files, format: str) -> dict[str, pa.Field]:
    # Of all files together: what one leaves out or holds as an integer, another may not.
    def rows(path: Path) -> Iterator[Row | Reject]:
        with closing(open_source(str(path), format)[0]) as stream:
            yield from json_rows(Lines(stream))

    return json_fields(chain.from_iterable(map(rows, files.paths)))
