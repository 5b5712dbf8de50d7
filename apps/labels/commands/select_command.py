"""Command that chooses the pairs to have labelled next."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ....ensemble.commands.choices import Choices
from ....ensemble.commands.console import print_json, progress, say
from ....ensemble.commands.option_groups import ADVANCED, Rule, load_model, option_groups, option_rules
from ....ensemble.commands.options import (
    ColumnOption,
    FeaturesFileOption,
    FeaturesOption,
    FormatOption,
    JsonOption,
    ModelOption,
    SeedOption,
    delimited_text,
    feature_spec,
    model_source,
)
from ....ensemble.commands.outputs import check_outputs, output_name

if TYPE_CHECKING:
    from ....ensemble.loading import Model, ModelRef
    from ....ensemble.tables.table_format import DelimitedText
    from ..selection import Selection

METHODS = Choices(lambda: ("random", "greedy", "uncertainty", "bands"))
"""Methods that choose pairs."""

_SPACES = Choices(lambda: ("features", "encoder"))

_RULES = (
    *(
        Rule(option, "only lists of sentences are paired; add --sentences", needs=("--sentences",))
        for option in ("--with", "--pool-size")
    ),
    *(
        Rule(option, "random choice reads no model; add --method greedy or --method uncertainty", needs=("--method",))
        for option in ("--model", "--features-file")
    ),
)


@dataclass(frozen=True)
class SentenceLists:
    """Lists of sentences to be paired, in place of a table of pairs."""

    sentences: Annotated[
        Path | None,
        typer.Option("--sentences", metavar="A", help="Sentences to be paired, one a line, instead of POOL."),
    ] = None
    partners: Annotated[
        Path | None,
        typer.Option("--with", metavar="B", help="With --sentences: what to pair them with; each other without it."),
    ] = None
    pool_size: Annotated[
        int | None,
        typer.Option(
            "--pool-size",
            metavar="N",
            min=1,
            help="With --sentences: pairs to choose from; 10 times --k, 1,000 at least.",
        ),
    ] = None


def _selection_source(model: ModelOption = None, features_file: FeaturesFileOption = None) -> "ModelRef":
    """Return the reference to the model that the options name; without them, that of the profile for selection."""
    from ..selection.pair_selection import PROFILE

    return model_source(model or PROFILE, features_file)


@dataclass(frozen=True, kw_only=True)
class MethodSettings:
    """Settings of the methods."""

    space: Annotated[
        str,
        typer.Option(
            "--space",
            rich_help_panel=ADVANCED,
            metavar="S",
            callback=_SPACES.check,
            autocompletion=_SPACES.complete,
            help="With greedy: where distance is measured, features or encoder.",
        ),
    ] = "features"
    features: FeaturesOption = None
    source: "ModelRef"
    edges: Annotated[
        str | None,
        typer.Option(
            "--edges",
            rich_help_panel=ADVANCED,
            metavar="E,E",
            help="With bands: edges of the bands of similarity; 0.4 to 0.8 in five.",
        ),
    ] = None
    strata: Annotated[
        str | None,
        typer.Option("--strata", metavar="COL", help="With bands: equal numbers of pairs from each value of a column."),
    ] = None
    seed: SeedOption = 0


@option_rules(*_RULES)
@option_groups(
    lists=SentenceLists, settings=option_groups(source=_selection_source)(MethodSettings), text=delimited_text
)
def select(
    pool: Annotated[
        str | None,
        typer.Argument(metavar="POOL", help="Table of pairs, as for predict; - is standard input. Or --sentences."),
    ] = None,
    k: Annotated[int | None, typer.Option("--k", metavar="N", min=1, help="How many pairs to choose.")] = None,
    target: Annotated[
        str, typer.Option("-o", "--output", metavar="OUT", help="File to write; - is standard output.")
    ] = "-",
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="M",
            callback=METHODS.check,
            autocompletion=METHODS.complete,
            help="random, greedy, uncertainty or bands.",
        ),
    ] = "random",
    labelled: Annotated[
        str | None,
        typer.Option(
            "--labelled",
            metavar="FILE",
            help="Table of labelled pairs, which are not chosen again; with greedy they count as covered.",
        ),
    ] = None,
    *,
    lists: SentenceLists,
    settings: MethodSettings,
    column: ColumnOption = None,
    format: FormatOption = None,
    text: "DelimitedText",
    as_json: JsonOption = False,
) -> None:
    """Choose the pairs of a pool to have labelled next.

    The chosen rows are written with rank and reason, in order of choice.
    """
    target = output_name(target)
    if (pool is None) == (lists.sentences is None):
        raise typer.BadParameter(
            "must be a table of pairs, or left out with --sentences; give one of the two", param_hint="POOL"
        )
    if k is None:
        raise typer.BadParameter("must be given; it is the number of pairs to choose", param_hint="--k")
    _check_settings(method, settings)
    edges = None if settings.edges is None else _edges(settings.edges)
    from ....ensemble.tables.table_files import check_target
    from ..selection import pair_up, select_pairs

    for table in (pool, labelled):
        if table is not None:
            check_target(table, target)
    check_outputs(target)
    chosen: dict[str, Any] = {"space": settings.space, "strata": settings.strata, "seed": settings.seed}
    if settings.features is not None:
        chosen["features"] = feature_spec(settings.features)
    if method == "uncertainty" or (method == "greedy" and settings.space == "features"):
        chosen["model"] = load_model(settings.source, unused=settings.features is not None)
    with progress("reading") as bar:
        source = pool if lists.sentences is None else pair_up(lists.sentences, lists.partners, k, lists.pool_size)
        assert source is not None
        selection = select_pairs(
            source,
            k,
            method=method,
            labelled=labelled,
            edges=edges,
            columns=column,
            format=format,
            progress=bar,
            **chosen,
            **text,
        )
    selection.write(target, _format_of(pool, target, format, as_json))
    _show_summary(selection, chosen.get("model"), as_json and target != "-")


def _check_settings(method: str, settings: MethodSettings) -> None:
    if settings.space == "encoder":
        if method != "greedy":
            raise typer.BadParameter(
                f"must be left out with {method}, which measures no distance", param_hint="--space"
            )
        if settings.features is not None:
            raise typer.BadParameter(
                "must be left out with --space encoder, which reads no features", param_hint="--features"
            )
    for name, reader in (("features", "greedy"), ("edges", "bands"), ("strata", "bands")):
        if getattr(settings, name) is not None and method != reader:
            raise typer.BadParameter(f"must be given with {reader}, got the method {method}", param_hint=f"--{name}")


def _edges(text: str) -> list[float]:
    try:
        return [float(edge) for edge in text.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"must be a list of numbers such as 0.4,0.6,0.8, got {text!r}", param_hint="--edges"
        ) from None


def _format_of(pool: str | None, target: str, format: str | None, as_json: bool) -> str | None:
    if target != "-":
        return format
    if as_json:
        return "jsonl"
    from ....ensemble.tables.table_format import format_of_name

    known = None if pool is None or pool == "-" else format_of_name(pool)[0]
    return format or known or "csv"


def _show_summary(selection: "Selection", model: "Model | None", as_json: bool) -> None:
    facts = selection.facts
    if as_json:
        print_json({**selection.as_dict(), **({} if model is None else {"signature": model.signature})})
        return
    reasons = {"duplicates": "duplicates", "labelled_in_pool": "labelled already", "empty": "with an empty text"}
    left_out = ", ".join(f"{facts[key]:,} {reason}" for key, reason in reasons.items() if facts[key])
    radius = f", no pair is farther than {facts['radius']:.3g}" if "radius" in facts else ""
    pairs = f"{facts['chosen']:,} of {facts['pool']:,} pairs chosen{radius}"
    say(f"{pairs}{f' (left out {left_out})' if left_out else ''}, {facts['seconds']:.1f} s")
    for note in selection.notes:
        say(f"samewise: {note}")
