"""The commands that hand pairs out to annotators and take their answers in."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .console import say, show
from .options import ColumnsOption

if TYPE_CHECKING:
    from ..labelling.task_answers import Answer

app = typer.Typer(help="Tasks for annotators, and their answers.", no_args_is_help=True)

LABEL_STUDIO, CSV = "label-studio", "csv"

_ToolOption = Annotated[
    str | None,
    typer.Option("--format", metavar="F", help="label-studio or csv; without it, .json means the one, .csv the other."),
]


@app.command("export")
def label_export(
    path: Annotated[
        str, typer.Argument(metavar="PAIRS", help="Table of pairs; names are in a column pair or id, if any.")
    ],
    tasks: Annotated[Path, typer.Option("-o", "--output", metavar="TASKS", help="Tasks, and beside them their key.")],
    tool: _ToolOption = None,
    controls: Annotated[
        str | None,
        typer.Option("--controls", metavar="FILE", help="Pairs with a known score: one is hidden in every task."),
    ] = None,
    per_task: Annotated[int, typer.Option("--per-task", metavar="N", min=1, help="Pairs in a task.")] = 5,
    annotators: Annotated[
        int, typer.Option("--annotators", metavar="N", min=1, help="Annotators a pair; with csv, one sheet for each.")
    ] = 5,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of the order and the controls.")] = 0,
    columns: ColumnsOption = None,
) -> None:
    """Make tasks of pairs for annotators, with guidelines, and a key that they must not see."""
    from ..labelling.guidelines import guidelines_text
    from ..labelling.label_studio import interface_xml, tasks_json
    from ..labelling.spreadsheets import sheet_csv
    from ..labelling.task_keys import write_key
    from ..labelling.tasks import make_tasks, read_pairs

    chosen = _tool(tool, tasks)
    key, guide = tasks.with_suffix(".key.csv"), tasks.with_suffix(".guidelines.md")
    sheets = annotators if chosen == CSV else 1
    names = [tasks] if sheets == 1 else [tasks.with_stem(f"{tasks.stem}-{k}") for k in range(1, sheets + 1)]
    _keep(key, "without it the answers to its tasks are lost")
    for name in names:
        _keep(name, "it may hold answers")
    pairs = read_pairs(path, columns, prefix=_prefix(path))
    known = [] if controls is None else read_pairs(controls, columns if columns else None, scored=True)
    made = make_tasks(pairs, known, per_task=per_task, rounds=sheets, fill=chosen == LABEL_STUDIO, seed=seed)
    items = [item for one in made for item in one]
    written = {guide: guidelines_text()}
    if chosen == LABEL_STUDIO:
        interface = tasks.with_suffix(".interface.xml")
        written |= {tasks: tasks_json(items), interface: interface_xml(max(item.position for item in items))}
    else:
        written |= {name: sheet_csv(sheet) for name, sheet in zip(names, made, strict=True)}
    write_key(str(key), items)
    for target, text in written.items():
        _write(target, text)
    number = len({item.task for item in items})
    rows = [("pairs", f"{len(pairs):,}"), ("tasks", f"{number:,} of up to {per_task} pairs")]
    rows += [("controls", f"{len(known):,}, one hidden in every task")] if known else []
    if chosen == LABEL_STUDIO:
        rows += [("tasks file", str(tasks)), ("interface", str(interface))]
        rows += [("annotators", f"set the annotations per task to {annotators} in Label Studio")]
    else:
        rows += [("sheets", ", ".join(map(str, names)))]
    show([*rows, ("guidelines", str(guide)), ("key", f"{key} (keep it from annotators)")])
    if known and number > len(known):
        say(
            f"samewise: {number:,} tasks share {len(known):,} control pairs; annotators may notice those that come back"
        )


@app.command("import")
def label_import(
    paths: Annotated[list[str], typer.Argument(metavar="ANSWERS...", help="Export of Label Studio, or filled sheets.")],
    key: Annotated[str, typer.Option("--key", metavar="KEY", help="Key that was written with the tasks.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="OUT", help="Table of labels, for samewise gold.")],
    tool: _ToolOption = None,
) -> None:
    """Turn answers of annotators into one table: annotator, pair, label, task, seconds and the sentences."""
    from ..labelling.task_answers import matched, write_annotations
    from ..labelling.task_keys import read_key

    items = read_key(key)
    if output.resolve() in {Path(each).resolve() for each in (key, *paths)}:
        raise ValueError(f"{output} is both input and output; name another output")
    if Path(key).resolve() in {Path(path).resolve() for path in paths}:
        raise ValueError(f"{key} is the key and holds no answers; leave it out of the files with answers")
    answers: list[Answer] = []
    without = []
    for path in paths:
        found, missing = _answers(path, _tool(tool, Path(path)))
        answers += found
        without += [(path, missing)] if missing else []
    rows = matched(answers, items)
    write_annotations(str(output), rows)
    people = len({row.answer.annotator for row in rows})
    pairs = len({row.item.pair for row in rows})
    show([("labels", f"{len(rows):,}"), ("annotators", f"{people:,}"), ("pairs", f"{pairs:,}"), ("table", str(output))])
    for path, missing in without:
        what = "rows of {} have no label" if _tool(tool, Path(path)) == CSV else "tasks of {} were skipped by somebody"
        say(f"samewise: {missing:,} {what.format(path)}")


def _answers(path: str, tool: str) -> "tuple[list[Answer], int]":
    from ..labelling.label_studio import read_label_studio
    from ..labelling.spreadsheets import read_sheet

    return read_label_studio(path) if tool == LABEL_STUDIO else read_sheet(path)


def _tool(tool: str | None, path: Path) -> str:
    if tool not in (None, LABEL_STUDIO, CSV):
        raise typer.BadParameter(f"{tool!r} is neither {LABEL_STUDIO} nor {CSV}", param_hint="--format")
    found = tool or {".json": LABEL_STUDIO, ".csv": CSV}.get(path.suffix.lower())
    if found is None:
        raise typer.BadParameter(f"the name {path} does not tell; give {LABEL_STUDIO} or {CSV}", param_hint="--format")
    return found


def _prefix(path: str) -> str:
    """Return what tells pairs without names from those of another table: `round-2-` for those of `round-2.csv`."""
    name = re.sub(r"\W+", "-", Path(path).name.partition(".")[0]).strip("-")
    return f"{name}-" if name else ""


def _keep(path: Path, why: str) -> None:
    if path.exists():
        raise ValueError(f"{path} is there already, and {why}; name other tasks, or remove it")


def _write(path: Path, text: str) -> None:
    from ..tables.table_writer import complete_output

    with complete_output(path) as file:
        file.write(text.encode())
