"""Command that measures what more training pairs add."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .console import print_json, progress, show
from .experiment_options import (
    FinalOption,
    FittedEnsemble,
    OutputFolderOption,
    QuickOption,
    Reading,
    read_scored,
    read_varied,
    show_written,
)
from .option_groups import option_groups
from .options import JsonOption, SeedsOption, numbers_of
from .outputs import FITS, check_experiment_folder, write_text

if TYPE_CHECKING:
    from ..experiments.learning_curve import LearningCurve


@option_groups(ensemble=FittedEnsemble, reading=Reading)
def learning_curve(
    path: Annotated[str, typer.Argument(metavar="TRAIN", help="Table of pairs with scores, to fit on.")],
    dev: Annotated[str, typer.Option("--dev", metavar="DEV", help="Table to measure on.")],
    folder: OutputFolderOption,
    sizes: Annotated[
        str | None,
        typer.Option("--sizes", metavar="N,N", help="Numbers of training pairs; 100, 200, 400 and so on, and all."),
    ] = None,
    *,
    ensemble: FittedEnsemble,
    seeds: SeedsOption = 3,
    quick: QuickOption = False,
    final: FinalOption = False,
    reading: Reading,
    as_json: JsonOption = False,
) -> None:
    """Measure what more training pairs add.

    The table has the correlation by number of training pairs, with intervals.
    """
    from ..experiments.experiment_matrices import check_split, log_final
    from ..experiments.learning_curve import learning_curve as measure
    from ..tables.labelled_pairs import digest_of

    numbers = None if sizes is None else numbers_of(sizes)
    check_split([path, dev], final)
    check_experiment_folder(folder, ("learning_curve.parquet", "learning_curve.csv", "report.html"))
    params = ensemble.params(quick=quick)
    pairs, gold = read_scored(path, reading.column, reading.scale, **reading.text)
    held_out, held_out_gold = read_varied(dev, reading.column, reading.scale, **reading.text)
    facts = ensemble.facts(path, dev, quick=quick, final=final)
    if final:
        digests = {"train_sha256": digest_of(path), "dev_sha256": digest_of(dev)}
        log_final(folder, {**facts, **digests, "sizes": numbers, "members": list(ensemble.names), "seeds": seeds})
    with progress("extracting"):
        train, target = reading.matrices(pairs, held_out, ensemble)
    assert target is not None
    with progress("fitting") as bar:
        result = measure(
            train,
            target,
            gold,
            held_out_gold,
            sizes=numbers,
            members=ensemble.names,
            seeds=seeds,
            params=params,
            jobs=reading.jobs,
            progress=bar,
            folder=folder / FITS,
        )
    result = replace(result, facts=facts)
    written = [*result.write(folder), _write_report(result, folder)]
    if as_json:
        print_json(result.as_dict())
        return
    show_learning_curve(result)
    show_written(result.notes, written)


def _write_report(result: "LearningCurve", folder: Path) -> Path:
    from ..reports import learning_curve_report

    title = f"What more pairs of {result.facts['train']} add on {result.facts['dev']}"
    rows = [{key: getattr(row, key) for key in ("n", "pearson", "low", "high")} for row in result.means]
    page = learning_curve_report(rows, signature=result.facts, title=title)
    return write_text(folder / "report.html", page)


def show_learning_curve(result: "LearningCurve") -> None:
    """Print the means over the seeds by number of pairs, and the deviation over the seeds."""
    rows = [
        (
            f"{row.n:,}",
            f"{row.pearson:.4f}",
            f"{row.low:.4f} to {row.high:.4f}",
            "" if row.std is None else f"{row.std:.4f}",
            f"{row.seconds:.1f} s",
        )
        for row in result.means
    ]
    show(rows, ("pairs", "Pearson", "95 % interval", "over seeds", "fitting"), numbers=range(5))
