"""Tables of pairs with the reasons of their scores."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Unpack

import pyarrow as pa

from ..core.explanation import Explanation
from ..loading import Model
from ..tables.sources import TableError, open_table
from ..tables.table_format import DelimitedText
from ..tables.table_writer import TableWriter, free_names, is_stream
from .batches import DIFFERENCES, differences_array

PREFIX = "contribution."
"""Prefix of the columns of `explain_file` that hold contributions."""


def explain_file(
    source: str | Path,
    target: str | Path,
    *,
    model: Model,
    columns: str | Sequence[str] | None = None,
    format: str | None = None,
    escape_formulas: bool = False,
    **text: Unpack[DelimitedText],
) -> int:
    """Write a table with the reasons of its scores beside its columns, chunk by chunk; return the number of rows."""
    names = list(dict.fromkeys(name for part in model.parts.values() for name in part.contribution_names))
    rows = 0
    with ExitStack() as stack:
        reader = stack.enter_context(open_table(source, columns, format=format, **text))
        writer = stack.enter_context(
            TableWriter(
                target, format or reader.format if is_stream(target) else format, escape_formulas=escape_formulas
            )
        )
        writer.write(_with_reasons(pa.RecordBatch.from_pylist([], schema=reader.schema), names, []))
        for chunk in reader:
            for reject in chunk.rejects[:1]:
                raise TableError(f"line {reject.line} of {reader.name}: {reject.reason}; correct or remove it")
            explanations = model.explain(list(zip(chunk.a, chunk.b, strict=True)))
            for row in writer.write(_with_reasons(chunk.batch, names, explanations))[:1]:
                raise TableError(
                    f"line {chunk.lines[row]} of {reader.name} holds {writer.refusal}; write another format"
                )
            rows += len(explanations)
    return rows


def _with_reasons(batch: pa.RecordBatch, names: Sequence[str], explanations: Sequence[Explanation]) -> pa.RecordBatch:
    columns = {"score": [each.score for each in explanations], "base": [each.base for each in explanations]}
    columns |= {f"{PREFIX}{name}": [each.contributions[name] for each in explanations] for name in names}
    added = [pa.array(values, pa.float64()) for values in columns.values()]
    added.append(differences_array([each.differences for each in explanations]))
    schema = batch.schema
    for name, column in zip(free_names([*columns, DIFFERENCES.name], schema.names), added, strict=True):
        schema = schema.append(pa.field(name, column.type))
    return pa.record_batch([*batch.columns, *added], schema)
