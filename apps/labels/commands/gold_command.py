"""Command that turns labels into gold scores."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from ....ensemble.commands.choices import Choices
from ....ensemble.commands.console import print_json, say, show
from ....ensemble.commands.option_groups import option_groups
from ....ensemble.commands.options import FormatOption, JsonOption, ReportOption, delimited_text
from ....ensemble.commands.outputs import check_outputs, output_name, write_text
from .label_options import ControlsOption

if TYPE_CHECKING:
    from ....ensemble.tables.table_format import DelimitedText
    from ..aggregation import Gold
    from ..annotations import Annotations
    from ..screening import Judgement

_WAYS = Choices(lambda: ("median", "mean"))

REASONS = {
    "labels": "too few labels of annotators kept",
    "control": "control pairs, whose score was known",
    "surplus": "their grade has enough pairs on which annotators agree as much or more",
}
"""Text for each kind of reason for which a pair has no gold score."""


@dataclass(frozen=True)
class Aggregation:
    """Rules by which labels become a score and annotators are kept."""

    aggregate: Annotated[
        str,
        typer.Option(
            "--aggregate",
            metavar="HOW",
            callback=_WAYS.check,
            autocompletion=_WAYS.complete,
            help="median or mean of the labels of a pair.",
        ),
    ] = "median"
    min_labels: Annotated[
        int, typer.Option("--min-labels", metavar="N", min=1, help="Labels that a pair needs, of annotators kept.")
    ] = 3
    min_correlation: Annotated[
        float, typer.Option("--min-correlation", metavar="R", help="Least correlation with the other annotators.")
    ] = 0.8
    min_kappa: Annotated[
        float, typer.Option("--min-kappa", metavar="K", help="Least kappa with the other annotators.")
    ] = 0.2
    min_common: Annotated[
        int, typer.Option("--min-common", metavar="N", min=2, help="Least number of pairs to judge an annotator by.")
    ] = 10
    drop_confidence: Annotated[
        float,
        typer.Option(
            "--drop-confidence",
            metavar="P",
            help="Drop annotators who are below a limit with this confidence; 0.5 drops all below it.",
        ),
    ] = 0.95

    def scores(
        self, annotations: "Annotations", known_scores: "Mapping[str, float] | None", per_grade: int | None
    ) -> "Gold":
        """Return the gold scores."""
        from ..aggregation import gold as make_gold

        return make_gold(
            annotations,
            aggregate=cast(Literal["median", "mean"], self.aggregate),
            min_labels=self.min_labels,
            min_correlation=self.min_correlation,
            min_kappa=self.min_kappa,
            min_common=self.min_common,
            confidence=self.drop_confidence,
            known=known_scores,
            per_grade=per_grade,
        )


@option_groups(aggregation=Aggregation, text=delimited_text)
def gold(
    path: Annotated[
        str,
        typer.Argument(
            metavar="ANNOTATIONS", help="Table with annotator, pair and label, or with a column for each annotator."
        ),
    ],
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="GOLD", help="Table of pairs with scores, for training.")
    ] = None,
    pairs: Annotated[
        str | None,
        typer.Option("--pairs", metavar="FILE", help="Table with the sentences of the pairs, by pair or id."),
    ] = None,
    *,
    aggregation: Aggregation,
    controls: ControlsOption = None,
    per_grade: Annotated[
        int | None,
        typer.Option("--per-grade", metavar="N", min=1, help="Largest number of pairs of each grade; all by default."),
    ] = None,
    report: ReportOption = None,
    format: FormatOption = None,
    text: "DelimitedText",
    as_json: JsonOption = False,
) -> None:
    """Turn labels into gold scores.

    Labels of annotators who do not agree with the others are left out.
    """
    from ....ensemble.tables.table_files import check_target
    from ..annotations import read_annotations
    from ..task_answers import read_controls
    from ..tasks import read_pairs

    if output is not None:
        output = output_name(output)
        check_target(path, output)
    check_outputs(output, report)
    annotations = read_annotations(path, format, **text)
    texts = dict(annotations.texts)
    if pairs is not None:
        texts |= {pair.name: (pair.sentence1, pair.sentence2) for pair in read_pairs(pairs)}
    result = aggregation.scores(annotations, None if controls is None else read_controls(controls), per_grade)
    if report is not None:
        from ..gold_page import gold_report

        write_text(report, gold_report(result, title=f"Gold scores of {Path(path).name}"))
    if as_json:
        print_json(result.as_dict())
    elif output != "-":
        show_gold(result)
    if not result.pairs:
        raise ValueError(
            f"no pair of {path} has {aggregation.min_labels} labels of annotators who agree; see who was dropped and "
            "why, collect more labels, or lower --min-labels"
        )
    if output is not None:
        result.write(output, texts, format)
        say(f"samewise: {len(result.pairs):,} pairs with scores are in {output}")


def show_gold(result: "Gold") -> None:
    """Print the agreement before and after, the annotators with a note, and the number of pairs by grade."""
    kept, dropped = result.after.annotators, result.before.annotators - result.after.annotators
    show([("annotators", f"{kept:,} kept, {dropped:,} dropped"), ("pairs", f"{len(result.pairs):,} with a score")])
    lines = [
        (name, f"{each.labels:,}", *map(_figure, (each.pearson, each.alpha_interval, each.alpha_ordinal)))
        for name, each in (("all annotators", result.before), ("those kept", result.after))
    ]
    header = ("agreement", "labels", "with the others", "alpha, interval", "alpha, ordinal")
    print()
    show(lines, header, numbers=range(1, 5))
    if any(judgement.note for judgement in result.judgements):
        print()
        _show_notes(result.judgements)
    print()
    grades = [(str(grade), f"{count:,}") for grade, count in enumerate(result.by_grade())]
    show(grades, ("grade", "pairs"), numbers=(0, 1))
    for kind, reason in REASONS.items():
        count = sum(each.kind == kind for each in result.left_out)
        if count:
            say(f"samewise: {count:,} pairs have no gold score: {reason}")


def _show_notes(judgements: "Iterable[Judgement]") -> None:
    noted = sorted((each for each in judgements if each.note), key=lambda each: (each.kept, each.annotator))
    rows = []
    for each in noted:
        figures = f"{each.labels:,}", _figure(each.pearson), _figure(each.kappa)
        rows.append((each.annotator, "kept" if each.kept else "dropped", *figures, each.note))
    show(rows, ("annotator", "", "labels", "correlation", "kappa", "why"), numbers=(2, 3, 4))


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
