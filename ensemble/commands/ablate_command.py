"""Command that measures what each part of a feature set or of an ensemble is worth."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from .choices import Choices
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
from .option_groups import ADVANCED, option_groups
from .options import DevOption, JsonOption, SeedsOption
from .outputs import FITS, check_experiment_folder, write_text

if TYPE_CHECKING:
    from ..experiments import Ablation, AblationRow, Agreement
    from ..experiments.ablation import Mode
    from ..experiments.variants import By

_MODES = Choices(lambda: ("drop", "only", "add", "permute"))
_PARTS = Choices(lambda: ("family", "column", "member"))
_CHANGES = {"drop": "left out", "only": "alone", "add": "added", "permute": "shuffled"}


@dataclass(frozen=True)
class Question:
    """Parts that are ablated, and what is done to each."""

    mode: Annotated[
        str,
        typer.Option(
            "--mode",
            metavar="MODE",
            callback=_MODES.check,
            autocompletion=_MODES.complete,
            help="drop each part, only each part, add the best in turn, or permute.",
        ),
    ] = "drop"
    part: Annotated[
        str,
        typer.Option(
            "--part",
            metavar="PART",
            callback=_PARTS.check,
            autocompletion=_PARTS.complete,
            help="A part is a family, a column or a member.",
        ),
    ] = "family"


@option_groups(question=Question, ensemble=FittedEnsemble, reading=Reading)
def ablate(
    path: Annotated[str, typer.Argument(metavar="TRAIN", help="Table of pairs with scores, to fit on.")],
    folder: OutputFolderOption,
    dev: DevOption = None,
    *,
    question: Question,
    ensemble: FittedEnsemble,
    seeds: SeedsOption = 3,
    repeats: Annotated[
        int,
        typer.Option(
            "--repeats",
            rich_help_panel=ADVANCED,
            metavar="K",
            min=1,
            help="With permute: shuffle each part in K orders.",
        ),
    ] = 10,
    ranks_of: Annotated[
        Path | None,
        typer.Option("--ranks-of", metavar="DIR", help="Also compare the ranks of the parts with the ablation in DIR."),
    ] = None,
    quick: QuickOption = False,
    final: FinalOption = False,
    reading: Reading,
    as_json: JsonOption = False,
) -> None:
    """Measure what each family, column or member is worth.

    Every difference has an interval. Without --dev, they are measured by cross-validation on TRAIN.
    """
    from ..experiments import ablate as measure
    from ..experiments import agreement, read_rows
    from ..experiments.experiment_matrices import check_split, log_final
    from ..tables.labelled_pairs import digest_of

    check_split([path] if dev is None else [path, dev], final)
    check_experiment_folder(folder, ("ablation.parquet", "ablation.csv", "report.html"))
    other_rows = None if ranks_of is None else read_rows(ranks_of)
    params = ensemble.params(quick=quick)
    pairs, gold = (read_varied if dev is None else read_scored)(path, reading.column, reading.scale, **reading.text)
    held_out, held_out_gold = None, None
    if dev is not None:
        held_out, held_out_gold = read_varied(dev, reading.column, reading.scale, **reading.text)
    facts = ensemble.facts(path, dev, quick=quick, final=final)
    if final:
        digests = {"train_sha256": digest_of(path), "dev_sha256": dev and digest_of(dev)}
        settings = {**vars(question), "members": list(ensemble.names), "seeds": seeds}
        log_final(folder, {**facts, **digests, **settings})
    with progress("extracting"):
        train, target = reading.matrices(pairs, held_out, ensemble)
    with progress("fitting") as bar:
        result = measure(
            train,
            target,
            gold,
            held_out_gold,
            mode=cast("Mode", question.mode),
            by=cast("By", question.part),
            members=ensemble.names,
            seeds=seeds,
            repeats=repeats,
            params=params,
            jobs=reading.jobs,
            progress=bar,
            folder=folder / FITS,
        )
    result = replace(result, facts=facts)
    ranks = None if other_rows is None else agreement(result.rows, other_rows)
    written = [*result.write(folder), _write_report(result, ranks, str(ranks_of), folder)]
    if as_json:
        print_json({**result.as_dict(), **({} if ranks is None else {"agreement": ranks.as_dict()})})
        return
    show_ablation(result)
    if ranks is not None:
        print()
        show_agreement(ranks, str(ranks_of))
    show_written(result.notes, written, "charts")


def _write_report(result: "Ablation", ranks: "Agreement | None", other: str, folder: Path) -> Path:
    from ..reports import ablation_report

    keys = ("delta", "low", "high", "p_holm")
    nan = float("nan")
    parts = [
        {"name": row.what, **{key: nan if getattr(row, key) is None else getattr(row, key) for key in keys}}
        for row in result.means
        if row.delta is not None
    ]
    measured_on = result.facts.get("dev") or f"{result.facts.get('train')} by cross-validation"
    title = f"What each {result.by} is worth on {measured_on}"
    facts: dict[str, Any] = {"change": _CHANGES[result.mode], "signature": result.facts, "title": title}
    if ranks is not None:
        facts |= {"agreement": ranks, "sides": _sides(ranks, Path(other).name)}
    return write_text(folder / "report.html", ablation_report(parts, **facts))


def show_ablation(result: "Ablation") -> None:
    """Print the means over the seeds, the largest differences first, or with ``add`` in the order of steps."""
    added = result.mode == "add"
    verb = {"drop": "without", "only": "only", "add": "with", "permute": "shuffled"}[result.mode]
    header = (verb, "columns", "Pearson", *(("gain",) if added else ()), "to the whole", "95 % interval", "p (Holm)")
    rows = [_cells(row, added) for row in (result.whole, *result.means)]
    show(rows, header, numbers=range(1, len(header)))


def show_agreement(ranks: "Agreement", other: str) -> None:
    """Print the ranks of the parts in two ablations side by side, and how far they agree."""
    first, second = _sides(ranks, other)
    rows = [
        (row.what, f"{row.delta:+.4f}", str(row.rank), f"{row.other_delta:+.4f}", str(row.other_rank))
        for row in ranks.rows
    ]
    show(rows, ("", first, "rank", second, "rank"), numbers=range(1, 5))
    print(f"rank correlation: Spearman {ranks.spearman:.3f}, Kendall {ranks.kendall:.3f}")


def _sides(ranks: "Agreement", other: str) -> tuple[str, str]:
    first, second = (_CHANGES[change] for change in ranks.changes)
    return first, f"{second} ({other})"


def _cells(row: "AblationRow", added: bool) -> tuple[str, ...]:
    delta = "" if row.delta is None else f"{row.delta:+.4f}"
    interval = "" if row.low is None else f"{row.low:+.4f} to {row.high:+.4f}"
    chance = "" if row.p_holm is None else "< 0.001" if row.p_holm < 0.001 else f"{row.p_holm:.3f}"
    gain = ("" if row.gain is None else f"{row.gain:+.4f}",) if added else ()
    name = "(the whole)" if row.step is None and row.change == "whole" else f"+ {row.what}" if added else row.what
    return (name, str(row.columns), f"{row.pearson:.4f}", *gain, delta, interval, chance)
