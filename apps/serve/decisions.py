"""Decisions in requests and answers, where the model of the service has one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from ...ensemble.differences.facts import KINDS
from . import Pair
from .request_errors import RequestError

if TYPE_CHECKING:
    from ...ensemble.loading import Model

Kinds = tuple[str, ...] | None
"""Kinds of differences that keep texts apart; None for those of the model's decision."""

FIELDS: dict[str, Any] = {
    "decide": (Annotated[bool, Field(strict=True)], False),
    "keep_apart": (list[Literal[KINDS]] | None, None),  # type: ignore[valid-type]
}
"""Fields of the bodies of requests that may ask for decisions."""


class DecidedPair(NamedTuple):
    """Pair of texts that is scored and decided about."""

    a: str
    b: str
    keep_apart: Kinds


class Decisions(NamedTuple):
    """Decisions that a service gives.

    Attributes
    ----------
    known
        Whether the model has a decision.
    keep_apart
        Kinds for requests that name none.
    """

    known: bool = False
    keep_apart: Kinds = None

    def kinds(self, decide: bool, keep_apart: Sequence[str] | None) -> Kinds:
        """Return the kinds for the fields of a request; it is refused if it asks for what there is not."""
        if decide and not self.known:
            raise RequestError(
                422, "the model of the service must have a decision, got none; make one with samewise threshold"
            )
        if keep_apart is None:
            return self.keep_apart if decide else None
        if not decide:
            raise RequestError(422, "keep_apart is there without decide: send both, for only a decision uses it")
        return tuple(keep_apart)


def add_decisions(
    model: "Model", pairs: Sequence[Pair | DecidedPair], scores: np.ndarray, rows: list[dict[str, Any]]
) -> None:
    """Add ``decision`` and ``reason`` to the rows of the pairs that ask for them; scores are of shape (n,)."""
    from ...ensemble.core.model_decision import decision_of, reasons_of
    from ...ensemble.loading import main_part

    places_of: dict[Kinds, list[int]] = {}
    for place, pair in enumerate(pairs):
        if isinstance(pair, DecidedPair):
            places_of.setdefault(pair.keep_apart, []).append(place)
    for kinds, places in places_of.items():
        decision = decision_of(model.parts, kinds)
        texts = [pairs[place][:2] for place in places]
        reasons = reasons_of(main_part(model), decision, texts, scores[places])
        decided = decision.decide(scores[places], reasons).tolist()
        for place, name, reason in zip(places, decided, reasons, strict=True):
            rows[place] |= {"decision": name, "reason": reason}
