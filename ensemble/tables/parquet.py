"""Rows of a Parquet batch: which hold two texts, and which do not."""

from typing import Any

import pyarrow as pa

from .rows import NOT_UTF8, Reject, bad_text, json_text


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def is_text(kind: pa.DataType) -> bool:
    """Return whether values of a type are texts."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    view = getattr(pa.types, "is_string_view", lambda kind: False)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or view(kind))


def split_rows(
    batch: pa.RecordBatch, a: str, b: str, start: int
) -> tuple[pa.RecordBatch, list[str], list[str], list[Reject], list[int]]:
    """Return the good rows of a batch, their texts, the bad rows, and the numbers of the good ones.

    Parameters
    ----------
    batch
        Consecutive rows.
    a, b
        The columns with the texts.
    start
        Number of the first row.
    """
    texts = [_to_python(batch.column(column)) for column in (a, b)]
    rejects = []
    good = []
    for row, pair in enumerate(zip(*texts, strict=True)):
        reasons = [bad_text(text, column) for text, column in zip(pair, (a, b), strict=True)]
        reasons = [NOT_UTF8 if text is _BROKEN else reason for text, reason in zip(pair, reasons, strict=True)]
        reason = reasons[0] or reasons[1]
        if reason is None:
            good.append(row)
        else:
            raw = {name: _to_python(batch.column(k).slice(row, 1))[0] for k, name in enumerate(batch.schema.names)}
            rejects.append(Reject(start + row, reason, json_text(raw), raw))
    if rejects:
        batch = batch.take(pa.array(good, pa.int64()))
    first, second = ([column[row] for row in good] for column in texts)
    return batch, first, second, rejects, [start + row for row in good]


class _Broken:
    def __str__(self) -> str:
        return "<undecodable>"


_BROKEN = _Broken()


def _to_python(column: pa.Array) -> list[Any]:
    try:
        values: list[Any] = column.to_pylist()
        return values
    except UnicodeDecodeError:
        return [_value(item) for item in column]


def _value(item: pa.Scalar) -> Any:
    try:
        return item.as_py()
    except UnicodeDecodeError:
        return _BROKEN
