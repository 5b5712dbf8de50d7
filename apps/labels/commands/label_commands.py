"""Commands that make tasks for annotators and read their answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ....ensemble.commands.choices import Choices
from ....ensemble.commands.cli import Command
from ....ensemble.commands.console import say, show
from ....ensemble.commands.option_groups import option_groups, with_common_options
from ....ensemble.commands.options import ColumnOption, SeedOption, delimited_text
from ....ensemble.commands.outputs import check_outputs, write_text
from .gold_command import gold
from .label_options import ControlsOption
from .page_command import page
from .select_command import select

if TYPE_CHECKING:
    from ....ensemble.tables.table_format import DelimitedText
    from ..task_answers import Answer
    from ..tasks import Item

app = typer.Typer(
    help="Pairs to label, tasks for annotators, and gold scores.", no_args_is_help=True, rich_markup_mode=None
)
app.command("page", cls=Command)(with_common_options(page))
app.command("select", cls=Command)(with_common_options(select))

LABEL_STUDIO, CSV = "label-studio", "csv"

_TOOLS = Choices(lambda: (LABEL_STUDIO, CSV))

_ToolOption = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="F",
        callback=_TOOLS.check,
        autocompletion=_TOOLS.complete,
        help="label-studio or csv; by default the first for .json, csv for .csv.",
    ),
]


@dataclass(frozen=True)
class TaskFiles:
    """Files that `samewise label export` writes."""

    sheets: tuple[Path, ...]
    key: Path
    guidelines: Path
    interface: Path

    @classmethod
    def of(cls, tasks: Path, sheets: int) -> "TaskFiles":
        """Return the files beside the named one; several sheets are numbered."""
        names = [tasks] if sheets == 1 else [tasks.with_stem(f"{tasks.stem}-{k}") for k in range(1, sheets + 1)]
        others = (tasks.with_suffix(f".{suffix}") for suffix in ("key.csv", "guidelines.md", "interface.xml"))
        return cls(tuple(names), *others)

    def check(self) -> None:
        """Refuse files that cannot be written, and a key or tasks that exist, because they may hold answers."""
        _keep(self.key, "without it the answers to its tasks are lost")
        for sheet in self.sheets:
            _keep(sheet, "it may hold answers")
        check_outputs(self.key, *self.sheets, self.guidelines, self.interface)

    def texts(self, tool: str, rounds: "Sequence[Sequence[Item]]") -> dict[Path, str]:
        """Return the text of each file but the key."""
        from ..exchange import interface_xml, sheet_csv, tasks_json
        from ..tasks import guidelines_text

        texts = {self.guidelines: guidelines_text()}
        if tool == CSV:
            return texts | {name: sheet_csv(sheet) for name, sheet in zip(self.sheets, rounds, strict=True)}
        items = [item for sheet in rounds for item in sheet]
        interface = interface_xml(max(item.position for item in items))
        return texts | {self.sheets[0]: tasks_json(items), self.interface: interface}


@app.command("export", cls=Command)
@with_common_options
@option_groups(text=delimited_text)
def label_export(
    path: Annotated[
        str, typer.Argument(metavar="PAIRS", help="Table of pairs; names are in a column pair or id, if any.")
    ],
    tasks: Annotated[
        Path, typer.Option("-o", "--output", metavar="TASKS", help="File for the tasks; their key stands beside it.")
    ],
    tool: _ToolOption = None,
    controls: ControlsOption = None,
    per_task: Annotated[int, typer.Option("--per-task", metavar="N", min=1, help="Pairs in a task.")] = 5,
    annotators: Annotated[
        int,
        typer.Option(
            "--annotators", metavar="N", min=1, help="Annotators for each pair; with csv, one sheet for each."
        ),
    ] = 5,
    seed: SeedOption = 0,
    column: ColumnOption = None,
    *,
    text: "DelimitedText",
) -> None:
    """Make tasks of pairs for annotators.

    Guidelines for annotators, and a key that they must not see, stand beside the tasks.
    """
    from ..task_answers import write_key
    from ..tasks import make_tasks, read_pairs

    chosen = _tool(tool, tasks)
    files = TaskFiles.of(tasks, annotators if chosen == CSV else 1)
    files.check()
    pairs = read_pairs(path, column, prefix=_prefix(path), **text)
    control_pairs = [] if controls is None else read_pairs(controls, column if column else None, scored=True)
    rounds = make_tasks(
        pairs, control_pairs, per_task=per_task, rounds=len(files.sheets), fill=chosen == LABEL_STUDIO, seed=seed
    )
    items = [item for sheet in rounds for item in sheet]
    contents = files.texts(chosen, rounds)
    for target, content in contents.items():
        if target.exists() and target.read_bytes() != content.encode():
            _keep(target, "it would be replaced by another text")
    write_key(str(files.key), items)
    for target, content in contents.items():
        write_text(target, content)
    number = len({item.task for item in items})
    rows = [("pairs", f"{len(pairs):,}"), ("tasks", f"{number:,} of up to {per_task} pairs")]
    rows += [("controls", f"{len(control_pairs):,}, one hidden in every task")] if control_pairs else []
    if chosen == LABEL_STUDIO:
        rows += [("tasks file", str(tasks)), ("interface", str(files.interface))]
        rows += [("annotators", f"set the annotations per task to {annotators} in Label Studio")]
    else:
        rows += [("sheets", ", ".join(map(str, files.sheets)))]
    show([*rows, ("guidelines", str(files.guidelines)), ("key", f"{files.key} (keep it from annotators)")])
    if control_pairs and number > len(control_pairs):
        shared = f"{number:,} tasks share {len(control_pairs):,} control pairs"
        say(f"samewise: {shared}; annotators may notice those that come back")


@app.command("import", cls=Command)
@with_common_options
def label_import(
    paths: Annotated[list[str], typer.Argument(metavar="ANSWERS...", help="Export of Label Studio, or filled sheets.")],
    key: Annotated[str, typer.Option("--key", metavar="KEY", help="Key that was written with the tasks.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="OUT", help="Table of labels, for label gold.")],
    tool: _ToolOption = None,
) -> None:
    """Turn answers of annotators into one table.

    The columns of the table are annotator, pair, label, task, seconds and the sentences.
    """
    from ..task_answers import matched, read_key, write_annotations

    items = read_key(key)
    if output.resolve() in {Path(each).resolve() for each in (key, *paths)}:
        raise ValueError(f"{output} is both input and output; name another output")
    if Path(key).resolve() in {Path(path).resolve() for path in paths}:
        raise ValueError(f"{key} is the key and holds no answers; leave it out of the files with answers")
    check_outputs(output)
    answers: list[Answer] = []
    unanswered = {}
    for path in paths:
        file_answers, count = _answers(path, _tool(tool, Path(path)))
        answers += file_answers
        if count:
            unanswered[path] = count
    rows = matched(answers, items)
    write_annotations(str(output), rows)
    annotators = len({row.answer.annotator for row in rows})
    pairs = len({row.item.pair for row in rows})
    counts = [("labels", f"{len(rows):,}"), ("annotators", f"{annotators:,}"), ("pairs", f"{pairs:,}")]
    show([*counts, ("table", str(output))])
    for path, count in unanswered.items():
        what = "rows of {} have no label" if _tool(tool, Path(path)) == CSV else "tasks of {} were skipped by somebody"
        say(f"samewise: {count:,} {what.format(path)}")


app.command("gold", cls=Command)(with_common_options(gold))


def _answers(path: str, tool: str) -> "tuple[list[Answer], int]":
    from ..exchange import read_label_studio, read_sheet

    return read_label_studio(path) if tool == LABEL_STUDIO else read_sheet(path)


def _tool(tool: str | None, path: Path) -> str:
    chosen = tool or {".json": LABEL_STUDIO, ".csv": CSV}.get(path.suffix.lower())
    if chosen is None:
        raise typer.BadParameter(f"must be {LABEL_STUDIO} or {CSV}, got none for {path}; name one", param_hint="--as")
    return chosen


def _prefix(path: str) -> str:
    """Return the prefix for the names of pairs without a name: `round-2-` for the table `round-2.csv`."""
    name = re.sub(r"\W+", "-", Path(path).name.partition(".")[0]).strip("-")
    return f"{name}-" if name else ""


def _keep(path: Path, why: str) -> None:
    if path.exists():
        raise ValueError(f"{path} exists already, and {why}; name other tasks, or remove it")
