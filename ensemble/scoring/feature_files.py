"""The feature matrix of a table, streamed to a file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

import pyarrow as pa

from ...features.base.feature import Feature, highest_level
from ...features.base.sentences import LEVELS
from ...features.pipeline.catalogue import resolve
from ...features.pipeline.matrix import extract
from ...features.pipeline.registry import RESOURCES, Resources
from ..core.bundle_parts import USER_RESOURCES
from ..core.predictor import Predictor
from ..tables.sources import TableError, open_table
from ..tables.table_files import check_target
from ..tables.table_format import DelimitedText
from ..tables.table_writer import TableWriter, is_stream


def extract_file(
    source: str | Path,
    target: str | Path,
    *,
    model: Predictor,
    features: str | Sequence[str | Feature] | None = None,
    columns: str | Sequence[str] | None = None,
    statistics: str | Path | None = None,
    **text: Unpack[DelimitedText],
) -> tuple[int, int]:
    """Write the feature matrix of a table, batch by batch; return its numbers of rows and columns."""
    check_target(source, target)
    chosen, kept = (model.features, model.columns) if features is None else resolve(features)
    level = highest_level(chosen)
    resources = _resources(chosen, model, statistics, columns, text)
    schema = pa.schema([pa.field(name, pa.float32()) for name in kept])
    rows = 0
    with (
        open_table(source, columns, **text) as reader,
        TableWriter(target, "parquet" if is_stream(target) else None) as writer,
    ):
        writer.write(pa.RecordBatch.from_pylist([], schema=schema))
        for chunk in reader:
            for reject in chunk.rejects[:1]:
                raise TableError(f"line {reject.line} of {reader.name}: {reject.reason}; correct or remove it")
            pairs = list(zip(chunk.a, chunk.b, strict=True))
            matrix = extract(model.analyse(pairs, level), chosen, resources, columns=kept)
            writer.write(pa.record_batch([pa.array(column) for column in matrix.values.T], schema=schema))
            rows += len(pairs)
    return rows, len(kept)


def _resources(
    features: Sequence[Feature],
    model: Predictor,
    statistics: str | Path | None,
    columns: str | Sequence[str] | None,
    text: DelimitedText,
) -> Resources:
    # Those of the model, and those that it lacks, counted on another table.
    missing: dict[str, Feature] = {}
    for value in features:
        for need in value.needs:
            if need not in model.resources:
                missing.setdefault(need, value)
    for need, value in missing.items():
        user = next((key for key, kind in USER_RESOURCES.items() if kind.name == need), None)
        if user is not None:
            raise ValueError(f"{value.full_name} needs your {USER_RESOURCES[user].title}; pass --{user}")
        if statistics is None:
            raise ValueError(
                f"{value.full_name} needs the resource {need!r}, which the model was not fitted with; pass "
                "--statistics with a table of training pairs, or name a model trained with such features"
            )
    if not missing or statistics is None:
        return model.resources
    with open_table(statistics, columns, **text) as reader:
        pairs = [pair for chunk in reader for pair in zip(chunk.a, chunk.b, strict=True)]
    level = max((RESOURCES[need].level for need in missing), key=LEVELS.index)
    counted = Resources.fit(list(missing), model.analyse(pairs, level).sentences)
    return Resources({**model.resources, **counted})
