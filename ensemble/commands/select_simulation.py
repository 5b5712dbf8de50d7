"""Simulation by ``samewise select --simulate``: learning curves of the methods on pairs whose labels are known."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .choices import names_of
from .console import print_json, progress, show
from .experiment_options import member_params, read_scored, read_varied, show_written
from .options import feature_spec, numbers_of
from .outputs import FITS, check_experiment_folder, write_text

if TYPE_CHECKING:
    from ..labelling.selection.selection_curves import Simulation as SimulationResult
    from .selection_options import Simulation


def run_simulation(
    options: "Simulation",
    folder: Path,
    methods: str | None,
    features: str | None,
    columns: str | None,
    time_limit: float,
    as_json: bool,
) -> None:
    """Simulate, write the tables and the page, and print the means."""
    from ..experiments.evaluation_log import check_split

    check_split([path for path in (options.simulated, options.dev) if path is not None], False)
    check_experiment_folder(folder, ("simulation.parquet", "simulation.csv", "report.html"))
    result = _simulate(options, folder, methods, features, columns, time_limit)
    written = [*result.write(folder), _write_report(result, folder)]
    if as_json:
        print_json(result.as_dict())
        return
    show_simulation(result)
    show_written(result.notes, written)


def _simulate(
    options: "Simulation",
    folder: Path,
    methods: str | None,
    features: str | None,
    columns: str | None,
    time_limit: float,
) -> "SimulationResult":
    from ..experiments.experiment_matrices import matrices
    from ..labelling.selection.pair_selection import PROFILE
    from ..labelling.selection.selection_methods import METHODS
    from ..labelling.selection.similarity_bands import character_similarity
    from ..labelling.selection.simulated_selection import MEMBERS, simulate

    assert options.simulated is not None and options.dev is not None
    sizes = None if options.sizes is None else numbers_of(options.sizes)
    members = MEMBERS if options.members is None else names_of(options.members)
    params = member_params(options.settings, members, quick=True)
    pairs, gold = read_scored(options.simulated, columns)
    held_out, held_out_gold = read_varied(options.dev, columns)
    spec = PROFILE if features is None else features
    with progress("extracting"):
        train, target = matrices(pairs, held_out, feature_spec(spec), members, cache=options.cache)
    assert target is not None
    with progress("choosing and fitting") as bar:
        result = simulate(
            train,
            target,
            gold,
            held_out_gold,
            character_similarity(pairs),
            methods=METHODS if methods is None else names_of(methods),
            sizes=sizes,
            members=members,
            seeds=options.seeds or 5,
            params=params,
            time_limit=time_limit,
            jobs=options.jobs,
            progress=bar,
            folder=folder / FITS,
        )
    facts = {"train": Path(options.simulated).name, "dev": Path(options.dev).name, "features": spec}
    return replace(result, facts={**facts, "settings": params, "time_limit": time_limit})


def _write_report(result: "SimulationResult", folder: Path) -> Path:
    from ..reports import selection_report

    title = f"Which pairs of {result.facts['train']} to have labelled, measured on {result.facts['dev']}"
    facts = {**result.facts, "members": result.members, "seeds": result.seeds}
    page = selection_report([vars(row) for row in result.means], signature=str(facts), title=title)
    return write_text(folder / "report.html", page)


def show_simulation(result: "SimulationResult") -> None:
    """Print the means over the seeds by number of labels and method."""
    rows = []
    for row in sorted(result.means, key=lambda row: row.n):
        delta = "" if row.delta is None else f"{row.delta:+.4f}"
        ends = "" if row.delta_low is None else f"{row.delta_low:+.4f} to {row.delta_high:+.4f}"
        std = "" if row.std is None else f"{row.std:.4f}"
        interval = f"{row.low:.4f} to {row.high:.4f}"
        rows.append((f"{row.n:,}", row.method, f"{row.pearson:.4f}", interval, std, delta, ends))
    header = ("labels", "method", "Pearson", "95 % interval", "over seeds", "to random", "95 % interval")
    show(rows, header, numbers=(0, 2, 3, 4, 5, 6))
