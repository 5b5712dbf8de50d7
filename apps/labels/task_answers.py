"""Answers to tasks, and the keys of these."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...ensemble.tables.table_reader import TableError
from .annotations import TEXTS, score_of, table_rows
from .tasks import Item


class Answer(NamedTuple):
    """Grade chosen by an annotator.

    Attributes
    ----------
    annotator, task, position
        Names of annotator and task, and position in the task.
    label
        0..5.
    seconds
        Time for the whole task, or None.
    where
        Place in the input, for messages.
    """

    annotator: str
    task: str
    position: int
    label: float
    seconds: float | None
    where: str


class Labelled(NamedTuple):
    """Answer with its pair."""

    answer: Answer
    item: Item


def matched(answers: Iterable[Answer], key: Mapping[tuple[str, int], Item]) -> list[Labelled]:
    """Return the answers with their pairs, without answers on pairs that only fill a task.

    Raises
    ------
    TableError
        If a position is not in the key, or an annotator has answered it twice or labelled one pair in two tasks.
    """
    labelled: list[Labelled] = []
    seen: dict[tuple[str, str], Answer] = {}
    for answer in answers:
        item = key.get((answer.task, answer.position))
        if item is None:
            raise TableError(
                f"{answer.where}: the key must have every position, got position {answer.position} of task "
                f"{answer.task!r}; use the key that was written with these tasks"
            )
        if not item.pair:
            continue
        earlier = seen.setdefault((answer.annotator, item.pair), answer)
        if earlier is not answer:
            raise TableError(
                f"{answer.where}: an annotator must label a pair once, got {answer.annotator!r} with the pair "
                f"{item.pair!r} in {earlier.where} too; remove one of the two answers"
            )
        labelled.append(Labelled(answer, item))
    if not labelled:
        raise TableError("the input must hold at least one answer, got none; label some tasks first")
    return labelled


def write_annotations(path: str, rows: Sequence[Labelled]) -> None:
    """Write a long table: ``annotator, pair, label, task, seconds, sentence1, sentence2``."""
    import pyarrow as pa

    from ...ensemble.tables.table_writer import TableWriter

    ordered = sorted(rows, key=lambda row: (row.item.task, row.item.position, row.answer.annotator))
    columns = {
        "annotator": pa.array([row.answer.annotator for row in ordered], pa.string()),
        "pair": pa.array([row.item.pair for row in ordered], pa.string()),
        "label": pa.array([f"{row.answer.label:g}" for row in ordered], pa.string()),
        "task": pa.array([row.item.task for row in ordered], pa.string()),
        "seconds": pa.array([row.answer.seconds for row in ordered], pa.float64()),
        "sentence1": pa.array([row.item.sentence1 for row in ordered], pa.string()),
        "sentence2": pa.array([row.item.sentence2 for row in ordered], pa.string()),
    }
    with TableWriter(path) as writer:
        if writer.write(pa.record_batch(columns)):
            raise ValueError("a sentence must not have a tab or line break in TSV; write CSV")


KEY = ("task", "position", "pair", "swapped", "score", *TEXTS)
"""Columns of a key."""


def write_key(path: str, items: Sequence[Item]) -> None:
    """Write the key, which annotators must not see: it names the pairs and holds the scores of control pairs."""
    import pyarrow as pa

    from ...ensemble.tables.table_writer import TableWriter

    kinds = (pa.string(), pa.int64(), pa.string(), pa.int64(), pa.float64(), pa.string(), pa.string())
    columns = zip(*((*item[:3], int(item.swapped), *item[4:]) for item in items), strict=True)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    with TableWriter(path) as writer:
        if writer.write(pa.record_batch(arrays, names=list(KEY))):
            raise ValueError("a sentence must not have a tab or line break in TSV; name the key .csv")


def read_key(path: str) -> dict[tuple[str, int], Item]:
    """Read a key; return its items by task and position."""
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
    """Read the known scores of control pairs; return them by name."""
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
