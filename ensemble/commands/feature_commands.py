"""The commands on features: the catalogue, and the matrix."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .console import print_json, say, show
from .options import (
    ColumnsOption,
    FeaturesOption,
    JsonOption,
    ModelOption,
    OwnOption,
    ProfileOption,
    feature_spec,
    load_chosen,
)

if TYPE_CHECKING:
    from ...features.base import Feature

app = typer.Typer(help="The catalogue of features, and the matrix.", no_args_is_help=True)


@app.command("list")
def features_list(as_json: JsonOption = False) -> None:
    """Print every feature with its columns."""
    from ...features.catalogue import all_features

    found = all_features()
    if as_json:
        print_json([_facts(value) for value in found])
        return
    rows = [(v.full_name, f"{v.low:g} to {v.high:g}", v.level, v.source, " ".join(v.names)) for v in found]
    show(rows, ("feature", "range", "level", "source", "columns"))


def _facts(value: "Feature") -> dict[str, Any]:
    # An infinite end of a range is null, for JSON has no infinity.
    low, high = (end if abs(end) < float("inf") else None for end in (value.low, value.high))
    return {
        "name": value.full_name,
        "family": value.family,
        "columns": list(value.columns),
        "low": low,
        "high": high,
        "level": value.level,
        "needs": list(value.needs),
        "source": value.source,
    }


@app.command("extract")
def features_extract(
    source: Annotated[str, typer.Argument(metavar="IN", help="Table of pairs.")],
    target: Annotated[str, typer.Option("-o", "--output", metavar="OUT.parquet", help="File to write.")],
    features: FeaturesOption = None,
    model: ModelOption = None,
    profile: ProfileOption = None,
    own: OwnOption = None,
    columns: ColumnsOption = None,
) -> None:
    """Write the feature matrix of a table, one row a pair; a bad row is an error."""
    from ..extraction import extract_file

    spec = None if features is None else feature_spec(features)
    rows, width = extract_file(source, target, model=load_chosen(model, profile, own), features=spec, columns=columns)
    say(f"{rows:,} rows of {width:,} columns")
