"""Formats of tables, found in the folder of formats, and recognised by name and by first bytes."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from .compression import compression_of
from .table_errors import TableError
from .table_format import TableFormat

_FOLDER = Path(__file__).parent / "formats"

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_PLAIN_TEXT = "csv"


@lru_cache(maxsize=1)
def table_formats() -> Mapping[str, TableFormat]:
    """Return every format of the folder by its name, in alphabetical order.

    Raises
    ------
    ValueError
        If two files declare formats of one name or one suffix.
    """
    names = [info.name for info in pkgutil.iter_modules([str(_FOLDER)])]
    modules = [importlib.import_module(f"{__package__}.formats.{name}") for name in names]
    formats = [value for module in modules for value in vars(module).values() if isinstance(value, TableFormat)]
    keys = [key for value in formats for key in (value.name, *value.suffixes)]
    repeated = next((key for key in keys if keys.count(key) > 1), None)
    if repeated is not None:
        raise ValueError(f"names and suffixes of formats must be unique, got {repeated!r} twice; rename one")
    return MappingProxyType({value.name: value for value in sorted(formats, key=lambda value: value.name)})


def suffixes() -> dict[str, str]:
    """Return the name of the format of each file name extension."""
    return {suffix: value.name for value in table_formats().values() for suffix in value.suffixes}


def format_of_name(path: str | Path) -> tuple[str | None, str | None]:
    """Return the format and the compression that a file name such as ``pairs.csv.gz`` shows; None for what it lacks."""
    compression, inner = compression_of(path)
    return suffixes().get(inner.suffix.lower()), compression


def known_format(name: str) -> TableFormat:
    """Return the format of a name.

    Raises
    ------
    TableError
        If no format has it.
    """
    formats = table_formats()
    if name not in formats:
        raise TableError(f"the format must be one of {', '.join(formats)}, got {name!r}")
    return formats[name]


def sniff(head: bytes) -> TableFormat:
    """Return the format of a stream by its first bytes."""
    formats = table_formats().values()
    binary = next((value for value in formats if value.binary and head.startswith(value.magic)), None)
    if binary is not None:
        return binary
    text = head.removeprefix(_BYTE_ORDER_MARK).lstrip()
    return next((value for value in formats if value.resembles(text)), table_formats()[_PLAIN_TEXT])


def refuse_packed(value: TableFormat, compression: str | None, name: str) -> None:
    """Refuse a binary format within a compression.

    Raises
    ------
    TableError
        If the format is binary and there is a compression.
    """
    if value.binary and compression is not None:
        raise TableError(
            f"{name} must not be {value.title} within {compression}; {value.title} is compressed inside, so leave "
            f"{compression} out"
        )
