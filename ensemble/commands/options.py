"""Options that several commands share."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..differences.facts import KINDS
from .choices import DIFFERENCES, ENGINES, FEATURES, FORMATS, MEMBERS, NONE, PROFILES, check_model, names_of
from .option_groups import ADVANCED

if TYPE_CHECKING:
    from ...features.base.feature import Feature
    from ..loading import ModelRef
    from ..tables.table_format import DelimitedText


DEFAULT_FEATURES = "full"
"""Named set of features, if none is named."""


def numbers_of(text: str) -> list[int]:
    """Return the numbers of ``--sizes``, which has commas between them."""
    items = names_of(text)
    if not items or not all(item.isdecimal() for item in items):
        raise typer.BadParameter(f"must be a list of numbers such as 100,300,1000, got {text!r}", param_hint="--sizes")
    return [int(item) for item in items]


def engine_named(name: str) -> Any:
    """Return the module that brings an engine other than ``local``, by its entry point in ``samewise.engines``."""
    from importlib.metadata import entry_points

    [found] = entry_points(group="samewise.engines", name=name)
    return found.load()


def jobs_of(workers: str) -> int:
    """Return the number of processes that fit, as scikit-learn and joblib take it: -1 for ``auto``."""
    return -1 if workers == "auto" else int(workers)


def _count_or_auto(workers: str) -> str:
    if workers != "auto" and not (workers.isdecimal() and int(workers) >= 1):
        raise typer.BadParameter(f"must be auto or a number of at least 1, got {workers!r}")
    return workers


ColumnOption = Annotated[
    str | None,
    typer.Option(
        "--column",
        metavar="C,...",
        help="The columns that are read, by name or number from 1: text or texts, and the score if there is one. "
        "Commands that match join columns with +.",
    ),
]
IdOption = Annotated[
    str | None,
    typer.Option("--id", metavar="C,...", help="Column that names the rows; with two tables, one of each."),
]
ReportOption = Annotated[
    Path | None, typer.Option("--report", metavar="FILE.html", help="Also write a page for a browser.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of all random choices.")]
SeedsOption = Annotated[int, typer.Option("--seeds", metavar="N", min=1, help="Fit with the seeds 0 to N - 1.")]
DevOption = Annotated[str | None, typer.Option("--dev", metavar="DEV", help="Table to measure on.")]
SameFromOption = Annotated[
    float | None,
    typer.Option("--same-from", metavar="S", help="Score or label from which two texts are the same."),
]
KeepApartOption = Annotated[
    str | None,
    typer.Option(
        "--keep-apart",
        rich_help_panel=ADVANCED,
        metavar="K,...",
        callback=DIFFERENCES.check,
        autocompletion=DIFFERENCES.complete,
        help=f"Differences that keep texts apart, whatever their score: {', '.join(KINDS)}; or none. By default those "
        "of the model's decision; in threshold those that the labels speak for; in dedupe without --model-thresholds "
        "all but added and missing.",
    ),
]


def kinds_named(text: str | None) -> tuple[str, ...] | None:
    """Return the kinds of differences that ``--keep-apart`` names; None if it is not given."""
    if text is None:
        return None
    return () if text == NONE else names_of(text)


MembersOption = Annotated[
    str,
    typer.Option(
        "--members",
        metavar="M,M",
        callback=MEMBERS.check,
        autocompletion=MEMBERS.complete,
        help="What to combine: regressors, and networks (see the docs).",
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        rich_help_panel=ADVANCED,
        metavar="F",
        callback=FORMATS.check,
        autocompletion=FORMATS.complete,
        help="csv, tsv, json, jsonl, parquet, xlsx or ods; needed where no file name shows the format, as with -.",
    ),
]
DelimiterOption = Annotated[
    str | None,
    typer.Option(
        "--delimiter",
        rich_help_panel=ADVANCED,
        metavar="D",
        help="Character between the fields of a text file, such as '|', or tab; by default as its first line shows.",
    ),
]
NoHeaderOption = Annotated[
    bool,
    typer.Option(
        "--no-header",
        rich_help_panel=ADVANCED,
        help="Read the first line of a text file as a row; --column then takes numbers.",
    ),
]


EncodingOption = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        rich_help_panel=ADVANCED,
        metavar="E",
        help="Encoding of a text file, such as cp1252; by default UTF-8, or UTF-16 or UTF-32 if the file shows it.",
    ),
]
SheetOption = Annotated[
    str | None,
    typer.Option(
        "--sheet",
        rich_help_panel=ADVANCED,
        metavar="NAME",
        help="Sheet of a spreadsheet to read, by name or number from 1; by default the first.",
    ),
]


def delimited_text(
    delimiter: DelimiterOption = None,
    no_header: NoHeaderOption = False,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
) -> "DelimitedText":
    """Return the settings of a text file or a spreadsheet that it does not show of itself."""
    delimiter = "\t" if delimiter in ("tab", "\\t") else delimiter
    return {"delimiter": delimiter, "header": not no_header, "encoding": encoding, "sheet": sheet}


EscapeFormulasOption = Annotated[
    bool,
    typer.Option(
        "--escape-formulas",
        rich_help_panel=ADVANCED,
        help="Write ' before a text in CSV or TSV that a spreadsheet program would read as a formula.",
    ),
]
StrictOption = Annotated[
    bool,
    typer.Option("--strict", rich_help_panel=ADVANCED, help="End with status 1 if any row is rejected."),
]
MaxRejectsOption = Annotated[
    int | None,
    typer.Option(
        "--max-rejects",
        rich_help_panel=ADVANCED,
        metavar="N",
        min=0,
        help="End with status 1 if more rows are rejected; without it, if all are.",
    ),
]


def most_rejects(strict: StrictOption = False, max_rejects: MaxRejectsOption = None) -> int | None:
    """Return how many rows may be rejected; None for all but one."""
    if strict and max_rejects:
        raise typer.BadParameter("must be 0 or left out with --strict", param_hint="--max-rejects")
    return 0 if strict else max_rejects


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
    float,
    typer.Option(
        "--checkpoint",
        rich_help_panel=ADVANCED,
        metavar="S",
        min=0.0,
        help="Seconds between checkpoints, for --resume.",
    ),
]
SentenceCacheOption = Annotated[
    Path | None,
    typer.Option(
        "--sentence-cache",
        rich_help_panel=ADVANCED,
        metavar="DIR",
        help="Folder that keeps analyses and encodings of sentences.",
    ),
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        rich_help_panel=ADVANCED,
        metavar="E",
        callback=ENGINES.check,
        autocompletion=ENGINES.complete,
        help="local, or spark: on its executors (see the docs).",
    ),
]
MasterOption = Annotated[
    str | None,
    typer.Option(
        "--master", rich_help_panel=ADVANCED, metavar="URL", help="With --engine spark: Spark's master, such as yarn."
    ),
]
FeatureCacheOption = Annotated[
    Path | None,
    typer.Option(
        "--feature-cache", rich_help_panel=ADVANCED, metavar="DIR", help="Folder that keeps computed features."
    ),
]
PipelineOption = Annotated[
    str | None,
    typer.Option(
        "--pipeline",
        rich_help_panel=ADVANCED,
        metavar="NAME",
        help="Installed spaCy package that parses; by default the one that ships.",
    ),
]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        rich_help_panel=ADVANCED,
        metavar="M.KEY=VALUE",
        help="A setting of a member, as in xgb.max_depth=4; repeatable.",
    ),
]
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
    from ...features.pipeline.catalogue import load_features

    features: list[str | Feature] = []
    for item in items:
        features.extend(load_features(item) if item.endswith(".py") else [item])
    return features


def member_settings(items: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the settings of each member from ``MEMBER.SETTING=VALUE`` items; a value that is not JSON is text."""
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


ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME_OR_DIR",
        callback=check_model,
        autocompletion=PROFILES.complete,
        help="Folder of a trained model, or one that ships: surface, fast, full (without --model), best, multilingual, "
        "translations; or a benchmark twin, fitted on STS Benchmark train alone: surface-stsb, fast-stsb, full-stsb, "
        "best-stsb.",
    ),
]
FeaturesFileOption = Annotated[
    Path | None,
    typer.Option(
        "--features-file",
        rich_help_panel=ADVANCED,
        metavar="FILE.py",
        help="Your own features that the model was trained with.",
    ),
]
VectorsOption = Annotated[
    Path | None,
    typer.Option(
        "--vectors",
        rich_help_panel=ADVANCED,
        metavar="PATH",
        help="Path of user-supplied word vectors, for user_embedding.",
    ),
]
EncoderOption = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        rich_help_panel=ADVANCED,
        metavar="PATH_OR_NAME",
        help="Folder or hub name of a user-supplied sentence encoder, for user_contextual.",
    ),
]
WordNetOption = Annotated[
    Path | None,
    typer.Option(
        "--wordnet",
        rich_help_panel=ADVANCED,
        metavar="DIR",
        help="WordNet of `samewise research wordnet`, read instead of the one that ships.",
    ),
]
GlossaryOption = Annotated[
    Path | None,
    typer.Option(
        "--glossary",
        metavar="FILE",
        help="Your words that mean the same, a group a line: COD = cash on delivery.",
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
        "--translate",
        rich_help_panel=ADVANCED,
        metavar="T",
        help="Also compare translations: apertium, dictionary, or yours as module:function.",
    ),
]


def model_source(
    model: ModelOption = None,
    features_file: FeaturesFileOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    wordnet: WordNetOption = None,
    languages: LanguagesOption = None,
    translate: TranslateOption = None,
    glossary: GlossaryOption = None,
) -> "ModelRef":
    """Return the reference to the model that the options name."""
    from ...models.profiles import DEFAULT_PROFILE
    from ..loading import ModelRef

    places: dict[str, Any] = {
        "features_file": features_file,
        "vectors": vectors,
        "encoder": encoder,
        "wordnet": wordnet,
        "glossary": glossary,
    }
    return ModelRef(model or DEFAULT_PROFILE, languages=languages, translate=translate, **places)
