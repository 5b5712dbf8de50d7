"""Files of a table: one, those of a folder, or those that match a pattern, always in the same order."""

import glob
import os
import re
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import pyarrow as pa

from .table_format import known_format
from .table_reader import Chunk, TableError, TableReader, id_column
from .text_rows import Reject

_NULL = "__HIVE_DEFAULT_PARTITION__"


class Files(NamedTuple):
    """The files of a table.

    Attributes
    ----------
    paths
        One or more, sorted by the parts of their names.
    root
        The folder to which their names are relative; None if the table is a single file.
    """

    paths: tuple[Path, ...]
    root: Path | None

    def name(self, path: Path) -> str:
        """Return the name of one of them for messages."""
        return str(path) if self.root is None else path.relative_to(self.root).as_posix()

    def partition(self, path: Path) -> dict[str, str | None]:
        """Return the columns in the names of a file's folders, as Hive and Spark write them: ``country=NZ``."""
        folders = () if self.root is None else path.relative_to(self.root).parts[:-1]
        values = dict(folder.split("=", 1) for folder in folders if re.match("[^=]+=", folder))
        return {unquote(key): None if value == _NULL else unquote(value) for key, value in values.items()}


def files_of(source: str | Path) -> Files:
    """Return the files that a path, a folder or a pattern such as ``parts/*.parquet`` names.

    A folder is searched with all folders in it; files and folders whose names begin with ``.`` or ``_``, such as
    ``_SUCCESS``, are left out. The name of a file that exists is not a pattern, whatever characters it has.

    Raises
    ------
    TableError
        If the file does not exist, or the folder or the pattern has no files, or one of them is not a file.
    """
    path = Path(source)
    if path.is_dir():
        inside = [_checked(each) for each in _inside(path)]
        return _sorted(inside, path, f"the folder {source} holds no files (names with . or _ first do not count)")
    if path.exists():
        return Files((path,), None)
    if not glob.has_magic(str(source)):
        raise TableError(f"there is no file {source}")
    first = next(k for k, part in enumerate(path.parts) if glob.has_magic(part))
    root, pattern = Path(*path.parts[:first]), path.parts[first:]
    matches = list(map(Path, glob.glob(str(source), recursive=True)))
    if not any(map(_is_left_out, pattern)):  # unless the path names them
        matches = [path for path in matches if not any(map(_is_left_out, path.relative_to(root).parts))]
    matches = [_checked(path) for path in matches if not path.is_dir()]
    return _sorted(matches, root, f"there is no file {source}, and no file matches it as a pattern")


def check_target(source: str | Path, target: str | Path) -> None:
    """Refuse an output that is a file of the input, or would be part of it in the next run.

    Raises
    ------
    TableError
        If the target is one of the files of the source, or lies in the folder that the source is.
    """
    if "-" in (str(source), str(target)):
        return
    place = Path(os.path.realpath(target))
    if Path(source).is_dir() and place.is_relative_to(os.path.realpath(source)):
        raise TableError(
            f"the output must be outside the input folder {source}, got {target}; write it to another folder"
        )
    if any(place == Path(os.path.realpath(path)) for path in files_of(source).paths):
        raise TableError(f"the output must not be a file of the input, got {target}; name another output")


def _is_left_out(name: str) -> bool:
    return name.startswith((".", "_"))


def _inside(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not _is_left_out(name)]
        yield from (Path(parent, name) for name in names if not _is_left_out(name))


def _checked(path: Path) -> Path:
    # Skipping it would lose rows without a message, and a pipe would block.
    if not path.is_file():
        got = "a link to a file that does not exist" if path.is_symlink() else "a pipe or a device"
        raise TableError(f"{path} must be a file, got {got}; remove it, or name the files by a pattern")
    return path


def _sorted(paths: list[Path], root: Path, absent: str) -> Files:
    ordered = tuple(sorted(paths, key=lambda path: path.parts))
    if not ordered:
        raise TableError(absent)
    return Files(ordered, root)


def open_several(name: str, files: Files, open_part: Callable[[str], TableReader], id: str | None) -> TableReader:
    """Open the files of a folder or a pattern as one table."""
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
