"""Commands on the published systems of the field: their list, and their scores beside the published ones."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...ensemble.commands.choices import Choices, names_of
from ...ensemble.commands.cli import Command
from ...ensemble.commands.console import print_json, progress, say, say_error, show
from ...ensemble.commands.experiment_options import OutputFolderOption
from ...ensemble.commands.option_groups import with_common_options
from ...ensemble.commands.options import (
    EncoderOption,
    FeatureCacheOption,
    JsonOption,
    SeedOption,
    VectorsOption,
    WorkersOption,
    jobs_of,
)
from ...ensemble.commands.outputs import FITS, check_experiment_folder

if TYPE_CHECKING:
    from ..systems import Outcome, System

app = typer.Typer(help="Published systems, rebuilt from our parts.", no_args_is_help=True, rich_markup_mode=None)

ALL = "all"


def _systems() -> tuple[str, ...]:
    # By their files, because reading them takes half a second.
    folder = Path(__file__).parents[1] / "systems" / "data"
    return (ALL, *sorted(file.stem for file in folder.glob("*.toml")))


_SYSTEMS = Choices(_systems)
_PROTOCOLS = Choices(lambda: ("B", "T"))


@app.command("list", cls=Command)
@with_common_options
def systems_list(as_json: JsonOption = False) -> None:
    """Print every system, with its runs and its publication.

    Stand-ins replace parts that are not available.
    """
    from ..systems import shipped_systems

    systems = shipped_systems().values()
    if as_json:
        print_json(
            [
                {
                    "name": system.name,
                    "title": system.title,
                    "citation": system.citation,
                    "runs": list(system.runs),
                    "stand_ins": list(system.stand_ins),
                }
                for system in systems
            ]
        )
        return
    rows = [(each.name, each.title, ", ".join(each.runs), each.citation, "; ".join(each.stand_ins)) for each in systems]
    show(rows, ("system", "title", "runs", "published", "stand-ins"))


@app.command("run", cls=Command)
@with_common_options
def systems_run(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...",
            autocompletion=_SYSTEMS.complete,
            help="Names of systems, FILE.toml of your own, or all.",
        ),
    ],
    folder: OutputFolderOption,
    protocol: Annotated[
        str,
        typer.Option(
            "--protocol",
            metavar="B|T",
            callback=_PROTOCOLS.check,
            autocompletion=_PROTOCOLS.complete,
            help="B: STS Benchmark. T: a shared task, fitted on all before it.",
        ),
    ] = "B",
    tasks: Annotated[
        str, typer.Option("--tasks", metavar="T,T", help="With --protocol T: 5 (2017, English), 2012, ..., 2016.")
    ] = "5",
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="DIR", envvar="DATA", help="Folder with stsbenchmark, stscompanion, sts2015, sts2017."
        ),
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = "auto",
    feature_cache: FeatureCacheOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fit published systems, and compare with published scores."""
    from importlib.metadata import version

    from ..systems import Scoreboard, check_published, exercises, markdown, run_systems, write_scoreboard
    from ..systems.systems_report import FILES

    chosen = _chosen(names)
    check_published(chosen)
    if data is None:
        raise typer.BadParameter("name the folder with the data sets, or set DATA", param_hint="--data")
    check_experiment_folder(folder, FILES)
    outcomes: list[Outcome] = []
    for exercise in exercises(protocol, names_of(tasks), data):
        with progress(exercise.name) as bar:
            outcomes += run_systems(
                chosen,
                exercise,
                folder / FITS,
                seed=seed,
                jobs=jobs_of(workers),
                cache=feature_cache,
                vectors=vectors,
                encoder=encoder,
                progress=bar,
            )
    board = Scoreboard(outcomes, f"samewise {version('samewise')}, protocol {protocol}, seed {seed}", seed)
    written = write_scoreboard(board, folder)
    if as_json:
        print_json(board.to_table().to_pylist())
    else:
        print(markdown(board))
    for label, failure in dict.fromkeys((each.label, each.failure) for each in outcomes if each.failure):
        say_error(f"samewise: {label} was not run: {failure}")
    say(f"samewise: written: {', '.join(map(str, written))}")
    if all(each.scores is None for each in outcomes):
        raise typer.Exit(1)


def _chosen(names: list[str]) -> "list[System]":
    from ..systems import read_system, shipped_systems

    shipped = shipped_systems()
    systems: dict[str, System] = {}
    for name in names:
        if name == ALL:
            systems |= shipped
        elif name in shipped:
            systems[name] = shipped[name]
        elif name.endswith(".toml"):
            system = read_system(name)
            systems[system.name] = system
        else:
            from ..._messages import did_you_mean

            close = did_you_mean(name, shipped)
            raise ValueError(
                f"system {name!r} is unknown; the systems are {', '.join(shipped)}, or give a FILE.toml{close}"
            )
    return list(systems.values())
