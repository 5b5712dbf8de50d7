"""Command that tests embeddings on the pyramid annotation of summaries, without labels."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...ensemble.commands.console import print_json, progress, say, show
from ...ensemble.commands.options import JsonOption, SeedOption

if TYPE_CHECKING:
    from ..pyramid import PyramidResult
    from ..pyramid.pyramid_figures import Figure


def pyramid(
    files: Annotated[list[Path], typer.Argument(metavar="FILES...", help="Pyramid files of DUCView (.pyr, .pan).")],
    subjects: Annotated[
        list[str] | None,
        typer.Option(
            "--subject",
            metavar="S",
            help="What to test; repeatable: random, one-hot, vectors:NAME_OR_PATH, encoder, encoder:PATH, surface, "
            "fast, full, a model's folder, or module:function. All embeddings that ship if not given.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT", help="Write the figures as a table, such as CSV.")
    ] = None,
    across: Annotated[
        bool, typer.Option("--across", help="Take negative pairs and distractors from different pyramids too.")
    ] = False,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Test embeddings without labels, on snippets of summaries.

    Two snippets do or do not express the same fact.
    """
    from ...ensemble.tables.table_writer import TableWriter
    from ..pyramid import evaluate_pyramids
    from ..pyramid.subjects import DEFAULT

    with nullcontext() if output is None else TableWriter(output) as writer:
        with progress("scoring") as bar:
            result = evaluate_pyramids(files, subjects or DEFAULT, seed=seed, across=across, progress=bar)
        if writer is not None:
            for batch in result.to_table().to_batches():
                writer.write(batch)
    if as_json:
        print_json(result.as_dict())
    else:
        show_pyramid(result)
    for note in result.notes:
        say(f"samewise: {note}")


def show_pyramid(result: "PyramidResult") -> None:
    """Print the figures above the published ones, then the numbers of pairs and questions after each filter."""
    from ..pyramid.pyramid_figures import PAIRS, POSITIVES, QUESTIONS, published_figures

    rows = [
        (each.name, *_cells(each.binary_f, 4), *_cells(each.success, 1, 100), *_cells(each.mrr, 4))
        for each in result.subjects
    ]
    rows += [
        (f"{row.embedding} (published)", f"{row.binary_f:.4f}", "", f"{row.success:.1f}", "", f"{row.mrr:.4f}", "")
        for row in published_figures()
    ]
    interval = "95 % interval"
    show(rows, ("subject", "binary F", interval, "success %", interval, "MRR", interval), numbers=range(1, 7))
    print()
    counts = [
        (step.name, *("" if n is None else f"{n:,}" for n in (step.positives, step.negatives, step.questions)))
        for step in result.steps
    ]
    counts.append(("published", f"{POSITIVES:,}", f"{PAIRS - POSITIVES:,}", f"{QUESTIONS:,}"))
    show(counts, ("left after", "positives", "negatives", "questions"), numbers=range(1, 4))


def _cells(figure: "Figure | None", decimals: int, times: int = 1) -> tuple[str, str]:
    if figure is None:
        return "", ""
    value, low, high = (None if x is None else f"{x * times:.{decimals}f}" for x in figure)
    return value or "", "" if low is None else f"{low} to {high}"
