"""Pairs that a person calls the same or different, and the table of the answers, which is written with each answer."""

import hashlib
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import pyarrow as pa

from ...ensemble.tables.arrow_rows import plain_values
from ...ensemble.tables.sources import open_table
from ...ensemble.tables.table_format import DelimitedText
from ...ensemble.tables.table_reader import TableError
from ...ensemble.tables.table_writer import TableWriter

SAME, DIFFERENT = "same", "different"
"""The answers, which `samewise threshold` reads as yes and no."""

COLUMNS = ("sentence1", "sentence2", "label", "score")
"""Columns of the table of answers; the score is empty if it is not known."""


class AskedPair(NamedTuple):
    """Pair that a person is asked about.

    Attributes
    ----------
    sentence1, sentence2
        The texts.
    score, low, high
        The score of a model and its interval, on the scale of the model; None where the table has none.
    reason
        The reason for which the pair was left for review; empty where the table has none.
    """

    sentence1: str
    sentence2: str
    score: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""

    @property
    def key(self) -> str:
        """Name of the pair in requests, which no other pair has."""
        texts = "\0".join((str(len(self.sentence1)), self.sentence1, self.sentence2))
        return hashlib.blake2b(texts.encode(errors="surrogatepass"), digest_size=12).hexdigest()


def read_asked(path: str, columns: str | None = None, **text: Unpack[DelimitedText]) -> list[AskedPair]:
    """Read the pairs of a table, each once.

    Parameters
    ----------
    path, columns, text
        As for `sources.open_table`. The columns ``score``, ``low``, ``high`` and ``reason`` are read too, if there.

    Raises
    ------
    TableError
        If a row is bad, or there is none.
    """
    found = {pair[:2]: pair for pair in _pairs(path, columns, text)}
    if not found:
        raise TableError(f"{path} must hold at least one pair, got none; name another table")
    return list(found.values())


def _pairs(path: str, columns: str | None, text: DelimitedText) -> Iterator[AskedPair]:
    with open_table(path, columns, **text) as reader:
        for chunk in reader:
            for reject in chunk.rejects[:1]:
                raise TableError(f"line {reject.line} of {reader.name}: {reject.reason}; correct or remove it")
            known = set(reader.schema.names)
            numbers = [
                list(map(_number, _column(chunk.batch, name))) if name in known else [None] * len(chunk.a)
                for name in ("score", "low", "high")
            ]
            reasons = _column(chunk.batch, "reason") if "reason" in known else [""] * len(chunk.a)
            for a, b, score, low, high, reason in zip(chunk.a, chunk.b, *numbers, reasons, strict=True):
                yield AskedPair(a, b, score, low, high, "" if reason is None else str(reason))


def _column(batch: pa.RecordBatch, name: str) -> list[Any]:
    return list(plain_values(batch.column(name)))


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


class PairAnswers:
    """Answers by pair, those of an earlier run of the same table among them.

    Parameters
    ----------
    path
        The table; it is read if it exists.

    Raises
    ------
    TableError
        If it exists and is not a table of answers.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rows = {} if not path.exists() else dict(_rows(path))
        self._state = self._file_state()

    def label(self, pair: AskedPair) -> str | None:
        """Return the answer to a pair, `SAME` or `DIFFERENT`; None if there is none yet."""
        row = self._rows.get(pair[:2])
        return None if row is None else row[0]

    def add(self, pair: AskedPair, label: str) -> None:
        """Write the table with one answer more, or with another answer to this pair.

        The table is complete at every moment: it is replaced as a whole, and on disk when this returns.

        Raises
        ------
        TableError
            If another program has changed the table, or its format cannot hold a text.
        OSError
            If it cannot be written.
        """
        if self._file_state() != self._state:
            raise TableError(
                f"{self.path} must stay as this page wrote it, got a changed file; start the command again"
            )
        rows = self._rows | {pair[:2]: (label, pair.score)}
        texts = [[pair[side] for pair in rows] for side in (0, 1)]
        labels, scores = zip(*rows.values(), strict=True)
        columns = [*(pa.array(side, pa.string()) for side in (*texts, labels)), pa.array(scores, pa.float64())]
        with TableWriter(self.path) as writer:
            if writer.write(pa.RecordBatch.from_arrays(columns, list(COLUMNS))):
                raise TableError(f"a text has {writer.refusal}; start again with an output that ends in .jsonl")
        self._rows, self._state = rows, self._file_state()

    def _file_state(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns


def _rows(path: Path) -> Iterator[tuple[tuple[str, str], tuple[str, float | None]]]:
    with open_table(path, list(COLUMNS[:2])) as reader:
        if tuple(reader.schema.names) != COLUMNS:
            names = ", ".join(reader.schema.names)
            raise TableError(
                f"{path} must be a table of earlier answers with the columns {', '.join(COLUMNS)}, got {names}; name "
                "another output"
            )
        for chunk in reader:
            for reject in chunk.rejects[:1]:
                raise TableError(f"line {reject.line} of {path}: {reject.reason}; correct or remove it")
            labels = _column(chunk.batch, "label")
            scores = map(_number, _column(chunk.batch, "score"))
            for line, a, b, label, score in zip(chunk.lines, chunk.a, chunk.b, labels, scores, strict=True):
                if label not in (SAME, DIFFERENT):
                    raise TableError(
                        f"line {line} of {path}: the label must be {SAME} or {DIFFERENT}, got {label!r}; correct it"
                    )
                yield (a, b), (label, score)
