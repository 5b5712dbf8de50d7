"""Tables of sentence pairs, read as a stream of chunks; every row is in a chunk or among its rejects."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from .format_catalogue import format_of_name, known_format
from .joined_tables import open_several
from .table_errors import TableError
from .table_files import Files, files_of
from .table_format import TableFile, TableFormat
from .table_reader import Chunk, TableReader, find_column, split_columns
from .table_source import open_source
from .text_rows import Reject

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
        A file in one of the formats of `format_catalogue.table_formats`; text may be compressed (``.gz``, ``.zst``). Or
        a folder or a pattern of such files, all of one format and with the same columns; or ``-`` for standard input.
    columns
        The two columns with the texts, ``"A,B"`` or a list: names, or numbers from 1. Without it, the columns are
        ``sentence1`` and ``sentence2``, or those of the STS data sets that `text_layouts.recognise` knows. Names with
        commas can be given in a list.
    id
        A column that names the rows.
    format
        The name of the format, if the file name does not show it.
    batch_size
        Most rows in a chunk.

    Raises
    ------
    TableError
        If the file is missing, empty or not in the format of its name, if it lacks a column, or if files differ.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, got {batch_size}")
    wanted = split_columns(columns)
    if str(path) == "-":
        return _open_one("-", wanted, id, format, batch_size)
    files = files_of(path)
    if files.root is None:
        return _open_one(str(path), wanted, id, format, batch_size)
    shared = _one_format(files, format)
    fields = None if shared.columns_of is None else shared.columns_of(_streams(files, shared.name))
    open_part = partial(_open_one, wanted=wanted, id=None, format=shared.name, batch_size=batch_size, fields=fields)
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
    stream, head, table_format = open_source(path, format)
    try:
        return table_format.open(TableFile(name, table_format, stream, head, wanted, id, batch_size, fields))
    except BaseException:
        stream.close()
        raise


def _one_format(files: Files, format: str | None) -> TableFormat:
    formats = {path: format_of_name(path)[0] or format for path in files.paths}
    first = files.paths[0]
    for path, name in formats.items():
        if name is None:
            raise TableError(
                f"{files.root} holds {files.name(path)}, whose name does not show its format; name the files by a "
                "pattern such as 'parts/*.parquet'"
            )
        if name != formats[first]:
            raise TableError(
                f"{files.name(first)} is {formats[first]} and {files.name(path)} is {name}; name the files of one "
                "format by a pattern such as 'parts/*.parquet'"
            )
    return known_format(str(formats[first]))


def _streams(files: Files, format: str) -> Iterator[BinaryIO]:
    for path in files.paths:
        with closing(open_source(str(path), format)[0]) as stream:
            yield stream
