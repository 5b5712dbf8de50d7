"""Options of commands that fit models and measure them: the ensemble, the reading of tables, and extraction."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import typer

from .choices import names_of
from .console import detail, say
from .options import (
    DEFAULT_FEATURES,
    ColumnOption,
    DelimiterOption,
    EncoderOption,
    EncodingOption,
    FeatureCacheOption,
    FeaturesOption,
    MembersOption,
    NoHeaderOption,
    PipelineOption,
    ScaleOption,
    SettingsOption,
    SheetOption,
    VectorsOption,
    WordNetOption,
    WorkersOption,
    delimited_text,
    feature_spec,
    jobs_of,
    member_settings,
)

if TYPE_CHECKING:
    import numpy as np

    from ...features.pipeline.matrix import FeatureMatrix
    from ..core.scale import Scale
    from ..tables.table_format import DelimitedText

Pairs = list[tuple[str, str]]

OutputFolderOption = Annotated[
    Path,
    typer.Option(
        "-o", "--output", metavar="DIR", help="Folder for tables and finished fits, where a later run continues."
    ),
]
QuickOption = Annotated[bool, typer.Option("--quick", help="Fewer trees: a first look in a fraction of the time.")]
FinalOption = Annotated[bool, typer.Option("--final", help="Measure on a test split, once; logged in DIR/log.jsonl.")]


@dataclass(frozen=True)
class FittedEnsemble:
    """Features, members and settings of the ensemble that an experiment fits."""

    features: FeaturesOption = None
    members: MembersOption = "rf,gbm,xgb"
    settings: SettingsOption = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the members."""
        return names_of(self.members)

    def params(self, *, quick: bool) -> dict[str, dict[str, Any]]:
        """Return the settings of each member: those of ``--set``, completed by those of a quick fit."""
        from ..experiments import QUICK

        chosen = member_settings(self.settings or ())
        names = {*self.names, *chosen}
        return {name: {**(QUICK.get(name, {}) if quick else {}), **chosen.get(name, {})} for name in names}

    def facts(self, train: str, dev: str | None, *, quick: bool, final: bool) -> dict[str, Any]:
        """Return the facts of an experiment that are the same for all: tables, features, settings, how it measures."""
        return {
            "train": Path(train).name,
            "dev": dev and Path(dev).name,
            "features": DEFAULT_FEATURES if self.features is None else self.features,
            "quick": quick,
            "final": final,
            "settings": member_settings(self.settings or ()),
        }


@dataclass(frozen=True)
class Reading:
    """Columns and scale of the tables, and how their features are extracted."""

    column: ColumnOption = None
    scale: ScaleOption = None
    delimiter: DelimiterOption = None
    no_header: NoHeaderOption = False
    encoding: EncodingOption = None
    sheet: SheetOption = None
    workers: WorkersOption = "auto"
    feature_cache: FeatureCacheOption = None
    pipeline: PipelineOption = None
    vectors: VectorsOption = None
    encoder: EncoderOption = None
    wordnet: WordNetOption = None

    @property
    def text(self) -> "DelimitedText":
        """Settings of a text file or a spreadsheet that it does not show of itself."""
        return delimited_text(self.delimiter, self.no_header, self.encoding, self.sheet)

    @property
    def resources(self) -> dict[str, Any]:
        """Cache, pipeline, word vectors, encoder and WordNet, by their parameters in feature extraction."""
        user_supplied = {key: getattr(self, key) for key in ("pipeline", "vectors", "encoder", "wordnet")}
        return {"cache": self.feature_cache, **user_supplied}

    @property
    def jobs(self) -> int:
        """Number of processes that fit; -1 is one for each core."""
        return jobs_of(self.workers)

    def matrices(
        self, train: Pairs, held_out: Pairs | None, ensemble: FittedEnsemble
    ) -> "tuple[FeatureMatrix, FeatureMatrix | None]":
        """Extract the features of training pairs and of held-out pairs."""
        from ..experiments.experiment_matrices import matrices

        spec = feature_spec(ensemble.features)
        made = matrices(train, held_out, spec, ensemble.names, **self.resources)
        detail(f"{len(train):,} pairs to fit on, {made[0].values.shape[1]:,} columns")
        detail(f"members {', '.join(ensemble.names)}; workers {self.workers}")
        return made


def read_scored(
    path: str, columns: str | None, scale: str | None = None, **text: Unpack["DelimitedText"]
) -> "tuple[Pairs, np.ndarray]":
    """Read pairs and their gold scores from a table; map scores on another scale to 0..5, and say so.

    Without a scale it is detected.
    """
    from ..tables.labelled_pairs import read_labelled_pairs

    data = read_labelled_pairs(path, columns, scale=scale, **text)
    say_mapped(path, data.scale)
    return data.pairs, data.points


def say_detected(named: str | None, scale: "Scale") -> None:
    """Say the scale of labels that was detected, unless it is 0..5 or was named."""
    from ..core.scale import POINTS

    if named is None and scale != POINTS:
        say(f"samewise: labels are on {scale}; name another scale with --scale")


def say_mapped(path: str, scale: "Scale", other: "Scale | None" = None, remedy: str = "") -> None:
    """Say that labels are mapped onto another scale (0..5 by default), unless it is their own scale."""
    from ..core.scale import POINTS

    other = POINTS if other is None else other
    if scale != other:
        say(f"samewise: the scores in {path} are on {scale} and are mapped onto {other}{remedy}")


def need_two(gold: "np.ndarray", path: str) -> None:
    """Refuse a table of fewer than two pairs, which have no correlation."""
    if len(gold) < 2:
        raise ValueError(f"{path} must hold at least two pairs to measure on, got {len(gold)}; give a longer table")


def read_varied(
    path: str, columns: str | None, scale: str | None = None, **text: Unpack["DelimitedText"]
) -> "tuple[Pairs, np.ndarray]":
    """Read pairs and their gold scores, which must differ, for an experiment that measures correlation alone."""
    pairs, gold = read_scored(path, columns, scale, **text)
    need_two(gold, path)
    if gold.min() == gold.max():
        raise ValueError(
            f"{path} must hold different scores to measure a correlation, got {gold[0]:g} for all {len(gold):,} pairs; "
            "give another table"
        )
    return pairs, gold


def show_written(notes: Sequence[str], written: Sequence[Path], charts: str = "a chart") -> None:
    """Print the notes on a result and the names of its two tables and its page."""
    for note in notes:
        say(f"samewise: {note}")
    say(f"samewise: all rows are in {written[0]} and {written[1]}, and a page with {charts} in {written[2]}")
