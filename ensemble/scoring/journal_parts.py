"""Scores of consecutive chunks as bytes on disk, and the line of a journal that describes them.

A part is an array of `ROW`, nothing else: its length follows from its entry, and reading it can neither fail halfway
nor take more memory than the file has bytes. An Arrow stream may hold compressed buffers: one of 33 kB took 1 GB when
it was opened, before anything of it could be checked.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from ..core.scale import Scale
from .batches import PREDICTION

_NUMBERS = ("score", "low", "high", "deviation")

ROW = np.dtype([*((name, "<f8") for name in _NUMBERS), ("flags", "<u4")])
"""Prediction of a row; ``flags`` is a place in the list of the entry, which holds each set of flags once."""

MOST_ROWS = 1 << 20
"""A part ends at so many rows, or with the chunk that passes them."""

MOST_CHUNKS = 1 << 16
"""A part ends at so many chunks."""

LONGEST_LINE = 1 << 22
"""Most bytes of a line of the journal."""

_KEYS = {"rows", "chunks", "flags", "digest"}

_FLAG = re.compile("[a-z_]{1,40}")


def packed(scores: Sequence[pa.RecordBatch], start: int, run: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the entry and the bytes of a part.

    Parameters
    ----------
    scores
        Batches of `PREDICTION`, one a chunk.
    start
        Number of rows before them.
    run
        What the part belongs to: the content of ``run.json``.
    """
    chunks = [batch.num_rows for batch in scores]
    rows, row = np.empty(sum(chunks), ROW), 0
    places: dict[tuple[str, ...], int] = {}
    for batch in scores:
        part = rows[row : row + batch.num_rows]
        for name in _NUMBERS:
            part[name] = batch.column(name).to_numpy()
        flags = map(tuple, batch.column("flags").to_pylist())
        part["flags"] = [places.setdefault(each, len(places)) for each in flags]
        row += batch.num_rows
    data = rows.tobytes()
    entry = {"rows": [start, start + len(rows)], "chunks": chunks, "flags": [list(each) for each in places]}
    return {**entry, "digest": _digest(entry, data, run)}, data


def entry_of(line: bytes, start: int, batch_size: int) -> dict[str, Any] | None:
    """Return the entry of a line of the journal, or None if it is incomplete or does not fit the rows before it.

    Parameters
    ----------
    line
        The line with its end.
    start
        Number of rows before it.
    batch_size
        Most rows of a chunk.
    """
    if not line.endswith(b"\n"):
        return None
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or set(entry) != _KEYS or not isinstance(entry["digest"], str):
        return None
    rows, chunks, flags = entry["rows"], entry["chunks"], entry["flags"]
    if not (_numbers(rows) and _numbers(chunks) and len(rows) == 2 and 0 < len(chunks) <= MOST_CHUNKS):
        return None
    if max(chunks) > batch_size or sum(chunks) >= MOST_ROWS + batch_size or rows != [start, start + sum(chunks)]:
        return None
    return entry if isinstance(flags, list) and all(map(_is_set, flags)) else None


def _numbers(value: object) -> bool:
    return isinstance(value, list) and all(type(each) is int and each >= 0 for each in value)


def _is_set(flags: object) -> bool:
    if not isinstance(flags, list):
        return False
    return all(isinstance(flag, str) and _FLAG.fullmatch(flag) for flag in flags)


def size_of(entry: dict[str, Any]) -> int:
    """Return the bytes of the part of an entry."""
    return int(sum(entry["chunks"])) * ROW.itemsize


def unpacked(entry: dict[str, Any], data: bytes, run: bytes, scale: Scale) -> list[pa.RecordBatch] | None:
    """Return the batches of a part, or None if they are not what was written, or not scores.

    Parameters
    ----------
    entry
        An entry of `entry_of`.
    data, run
        As for `packed`.
    scale
        Scale of the model.
    """
    facts = {key: value for key, value in entry.items() if key != "digest"}
    if len(data) != size_of(entry) or entry["digest"] != _digest(facts, data, run):
        return None
    rows = np.frombuffer(data, ROW)
    inside = (scale.low <= rows["low"]) & (rows["low"] <= rows["score"]) & (rows["score"] <= rows["high"])
    sound = inside & (rows["high"] <= scale.high) & (rows["deviation"] >= 0.0) & np.isfinite(rows["deviation"])
    if not (sound & (rows["flags"] < len(entry["flags"]))).all():  # false for NaN
        return None
    ends = np.cumsum([0, *entry["chunks"]]).tolist()
    return [_batch(rows[begin:end], entry["flags"]) for begin, end in pairwise(ends)]


def _batch(rows: np.ndarray, flags: list[list[str]]) -> pa.RecordBatch:
    columns = {name: pa.array(np.ascontiguousarray(rows[name])) for name in _NUMBERS}
    columns["flags"] = pa.array([flags[place] for place in rows["flags"].tolist()], PREDICTION.field("flags").type)
    return pa.record_batch([columns[name] for name in PREDICTION.names], schema=PREDICTION)


def _digest(facts: dict[str, Any], data: bytes, run: bytes) -> str:
    # With the run as the key, so that a part of another run is recognised.
    digest = hashlib.blake2b(digest_size=16, key=hashlib.blake2b(run).digest())
    digest.update(json.dumps(facts, sort_keys=True).encode() + b"\n")
    digest.update(data)
    return digest.hexdigest()
