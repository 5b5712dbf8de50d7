"""Scores and explanations of pairs as plain JSON values."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import Pair

if TYPE_CHECKING:
    from ..multilingual.model import Model


def score(model: "Model", pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """Return ``score``, ``low``, ``high`` (0..5) and ``flags`` of each pair."""
    found = model.predict_pairs(list(pairs))
    columns = (found.score.tolist(), found.low.tolist(), found.high.tolist(), map(list, found.flags))
    return [dict(zip(("score", "low", "high", "flags"), row, strict=True)) for row in zip(*columns, strict=True)]


def explain(model: "Model", pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """Return for each pair its score and where that comes from.

    Returns
    -------
    list of dict
        ``score``, ``low``, ``high``, ``flags``; ``base`` and ``contributions`` by family, which add up to the score;
        ``tokens`` of the two texts and ``alignment``, pairs of places in them; ``translations``, what was read instead
        of either text; ``note``, None. Of a model that cannot be explained, ``base`` and ``contributions`` are None and
        ``note`` says why.
    """
    try:
        return [{**found.as_dict(), "note": None} for found in model.explain(list(pairs))]
    except ValueError as error:
        note = str(error)
    return [
        {
            **row,
            "base": None,
            "contributions": None,
            "alignment": [list(link) for link in links],
            "tokens": [list(side) for side in tokens],
            "translations": [None, None],
            "note": note,
        }
        for row, (tokens, links) in zip(score(model, pairs), model.aligned_tokens(pairs), strict=True)
    ]
