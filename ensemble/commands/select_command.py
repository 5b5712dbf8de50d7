"""Command that chooses the pairs to have labelled next."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .choices import Choices
from .console import print_json, progress, say
from .option_groups import option_groups
from .option_rules import option_rules
from .options import FormatOption, ScoredColumnsOption, feature_spec
from .outputs import check_outputs, output_name
from .selection_options import RULES, Distance, MethodSettings, SentenceLists, distance_options
from .verbosity import load_model

if TYPE_CHECKING:
    from ..labelling.selection import Candidates, Selection
    from ..multilingual.model import Model

_POOL = "Table of pairs, as for predict; - is standard input. Or --sentences."

_METHODS_OF = {
    "edges": ("bands",),
    "strata": ("bands",),
    "features": ("greedy",),
    "space": ("greedy",),
}
"""Methods that read a setting."""

METHODS = Choices(lambda: ("greedy", "random", "uncertainty", "bands"))
"""Methods that choose pairs."""


@option_rules(*RULES)
@option_groups(lists=SentenceLists, distance=distance_options, tuning=MethodSettings)
def select(
    pool: Annotated[str | None, typer.Argument(metavar="POOL", help=_POOL)] = None,
    k: Annotated[int | None, typer.Option("--k", metavar="N", min=1, help="How many pairs to choose.")] = None,
    target: Annotated[
        str,
        typer.Option("-o", "--output", metavar="OUT", help="File to write; - is standard output."),
    ] = "-",
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="M",
            callback=METHODS.check,
            autocompletion=METHODS.complete,
            help="greedy, uncertainty, bands or random.",
        ),
    ] = "greedy",
    labelled: Annotated[
        str | None,
        typer.Option(
            "--labelled",
            metavar="FILE",
            help="Table of labelled pairs, which count as covered and are not chosen again.",
        ),
    ] = None,
    *,
    lists: SentenceLists,
    distance: Distance,
    tuning: MethodSettings,
    columns: ScoredColumnsOption = None,
    format: FormatOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a summary as JSON; without -o, write the rows as JSON lines.")
    ] = False,
) -> None:
    """Choose the pairs of a pool to have labelled next.

    The chosen rows are written with rank and reason, in order of choice.
    """
    target = output_name(target)
    _check_candidates(pool, k, lists)
    _check_method(method, distance, tuning)
    assert k is not None
    from ..labelling.selection import select_pairs
    from ..tables.table_files import check_target

    for table in (pool, labelled):
        if table is not None:
            check_target(table, target)
    check_outputs(target)
    settings = _settings(method, distance, tuning)
    with progress("reading") as bar:
        selection = select_pairs(
            _candidates(pool, lists, k),
            k,
            method=method,
            labelled=labelled,
            columns=columns,
            format=format,
            progress=bar,
            **settings,
        )
    selection.write(target, _format_of(pool, target, format, as_json))
    _show_summary(selection, settings.get("model"), as_json and target != "-")


def _check_candidates(pool: str | None, k: int | None, lists: SentenceLists) -> None:
    if (pool is None) == (lists.sentences is None):
        raise typer.BadParameter(
            "must be a table of pairs, or left out with --sentences; give one of the two", param_hint="POOL"
        )
    if k is None:
        raise typer.BadParameter("must be given; it is the number of pairs to choose", param_hint="--k")


def _check_method(method: str, distance: Distance, tuning: MethodSettings) -> None:
    if distance.space == "encoder":
        if method not in _METHODS_OF["space"]:
            raise typer.BadParameter(
                f"must be left out with {method}, which measures no distance", param_hint="--space"
            )
        if distance.features is not None:
            raise typer.BadParameter(
                "must be left out with --space encoder, which reads no features", param_hint="--features"
            )
    given = {"edges": tuning.edges, "strata": tuning.strata, "features": distance.features}
    for name, value in given.items():
        if value is not None and method not in _METHODS_OF[name]:
            methods = " and ".join(_METHODS_OF[name])
            raise typer.BadParameter(f"must be given with {methods}, got the method {method}", param_hint=f"--{name}")


def _settings(method: str, distance: Distance, tuning: MethodSettings) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "space": distance.space,
        "features": None if distance.features is None else feature_spec(distance.features),
        "edges": None if tuning.edges is None else _edges(tuning.edges),
        "strata": tuning.strata,
        "seed": tuning.seed,
    }
    if method == "uncertainty" or (method in _METHODS_OF["space"] and distance.space == "features"):
        settings["model"] = load_model(distance.source, unused=distance.features is not None)
    return settings


def _edges(text: str) -> list[float]:
    try:
        return [float(edge) for edge in text.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"must be a list of numbers such as 0.4,0.6,0.8, got {text!r}", param_hint="--edges"
        ) from None


def _candidates(pool: str | None, lists: SentenceLists, k: int) -> "str | Candidates":
    if lists.sentences is None:
        assert pool is not None
        return pool
    from ..labelling.selection import pair_up

    return pair_up(lists.sentences, lists.partners, k, lists.count)


def _format_of(pool: str | None, target: str, format: str | None, as_json: bool) -> str | None:
    if target != "-":
        return format
    if as_json:
        return "jsonl"
    from ..tables.format_catalogue import format_of_name

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
