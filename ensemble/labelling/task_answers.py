"""Answers of annotators, matched with the key of their tasks, as one long table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..tables.table_errors import TableError
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

    from ..tables.table_writer import TableWriter

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
