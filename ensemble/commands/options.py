"""Options that several commands share."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ...features.declaration import Feature


def one_of(value: str, choices: Sequence[str], option: str | None = None) -> None:
    """Refuse a value of an option that is not one of the choices, with exit status 2."""
    if value not in choices:
        from ...features.close_names import did_you_mean

        known = f"must be one of {', '.join(choices)}, got {value!r}"
        raise typer.BadParameter(f"{known}{did_you_mean(value, choices)}", param_hint=option)


DEFAULT_FEATURES = "full"


def names_of(text: str) -> tuple[str, ...]:
    """Return the names of a list with commas between them."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def numbers_of(text: str) -> list[int]:
    """Return the numbers of ``--sizes``, which has commas between them."""
    items = names_of(text)
    if not items or not all(item.isdecimal() for item in items):
        raise typer.BadParameter(f"must be a list of numbers such as 100,300,1000, got {text!r}", param_hint="--sizes")
    return [int(item) for item in items]


def _count_or_auto(workers: str) -> str:
    if workers != "auto" and not (workers.isdecimal() and int(workers) >= 1):
        raise typer.BadParameter(f"must be auto or a number of at least 1, got {workers!r}")
    return workers


ColumnsOption = Annotated[
    str | None, typer.Option("--columns", metavar="A,B", help="The columns with the texts: names, or numbers from 1.")
]
ScoredColumnsOption = Annotated[
    str | None,
    typer.Option("--columns", metavar="A,B[,SCORE]", help="The columns with texts and score: names or numbers."),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format", metavar="F", help="csv, tsv, jsonl or parquet, where no file name shows it (-, or standard output)."
    ),
]
WorkersOption = Annotated[
    str,
    typer.Option(
        "--workers",
        metavar="N",
        callback=_count_or_auto,
        help="Processes; auto is one for each core, as far as memory allows.",
    ),
]
ENGINES = ("local", "spark")


def _known_engine(engine: str) -> str:
    one_of(engine, ENGINES)
    return engine


ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Continue an unfinished run, if there is one; else start.")
]
CheckpointOption = Annotated[
    float, typer.Option("--checkpoint", metavar="S", min=0.0, help="Seconds between checkpoints, for --resume.")
]
SentenceCacheOption = Annotated[
    Path | None,
    typer.Option("--cache", metavar="DIR", help="Folder that keeps analyses and encodings of sentences."),
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine", metavar="E", callback=_known_engine, help="local, or spark (see the docs); OUT is then a folder."
    ),
]
MasterOption = Annotated[
    str | None, typer.Option("--master", metavar="URL", help="With --engine spark: Spark's master, such as yarn.")
]
CacheOption = Annotated[
    Path | None, typer.Option("--cache", metavar="DIR", help="Folder that keeps computed features.")
]
PipelineOption = Annotated[
    str | None,
    typer.Option(
        "--pipeline", metavar="NAME", help="Installed spaCy package that parses; by default the one that ships."
    ),
]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="M.KEY=VALUE", help="A setting of a member, as in xgb.max_depth=4; repeatable."),
]
JobsOption = Annotated[int, typer.Option("--jobs", metavar="N", help="Processes; -1 is one for each core.")]
ScaleOption = Annotated[
    str | None,
    typer.Option(
        "--scale", metavar="S", help="Scale of the scores: LOW..HIGH, such as 0..1, or yes/no; else detected."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
FeaturesOption = Annotated[
    str | None,
    typer.Option(
        "--features", metavar="SET", help="A named set, patterns, or a FILE.py of yours; commas between them."
    ),
]


def feature_spec(spec: str | None) -> "str | list[str | Feature]":
    """Return the features that ``--features`` names: a set, or patterns and the features of Python files."""
    items = names_of(DEFAULT_FEATURES if spec is None else spec)
    if len(items) == 1 and not items[0].endswith(".py"):
        return items[0]
    from ...features.catalogue import load_features

    features: list[str | Feature] = []
    for item in items:
        features.extend(load_features(item) if item.endswith(".py") else [item])
    return features


def member_settings(items: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the settings of each member from ``MEMBER.SETTING=VALUE`` items; a value that is not JSON is text.

    Raises
    ------
    ValueError
        If an item is not of that form.
    """
    settings: dict[str, dict[str, Any]] = {}
    for item in items:
        key, equals, value = item.partition("=")
        member, dot, name = key.partition(".")
        if not (equals and dot and member and name):
            raise ValueError(f"--set must be of the form MEMBER.SETTING=VALUE, as in xgb.max_depth=4, got {item!r}")
        values = settings.setdefault(member, {})
        try:
            values[name] = json.loads(value)
        except ValueError:
            values[name] = value
    return settings
