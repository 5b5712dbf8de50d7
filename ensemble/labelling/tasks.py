"""Tasks for annotators: some pairs each, in random order, the sides swapped at random, a control pair among them."""

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from ..tables.table_errors import TableError
from .annotations import TEXTS, label_of, table_rows

REPEATED = "#"
"""Between the name of a control pair and how often it has been in tasks: each time counts as a pair of its own."""


class Item(NamedTuple):
    """A pair in a task.

    Attributes
    ----------
    task, position
        Where it is: the task's name and the place in it, from 1.
    pair
        Its name, which annotators do not see; empty for one that only fills the last task: its answers are dropped.
    swapped
        Whether the second sentence is shown first.
    score
        The known score of a control pair, 0..5, else None.
    sentence1, sentence2
        The sentences in the order of the input.
    """

    task: str
    position: int
    pair: str
    swapped: bool
    score: float | None
    sentence1: str
    sentence2: str

    @property
    def shown(self) -> tuple[str, str]:
        """The sentences in the order in which they are shown."""
        return (self.sentence2, self.sentence1) if self.swapped else (self.sentence1, self.sentence2)


class Pair(NamedTuple):
    """A named pair, and its score where it is known."""

    name: str
    sentence1: str
    sentence2: str
    score: float | None = None


@dataclass(frozen=True)
class _Plan:
    """How tasks are made: n pairs each, one of them a control if there are any."""

    pairs: Sequence[Pair]
    controls: Sequence[Pair]
    per_task: int
    fill: bool

    @property
    def new(self) -> int:
        return self.per_task - bool(self.controls)


def read_pairs(
    path: str, columns: str | None = None, format: str | None = None, scored: bool = False, prefix: str = ""
) -> list[Pair]:
    """Read pairs with their names, which are those of the column ``pair`` or ``id``, or else their row numbers.

    Parameters
    ----------
    path, columns, format
        As for `tables.reading.open_table`.
    scored
        Also read the column ``score``.
    prefix
        Put before row numbers that serve as names.

    Raises
    ------
    TableError
        If there is no pair, a name is empty or stands twice, or a score is missing or no number from 0 to 5.
    """
    found: list[Pair] = []
    lines: dict[str, int] = {}
    for line, row, table, names in table_rows(path, columns, format):
        a, b = _texts(columns, names)
        column = next((name for name in ("pair", "id") if name in names), None)
        name = (
            f"{prefix}{len(found) + 1}" if column is None else str("" if row[column] is None else row[column]).strip()
        )
        if not name:
            raise TableError(f"line {line} of {table}: the pair is not named; fill the column {column!r}")
        if lines.setdefault(name, line) != line:
            raise TableError(
                f"line {line} of {table}: the name {name!r} stands in line {lines[name]} already; change it"
            )
        score = None
        if scored:
            if "score" not in names:
                raise TableError(f"{table} has no column 'score', which control pairs need")
            try:
                score = label_of(row["score"])
            except ValueError as error:
                told = str(error).replace("the label", "the score")
                raise TableError(f"line {line} of {table}: {told}; correct or remove the row") from None
        found.append(Pair(name, str(row[a]), str(row[b]), score))
    if not found:
        raise TableError(f"{path} holds no pairs")
    return found


def _texts(columns: str | None, names: Sequence[str]) -> tuple[str, str]:
    from ..tables.table_reader import split_columns, text_columns

    return text_columns(names, split_columns(columns), "the table")


