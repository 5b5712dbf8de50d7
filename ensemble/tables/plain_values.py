"""Values of Arrow columns as plain Python, for formats that have fewer types."""

import base64
from typing import Any

import numpy as np
import pyarrow as pa

AS_JSON = {b"samewise": b"json"}
"""Metadata of a text column whose values are JSON: nested, of several types, or integers beyond 64 bits."""

AS_WORDS = {b"samewise": b"words"}
"""Metadata of a column of lists of words: in delimited text blanks separate them."""


def is_marked(field: pa.Field, mark: dict[bytes, bytes]) -> bool:
    """Return whether a column has a mark: `AS_JSON` or `AS_WORDS`."""
    return field.metadata is not None and field.metadata.get(b"samewise") == mark[b"samewise"]


def text_values(column: pa.Array) -> list[Any]:
    """Return the values of a column as `plain_values` does, 32-bit floats with the fewest digits that give them back.

    The `repr` of each float, and so its JSON, is the shortest text that gives the same number.
    """
    values = plain_values(column)
    if pa.types.is_float32(column.type):
        return [None if value is None else float(str(np.float32(value))) for value in values]
    return values


def plain_values(column: pa.Array) -> list[Any]:
    """Return the values of a column as values that JSON can hold, except decimals and dates.

    Times become texts, because nanoseconds have no Python type, durations counts of their unit, and bytes base64.
    """
    kind = _plain(column.type)
    if kind != column.type:
        column = column.cast(kind)
    return [_without_bytes(value) for value in column.to_pylist()] if _holds_bytes(kind) else column.to_pylist()


def _plain(kind: pa.DataType) -> pa.DataType:
    types = pa.types
    if isinstance(kind, pa.BaseExtensionType):
        return kind if kind.extension_name == "arrow.uuid" else _plain(kind.storage_type)
    if types.is_dictionary(kind):
        return _plain(kind.value_type)
    if types.is_timestamp(kind) or types.is_time(kind):
        return pa.string()
    if types.is_duration(kind):
        return pa.int64()
    if types.is_struct(kind):
        return pa.struct([field.with_type(_plain(field.type)) for field in kind])
    if types.is_map(kind):
        return pa.map_(_plain(kind.key_type), _plain(kind.item_type))
    if types.is_fixed_size_list(kind):
        return pa.list_(kind.value_field.with_type(_plain(kind.value_type)), kind.list_size)
    if types.is_large_list(kind):
        return pa.large_list(kind.value_field.with_type(_plain(kind.value_type)))
    if types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_plain(kind.value_type)))
    return kind


def _holds_bytes(kind: pa.DataType) -> bool:
    types = pa.types
    if types.is_nested(kind):
        return any(_holds_bytes(kind.field(k).type) for k in range(kind.num_fields))
    return bool(
        types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_fixed_size_binary(kind)
        or types.is_binary_view(kind)
    )


def _without_bytes(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {key: _without_bytes(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_bytes(item) for item in value]
    return value
