"""Options that several commands share."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .choices import ENGINES, FEATURES, FORMATS, MEMBERS, names_of

if TYPE_CHECKING:
    from ...features.declaration import Feature


DEFAULT_FEATURES = "full"
"""Named set of features, if none is named."""


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
        "--format",
        metavar="F",
        callback=FORMATS.check,
        autocompletion=FORMATS.complete,
        help="csv, tsv, jsonl or parquet; needed where no file name shows the format, as with -.",
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
        "--engine",
        metavar="E",
        callback=ENGINES.check,
        autocompletion=ENGINES.complete,
        help="local, or spark (see the docs); OUT is then a folder.",
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
        "--features",
        metavar="SET",
        autocompletion=FEATURES.complete,
        help="A named set, patterns, or a FILE.py of yours, with commas between them; by default those of the model, "
        "or full where one is fitted.",
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
    typer.BadParameter
        If a member is misspelt.
    """
    settings: dict[str, dict[str, Any]] = {}
    for item in items:
        key, equals, value = item.partition("=")
        member, dot, name = key.partition(".")
        if not (equals and dot and member and name):
            raise ValueError(f"--set must be of the form MEMBER.SETTING=VALUE, as in xgb.max_depth=4, got {item!r}")
        MEMBERS.check_name(member, "--set")
        values = settings.setdefault(member, {})
        try:
            values[name] = json.loads(value)
        except ValueError:
            values[name] = value
    return settings