def make_tasks(
    pairs: Sequence[Pair],
    controls: Sequence[Pair] = (),
    *,
    per_task: int = 5,
    rounds: int = 1,
    fill: bool = False,
    seed: int = 0,
) -> list[list[Item]]:
    """Lay out pairs in tasks.

    Parameters
    ----------
    pairs
        The pairs to be labelled.
    controls
        Pairs with known scores: one in every task, at a random place, each about as often as the others. From the
        second time on it has a name of its own, ``name#2``, so that nobody labels one name twice; ``control-`` is put
        before the name of one that is also the name of a pair to be labelled.
    per_task
        Pairs of a task, the control among them.
    rounds
        How often all pairs are laid out, each time in another order and in other company.
    fill
        Fill the last task of a round with pairs from the others, whose answers are dropped; without it, it is shorter.
    seed
        Of all that is random.

    Returns
    -------
    list of list of Item
        The items of each round.

    Raises
    ------
    ValueError
        If a number is out of range, or a control has the sentences of a pair to be labelled.
    """
    if per_task < 1 + bool(controls):
        room = "two pairs or more, one of which is the control" if controls else "one pair or more"
        raise ValueError(f"tasks of {per_task} pairs are too small; give them {room}")
    if rounds < 1:
        raise ValueError(f"{rounds} annotators a pair are too few; give one or more")
    _check_apart(pairs, controls)
    # Not numpy, whose streams may change between versions: the same seed gives the same tasks for good.
    rng = random.Random(seed)
    plan = _Plan(pairs, controls, min(per_task, len(pairs) + bool(controls)), fill)
    hidden = _controls(plan, rng)
    made: list[list[Item]] = []
    tasks = -(-len(pairs) // plan.new) * rounds
    mark = _mark(pairs, controls, per_task, rounds, fill, seed)
    names = iter(f"t{mark}-{k:0{max(4, len(str(tasks)))}d}" for k in range(1, tasks + 1))
    for _ in range(rounds):
        made.append([item for group in _groups(plan, hidden, rng) for item in _items(next(names), group, rng)])
    return made


def _mark(*laid_out: object) -> str:
    """Return six digits that tell tasks from those of another export, whose key would misread their answers."""
    digest = hashlib.blake2b(json.dumps(laid_out).encode(), digest_size=8).hexdigest()
    return f"{int(digest, 16) % 1_000_000:06d}"


def _check_apart(pairs: Sequence[Pair], controls: Sequence[Pair]) -> None:
    texts = {frozenset(pair[1:3]): pair.name for pair in pairs}
    for control in controls:
        if (same := texts.get(frozenset(control[1:3]))) is not None:
            raise ValueError(
                f"the control pair {control.name!r} has the sentences of the pair {same!r}, which is to be labelled; "
                "remove one of the two"
            )


def _controls(plan: _Plan, rng: random.Random) -> Iterator[Pair]:
    """Yield controls without end, all of them in a new order before any comes back."""
    names = {pair.name for pair in plan.pairs}
    for times in count(1):
        for control in rng.sample(list(plan.controls), len(plan.controls)):
            name = control.name if control.name not in names else f"control-{control.name}"
            yield control._replace(name=name if times == 1 else f"{name}{REPEATED}{times}")


def _groups(plan: _Plan, controls: Iterator[Pair], rng: random.Random) -> Iterator[list[Pair]]:
    order = rng.sample(list(plan.pairs), len(plan.pairs))
    for start in range(0, len(order), plan.new):
        group = order[start : start + plan.new]
        if plan.fill and len(group) < plan.new:
            others = [pair for pair in order if pair not in group]
            group += [pair._replace(name="") for pair in rng.sample(others, plan.new - len(group))]
        if plan.controls:
            group.append(next(controls))
        yield group


def _items(task: str, group: Sequence[Pair], rng: random.Random) -> Iterator[Item]:
    for position, pair in enumerate(rng.sample(list(group), len(group)), 1):
        yield Item(task, position, pair.name, rng.random() < 0.5, pair.score, pair.sentence1, pair.sentence2)


KEY = ("task", "position", "pair", "swapped", "score", *TEXTS)
"""The columns of a key."""


def write_key(path: str, items: Sequence[Item]) -> None:
    """Write what annotators must not see: which pair is where, and which is a control with which score."""
    import pyarrow as pa

    from ..tables.table_writer import TableWriter

    kinds = (pa.string(), pa.int64(), pa.string(), pa.int64(), pa.float64(), pa.string(), pa.string())
    columns = zip(*((*item[:3], int(item.swapped), *item[4:]) for item in items), strict=True)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    with TableWriter(path) as writer:
        if writer.write(pa.record_batch(arrays, names=list(KEY))):
            raise ValueError("a sentence has a tab or line break, which TSV cannot hold; name the key .csv")


def read_key(path: str) -> dict[tuple[str, int], Item]:
    """Read a key; the items by task and position.

    Raises
    ------
    TableError
        If it is no key.
    """
    found = {}
    for line, row, table, names in table_rows(path, TEXTS):
        absent = next((name for name in KEY if name not in names), None)
        if absent is not None:
            raise TableError(f"{table} is no key of `samewise label export`: it has no column {absent!r}")
        try:
            score = None if row["score"] in (None, "") else label_of(row["score"])
            task, place = str(row["task"]), int(row["position"])
            swapped = bool(int(row["swapped"]))
        except ValueError:
            raise TableError(f"line {line} of {table} is damaged; use the key as it was written") from None
        texts = str(row[TEXTS[0]]), str(row[TEXTS[1]])
        found[task, place] = Item(task, place, str(row["pair"] or ""), swapped, score, *texts)
    return found


def read_controls(path: str) -> dict[str, float]:
    """Read the known scores of control pairs, by name.

    Parameters
    ----------
    path
        A key, of which the rows with a score count, or a table with the columns ``pair`` and ``score``.

    Raises
    ------
    TableError
        If a column is missing, a score is no number from 0 to 5, or there is none.
    """
    known: dict[str, float] = {}
    for line, row, table, names in table_rows(path, ("pair", "pair")):
        if "score" not in names:
            raise TableError(f"{table} has no column 'score'; name the key of the export, or a table of pair and score")
        if row["score"] in (None, ""):
            continue
        try:
            known[str(row["pair"]).strip()] = label_of(row["score"])
        except ValueError as error:
            told = str(error).replace("the label", "the score")
            raise TableError(f"line {line} of {table}: {told}; correct or remove the row") from None
    if not known:
        raise TableError(f"{path} has no control pair: no row has a score")
    return known


def by_task(items: Sequence[Item]) -> Mapping[str, list[Item]]:
    """Return the items of each task, in order."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.task, []).append(item)
    return found
