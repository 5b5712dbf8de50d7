"""Assertion for promptfoo, as its assertions of the type ``python`` call it.

The expected text is ``expected`` in the assertion's ``config``, otherwise in the variables of the test. The config may
also have ``model``, ``at_least`` and ``keep_apart``, as for `check_meaning`.
"""

from collections.abc import Mapping
from typing import Any

from ...models.profiles import DEFAULT_PROFILE
from .meaning_check import check_meaning


def get_assert(output: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the grading result of an output: ``pass``, ``score`` (0..1) and ``reason``.

    Parameters
    ----------
    output
        Output of the language model.
    context
        Context that promptfoo passes in: the mappings ``vars`` and ``config``.

    Raises
    ------
    ValueError
        If there is no expected text.
    """
    config = context.get("config") or {}
    expected = config.get("expected", (context.get("vars") or {}).get("expected"))
    if not isinstance(expected, str):
        raise ValueError(
            f"expected must be a text of the config or the variables, got {expected!r:.60}; add 'expected' to one"
        )
    settings = {name: config[name] for name in ("at_least", "keep_apart") if name in config}
    check = check_meaning(output, expected, config.get("model", DEFAULT_PROFILE), **settings)
    return {"pass": check.same, "score": check.share, "reason": check.reason()}
