"""Labels of annotators on pairs, read from a table in long or wide form with every row checked, and as arrays."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np

from ...ensemble.tables.table_format import DelimitedText
from ...ensemble.tables.table_reader import TableError

LONG = ("annotator", "pair", "label")
"""Columns of the long form."""

TEXTS = ("sentence1", "sentence2")

_NOT_ANNOTATORS = {"pair", *TEXTS, "task", "position", "seconds"}


class Annotation(NamedTuple):
    """One label.

    Attributes
    ----------
    annotator, pair
        Names of the annotator and of the pair.
    label
        0..5.
    line
        Line in the file, for messages; 0 if not from a file.
    """

    annotator: str
    pair: str
    label: float
    line: int = 0


@dataclass(frozen=True)
class Annotations:
    """Labels sorted by pair and annotator, so that the order of rows of a file does not matter.

    Attributes
    ----------
    annotators, pairs
        Distinct names, sorted.
    who, what
        Shape (n,): positions in ``annotators`` and in ``pairs``.
    labels
        Shape (n,), 0..5.
    texts
        The two sentences of each pair, if known.
    """

    annotators: tuple[str, ...]
    pairs: tuple[str, ...]
    who: np.ndarray
    what: np.ndarray
    labels: np.ndarray
    texts: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, rows: Iterable[Annotation], texts: Mapping[str, tuple[str, str]] | None = None, source: str = "the table"
    ) -> "Annotations":
        """Gather labels.

        Raises
        ------
        TableError
            If there are no labels, or an annotator has two labels for one pair.
        """
        ordered = sorted(rows, key=lambda row: (row.pair, row.annotator, row.line))
        if not ordered:
            raise TableError(f"{source} must hold at least one label, got none; name another table")
        for first, second in zip(ordered, ordered[1:], strict=False):
            if first[:2] == second[:2]:
                raise TableError(
                    f"line {second.line} of {source}: an annotator must label a pair once, got "
                    f"{second.annotator!r} with the pair {second.pair!r} in line {first.line} too; keep one row"
                )
        annotators = tuple(sorted({row.annotator for row in ordered}))
        pairs = tuple(sorted({row.pair for row in ordered}))
        place_of = {name: place for place, name in enumerate(annotators)}, {name: k for k, name in enumerate(pairs)}
        who = np.asarray([place_of[0][row.annotator] for row in ordered], dtype=np.int64)
        what = np.asarray([place_of[1][row.pair] for row in ordered], dtype=np.int64)
        labels = np.asarray([row.label for row in ordered], dtype=np.float64)
        return cls(annotators, pairs, who, what, labels, dict(texts or {}))

    def only(self, members: np.ndarray) -> "Annotations":
        """Return the labels of some annotators, given as a mask of shape (number of annotators,)."""
        kept = members[self.who]
        return Annotations(self.annotators, self.pairs, self.who[kept], self.what[kept], self.labels[kept], self.texts)

    def rows(self) -> Iterator[Annotation]:
        """Yield the labels one by one."""
        for who, what, label in zip(self.who.tolist(), self.what.tolist(), self.labels.tolist(), strict=True):
            yield Annotation(self.annotators[who], self.pairs[what], label)


def label_of(value: Any) -> float:
    """Return a label as a number."""
    return _on_scale(value, "label")


def score_of(value: Any) -> float:
    """Return the score of a control pair as a number; raises as `label_of` does."""
    return _on_scale(value, "score")


def _on_scale(value: Any, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not isfinite(number) or not 0.0 <= number <= 5.0:
        raise ValueError(f"the {name} must be a number from 0 to 5, got {value!r}")
    return number


def read_annotations(path: str | Path, format: str | None = None, **text: Unpack[DelimitedText]) -> Annotations:
    """Read a table of labels.

    Parameters
    ----------
    path
        CSV, TSV, JSONL or Parquet, as for `tables.sources.open_table`. The long form has the columns ``annotator``,
        ``pair`` and ``label``, and one row for each label. The wide form has ``pair`` and one column for each
        annotator, and one row for each pair; a missing label is an empty cell. Either may have ``sentence1`` and
        ``sentence2``.
    format, text
        As for `tables.sources.open_table`.

    Raises
    ------
    TableError
        If a column is missing, an annotator has no name, a label is not a number from 0 to 5, an annotator labels a
        pair twice, or a pair has different sentences in two rows; the message names the line.
    """
    annotations: list[Annotation] = []
    texts: dict[str, tuple[str, str]] = {}
    for line, row, name, columns in table_rows(path, ("pair", "pair"), format, **text):
        pair = str(row["pair"]).strip()
        if not pair:
            raise TableError(f"line {line} of {name}: the pair has no name; fill the column 'pair'")
        if {"annotator", "label"} <= set(columns):
            annotations.append(_long(row, pair, line, name))
        elif {"annotator", "label"} & set(columns):
            raise TableError(
                f"a table in long form must have the columns {', '.join(LONG)}, got {name} with {', '.join(columns)}; "
                "rename its columns"
            )
        else:
            annotations += _wide(row, pair, line, name, columns)
        if set(TEXTS) <= set(columns):
            sentences = (str(row[TEXTS[0]] or ""), str(row[TEXTS[1]] or ""))
            if all(sentences) and texts.setdefault(pair, sentences) != sentences:
                raise TableError(
                    f"line {line} of {name}: a pair must have the same sentences in all rows, got others for {pair!r}; "
                    "rename it"
                )
    return Annotations.of(annotations, texts, str(path))


def table_rows(
    path: str | Path,
    columns: Sequence[str] | None,
    format: str | None = None,
    **text: Unpack[DelimitedText],
) -> Iterator[tuple[int, dict[str, Any], str, list[str]]]:
    """Yield line number, row, table name and columns for each row of a table; a malformed row is an error."""
    from ...ensemble.tables.arrow_rows import plain_values
    from ...ensemble.tables.sources import open_table

    with open_table(path, columns, format=format, **text) as reader:
        names = list(reader.schema.names)
        for chunk in reader:
            for reject in chunk.rejects[:1]:
                raise TableError(f"line {reject.line} of {reader.name}: {reject.reason}; correct or remove it")
            values = [plain_values(column) for column in chunk.batch.columns]
            for line, cells in zip(chunk.lines, zip(*values, strict=True), strict=True):
                yield line, dict(zip(names, cells, strict=True)), reader.name, names


def _long(row: Mapping[str, Any], pair: str, line: int, name: str) -> Annotation:
    annotator = "" if row["annotator"] is None else str(row["annotator"]).strip()
    if not annotator:
        raise TableError(f"line {line} of {name}: the annotator has no name; fill the column 'annotator'")
    return Annotation(annotator, pair, _checked(row["label"], line, name, "correct or remove the row"), line)


def _wide(row: Mapping[str, Any], pair: str, line: int, name: str, columns: Sequence[str]) -> Iterator[Annotation]:
    annotators = [column for column in columns if column not in _NOT_ANNOTATORS]
    if not annotators:
        raise TableError(
            f"{name} must have the columns {', '.join(LONG)}, or one column for each annotator, got no labels; add them"
        )
    for annotator in annotators:
        value = row[annotator]
        if value is not None and str(value).strip():
            remedy = f"correct it, or remove the column {annotator!r} if it is not an annotator"
            yield Annotation(annotator, pair, _checked(value, line, name, remedy), line)


def _checked(value: Any, line: int, name: str, remedy: str) -> float:
    try:
        return label_of(value)
    except ValueError as error:
        raise TableError(f"line {line} of {name}: {error}; {remedy}") from None
