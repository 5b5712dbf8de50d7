"""Options of `samewise evaluate`: further measures, and systems to compare with."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from .choices import PROFILES
from .option_rules import Rule

if TYPE_CHECKING:
    from ..evaluation.assessment import Wanted

MEMBERS_ALONE = "members"
"""Value of `--compare` without a model: compare the members."""

WORST = 10
"""Number of errors that `--all` lists."""


@dataclass(frozen=True)
class Measures:
    """Measures beside the correlations, RMSE, within-1 rate and coverage."""

    bands: Annotated[
        bool, typer.Option("--bands", help="Also measure how often the interval holds in each band of the score.")
    ] = False
    aggregates: Annotated[
        bool, typer.Option("--aggregates", help="Also ALL, ALLnrm and Mean of SemEval-2012, over the groups of --by.")
    ] = False
    track: Annotated[
        str | None,
        typer.Option("--track", metavar="COL", help="Column with SemEval-2017's tracks, for primary6 and primary7."),
    ] = None
    tracks: Annotated[
        str | None,
        typer.Option(
            "--tracks", metavar="T,T", help="Tracks of SemEval-2017 in the folder TEST, such as 1,4a; or all."
        ),
    ] = None
    ranking: Annotated[bool, typer.Option("--ranking", help="Also Kendall's tau, nDCG, nCG and F1.")] = False
    dev: Annotated[
        str | None, typer.Option("--dev", metavar="DEV", help="Table of pairs on which F1's thresholds are chosen.")
    ] = None
    calibration: Annotated[
        bool, typer.Option("--calibration", help="Also measure the calibration of scores and intervals.")
    ] = False
    confidence: Annotated[
        str | None,
        typer.Option(
            "--confidence",
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
            "--compare",
            metavar="[DIR]",
            autocompletion=PROFILES.complete,
            help="Also measure another model, or without DIR the members, their mean and stack; may be repeated.",
        ),
    ] = None
    matrix: Annotated[
        bool, typer.Option("--matrix", help="With --compare, also Williams' test of every pair of systems.")
    ] = False


_OF_ONE_MODEL = (
    *("--by", "--bands", "--aggregates", "--track", "--ranking"),
    *("--dev", "--calibration", "--confidence", "--worst", "--all"),
)

RULES = (
    Rule(
        "--baseline",
        "--baseline measures no model; leave out the models",
        without=("--model", "--profile", "--compare"),
    ),
    Rule(
        "--compare",
        "a comparison is not by group and has no more measures; leave out --by, --bands and the like, or --compare",
        without=_OF_ONE_MODEL,
    ),
    Rule("--matrix", "there is nothing to compare; add --compare", needs=("--compare",)),
    Rule("--bands", "--baseline has no intervals; leave out --bands", without=("--baseline",)),
    Rule("--aggregates", "there are no groups; add --by or --track", needs=("--by", "--track")),
    Rule("--dev", "only F1 has thresholds to choose; add --ranking", needs=("--ranking", "--all")),
    Rule(
        "--tracks",
        "tracks have a table of their own; leave other measures out",
        without=(*_OF_ONE_MODEL, "--baseline", "--compare", "--gold", "--columns", "--report"),
    ),
)
"""Rules on which options of `samewise evaluate` go together."""
