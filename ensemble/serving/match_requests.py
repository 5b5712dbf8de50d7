"""Requests for the rows of an index that match texts: their form, and their cost while they wait."""

from typing import Annotated, Any, NamedTuple

from pydantic import ConfigDict, FailFast, Field, TypeAdapter, create_model

from ..core.scale import Scale
from .fair_queue import Costs, room_of, work_of
from .request_bodies import Limits, RequestError, validated

TOP, MOST_TOP = 5, 100
"""Rows for each text, if a request does not say, and at most."""

FEWEST_CANDIDATES = 10
"""Close texts that a view finds at least for a text; beyond it the double of the rows that are asked for."""


class AskedText(NamedTuple):
    """Text whose matches are asked for.

    Attributes
    ----------
    text
        The text.
    top
        Largest number of rows, from 1 to `MOST_TOP`.
    at_least
        Score that a row must have at least, on the scale of the model; None for any.
    differences
        Whether the differences between the text and each row are returned.
    """

    text: str
    top: int = TOP
    at_least: float | None = None
    differences: bool = False


def pairs_of(asked: AskedText) -> int:
    """Return about how many pairs are scored for a text: those that two views find."""
    return 2 * max(FEWEST_CANDIDATES, 2 * asked.top)


# The rows are taken to be as long as the text.
TEXT_COSTS = Costs(
    "texts",
    lambda asked: pairs_of(asked) * work_of((asked.text, asked.text)),
    lambda asked: pairs_of(asked) * room_of((asked.text, asked.text)),
)
"""Costs of an `AskedText`, in those of a pair."""


class MatchForm:
    """Form of the bodies of ``/match`` under certain limits, and its JSON schema.

    Parameters
    ----------
    limits
        Limits of each request, whose number of pairs is that of the rows that it may ask for.
    scale
        Scale of the model.
    """

    def __init__(self, limits: Limits, scale: Scale) -> None:
        text: Any = Annotated[str, Field(max_length=limits.characters)]
        texts: Any = Annotated[list[text], FailFast(), Field(min_length=1, max_length=limits.pairs)]
        score: Any = Annotated[float, Field(ge=scale.low, le=scale.high, strict=True)]
        self._limits = limits
        self._form: TypeAdapter[Any] = TypeAdapter(
            create_model(
                "MatchRequest",
                __doc__="Texts whose matching rows are wanted, and which of these rows.",
                __config__=ConfigDict(extra="forbid"),
                texts=(texts, ...),
                top=(Annotated[int, Field(ge=1, le=MOST_TOP, strict=True)], TOP),
                at_least=(score | None, None),
                differences=(Annotated[bool, Field(strict=True)], False),
            )
        )

    def schemas(self, ref_template: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the JSON schema of the body, and those that it refers to."""
        schemas, definitions = TypeAdapter.json_schemas([("body", "validation", self._form)], ref_template=ref_template)
        return schemas["body", "validation"], definitions["$defs"]

    def asked_texts(self, body: bytes) -> list[AskedText]:
        """Return the texts of a body.

        Raises
        ------
        RequestError
            400 for a body that is not JSON, 422 for a wrong form or a text that is too long, 413 for too many texts or
            rows.
        """
        form = validated(self._form, body, self._limits)
        rows = len(form.texts) * form.top
        if rows > self._limits.pairs:
            raise RequestError(
                413,
                f"the request asks for {rows:,} rows, {form.top} for each of {len(form.texts):,} texts, and the limit "
                f"is {self._limits.pairs:,}; send the texts in several, or a smaller top",
            )
        return [AskedText(text, form.top, form.at_least, form.differences) for text in form.texts]
