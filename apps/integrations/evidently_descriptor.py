"""Descriptor for Evidently: the score of each row of two columns of texts."""

from functools import partial

from ...ensemble.loading import ModelLike
from ...ensemble.scoring.data_frames import score_table
from ...models.profiles import DEFAULT_PROFILE

try:
    from evidently import ColumnType
    from evidently.core.datasets import Dataset, DatasetColumn
    from evidently.descriptors import CustomDescriptor
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "evidently must be installed for its descriptor, got none; pip install evidently", name=error.name
    ) from error


def same_meaning(
    first: str, second: str, model: ModelLike = DEFAULT_PROFILE, alias: str | None = None
) -> CustomDescriptor:
    """Return the descriptor of the scores of two columns, on the scale of the model; NaN without one of the texts.

    Parameters
    ----------
    first, second
        Names of the columns.
    model
        As for `score_table`.
    alias
        Name of the new column; by default both names.
    """
    score = partial(_scores, first=first, second=second, model=model)
    score.__module__, score.__name__ = __name__, "same_meaning"  # type: ignore[attr-defined]
    return CustomDescriptor(score, alias=alias or f"same meaning of {first} and {second}")


def _scores(dataset: Dataset, first: str, second: str, model: ModelLike) -> DatasetColumn:
    frame = dataset.as_dataframe()[[first, second]]
    scored = score_table(frame, model=model, columns=(first, second))
    return DatasetColumn(ColumnType.Numerical, scored[scored.columns[2]])
