"""Pairs with gold scores, read whole for training and evaluation; a bad row is an error."""

import hashlib
from collections.abc import Sequence
from math import isfinite
from pathlib import Path

import numpy as np
import pyarrow as pa

from .opening import find_column, open_table
from .table_errors import TableError
from .text_layouts import KNOWN_NAMES, RELATEDNESS


def read_pairs(
    path: str | Path,
    columns: str | Sequence[str] | None = None,
    score: str | None = None,
    gold: str | Path | None = None,
) -> tuple[list[tuple[str, str]], np.ndarray | None, pa.Table]:
    """Read a table of pairs and their gold scores, if it has any.

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
    parts = columns.split(",") if isinstance(columns, str) else list(columns or ())
    if len(parts) == 3:
        columns, score = parts[:2], score or parts[2].strip()
    pairs, lines, table, name = _whole_table(path, columns)
    if not pairs:
        raise TableError(f"{name} holds no pairs")
    if gold is not None:
        scores = _read_gold(Path(gold), len(pairs), name)
        return pairs[: len(scores)], scores, table.slice(0, len(scores))
    chosen = _score_column(score, table.column_names, name)
    if chosen is None:
        return pairs, None, table
    values = table.column(chosen).to_pylist()
    return pairs, _scores(values, lines, name, relatedness=chosen == RELATEDNESS), table


def _whole_table(
    path: str | Path, columns: str | Sequence[str] | None
) -> tuple[list[tuple[str, str]], list[int], pa.Table, str]:
    """Return the pairs, their line numbers, all columns and the name of a table without bad rows."""
    pairs: list[tuple[str, str]] = []
    lines: list[int] = []
    with open_table(path, columns) as reader:
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
        raise TableError(f"{path} has no column 'score'; name the column, as in --columns A,B,SCORE")
    return scores


def digest_of(path: str | Path) -> str | None:
    """Return the SHA-256 of a file, or None for a stream."""
    if not Path(path).is_file():
        return None
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _score_column(score: str | None, names: Sequence[str], table: str) -> str | None:
    if score is not None:
        return find_column(score, names, table)
    return next((columns[2] for columns in KNOWN_NAMES if columns[2] in names), None)


def _scores(values: Sequence[object], lines: Sequence[int], table: str, relatedness: bool = False) -> np.ndarray:
    scores = np.empty(len(values))
    lowest = 1.0 if relatedness else 0.0
    for row, (value, line) in enumerate(zip(values, lines, strict=True)):
        try:
            score = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            score = float("nan")
        if not isfinite(score) or not lowest <= score <= 5.0:
            remedy = "; write it with a decimal point" if isinstance(value, str) and "," in value else ""
            raise TableError(
                f"line {line} of {table}: the score must be a number from {lowest:g} to 5, got {value!r}{remedy}"
            )
        scores[row] = (score - 1.0) * 5.0 / 4.0 if relatedness else score
    return scores


def _read_gold(path: Path, pairs: int, table: str) -> np.ndarray:
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
    return _scores(lines, range(1, len(lines) + 1), str(path))
