"""Scores and explanations of pairs as plain JSON values."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import Pair

if TYPE_CHECKING:
    from ..multilingual.model import Model


def score(model: "Model", pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """Return ``score``, ``low``, ``high``, on the scale of the model, and ``flags`` of each pair."""
    prediction = model.predict_pairs(list(pairs))
    numbers = (values.tolist() for values in (prediction.score, prediction.low, prediction.high))
    columns = (*numbers, map(list, prediction.flags))
    return [dict(zip(("score", "low", "high", "flags"), row, strict=True)) for row in zip(*columns, strict=True)]


def explain(model: "Model", pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """Return the score and its explanation for each pair.

    Returns
    -------
    list of dict
        ``score``, ``low``, ``high``, ``flags``; ``base`` and ``contributions`` by family, which add up to the score;
        ``tokens`` of the two texts and ``alignment``, pairs of positions in them; ``translations`` of the two texts, or
        None; ``differences``, each with its kind, words and places; ``note``, None. If the model cannot be explained,
        ``base`` and ``contributions`` are None and ``note`` has the reason.
    """
    try:
        return [{**explanation.as_dict(), "note": None} for explanation in model.explain(list(pairs))]
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
            "differences": [difference.as_dict() for difference in differences],
            "note": note,
        }
        for row, (tokens, links), differences in zip(
            score(model, pairs), model.aligned_tokens(pairs), model.differences(list(pairs)), strict=True
        )
    ]
