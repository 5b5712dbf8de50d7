"""The command that chooses the pairs to have labelled next."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .console import print_json, progress, say
from .options import (
    CacheOption,
    FeaturesOption,
    FormatOption,
    JobsOption,
    ModelOption,
    OwnOption,
    ProfileOption,
    ScoredColumnsOption,
    SettingsOption,
    feature_spec,
    load_chosen,
)

if TYPE_CHECKING:
    from ..core.predictor import Predictor
    from ..labelling.selection import Candidates, Selection

_POOL = "Table of pairs, as for predict; - is standard input. Or --sentences."


def select(
    pool: Annotated[str | None, typer.Argument(metavar="POOL", help=_POOL)] = None,
    k: Annotated[int | None, typer.Option("--k", metavar="N", min=1, help="How many pairs to choose.")] = None,
    target: Annotated[
        str,
        typer.Option(
            "-o", "--output", metavar="OUT", help="File to write, - is standard output; of --simulate a folder."
        ),
    ] = "-",
    method: Annotated[
        str | None,
        typer.Option("--method", metavar="M", help="greedy (if not given) or robust, uncertainty, bands, or random."),
    ] = None,
    labelled: Annotated[
        str | None,
        typer.Option("--labelled", metavar="FILE", help="Table of pairs that have labels: covered, not chosen again."),
    ] = None,
    sentences: Annotated[
        Path | None,
        typer.Option("--sentences", metavar="A", help="Instead of POOL: sentences, one a line, to be paired."),
    ] = None,
    partners: Annotated[
        Path | None,
        typer.Option("--with", metavar="B", help="With --sentences: what to pair them with; each other without it."),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--candidates",
            metavar="N",
            min=1,
            help="With --sentences: pairs to choose from; 10 times --k, 1,000 at least.",
        ),
    ] = None,
    space: Annotated[
        str, typer.Option("--space", metavar="S", help="Where distance is measured: features or encoder.")
    ] = "features",
    features: FeaturesOption = None,
    model: ModelOption = None,
    profile: ProfileOption = None,
    own: OwnOption = None,
    edges: Annotated[
        str | None,
        typer.Option("--edges", metavar="E,E", help="Edges of the bands of similarity; 0.4 to 0.8 in five."),
    ] = None,
    strata: Annotated[
        str | None, typer.Option("--strata", metavar="COL", help="With bands: as many from each value of a column.")
    ] = None,
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="S", min=0.0, help="With robust: seconds for the programs.")
    ] = 60.0,
    outliers: Annotated[
        int | None,
        typer.Option("--outliers", metavar="N", min=0, help="With robust: pairs left uncovered; 1 in 10,000."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of what is drawn at random.")] = 0,
    columns: ScoredColumnsOption = None,
    format: FormatOption = None,
    simulated: Annotated[
        str | None,
        typer.Option(
            "--simulate", metavar="LABELLED", help="Instead: how well each method (M,M) does on pairs with scores."
        ),
    ] = None,
    dev: Annotated[
        str | None, typer.Option("--dev", metavar="DEV", help="With --simulate: table to measure on.")
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option("--sizes", metavar="N,N", help="With --simulate: numbers of labels; 100 to 2,000 in seven."),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option("--seeds", metavar="N", min=1, help="With --simulate: starts, 0 to N - 1; 5.")
    ] = None,
    members: Annotated[
        str | None, typer.Option("--members", metavar="M,M", help="With --simulate: the regressor; xgb.")
    ] = None,
    settings: SettingsOption = None,
    jobs: JobsOption = -1,
    cache: CacheOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a summary as JSON; without -o, write the rows as JSON lines.")
    ] = False,
) -> None:
    """Choose the pairs of a pool to have labelled next: its rows with rank and reason, in order of choice."""
    only = {"--dev": dev, "--sizes": sizes, "--seeds": seeds, "--members": members, "--set": settings, "--cache": cache}
    if simulated is not None:
        others = {"POOL": pool, "--k": k, "--labelled": labelled, "--sentences": sentences, "--model": model}
        others |= {
            "--profile": profile,
            "--edges": edges,
            "--strata": strata,
            "--outliers": outliers,
            "--format": format,
        }
        _refuse({**others, "--with": partners, "--candidates": count, "--own": own}, "--simulate does not read it")
        if dev is None or target == "-" or space != "features":
            raise typer.BadParameter(
                "it needs --dev, a folder with -o, and measures distance on features", param_hint="--simulate"
            )
        from .select_simulation import run_simulation

        shared: dict[str, Any] = {"features": features, "columns": columns, "time_limit": time_limit}
        run_simulation(
            simulated,
            dev,
            Path(target),
            methods=method,
            sizes=sizes,
            members=members,
            settings=settings,
            seeds=seeds or 5,
            jobs=jobs,
            cache=cache,
            as_json=as_json,
            **shared,
        )
        return
    _refuse(only, "it is for --simulate")
    method = method or "greedy"
    _check_use(pool, k, sentences, partners, count)
    _check_names(method, space)
    if space == "encoder" and method not in ("greedy", "robust"):
        raise typer.BadParameter(f"{method} measures no distance; leave it out", param_hint="--space")
    if features is not None and space == "encoder":
        raise typer.BadParameter("the space of the encoder has no columns of features", param_hint="--features")
    _check_method(method, edges=edges, strata=strata, outliers=outliers, features=features)
    assert k is not None
    from ..labelling.selection import select_pairs
    from ..labelling.selection.pair_selection import PROFILE
    from ..tables.table_files import check_target

    for table in (pool, labelled):
        if table is not None:
            check_target(table, target)
    choosing: dict[str, Any] = {"method": method, "labelled": labelled, "space": space, "seed": seed}
    choosing |= {"edges": None if edges is None else _numbers(edges), "strata": strata, "columns": columns}
    choosing |= {"time_limit": time_limit, "outliers": outliers, "format": format}
    choosing["features"] = None if features is None else feature_spec(features)
    if method == "uncertainty" or (method in ("greedy", "robust") and space == "features"):
        chosen = profile or (PROFILE if model is None else None)
        choosing["model"] = load_chosen(model, chosen, own, others=features is not None)
    with progress("reading") as bar:
        found = select_pairs(_source(pool, sentences, partners, k, count), k, progress=bar, **choosing)
    found.write(target, _format_of(pool, target, format, as_json))
    _tell(found, choosing.get("model"), as_json and target != "-")


def _refuse(given: dict[str, Any], why: str) -> None:
    for option, value in given.items():
        if value is not None:
            raise typer.BadParameter(f"leave it out: {why}", param_hint=option)


def _check_use(
    pool: str | None, k: int | None, sentences: Path | None, partners: Path | None, count: int | None
) -> None:
    if (pool is None) == (sentences is None):
        raise typer.BadParameter("name a table of pairs or --sentences, one of them", param_hint="POOL")
    if k is None:
        raise typer.BadParameter("say how many pairs to choose", param_hint="--k")
    if sentences is None and (partners is not None or count is not None):
        option = "--with" if partners is not None else "--candidates"
        raise typer.BadParameter("only lists of sentences are paired; add --sentences", param_hint=option)


def _check_names(method: str, space: str) -> None:
    from ..labelling.selection.pair_spaces import SPACES
    from ..labelling.selection.selection_methods import METHODS

    for option, value, known in (("--method", method, METHODS), ("--space", space, SPACES)):
        if value not in known:
            raise typer.BadParameter(f"{value!r} is none of: {', '.join(known)}", param_hint=option)


def _check_method(method: str, **given: Any) -> None:
    users = {"edges": ("bands",), "strata": ("bands",), "outliers": ("robust",), "features": ("greedy", "robust")}
    for name, value in given.items():
        if value is not None and method not in users[name]:
            told = " and ".join(users[name])
            raise typer.BadParameter(f"the method {method} does not read it; it is for {told}", param_hint=f"--{name}")


def _numbers(edges: str) -> list[float]:
    try:
        return [float(edge) for edge in edges.split(",")]
    except ValueError:
        raise typer.BadParameter(f"{edges!r} is no list of numbers such as 0.4,0.6,0.8", param_hint="--edges") from None


def _source(
    pool: str | None, sentences: Path | None, partners: Path | None, k: int, count: int | None
) -> "str | Candidates":
    if sentences is None:
        assert pool is not None
        return pool
    from ..labelling.selection import pair_up

    return pair_up(sentences, partners, k, count)


def _format_of(pool: str | None, target: str, format: str | None, as_json: bool) -> str | None:
    if target != "-":
        return format
    if as_json:
        return "jsonl"
    from ..tables.format_catalogue import format_of_name

    known = None if pool is None or pool == "-" else format_of_name(pool)[0]
    return format or known or "csv"


def _tell(found: "Selection", model: "Predictor | None", as_json: bool) -> None:
    facts = found.facts
    if as_json:
        print_json({**found.as_dict(), **({} if model is None else {"signature": model.signature})})
        return
    left_out = {"duplicates": "duplicates", "labelled_in_pool": "labelled already", "empty": "with an empty text"}
    told = "".join(f", {facts[key]:,} {what}" for key, what in left_out.items() if facts[key])
    radius = f", no pair is farther than {facts['radius']:.3g}" if "radius" in facts else ""
    rows = (
        f"{facts['chosen']:,} of {facts['pool']:,} pairs chosen{radius}{' (left out' + told[1:] + ')' if told else ''}"
    )
    say(f"{rows}, {facts['seconds']:.1f} s")
    for note in found.notes:
        say(f"samewise: {note}")
