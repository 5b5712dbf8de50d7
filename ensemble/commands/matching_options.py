"""Options of the commands that search many texts: candidates, and how long a run will take."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .choices import PROFILES, Choices, names_of, one_of
from .console import print_json, progress
from .option_groups import ADVANCED
from .options import (
    CheckpointOption,
    EngineOption,
    MasterOption,
    ResumeOption,
    SentenceCacheOption,
    WorkersOption,
    engine_named,
)

if TYPE_CHECKING:
    from ..matching.pair_scores import Progress
    from ..matching.pipeline import MatchingEngine

_VIEWS = Choices(lambda: ("words", "rare_words", "characters", "sentences"), several=True)
"""Views as they are completed; `texts.chosen_views` refuses an unknown one."""


def _prefilters() -> tuple[str, ...]:
    return ("auto", "none", *PROFILES.read())


_PREFILTERS = Choices(_prefilters)


def _check_prefilter(prefilter: str) -> str:
    if not Path(prefilter).exists():
        one_of(prefilter, _prefilters())
    return prefilter


ViewsOption = Annotated[
    str | None,
    typer.Option(
        "--views",
        rich_help_panel=ADVANCED,
        metavar="V,...",
        autocompletion=_VIEWS.complete,
        help="How candidates are found: words, rare_words, characters, sentences; by default as fits the model.",
    ),
]


@dataclass(frozen=True)
class CandidateOptions:
    """Options of the search for candidates."""

    views: ViewsOption = None
    per_view: Annotated[
        int | None,
        typer.Option(
            "--per-view",
            rich_help_panel=ADVANCED,
            metavar="K",
            min=1,
            help="Close texts to find for each text in each view; 10 by default.",
        ),
    ] = None
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", rich_help_panel=ADVANCED, help="Compare the vectors of all pairs, however many there are."
        ),
    ] = False

    prefilter: Annotated[
        str,
        typer.Option(
            "--prefilter",
            rich_help_panel=ADVANCED,
            metavar="P",
            callback=_check_prefilter,
            autocompletion=_PREFILTERS.complete,
            help="Profile that reads all candidates first, so that a slow model reads few: fast, surface, none; auto "
            "is fast for full and best.",
        ),
    ] = "auto"

    within: Annotated[
        str | None,
        typer.Option(
            "--within",
            rich_help_panel=ADVANCED,
            metavar="C",
            help="Compare only rows with the same value in this column.",
        ),
    ] = None
    not_within: Annotated[
        str | None,
        typer.Option(
            "--not-within",
            rich_help_panel=ADVANCED,
            metavar="C",
            help="Compare only rows with different values in this column.",
        ),
    ] = None

    compare: Annotated[
        str | None,
        typer.Option(
            "--compare",
            rich_help_panel=ADVANCED,
            metavar="C:KIND,...",
            help="Compare rows by these columns, of kind text (one), name, number or code: title:text,ean:code.",
        ),
    ] = None
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels",
            rich_help_panel=ADVANCED,
            metavar="FILE",
            help="Labelled pairs of texts, from which the weights of the compared columns are learned.",
        ),
    ] = None

    def fields(self) -> dict[str, Any]:
        """Return the fields of `options.SearchOptions` that these are."""
        from ..matching.compared_columns import compared_columns

        views = None if self.views is None else names_of(self.views)
        compare = None if self.compare is None else compared_columns(self.compare)
        return {**vars(self), "views": views, "exact": self.exact or None, "compare": compare}


@dataclass(frozen=True)
class MatchingExecution:
    """Options of a run over many texts: processes, checkpoints and engine."""

    workers: WorkersOption = "auto"
    resume: ResumeOption = False
    checkpoint: CheckpointOption = 10.0
    sentence_cache: SentenceCacheOption = None
    engine: EngineOption = "local"
    master: MasterOption = None

    def check(self, dry_run: bool) -> None:
        """Refuse options that do not go with the engine, with exit status 2.

        Parameters
        ----------
        dry_run
            Whether only the size of the run is estimated.
        """
        if self.engine == "local":
            if self.master is not None:
                raise typer.BadParameter(
                    "must be given with --engine spark, as only Spark has a master", param_hint="--master"
                )
            return
        if self.resume or self.sentence_cache is not None or self.workers != "auto":
            raise typer.BadParameter(
                "must be local with --resume, --sentence-cache or --workers; leave these out for Spark",
                param_hint="--engine",
            )
        if dry_run:
            raise typer.BadParameter(
                "must be given without --engine, as a dry run measures this machine", param_hint="--dry-run"
            )

    @contextmanager
    def started(self) -> "Iterator[MatchingEngine | None]":
        """Yield the engine; None for processes of this machine."""
        if self.engine == "local":
            yield None
            return
        with engine_named(self.engine).spark_engine(self.master) as engine:
            yield engine


DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Find the candidates, say how long scoring them will take, and write nothing.")
]


def show_estimate(estimate: dict[str, Any], as_json: bool) -> None:
    """Print how long a run will take, as `Search.estimate` says it."""
    if as_json:
        print_json({**estimate, "seconds": round(estimate["seconds"], 1)})
        return
    minutes, seconds = divmod(round(estimate["seconds"]), 60)
    sizes = "{rows:,} rows, {texts:,} different texts, {candidates:,} candidates".format_map(estimate)
    print(f"{sizes}{recalls(estimate['recall'])}")
    print(f"scoring them will take about {minutes} min {seconds} s ({estimate['pairs_per_second']:,.0f} pairs/s)")


def recalls(recall: dict[str, float]) -> str:
    """Return a clause with the share of links that graphs found; empty if all products were computed."""
    shares = ", ".join(f"{share:.1%} of the links by {name}" for name, share in sorted(recall.items()))
    return f" (graphs found {shares} of a sample)" if shares else ""


class Steps:
    """Progress bars of the steps of a run, one after the other."""

    def __init__(self) -> None:
        from contextlib import ExitStack

        self._stack = ExitStack()

    def __call__(self, title: str) -> "Progress | None":
        """Begin a step and return its function of (done, total); None without a terminal."""
        self._stack.close()
        return self._stack.enter_context(progress(title))

    def __enter__(self) -> "Callable[[str], Progress | None]":
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()
