"""Assertions that two texts mean the same, or do not."""

from collections.abc import Sequence

from ...ensemble.loading import ModelLike
from ...models.profiles import DEFAULT_PROFILE
from .meaning_check import check_meaning


def assert_means(
    actual: str,
    expected: str,
    *,
    at_least: float | None = None,
    keep_apart: Sequence[str] | None = None,
    model: ModelLike = DEFAULT_PROFILE,
) -> None:
    """Fail unless a text means the same as an expected one.

    Parameters
    ----------
    actual, expected, at_least, keep_apart, model
        As for `check_meaning`.

    Raises
    ------
    AssertionError
        If the score is below the threshold, or a difference keeps the texts apart; with score, interval, differences
        and aligned words.
    """
    __tracebackhide__ = True  # pytest points at the line of the caller
    check = check_meaning(actual, expected, model, at_least, keep_apart)
    if not check.same:
        raise AssertionError(f"the texts must mean the same, got {check.report()}")


def assert_not_means(
    actual: str,
    unexpected: str,
    *,
    below: float | None = None,
    keep_apart: Sequence[str] | None = None,
    model: ModelLike = DEFAULT_PROFILE,
) -> None:
    """Fail if a text means the same as another one.

    Parameters
    ----------
    actual, unexpected, keep_apart, model
        As for `check_meaning`.
    below
        Score that the pair must not reach; by default the threshold of `check_meaning`.

    Raises
    ------
    AssertionError
        If the score reaches the threshold, and no difference keeps the texts apart.
    """
    __tracebackhide__ = True
    check = check_meaning(actual, unexpected, model, below, keep_apart)
    if check.same:
        raise AssertionError(f"the texts must differ in meaning, got {check.report()}")
