"""What ``samewise select --simulate`` does: learning curves of the ways to choose, on pairs whose labels are known."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .console import print_json, progress, say, show
from .options import feature_spec, member_settings

if TYPE_CHECKING:
    from ..labelling.selection.selection_curves import Simulation


def run_simulation(
    path: str,
    dev: str,
    folder: Path,
    *,
    methods: str | None,
    sizes: str | None,
    members: str | None,
    settings: Sequence[str] | None,
    seeds: int,
    features: str | None,
    columns: str | None,
    time_limit: float,
    jobs: int,
    cache: Path | None,
    as_json: bool,
) -> None:
    """Simulate, write the tables and the page, and print the means."""
    from dataclasses import replace

    from ..experiments import QUICK
    from ..experiments.experiment_matrices import matrices
    from ..experiments.test_log import check_split
    from ..labelling.selection.pair_selection import PROFILE
    from ..labelling.selection.selection_methods import METHODS
    from ..labelling.selection.similarity_bands import character_similarity
    from ..labelling.selection.simulated_selection import MEMBERS, simulate
    from ..tables.labelled_pairs import need_scores, read_pairs

    wanted = None if sizes is None else _sizes(sizes)
    ways = METHODS if methods is None else _names(methods)
    names = MEMBERS if members is None else _names(members)
    check_split([path, dev], False)
    if folder.is_file():
        raise ValueError(f"{folder} is a file; name a folder")
    own = member_settings(settings or ())
    params = {name: {**QUICK.get(name, {}), **own.get(name, {})} for name in {*names, *own}}
    (pairs, scores, _), (held_out, held_out_scores, _) = read_pairs(path, columns), read_pairs(dev, columns)
    gold, truth = need_scores(scores, path), need_scores(held_out_scores, dev)
    spec = features or PROFILE
    with progress("extracting"):
        train, target = matrices(pairs, held_out, feature_spec(spec), names, cache=cache)
    assert target is not None
    given: dict[str, Any] = {"methods": ways, "sizes": wanted, "members": names, "seeds": seeds, "params": params}
    with progress("choosing and fitting") as bar:
        result = simulate(
            train,
            target,
            gold,
            truth,
            character_similarity(pairs),
            time_limit=time_limit,
            jobs=jobs,
            progress=bar,
            folder=folder / "fits",
            **given,
        )
    facts = {"train": Path(path).name, "dev": Path(dev).name, "features": spec, "settings": params}
    result = replace(result, facts={**facts, "time_limit": time_limit})
    written = [*result.write(folder), _write_report(result, folder)]
    if as_json:
        print_json(result.as_dict())
        return
    show_simulation(result)
    for note in result.notes:
        say(f"samewise: {note}")
    say(f"samewise: all rows are in {written[0]} and {written[1]}, and a page with a chart in {written[2]}")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _sizes(text: str) -> list[int]:
    items = _names(text)
    if not items or not all(item.isdecimal() for item in items):
        raise typer.BadParameter(f"{text!r} is no list of numbers such as 100,300,1000", param_hint="--sizes")
    return [int(item) for item in items]


def _write_report(result: "Simulation", folder: Path) -> Path:
    from ..reports.selection_report import selection_report

    title = f"Which pairs of {result.facts['train']} to have labelled, measured on {result.facts['dev']}"
    path = folder / "report.html"
    facts = {**result.facts, "members": result.members, "seeds": result.seeds}
    page = selection_report([vars(row) for row in result.means], signature=str(facts), title=title)
    path.write_text(page, encoding="utf-8")
    return path


def show_simulation(result: "Simulation") -> None:
    """Print the means over the seeds by number of labels and method."""
    rows = []
    for row in sorted(result.means, key=lambda row: row.n):
        against = "" if row.delta is None else f"{row.delta:+.4f}"
        ends = "" if row.delta_low is None else f"{row.delta_low:+.4f} to {row.delta_high:+.4f}"
        std = "" if row.std is None else f"{row.std:.4f}"
        interval = f"{row.low:.4f} to {row.high:.4f}"
        rows.append((f"{row.n:,}", row.method, f"{row.pearson:.4f}", interval, std, against, ends))
    header = ("labels", "method", "Pearson", "95 % interval", "over seeds", "to random", "95 % interval")
    show(rows, header, numbers=(0, 2, 3, 4, 5, 6))
