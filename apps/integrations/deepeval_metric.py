"""Metric for DeepEval: whether the actual output means the same as the expected one. It needs no language model."""

from collections.abc import Sequence
from typing import Any

from ...ensemble.loading import ModelLike
from ...models.profiles import DEFAULT_PROFILE
from .meaning_check import check_meaning

try:
    from deepeval.metrics import BaseMetric
    from deepeval.metrics.utils import check_llm_test_case_params
    from deepeval.test_case import LLMTestCase, SingleTurnParams
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "deepeval must be installed for its metric, got none; pip install deepeval", name=error.name
    ) from error


class SamewiseMetric(BaseMetric):
    """Similarity in meaning of the actual and the expected output, 0..1.

    Parameters
    ----------
    at_least, keep_apart, model
        As for `check_meaning`; `at_least` is on the scale of the model.
    """

    _required_params = (SingleTurnParams.ACTUAL_OUTPUT, SingleTurnParams.EXPECTED_OUTPUT)

    def __init__(
        self, at_least: float | None = None, keep_apart: Sequence[str] | None = None, model: ModelLike = DEFAULT_PROFILE
    ) -> None:
        self._settings: dict[str, Any] = {"at_least": at_least, "keep_apart": keep_apart, "model": model}
        self.async_mode = False

    def measure(self, test_case: LLMTestCase, *args: Any, **settings: Any) -> float:
        """Return the score of a test case, 0..1, and set ``score``, ``threshold``, ``success`` and ``reason``."""
        check_llm_test_case_params(test_case, list(self._required_params), None, None, self, None, False)
        check = check_meaning(test_case.actual_output, test_case.expected_output, **self._settings)
        self.score, self.reason, self.success = check.share, check.reason(), check.same
        self.threshold = (check.threshold - check.scale.low) / (check.scale.high - check.scale.low)
        return check.share

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **settings: Any) -> float:
        """Return `measure`; nothing is waited for."""
        return self.measure(test_case)

    def is_successful(self) -> bool:
        """Return whether the outputs of the last test case mean the same."""
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return "Same meaning"
