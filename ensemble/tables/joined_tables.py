"""Several files with the same columns, read as one table with rows numbered from file to file."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pyarrow as pa

from .format_catalogue import known_format
from .table_errors import TableError
from .table_files import Files
from .table_reader import Chunk, TableReader, id_column
from .text_rows import Reject


def open_several(name: str, files: Files, open_part: Callable[[str], TableReader], id: str | None) -> TableReader:
    """Open the files of a folder or a pattern as one table.

    Parameters
    ----------
    name
        The name of the table for messages.
    files
        The files, in the order of their rows.
    open_part
        Opens one of the files; called twice for each, and only one is open at a time.
    id
        A column that names the rows.

    Raises
    ------
    TableError
        If the files differ in their columns, or in the keys of their ``KEY=VALUE`` folders.
    """
    total: int | None = 0
    schema = added = None
    for path in files.paths:
        with open_part(str(path)) as part:
            if schema is None or added is None:
                schema, added, first = part.schema, files.partition(path), part
            _check(part, path, schema, list(added), files)
            total = None if total is None or part.total is None else total + part.total
    assert schema is not None and added is not None
    keys = [key for key in added if key not in schema.names]
    whole = pa.schema(
        [*(field.with_nullable(True) for field in schema), *(pa.field(key, pa.string()) for key in keys)],
        metadata=schema.metadata,
    )

    def chunks(reader: TableReader) -> Generator[Chunk, None, None]:
        for path in files.paths:
            with open_part(str(path)) as part:
                _check(part, path, schema, list(added), files)
                values = {key: value for key, value in files.partition(path).items() if key in keys}
                for chunk in part:
                    yield _placed(chunk, whole, values, reader.lines, part.format, files.name(path))
                reader.lines += part.lines

    id = id_column(id, whole.names, name)
    return TableReader(name, first.format, None, whole, (first.a_name, first.b_name), chunks, id, total)


def _check(part: TableReader, path: Path, schema: pa.Schema, keys: list[str], files: Files) -> None:
    start = files.name(files.paths[0])
    for k in range(max(len(schema), len(part.schema))):
        there, here = (str(s.field(k).name) if k < len(s) else None for s in (schema, part.schema))
        if here != there:
            column = "no further column" if here is None else f"the column {here!r}"
            raise TableError(
                f"{files.name(path)} has {column} where {start} has {'none' if there is None else repr(there)}; "
                "all files of a table must have the same columns"
            )
        if part.schema.field(k).type != schema.field(k).type:
            raise TableError(
                f"the column {here!r} holds {part.schema.field(k).type} in {files.name(path)} and "
                f"{schema.field(k).type} in {start}; all files of a table must have the same columns"
            )
    if list(files.partition(path)) != keys:
        raise TableError(
            f"{files.name(path)} and {start} must be in folders with the same keys; name files of one kind by a pattern"
        )


def _placed(
    chunk: Chunk, schema: pa.Schema, values: dict[str, str | None], before: int, format: str, file: str
) -> Chunk:
    added = [pa.array([value] * chunk.batch.num_rows, pa.string()) for value in values.values()]
    batch = pa.record_batch([*chunk.batch.columns, *added], schema=schema)
    unit = known_format(format).unit
    rejects = [
        Reject(
            reject.line + before,
            f"{reject.reason} ({unit} {reject.line} of {file})",
            reject.raw,
            _with_values(reject.values, values, len(schema)),
        )
        for reject in chunk.rejects
    ]
    return Chunk(batch, chunk.a, chunk.b, rejects, [line + before for line in chunk.lines])


def _with_values(fields: Any, values: dict[str, str | None], width: int) -> Any:
    if isinstance(fields, dict):
        return {**fields, **values}
    if isinstance(fields, list) and len(fields) == width - len(values):
        return [*fields, *values.values()]
    return fields
