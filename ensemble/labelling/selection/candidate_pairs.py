"""Candidate pairs of two lists of sentences, equally many by each heuristic of STS 2016 (Agirre et al., 2016)."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from ....features.analysis import normalise
from ...tables.table_errors import TableError
from .candidate_heuristics import Top, top_by_overlap, top_by_vectors

HEURISTICS = ("sim_l", "sim_v")
"""Information in common words, and cosine of summed word vectors."""


class Candidates(NamedTuple):
    """Candidate pairs and their requested number.

    Attributes
    ----------
    table
        Columns ``sentence1``, ``sentence2``, ``heuristic`` (one of `HEURISTICS`) and its ``similarity``.
    wanted
        Requested number of pairs; the table has fewer if fewer pairs have a similarity above 0.
    """

    table: pa.Table
    wanted: int

    def counts(self) -> dict[str, int]:
        """Return the number of pairs by each heuristic."""
        heuristics = self.table.column("heuristic").to_pylist()
        return {name: heuristics.count(name) for name in HEURISTICS}


def read_sentences(path: str | Path) -> list[str]:
    """Return the distinct sentences of a UTF-8 text file, one on each line, in order, without empty lines.

    Raises
    ------
    TableError
        If the file does not exist, is not UTF-8, or has no sentence.
    """
    if not Path(path).is_file():
        raise TableError(f"the file {path} does not exist; correct the path")
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TableError(f"line {line} of {path} must be UTF-8; convert the file") from None
    sentences = list(dict.fromkeys(filter(None, map(normalise, text.split("\n")))))
    if not sentences:
        raise TableError(f"{path} must hold at least one sentence, got none; name another file")
    return sentences


def candidates(a: Sequence[str], b: Sequence[str] | None, count: int) -> Candidates:
    """Return the most similar pairs of two lists, or of one with itself: the next best by each heuristic in turn.

    Pairs of the same sentence are left out. A pair found by both heuristics counts for the first one.

    Parameters
    ----------
    a, b
        Distinct sentences; None for `b` stands for pairs within `a`.
    count
        Number of pairs.

    Raises
    ------
    ValueError
        If the count is below 1.
    """
    if count < 1:
        raise ValueError(f"the number of candidates must be at least 1, got {count}; raise it")
    other = a if b is None else b
    # Enough even if the other heuristic takes half of them. A sentence of both lists forms a pair with itself, and one
    # in either order with another such sentence.
    shared = 0 if b is None else len(set(a) & set(b))
    most = count if not shared else 2 * count + shared
    tops = [top(a, b, most) for top in (top_by_overlap, top_by_vectors)]
    rows = [_rows(top, a, other) for top in tops]
    seen: set[tuple[str, str]] = set()
    chosen: list[tuple[str, str, str, float]] = []
    places = [0, 0]
    while len(chosen) < count and any(place < len(row) for place, row in zip(places, rows, strict=True)):
        for k, name in enumerate(HEURISTICS):
            while places[k] < len(rows[k]):
                first, second, similarity = rows[k][places[k]]
                places[k] += 1
                key = (min(first, second), max(first, second))
                if key not in seen:
                    seen.add(key)
                    chosen.append((first, second, name, similarity))
                    break
    columns = list(zip(*chosen[:count], strict=True)) or [()] * 4
    types = (pa.string(), pa.string(), pa.string(), pa.float64())
    names = ("sentence1", "sentence2", "heuristic", "similarity")
    arrays = [pa.array(column, kind) for column, kind in zip(columns, types, strict=True)]
    return Candidates(pa.table(dict(zip(names, arrays, strict=True))), count)


def _rows(top: Top, a: Sequence[str], b: Sequence[str]) -> list[tuple[str, str, float]]:
    places = zip(top.left.tolist(), top.right.tolist(), top.similarity.tolist(), strict=True)
    return [(a[i], b[j], similarity) for i, j, similarity in places if a[i] != b[j]]
