"""Candidate pairs of two lists of sentences: as many from each of the heuristics of STS 2016 (Agirre et al., 2016)."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from ....features.analysis import normalise
from ...tables.table_errors import TableError
from .candidate_heuristics import Top, top_by_overlap, top_by_vectors

HEURISTICS = ("sim_l", "sim_v")
"""Words in common by their information, and the cosine of summed word vectors."""


class Candidates(NamedTuple):
    """Pairs worth a look.

    Attributes
    ----------
    table
        ``sentence1``, ``sentence2``, ``heuristic`` (which of `HEURISTICS` gave the pair) and ``similarity`` (by it).
    wanted
        How many were to be found; fewer where fewer pairs have a similarity above 0.
    """

    table: pa.Table
    wanted: int

    def counts(self) -> dict[str, int]:
        """Return how many pairs each heuristic gave."""
        given = self.table.column("heuristic").to_pylist()
        return {name: given.count(name) for name in HEURISTICS}


def read_sentences(path: str | Path) -> list[str]:
    """Return the distinct sentences of a UTF-8 text file, one a line, in order; empty lines are left out.

    Raises
    ------
    TableError
        If there is no such file, it is not UTF-8, or holds no sentence.
    """
    if not Path(path).is_file():
        raise TableError(f"there is no file {path}")
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TableError(f"line {line} of {path} is not UTF-8; convert the file") from None
    found = list(dict.fromkeys(filter(None, map(normalise, text.split("\n")))))
    if not found:
        raise TableError(f"{path} holds no sentences")
    return found


def candidates(a: Sequence[str], b: Sequence[str] | None, count: int) -> Candidates:
    """Return the most similar pairs of two lists, or of one with itself: by each heuristic in turn the next best.

    Pairs of the same sentence are left out; one that both heuristics find counts for that whose turn comes first.

    Parameters
    ----------
    a, b
        Sentences, each once; `b` None for the pairs within `a`.
    count
        How many pairs to find.

    Raises
    ------
    ValueError
        If the count is below 1.
    """
    if count < 1:
        raise ValueError(f"{count} candidates are none; look for 1 or more")
    other = a if b is None else b
    # Enough although the other heuristic took half of them. A sentence of both lists stands beside itself once, and
    # with another such sentence in either order.
    shared = 0 if b is None else len(set(a) & set(b))
    most = count if not shared else 2 * count + shared
    tops = [top(a, b, most) for top in (top_by_overlap, top_by_vectors)]
    rows = [_rows(top, a, other) for top in tops]
    seen: set[tuple[str, str]] = set()
    found: list[tuple[str, str, str, float]] = []
    places = [0, 0]
    while len(found) < count and any(place < len(row) for place, row in zip(places, rows, strict=True)):
        for k, name in enumerate(HEURISTICS):
            while places[k] < len(rows[k]):
                one, two, similarity = rows[k][places[k]]
                places[k] += 1
                key = (min(one, two), max(one, two))
                if key not in seen:
                    seen.add(key)
                    found.append((one, two, name, similarity))
                    break
    columns = list(zip(*found[:count], strict=True)) or [()] * 4
    types = (pa.string(), pa.string(), pa.string(), pa.float64())
    names = ("sentence1", "sentence2", "heuristic", "similarity")
    arrays = [pa.array(column, kind) for column, kind in zip(columns, types, strict=True)]
    return Candidates(pa.table(dict(zip(names, arrays, strict=True))), count)


def _rows(top: Top, a: Sequence[str], b: Sequence[str]) -> list[tuple[str, str, float]]:
    places = zip(top.left.tolist(), top.right.tolist(), top.similarity.tolist(), strict=True)
    return [(a[i], b[j], similarity) for i, j, similarity in places if a[i] != b[j]]
