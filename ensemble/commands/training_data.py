"""Pairs that `samewise train` fits a model on, and those that it measures the model on."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .experiment_options import Pairs, Reading, need_two, say_detected, say_mapped

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from ..core.scale import Scale
    from ..tables.labelled_pairs import LabelledPairs


class Marks(NamedTuple):
    """Group of each training pair, and whether no fitted network has seen it; None if no column is named."""

    groups: list[Any] | None
    unseen: "np.ndarray | None"


class HeldOutPairs(NamedTuple):
    """Pairs to measure on: name of their file, texts, and gold scores on 0..5."""

    name: str
    pairs: Pairs
    gold: "np.ndarray"


def read_training_pairs(
    path: str, reading: Reading, *, groups: str | None, unseen: str | None
) -> "tuple[LabelledPairs, Marks]":
    """Read training pairs and the columns that mark them; say a detected scale other than 0..5."""
    from ..tables.labelled_pairs import read_labelled_pairs

    data = read_labelled_pairs(path, reading.columns, scale=reading.scale)
    say_detected(reading.scale, data.scale)
    sources = None if groups is None else _column(data.table, groups, path)
    return data, Marks(sources, None if unseen is None else _marks(_column(data.table, unseen, path), unseen, path))


def read_held_out_pairs(path: str, reading: Reading, scale: "Scale") -> HeldOutPairs:
    """Read pairs to measure on, with labels on the scale of the training pairs unless they are those of SICK.

    Raises
    ------
    ValueError
        If there are fewer than two pairs, which have no correlation, or their labels are not yes and no where those of
        the training pairs are.
    """
    from ..tables.labelled_pairs import read_labelled_pairs

    data = read_labelled_pairs(path, reading.columns, scale=reading.scale, otherwise=lambda labels: scale)
    if data.scale.binary != scale.binary:
        raise ValueError(f"the scores in {path} must be on {scale}, as those of TRAIN, got {data.scale}; convert them")
    say_mapped(path, data.scale, scale)
    need_two(data.labels, path)
    return HeldOutPairs(Path(path).name, data.pairs, data.points)


def scale_to_record(named: str | None, scale: "Scale") -> str | None:
    """Return the scale as the recorded command names it; None for 0..5 that was detected."""
    from ..core.scale import POINTS

    return None if named is None and scale == POINTS else str(scale)


def _column(table: "pa.Table", name: str, path: str) -> list[Any]:
    if name not in table.column_names:
        from ...features.close_names import did_you_mean

        listed = ", ".join(table.column_names) + did_you_mean(name, table.column_names)
        raise ValueError(f"{path} has no column {name!r}; its columns are: {listed}")
    cells: list[Any] = table[name].to_pylist()
    return cells


def _marks(cells: list[Any], name: str, path: str) -> "np.ndarray":
    import numpy as np

    from ..core.scale import YES_OR_NO

    marks = np.asarray([YES_OR_NO.number(cell) for cell in cells])
    fits = YES_OR_NO.contains(marks)
    if not fits.all():
        row = int(np.argmin(fits))
        raise ValueError(f"the {name} of pair {row + 1} of {path} must be 1 or 0, got {cells[row]!r}; correct it")
    if not marks.any():
        raise ValueError(
            f"{name} must be 1 for a pair of {path}, got 0 for all; mark the pairs that no network has seen"
        )
    return marks > 0
