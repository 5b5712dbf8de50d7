"""Key of exported tasks: the pair at each position and the scores of control pairs, as a table."""

from collections.abc import Sequence

from ..tables.table_errors import TableError
from .annotations import TEXTS, score_of, table_rows
from .tasks import Item

KEY = ("task", "position", "pair", "swapped", "score", *TEXTS)
"""Columns of a key."""


def write_key(path: str, items: Sequence[Item]) -> None:
    """Write the key, which annotators must not see: it names the pairs and holds the scores of control pairs."""
    import pyarrow as pa

    from ..tables.table_writer import TableWriter

    kinds = (pa.string(), pa.int64(), pa.string(), pa.int64(), pa.float64(), pa.string(), pa.string())
    columns = zip(*((*item[:3], int(item.swapped), *item[4:]) for item in items), strict=True)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    with TableWriter(path) as writer:
        if writer.write(pa.record_batch(arrays, names=list(KEY))):
            raise ValueError("a sentence must not have a tab or line break in TSV; name the key .csv")


def read_key(path: str) -> dict[tuple[str, int], Item]:
    """Read a key; return its items by task and position.

    Raises
    ------
    TableError
        If the table is not a key.
    """
    items = {}
    for line, row, table, names in table_rows(path, TEXTS):
        missing_columns = [name for name in KEY if name not in names]
        if missing_columns:
            raise TableError(
                f"a key must have the columns {', '.join(KEY)}, got {table} without {missing_columns[0]!r}; use "
                "the key that `samewise label export` wrote"
            )
        try:
            score = None if row["score"] in (None, "") else score_of(row["score"])
            task, place = str(row["task"]), int(row["position"])
            swapped = bool(int(row["swapped"]))
        except ValueError:
            raise TableError(f"line {line} of {table} is damaged; use the key unchanged") from None
        texts = str(row[TEXTS[0]]), str(row[TEXTS[1]])
        items[task, place] = Item(task, place, str(row["pair"] or ""), swapped, score, *texts)
    return items


def read_controls(path: str) -> dict[str, float]:
    """Read the known scores of control pairs; return them by name.

    Parameters
    ----------
    path
        A key, whose rows with a score are read, or a table with the columns ``pair`` and ``score``.

    Raises
    ------
    TableError
        If a column is missing, a score is not a number from 0 to 5, or no row has a score.
    """
    scores: dict[str, float] = {}
    for line, row, table, names in table_rows(path, ("pair", "pair")):
        if "score" not in names:
            raise TableError(
                f"{table} must have the column 'score'; name the key of the export, or a table of pair and score"
            )
        if row["score"] in (None, ""):
            continue
        try:
            scores[str(row["pair"]).strip()] = score_of(row["score"])
        except ValueError as error:
            raise TableError(f"line {line} of {table}: {error}; correct or remove the row") from None
    if not scores:
        raise TableError(f"{path} must have a row with a score, got none; name a table of control pairs")
    return scores
