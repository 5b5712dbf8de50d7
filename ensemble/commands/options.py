"""Options that several commands share, and what they mean."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ...features.declaration import Feature
    from ..core.predictor import Predictor


def _count_or_auto(workers: str) -> str:
    if workers != "auto" and not (workers.isdecimal() and int(workers) >= 1):
        raise typer.BadParameter(f"{workers!r} is neither auto nor a number from 1 on")
    return workers


ModelOption = Annotated[str | None, typer.Option("--model", metavar="DIR", help="Folder of a trained model.")]
ProfileOption = Annotated[
    str | None,
    typer.Option("--profile", metavar="P", help="A model that ships: surface, fast, full, multilingual, translations."),
]
OwnOption = Annotated[
    Path | None, typer.Option("--own", metavar="FILE.py", help="Your own features that the model was trained with.")
]
VectorsOption = Annotated[
    Path | None,
    typer.Option("--vectors", metavar="PATH", help="Word vectors of yours, for user_embedding; where they are now."),
]
EncoderOption = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        metavar="PATH_OR_NAME",
        help="Sentence encoder of yours, for user_contextual: its folder, where it is now, or its name on a hub.",
    ),
]
LanguagesOption = Annotated[
    str | None,
    typer.Option(
        "--languages",
        metavar="L",
        help="Languages of the texts: es,en for any of these, es-en for first and second text, auto for all known.",
    ),
]
TranslateOption = Annotated[
    str | None,
    typer.Option(
        "--translate", metavar="T", help="Also compare translations: apertium, dictionary, or yours as module:function."
    ),
]
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
        "--format", metavar="F", help="csv, tsv, jsonl or parquet, where no file name tells (-, or standard output)."
    ),
]
WorkersOption = Annotated[
    str,
    typer.Option(
        "--workers", metavar="N", callback=_count_or_auto, help="Processes; auto is one a core, as far as memory goes."
    ),
]
CacheOption = Annotated[
    Path | None, typer.Option("--cache", metavar="DIR", help="Folder that keeps computed features.")
]
PipelineOption = Annotated[
    str | None,
    typer.Option("--pipeline", metavar="NAME", help="Installed spaCy package that parses; ours if not given."),
]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="M.KEY=VALUE", help="A setting of a member, as in xgb.max_depth=4; repeatable."),
]
JobsOption = Annotated[int, typer.Option("--jobs", metavar="N", help="Processes; -1 is one a core.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
FeaturesOption = Annotated[
    str | None,
    typer.Option(
        "--features", metavar="SET", help="A named set, patterns, or a FILE.py of yours; commas between them."
    ),
]


def chosen_model(model: str | None, profile: str | None) -> str:
    """Return the model to use: a folder or the name of a profile."""
    if model is not None and profile is not None:
        raise typer.BadParameter("name a model or a profile, not both", param_hint="--model")
    if profile is not None:
        from ..core.profiles import ALL_PROFILES

        if profile not in ALL_PROFILES:
            raise typer.BadParameter(f"{profile!r} is none of: {', '.join(ALL_PROFILES)}", param_hint="--profile")
    if model is None and profile is None:
        from ..core.profiles import DEFAULT_PROFILE

        return DEFAULT_PROFILE
    return model or profile or ""


def load_chosen(
    model: str | None,
    profile: str | None,
    own: Path | None,
    vectors: Path | None = None,
    encoder: str | None = None,
    *,
    others: bool = False,
    languages: str | None = None,
    translate: str | None = None,
) -> "Predictor":
    """Load the model to use; `others`: also for features that it does not have."""
    chosen = chosen_model(model, profile)
    from ..multilingual.model_source import load_model

    return load_model(chosen, own, vectors, encoder, others=others, languages=languages, translate=translate)


def feature_spec(spec: str) -> "str | list[str | Feature]":
    """Return what ``--features`` says: a set, or patterns and the features of Python files."""
    items = [item.strip() for item in spec.split(",") if item.strip()]
    if len(items) == 1 and not items[0].endswith(".py"):
        return items[0]
    from ...features.catalogue import load_features

    found: list[str | Feature] = []
    for item in items:
        found.extend(load_features(item) if item.endswith(".py") else [item])
    return found


def member_settings(given: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the settings of each member of ``MEMBER.SETTING=VALUE`` items; a value is JSON where it can be, else text.

    Raises
    ------
    ValueError
        If an item is not of that form.
    """
    found: dict[str, dict[str, Any]] = {}
    for item in given:
        place, equals, value = item.partition("=")
        member, dot, name = place.partition(".")
        if not (equals and dot and member and name):
            raise ValueError(f"--set {item!r} is not of the form MEMBER.SETTING=VALUE, as in xgb.max_depth=4")
        settings = found.setdefault(member, {})
        try:
            settings[name] = json.loads(value)
        except ValueError:
            settings[name] = value
    return found
