"""Options of an evaluation, and its data."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

import typer

from .choices import PROFILES
from .experiment_options import say_mapped
from .option_groups import ADVANCED, Rule

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from ..core.scale import Scale
    from ..evaluation.assessment import Scored, Wanted
    from ..loading import Model
    from ..tables.table_format import DelimitedText


OWN_INTERVAL = "interval"
"""Value of `--weight-column` for the model's own confidence: how much narrower its interval is than the whole scale."""


@dataclass(frozen=True)
class EvaluationData:
    """Table of n pairs with gold scores."""

    path: str
    pairs: list[tuple[str, str]]
    gold: "np.ndarray"  # on 0..5
    scale: "Scale"  # of the labels that the scores were made from
    table: "pa.Table"
    groups: dict[str, Sequence[str]]  # label of each pair, for each grouping of --by
    tracks: Sequence[str] | None  # track of SemEval-2017 of each pair; None without --track


def read_data(
    path: str,
    columns: str | None,
    gold: Path | None,
    by: str | None,
    track: str | None,
    *,
    scale: str | None = None,
    model: "Scale | None" = None,
    **text: Unpack["DelimitedText"],
) -> EvaluationData:
    """Read a table of pairs with gold scores, and the groups and tracks that its columns name.

    Labels without a named scale are on that of the model if they fit it, or else on the detected one. A note says
    which labels are mapped.
    """
    from ..core.scale import POINTS, scale_beside
    from ..evaluation.aggregates import groupings_of, labels_of, track_of
    from ..tables.labelled_pairs import read_labelled_pairs

    model = POINTS if model is None else model
    data = read_labelled_pairs(
        path, columns, gold=gold, scale=scale, otherwise=lambda labels: scale_beside(labels, model), **text
    )
    say_mapped(path, data.scale, model, "" if scale else "; name another scale with --scale")
    groups = {} if by is None else groupings_of(data.table, by, path)
    tracks = None if track is None else [track_of(label) for label in labels_of(data.table, track, path)]
    return EvaluationData(path, data.pairs, data.points, data.scale, data.table, dict(groups), tracks)


def score_pairs(model: "Model | None", data: EvaluationData) -> "Scored":
    """Score pairs with a model, or without one by the cosine of one-hot vectors."""
    from ..evaluation.assessment import Scored
    from ..loading import main_part

    if model is None:
        from ..evaluation.metrics import one_hot_cosine

        return Scored(data.pairs, data.gold, one_hot_cosine(data.pairs), labels=data.scale)
    prediction, scale = model.predict_pairs(data.pairs), model.scale
    score, low, high = map(scale.points, (prediction.score, prediction.low, prediction.high))
    level = main_part(model).interval.level
    return Scored(data.pairs, data.gold, score, low, high, prediction.flags, level, scale, data.scale)


def thresholds_on(model: "Model | None", data: EvaluationData) -> dict[float, float]:
    """Return the thresholds of F1 that are best on another table."""
    from ..evaluation.ranking import tuned_thresholds

    scored = score_pairs(model, data)
    return tuned_thresholds(scored.gold, scored.score)


def confidence_column(data: EvaluationData, column: str) -> "np.ndarray | None":
    """Return the confidence in each pair that a column of the table holds, or None for that of the model."""
    from ..evaluation.aggregates import weights_of

    if column != OWN_INTERVAL or OWN_INTERVAL in data.table.column_names:
        return weights_of(data.table, column, data.path)
    return None


def confidence_of(scored: "Scored") -> "np.ndarray":
    """Return the model's confidence in each pair, 0 to 100 by the width of its interval."""
    if scored.low is None or scored.high is None:
        raise typer.BadParameter("--baseline has no intervals; name a column", param_hint="--weight-column")
    weights: np.ndarray = 100.0 * (1.0 - (scored.high - scored.low) / 5.0)
    if not weights.any():
        raise ValueError("every interval of the model is the whole scale, so it has no confidence; name a column")
    return weights


MEMBERS_ALONE = "members"
"""Value of `--against` for the members instead of a model."""

WORST = 10
"""Number of errors that `--all` lists."""


