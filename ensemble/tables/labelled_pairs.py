"""Pairs with gold scores, read whole for training and evaluation; a bad row is an error.

Labels are on a named scale, on that of SICK's column, or on the detected one.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Unpack

import numpy as np
import pyarrow as pa

from ..core.scale import ANY_RULE, POINTS, Scale, ScaleError, detected_scale
from .sources import find_column, open_table
from .table_format import DelimitedText
from .table_reader import TableError
from .text_rows import KNOWN_NAMES, RELATEDNESS

SICK_SCALE = Scale(1.0, 5.0)
"""Scale of the column ``relatedness_score`` of SICK (Marelli et al., 2014)."""

ScaleOfLabels = Callable[[Sequence[object]], Scale]
"""Function that chooses a scale for labels, or raises `ScaleError`."""


class LabelledPairs(NamedTuple):
    """Pairs of texts with their labels.

    Attributes
    ----------
    pairs
        n pairs.
    labels
        Shape (n,), on the scale; 1 for yes and 0 for no.
    scale
        Scale of the labels.
    table
        All columns, n rows.
    """

    pairs: list[tuple[str, str]]
    labels: np.ndarray
    scale: Scale
    table: pa.Table

    @property
    def points(self) -> np.ndarray:
        """The labels on 0..5, shape (n,)."""
        return self.scale.points(self.labels)


class _Column(NamedTuple):
    # Labels as they stand, their lines, the name of the table in errors, and the scale if the column shows it.
    values: Sequence[object]
    lines: Sequence[int]
    table: str
    scale: Scale | None = None


def read_labelled_pairs(
    path: str | Path,
    columns: str | Sequence[str] | None = None,
    score: str | None = None,
    gold: str | Path | None = None,
    *,
    scale: Scale | str | None = None,
    otherwise: ScaleOfLabels = detected_scale,
    **text: Unpack[DelimitedText],
) -> LabelledPairs:
    """Read a table of pairs and their labels, on any scale.

    Parameters
    ----------
    path, columns, score, gold
        As for `read_pairs`.
    scale
        Scale of the labels, or its name; None if it is not known.
    otherwise
        Function that finds the scale if it is not known, and the labels are not those of SICK.
    text
        As for `open_table`.

    Raises
    ------
    TableError
        If a row is bad, there are no labels, or one is not on the scale; the message names the line.
    ValueError
        If `scale` names none.
    """
    named = None if scale is None else Scale.of(scale)
    pairs, column, table = _pairs_and_column(path, columns, score, gold, text)
    if column is None:
        raise _no_scores(str(path))
    chosen = named or column.scale or _found(column, otherwise)
    labels = _labels(column, chosen, "name the scale of the scores with --scale LOW..HIGH")
    return LabelledPairs(pairs, labels, chosen, table)


def read_pairs(
    path: str | Path,
    columns: str | Sequence[str] | None = None,
    score: str | None = None,
    gold: str | Path | None = None,
) -> tuple[list[tuple[str, str]], np.ndarray | None, pa.Table]:
    """Read a table of pairs and their gold scores on 0..5, if it has any; see `read_labelled_pairs` for other scales.

    Parameters
    ----------
    path
        As for `open_table`.
    columns
        As for `open_table`; a third part is the column with the score.
    score
        The column with the score; without it ``score``, or SICK's ``relatedness_score`` (1..5, mapped onto 0..5).
    gold
        A second file with one score a line. With fewer scores than pairs, the first pairs are returned, as
        for track 6 of SemEval-2017 Task 1.

    Returns
    -------
    pairs, scores, table
        n pairs; n scores on 0..5 or None; all columns, n rows.

    Raises
    ------
    TableError
        If a row is bad or its score is not a number from 0 to 5; the message names the line.
    """
    pairs, column, table = _pairs_and_column(path, columns, score, gold, {})
    if column is None:
        return pairs, None, table
    scale = column.scale or POINTS
    return pairs, scale.points(_labels(column, scale, "convert the scores")), table


def _pairs_and_column(
    path: str | Path,
    columns: str | Sequence[str] | None,
    score: str | None,
    gold: str | Path | None,
    text: DelimitedText,
) -> tuple[list[tuple[str, str]], _Column | None, pa.Table]:
    parts = columns.split(",") if isinstance(columns, str) else list(columns or ())
    if len(parts) == 3:
        columns, score = parts[:2], score or parts[2].strip()
    pairs, lines, table, name = _whole_table(path, columns, text)
    if not pairs:
        raise TableError(f"{name} holds no pairs")
    if gold is not None:
        column = _gold_column(Path(gold), len(pairs), name)
        count = len(column.values)
        return pairs[:count], column, table.slice(0, count)
    if score is None:
        chosen = next((names[2] for names in KNOWN_NAMES if names[2] in table.column_names), None)
    else:
        chosen = find_column(score, table.column_names, name)
    if chosen is None:
        return pairs, None, table
    scale = SICK_SCALE if chosen == RELATEDNESS else None
    return pairs, _Column(table.column(chosen).to_pylist(), lines, name, scale), table


def _whole_table(
    path: str | Path, columns: str | Sequence[str] | None, text: DelimitedText
) -> tuple[list[tuple[str, str]], list[int], pa.Table, str]:
    """Return the pairs, their line numbers, all columns and the name of a table without bad rows."""
    pairs: list[tuple[str, str]] = []
    lines: list[int] = []
    with open_table(path, columns, **text) as reader:
        batches = []
        for chunk in reader:
            for reject in chunk.rejects[:1]:
                raise TableError(f"line {reject.line} of {reader.name}: {reject.reason}; correct or remove it")
            pairs += zip(chunk.a, chunk.b, strict=True)
            lines += chunk.lines
            batches.append(chunk.batch)
        return pairs, lines, pa.Table.from_batches(batches, reader.schema), reader.name


def need_scores(scores: np.ndarray | None, path: str) -> np.ndarray:
    """Return the scores of a table that must have some.

    Raises
    ------
    TableError
        If there are none.
    """
    if scores is None:
        raise _no_scores(path)
    return scores


def _no_scores(path: str) -> TableError:
    return TableError(f"{path} has no column 'score'; name the column, as in --column A,B,SCORE")


def digest_of(path: str | Path) -> str | None:
    """Return the SHA-256 of a file, or None for a stream."""
    if not Path(path).is_file():
        return None
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _found(column: _Column, otherwise: ScaleOfLabels) -> Scale:
    try:
        return otherwise(column.values)
    except ScaleError as error:
        remedy = "convert them or name their scale with --scale LOW..HIGH"
        if error.rule != ANY_RULE:
            remedy = "correct it, or name the scale with --scale LOW..HIGH"
        raise _refusal(column, error.place, error.rule, remedy, "the scores") from error


def _labels(column: _Column, scale: Scale, remedy: str) -> np.ndarray:
    labels = scale.numbers(column.values)
    fits = scale.contains(labels)
    if not fits.all():
        raise _refusal(column, int(np.argmin(fits)), scale.rule, remedy)
    return labels


def _refusal(column: _Column, place: int, rule: str, remedy: str, noun: str = "the score") -> TableError:
    value = column.values[place]
    if isinstance(value, str) and "," in value:
        remedy = "write it with a decimal point"
    elif isinstance(value, str) and value.endswith("%"):
        remedy = "remove the percent sign, or name the scale with --scale 0..100"
    elif value is None or value == "":
        remedy = "fill it in or remove the row"
    return TableError(f"line {column.lines[place]} of {column.table}: {noun} must be {rule}, got {value!r}; {remedy}")


def _gold_column(path: Path, pairs: int, table: str) -> _Column:
    if not path.is_file():
        raise TableError(f"there is no file {path}")
    lines = path.read_bytes().decode("utf-8-sig", "backslashreplace").rstrip().splitlines()
    if not lines:
        raise TableError(f"{path} is empty")
    if len(lines) > pairs:
        raise TableError(
            f"{path} must have at most {pairs:,} scores, one a pair of {table}, got {len(lines):,}; give the gold file "
            "of the same set"
        )
    return _Column(lines, range(1, len(lines) + 1), str(path))
