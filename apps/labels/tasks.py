"""Tasks for annotators, and their guidelines."""

import hashlib
import json
import random
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any, NamedTuple, Unpack

from ...ensemble.tables.table_format import DelimitedText
from ...ensemble.tables.table_reader import TableError
from .annotations import score_of, table_rows


class Grade(NamedTuple):
    """Grade of the scale: value, 0..5, name, meaning and example pair."""

    value: int
    name: str
    meaning: str
    example: tuple[str, str]


class Guidelines(NamedTuple):
    """Text for annotators: title, introduction, and the grades from the highest down."""

    title: str
    introduction: str
    grades: tuple[Grade, ...]


@cache
def guidelines() -> Guidelines:
    """Return the shipped guidelines; the scale is that of SemEval (Agirre et al., 2012), the wording is ours."""
    text = files(__package__).joinpath("data", "guidelines.toml").read_text(encoding="utf-8")
    facts = tomllib.loads(text)
    grades = tuple(
        Grade(each["value"], each["name"], each["meaning"], (each["sentence1"], each["sentence2"]))
        for each in facts["grade"]
    )
    return Guidelines(facts["title"], " ".join(facts["introduction"].split()), grades)


def guidelines_text() -> str:
    """Return the guidelines as a Markdown page."""
    manual = guidelines()
    parts = [f"# {manual.title}\n", f"{textwrap.fill(manual.introduction, 110)}\n"]
    for grade in manual.grades:
        first, second = grade.example
        parts.append(f"## {grade.value}: {grade.name}\n\n{grade.meaning}\n\n- {first}\n- {second}\n")
    return "\n".join(parts)


REPEATED = "#"
"""Separator of the name of a control pair and its occurrence: each occurrence counts as a pair of its own."""


class Item(NamedTuple):
    """A pair in a task.

    Attributes
    ----------
    task, position
        Name of the task and place in it, from 1.
    pair
        Name, which annotators do not see; empty for a pair that only fills the last task, whose answers are dropped.
    swapped
        True if the second sentence is shown first.
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
        """The sentences in the order shown."""
        return (self.sentence2, self.sentence1) if self.swapped else (self.sentence1, self.sentence2)


class Pair(NamedTuple):
    """Named pair, with its score if known."""

    name: str
    sentence1: str
    sentence2: str
    score: float | None = None


@dataclass(frozen=True)
class _Plan:
    """Layout of tasks: `per_task` pairs each, one of them a control if there are any."""

    pairs: Sequence[Pair]
    controls: Sequence[Pair]
    per_task: int
    fill: bool

    @property
    def new(self) -> int:
        return self.per_task - bool(self.controls)


def read_pairs(
    path: str,
    columns: str | None = None,
    format: str | None = None,
    scored: bool = False,
    prefix: str = "",
    **text: Unpack[DelimitedText],
) -> list[Pair]:
    """Read pairs and their names: the column ``pair`` or ``id``, or else the row number.

    Parameters
    ----------
    path, columns, format, text
        As for `tables.sources.open_table`.
    scored
        Also read the column ``score``.
    prefix
        Prefix of row numbers used as names.

    Raises
    ------
    TableError
        If the table has no pair, a name is empty or repeated, or a score is missing or not a number from 0 to 5.
    """
    pairs: list[Pair] = []
    lines: dict[str, int] = {}
    for line, row, table, names in table_rows(path, columns, format, **text):
        a, b = _texts(columns, names)
        name = _name(row, f"{prefix}{len(pairs) + 1}", f"line {line} of {table}")
        if lines.setdefault(name, line) != line:
            raise TableError(
                f"line {line} of {table}: names of pairs must be unique, got {name!r} of line {lines[name]}; change it"
            )
        score = None
        if scored:
            if "score" not in names:
                raise TableError(f"{table} must have the column 'score' for control pairs; add it")
            try:
                score = score_of(row["score"])
            except ValueError as error:
                raise TableError(f"line {line} of {table}: {error}; correct or remove the row") from None
        pairs.append(Pair(name, str(row[a]), str(row[b]), score))
    if not pairs:
        raise TableError(f"{path} must hold at least one pair, got none; name another table")
    return pairs


def _name(row: Mapping[str, Any], number: str, where: str) -> str:
    column = next((name for name in ("pair", "id") if name in row), None)
    if column is None:
        return number
    name = "" if row[column] is None else str(row[column]).strip()
    if not name:
        raise TableError(f"{where}: the pair has no name; fill the column {column!r}")
    return name


def _texts(columns: str | None, names: Sequence[str]) -> tuple[str, str]:
    from ...ensemble.tables.table_reader import split_columns, text_columns

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
        Pairs with known scores: one in every task, at a random place, each about equally often. From its second
        occurrence on, a control has another name, ``name#2``, so that nobody labels one name twice; the prefix
        ``control-`` marks a control whose name is also that of a pair to be labelled.
    per_task
        Number of pairs in a task, including the control.
    rounds
        Number of times that all pairs are laid out, each time in another order and grouping.
    fill
        Fill the last task of a round with pairs of other tasks, whose answers are dropped; if False, it is shorter.
    seed
        Seed of all random choices.

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
        least = "2, one of them the control" if controls else "1"
        raise ValueError(f"the pairs of a task must be at least {least}, got {per_task}; give a larger number")
    if rounds < 1:
        raise ValueError(f"the annotators of a pair must be at least 1, got {rounds}; give a larger number")
    _check_apart(pairs, controls)
    # Not numpy, whose streams may change between versions: the same seed gives the same tasks for good.
    rng = random.Random(seed)
    plan = _Plan(pairs, controls, min(per_task, len(pairs) + bool(controls)), fill)
    hidden = _controls(plan, rng)
    tasks = -(-len(pairs) // plan.new) * rounds
    mark = _mark(pairs, controls, per_task, rounds, fill, seed)
    names = iter(f"t{mark}-{k:0{max(4, len(str(tasks)))}d}" for k in range(1, tasks + 1))
    return [
        [item for group in _groups(plan, hidden, rng) for item in _items(next(names), group, rng)]
        for _ in range(rounds)
    ]


def _mark(*settings: object) -> str:
    """Return six digits that distinguish tasks from those of another export, whose key would misread their answers."""
    digest = hashlib.blake2b(json.dumps(settings).encode(), digest_size=8).hexdigest()
    return f"{int(digest, 16) % 1_000_000:06d}"


def _check_apart(pairs: Sequence[Pair], controls: Sequence[Pair]) -> None:
    texts = {frozenset(pair[1:3]): pair.name for pair in pairs}
    for control in controls:
        if (same := texts.get(frozenset(control[1:3]))) is not None:
            raise ValueError(
                f"control pairs must differ from the pairs to be labelled, got {control.name!r} with the sentences of "
                f"{same!r}; remove one of the two"
            )


def _controls(plan: _Plan, rng: random.Random) -> Iterator[Pair]:
    """Yield controls without end, all of them in a new order before any is repeated."""
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


def by_task(items: Sequence[Item]) -> Mapping[str, list[Item]]:
    """Return the items of each task, in order."""
    tasks: dict[str, list[Item]] = {}
    for item in items:
        tasks.setdefault(item.task, []).append(item)
    return tasks
