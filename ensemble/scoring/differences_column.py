"""Column with the differences between the two texts of each row."""

from collections.abc import Sequence

import pyarrow as pa

from ..differences.difference import Difference
from ..multilingual.model import Model

DIFFERENCES = pa.field("differences", pa.list_(pa.struct([(name, pa.string()) for name in ("kind", "a", "b")])))
"""Column of lists, one item a difference: its kind, and the words of the first and of the second text."""


def differences_of(texts: pa.RecordBatch, model: Model) -> pa.Array:
    """Return the column `DIFFERENCES` of n rows; what a row has does not depend on the other rows.

    Parameters
    ----------
    texts
        Batch whose first two columns are the texts.
    model
        The fitted model.
    """
    pairs = list(zip(texts.column(0).to_pylist(), texts.column(1).to_pylist(), strict=True))
    return differences_array(model.differences(pairs))


def differences_array(found: Sequence[Sequence[Difference]]) -> pa.Array:
    """Return the differences of n rows as an array of the type of `DIFFERENCES`."""
    rows = [[{"kind": one.kind, "a": one.a, "b": one.b} for one in of_row] for of_row in found]
    return pa.array(rows, DIFFERENCES.type)