@dataclass(frozen=True)
class Measures:
    """Measures beside the correlations, RMSE, within-1 rate and coverage."""

    bands: Annotated[
        bool, typer.Option("--bands", help="Also measure how often the interval holds in each band of the score.")
    ] = False
    aggregates: Annotated[
        bool,
        typer.Option(
            "--aggregates",
            rich_help_panel=ADVANCED,
            help="Also ALL, ALLnrm and Mean of SemEval-2012, over the groups of --by.",
        ),
    ] = False
    track: Annotated[
        str | None,
        typer.Option(
            "--track",
            rich_help_panel=ADVANCED,
            metavar="COL",
            help="Column with SemEval-2017's tracks, for primary6 and primary7.",
        ),
    ] = None
    tracks: Annotated[
        str | None,
        typer.Option(
            "--tracks",
            rich_help_panel=ADVANCED,
            metavar="T,T",
            help="Tracks of SemEval-2017 in the folder TEST, such as 1,4a; or all.",
        ),
    ] = None
    ranking: Annotated[bool, typer.Option("--ranking", help="Also Kendall's tau, nDCG, nCG and F1.")] = False
    threshold_data: Annotated[
        str | None,
        typer.Option(
            "--threshold-data",
            rich_help_panel=ADVANCED,
            metavar="TABLE",
            help="Table of pairs on which F1's thresholds are chosen.",
        ),
    ] = None
    calibration: Annotated[
        bool,
        typer.Option(
            "--calibration", rich_help_panel=ADVANCED, help="Also measure the calibration of scores and intervals."
        ),
    ] = False
    weight_column: Annotated[
        str | None,
        typer.Option(
            "--weight-column",
            rich_help_panel=ADVANCED,
            metavar="COL",
            help="Also Pearson weighted by this column; 'interval' for the model's own confidence.",
        ),
    ] = None
    worst: Annotated[int, typer.Option("--worst", metavar="N", min=0, help="Also list the N largest errors.")] = 0
    everything: Annotated[bool, typer.Option("--all", help="All of these measures that the table allows.")] = False

    def wanted(self, by: str | None) -> "Wanted":
        """Return the measures that need nothing but scores; `by` names the columns of groups."""
        from ..evaluation.assessment import Wanted

        return Wanted(
            ranking=self.ranking or self.everything,
            calibration=self.calibration or self.everything,
            bands=self.bands or self.everything,
            aggregates=self.aggregates or (self.everything and bool(by or self.track)),
            worst=self.worst or (WORST if self.everything else 0),
        )


@dataclass(frozen=True)
class ComparedSystems:
    """Systems to compare with the model."""

    models: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="NAME_OR_DIR",
            autocompletion=PROFILES.complete,
            help="Also measure another model, or members: each, their mean and stack; may be repeated.",
        ),
    ] = None
    matrix: Annotated[
        bool,
        typer.Option(
            "--matrix", rich_help_panel=ADVANCED, help="With --against, also Williams' test of every pair of systems."
        ),
    ] = False


_OF_ONE_MODEL = (
    *("--by", "--bands", "--aggregates", "--track", "--ranking"),
    *("--threshold-data", "--calibration", "--weight-column", "--worst", "--all"),
)

RULES = (
    Rule(
        "--baseline",
        "--baseline measures no model; leave out the models",
        without=("--model", "--against"),
    ),
    Rule(
        "--against",
        "a comparison is not by group and has no more measures; leave out --by, --bands and the like, or --against",
        without=_OF_ONE_MODEL,
    ),
    Rule("--matrix", "there is nothing to compare; add --against", needs=("--against",)),
    Rule("--bands", "--baseline has no intervals; leave out --bands", without=("--baseline",)),
    Rule("--aggregates", "there are no groups; add --by or --track", needs=("--by", "--track")),
    Rule("--threshold-data", "only F1 has thresholds to choose; add --ranking", needs=("--ranking", "--all")),
    Rule(
        "--tracks",
        "tracks have a table of their own; leave other measures out",
        without=(*_OF_ONE_MODEL, "--baseline", "--against", "--gold", "--column", "--report"),
    ),
)
"""Rules on which options of `samewise evaluate` go together."""
