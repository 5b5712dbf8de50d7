"""Metric for ragas: similarity in meaning of the response and the reference. It needs no language model."""

from typing import Any

from ...ensemble.loading import ModelLike
from ...models.profiles import DEFAULT_PROFILE
from .meaning_check import check_meaning

try:
    from ragas.metrics.collections.base import BaseMetric
    from ragas.metrics.result import MetricResult
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "ragas must be installed for its metric, got none; pip install ragas", name=error.name
    ) from error


class SamewiseMetric(BaseMetric):
    """Similarity in meaning of ``response`` and ``reference``, 0..1.

    Parameters
    ----------
    name
        Name of the column of results.
    model
        As for `check_meaning`.
    """

    def __init__(self, name: str = "samewise", model: ModelLike = DEFAULT_PROFILE, **settings: Any) -> None:
        super().__init__(name=name, **settings)
        self._model = model

    async def ascore(self, reference: str, response: str) -> MetricResult:
        """Return the score, with interval and threshold as its reason."""
        check = check_meaning(response, reference, self._model)
        return MetricResult(value=check.share, reason=check.reason())
