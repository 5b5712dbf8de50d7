"""Tables of pairs of rows: their numbers, names and texts, their scores, and what else is known of them."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from ..scoring.batch_scores import SCORES
from .candidate_scores import PairScores
from .text_rows import TextRows


def score_columns(scores: PairScores, pairs: np.ndarray, equal: float) -> list[pa.Array]:
    """Return the columns of `SCORES` for k pairs.

    Parameters
    ----------
    scores
        Scores of the candidates.
    pairs
        Shape (k,), int64: places among these; -1 for equal texts.
    equal
        Score of equal texts.
    """
    there = pairs >= 0
    known = np.where(there, pairs, 0) if len(scores.score) else np.zeros(0, np.int64)
    numbers = []
    for column in (scores.score, scores.low, scores.high):
        values = np.full(len(pairs), equal)
        values[there] = column[known[there]] if len(known) else values[there]
        numbers.append(pa.array(values))
    flags = np.full(len(pairs), -1, dtype=np.int64)
    flags[there] = scores.flags[known[there]] if len(known) else flags[there]
    sets = [*map(list, scores.flag_sets), []]
    return [*numbers, pa.array([sets[place] for place in flags.tolist()], SCORES.field("flags").type)]


def pair_table(
    sides: Sequence[TextRows],
    rows: Sequence[np.ndarray],
    scores: Sequence[pa.Array],
    added: Sequence[tuple[pa.Field, pa.Array]],
) -> pa.Table:
    """Return a table of k pairs of rows.

    The columns are ``row1`` and ``row2``, which count from 1, ``id1`` and ``id2`` where rows have names, ``sentence1``
    and ``sentence2``, those of `SCORES`, and others.

    Parameters
    ----------
    sides
        Tables of the first and of the second rows.
    rows
        For each side the rows, shape (k,), int64, from 0.
    scores
        The columns of `SCORES`.
    added
        Other columns, which stand before ``flags``.
    """
    columns: dict[str, pa.Array | pa.ChunkedArray] = {}
    fields: list[pa.Field] = []

    def add(field: pa.Field, values: pa.Array | pa.ChunkedArray) -> None:
        fields.append(field)
        columns[field.name] = values

    for side, of_side in enumerate(rows, 1):
        add(pa.field(f"row{side}", pa.int64()), pa.array(of_side + 1, pa.int64()))
    for side, (table, of_side) in enumerate(zip(sides, rows, strict=True), 1):
        if table.ids is not None:
            add(pa.field(f"id{side}", table.ids.type), table.ids.take(pa.array(of_side)))
    for side, (table, of_side) in enumerate(zip(sides, rows, strict=True), 1):
        texts = pa.array([table.texts[row] for row in of_side.tolist()], pa.string())
        add(pa.field(f"sentence{side}", pa.string()), texts)
    for field, values in zip(list(SCORES)[:3], scores[:3], strict=True):
        add(field, values)
    for field, values in added:
        add(field, values)
    add(SCORES.field("flags"), scores[3])
    return pa.table([columns[field.name] for field in fields], schema=pa.schema(fields))
