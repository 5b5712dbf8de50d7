"""Options of `samewise select`: sentences to pair, distances and settings of the methods."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .choices import Choices
from .model_options import ModelOption, OwnOption, ProfileOption, model_source
from .option_groups import option_groups
from .option_rules import Rule
from .options import FeaturesOption

if TYPE_CHECKING:
    from ..multilingual.model_source import ModelSource

_SPACES = Choices(lambda: ("features", "encoder"))


@dataclass(frozen=True)
class SentenceLists:
    """Lists of sentences to be paired, in place of a table of pairs."""

    sentences: Annotated[
        Path | None,
        typer.Option("--sentences", metavar="A", help="Sentences to be paired, one a line, instead of POOL."),
    ] = None
    partners: Annotated[
        Path | None,
        typer.Option("--with", metavar="B", help="With --sentences: what to pair them with; each other without it."),
    ] = None
    count: Annotated[
        int | None,
        typer.Option(
            "--candidates",
            metavar="N",
            min=1,
            help="With --sentences: pairs to choose from; 10 times --k, 1,000 at least.",
        ),
    ] = None


def selection_source(model: ModelOption = None, profile: ProfileOption = None, own: OwnOption = None) -> "ModelSource":
    """Return the model source that the options name; without them, that of the profile for selection."""
    from ..labelling.selection.pair_selection import PROFILE

    return model_source(model, PROFILE if model is None and profile is None else profile, own)


@dataclass(frozen=True, kw_only=True)
class Distance:
    """Space in which distances are measured, and the model whose features it has."""

    space: Annotated[
        str,
        typer.Option(
            "--space",
            metavar="S",
            callback=_SPACES.check,
            autocompletion=_SPACES.complete,
            help="Where distance is measured: features or encoder.",
        ),
    ] = "features"
    features: FeaturesOption = None
    source: "ModelSource"


distance_options = option_groups(source=selection_source)(Distance)
"""Group of options for a `Distance`."""


@dataclass(frozen=True)
class MethodSettings:
    """Settings of the methods."""

    edges: Annotated[
        str | None,
        typer.Option("--edges", metavar="E,E", help="Edges of the bands of similarity; 0.4 to 0.8 in five."),
    ] = None
    strata: Annotated[
        str | None,
        typer.Option("--strata", metavar="COL", help="With bands: equal numbers of pairs from each value of a column."),
    ] = None
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of random draws.")] = 0


RULES = tuple(
    Rule(option, "only lists of sentences are paired; add --sentences", needs=("--sentences",))
    for option in ("--with", "--candidates")
)
"""Rules on which options of `samewise select` go together."""
