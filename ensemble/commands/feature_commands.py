"""Commands on features: their catalogue, the matrix of a table, and word vectors."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from .choices import Choices
from .cli import Command
from .console import print_json, say, show
from .option_groups import load_model, only, option_groups, with_common_options
from .options import ColumnOption, FeaturesOption, JsonOption, delimited_text, feature_spec, model_source
from .outputs import check_outputs

if TYPE_CHECKING:
    from ...features.base.feature import Feature
    from ..core.predictor import Predictor
    from ..loading import ModelRef
    from ..tables.table_format import DelimitedText

_STORAGES = Choices(lambda: ("int8", "float16"))

app = typer.Typer(help="The catalogue of features, and the matrix.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list", cls=Command)
@with_common_options
def features_list(
    by_column: Annotated[bool, typer.Option("--by-column", help="One line for each column.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print every feature, with its definition and cost.

    The table has columns, level, range, definition, publication, and cost in microseconds a pair. The cost is that of
    the feature alone, the analysis not counted; features together cost less than their sum. An option beside the level
    names a resource that the user must supply.
    """
    from ...features.pipeline.catalogue import all_features

    facts = [_facts(value) for value in all_features()]
    if as_json:
        print_json([each for value in facts for each in _by_column(value)] if by_column else facts)
        return
    if by_column:
        lines = [(each["name"], *_cells(each)) for value in facts for each in _by_column(value)]
        show(lines, ("column", "level", "range", "definition", "source", "us/pair"), numbers=(5,))
        return
    rows = [(each["name"], str(len(each["columns"])), *_cells(each)) for each in facts]
    show(rows, ("feature", "columns", "level", "range", "definition", "source", "us/pair"), numbers=(1, 6))


def _facts(value: "Feature") -> dict[str, Any]:
    from ...features.pipeline.catalogue import costs
    from ...features.pipeline.user_supplied import GIVEN

    # An infinite end of a range is null, because JSON has no infinity.
    low, high = (end if abs(end) < float("inf") else None for end in (value.low, value.high))
    return {
        "name": value.full_name,
        "family": value.family,
        "columns": list(value.columns),
        "low": low,
        "high": high,
        "level": value.level,
        "needs": list(value.needs),
        "options": [GIVEN[need] for need in value.needs if need in GIVEN],
        "section": value.section,
        "source": value.source,
        "cost": costs().get(value.full_name),
    }


def _by_column(facts: dict[str, Any]) -> list[dict[str, Any]]:
    # A column costs what its feature costs: it is computed with the others.
    rest = {key: fact for key, fact in facts.items() if key != "columns"}
    return [rest | {"name": column, "feature": facts["name"]} for column in facts["columns"]]


def _cells(facts: dict[str, Any]) -> tuple[str, str, str, str, str]:
    low, high = ("-inf" if facts["low"] is None else f"{facts['low']:g}"), facts["high"]
    level = " ".join([facts["level"], *(f"+ {option}" for option in facts["options"])])
    cost = "-" if facts["cost"] is None else f"{facts['cost']:.1f}"
    return level, f"{low} to {'inf' if high is None else f'{high:g}'}", facts["section"], facts["source"], cost


@app.command("extract", cls=Command)
@with_common_options
@option_groups(
    source=only(model_source, "model", "features_file", "vectors", "encoder", "wordnet", "glossary"),
    text=delimited_text,
)
def features_extract(
    table: Annotated[str, typer.Argument(metavar="IN", help="Table of pairs.")],
    target: Annotated[str, typer.Option("-o", "--output", metavar="OUT.parquet", help="File to write.")],
    features: FeaturesOption = None,
    *,
    source: "ModelRef",
    column: ColumnOption = None,
    text: "DelimitedText",
    statistics: Annotated[
        str | None,
        typer.Option(
            "--statistics",
            metavar="TABLE",
            help="Pairs, such as those of training, on which statistics are counted that the model lacks.",
        ),
    ] = None,
) -> None:
    """Write the feature matrix of a table, one row a pair.

    A bad row is an error.
    """
    from ..scoring.feature_files import extract_file

    check_outputs(target)
    spec = None if features is None else feature_spec(features)
    model = cast("Predictor", load_model(source, unused=spec is not None))  # no languages are named
    rows, width = extract_file(table, target, model=model, features=spec, columns=column, statistics=statistics, **text)
    say(f"{rows:,} rows of {width:,} columns")


@app.command("vectors", cls=Command)
@with_common_options
def features_vectors(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="word2vec, GloVe or fastText file, or folder of a static model.")
    ],
    target: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to make.")],
    storage: Annotated[
        str,
        typer.Option(
            "--storage",
            metavar="S",
            callback=_STORAGES.check,
            autocompletion=_STORAGES.complete,
            help="int8 or float16.",
        ),
    ] = "int8",
    most: Annotated[
        int | None, typer.Option("--most", metavar="N", min=1, help="Keep only the first N words of the file.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Convert word vectors into a folder for --vectors.

    The folder is mapped into memory, so it loads without delay.
    """
    from ...features.lexicon.vector_files import convert_vectors
    from ..tables.table_writer import check_output_folder

    check_output_folder(target.parent)
    converted = convert_vectors(source, target, storage=storage, most=most)
    if as_json:
        print_json({"path": str(target), "storage": storage, **converted._asdict()})
        return
    rows = [("vectors", str(target)), ("words", f"{converted.words:,}"), ("dimension", str(converted.dimension))]
    show([*rows, ("size", f"{converted.size / 1e6:.2f} MB of {storage}")])
