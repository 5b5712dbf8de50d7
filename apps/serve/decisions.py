"""Decisions in requests and answers, where the model of the service has one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from ...ensemble.differences.facts import KINDS
from . import Pair
from .request_errors import RequestError

if TYPE_CHECKING:
    from ...ensemble.loading import Model

Kinds = tuple[str, ...] | None
"""Kinds of differences that keep texts apart; None for those of the model's decision."""


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

    @property
    def fields(self) -> dict[str, Any]:
        """Fields of the bodies of requests; without a decision they are refused, and not described."""
        decide: Any = Annotated[bool, Field(strict=True)]
        kinds: Any = list[Literal[KINDS]] | None  # type: ignore[valid-type]
        if not self.known:
            decide, kinds = Annotated[decide, SkipJsonSchema()], Annotated[kinds, SkipJsonSchema()]
        return {"decide": (decide, False), "keep_apart": (kinds, None)}

    def asked(self, form: Any) -> tuple[bool, Kinds]:
        """Return whether a body with these fields asks for decisions, and with which kinds.

        Raises
        ------
        RequestError
            If it does, and the model has no decision.
        """
        decide = form.decide or form.keep_apart is not None
        if decide and not self.known:
            raise RequestError(
                422, "the model of the service must have a decision, got none; make one with samewise threshold"
            )
        return decide, self.keep_apart if form.keep_apart is None else tuple(form.keep_apart)


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
