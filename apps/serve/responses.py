"""Responses of the service: their headers, models and errors."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from ...ensemble.core.scale import Scale
from . import Pair
from .decisions import DecidedPair, add_decisions

if TYPE_CHECKING:
    from ...ensemble.loading import Model


Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""An answer may have other values: the page has a policy that allows its own script."""


class AnswerHeaders:
    """ASGI middleware that adds `HEADERS` to every answer that has no such header of its own."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request with these headers."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                known = {name.lower() for name, _ in headers}
                message["headers"] = headers + [pair for pair in self._headers if pair[0] not in known]
            await send(message)

        await self._app(scope, receive, send_with_headers)


TWO = Field(min_length=2, max_length=2)


class Answer(BaseModel):
    """Answer without other fields than those declared."""

    model_config = ConfigDict(extra="forbid")


class _Scored(Answer):
    score: float
    low: float
    high: float
    flags: list[str]


class Score(_Scored):
    """Score on the scale of the model, interval around it, flags, and if requested the decision.

    The kind of difference that made a pair unsure is the reason; null where the score decided. ``reference`` is the
    place, from 0, of the reference that scored best.
    """

    decision: Literal["same", "different", "unsure"] = Field(default="unsure")
    reason: str | None = Field(default=None)
    reference: int = Field(default=0)


class Scores(Answer):
    """Scores in the order of the pairs."""

    results: list[Score]
    signature: str


class DifferentWords(Answer):
    """Words of the two texts that differ in meaning."""

    kind: str
    a: str
    b: str


class Difference(DifferentWords):
    """Words of the two texts that differ in meaning, and their places among the tokens."""

    places_a: list[int]
    places_b: list[int]


class Explanation(_Scored):
    """Explanation of a score: the base and the contributions by family add up to it."""

    base: float | None
    contributions: dict[str, float] | None
    tokens: Annotated[list[list[str]], TWO]
    alignment: list[Annotated[list[int], TWO]]
    translations: Annotated[list[str | None], TWO]
    differences: list[Difference]
    note: str | None
    signature: str


class Match(Answer):
    """Row of the index that matches a text: its number from 1, its name, its text, and their score.

    ``differences`` are there if requested: ``a`` are words of the text, ``b`` of the row. So are ``decision`` and
    ``reason``, as in `Score`.
    """

    row: int
    id: str | int | float | bool | None
    text: str
    score: float
    low: float
    high: float
    flags: list[str]
    decision: Literal["same", "unsure"] = Field(default="unsure")
    reason: str | None = Field(default=None)
    differences: list[DifferentWords] = Field(default_factory=list)


class MatchedText(Answer):
    """Rows that match a text, the best first."""

    matches: list[Match]


class Matches(Answer):
    """Matches in the order of the texts, and the signatures of the model and of the index."""

    results: list[MatchedText]
    signature: str
    index: str


class IndexFacts(Answer):
    """Signature and number of rows of the index that ``/match`` searches."""

    signature: str
    rows: int


class Health(Answer):
    """State of the service, signature of the model, the languages (ISO 639-1) that it reads, its scale, and the index.

    ``scale`` is its name, such as ``0..5`` or ``yes/no``, and scores are from ``lowest`` to ``highest``.
    """

    status: str
    signature: str
    languages: list[str]
    scale: str
    lowest: float
    highest: float
    index: IndexFacts | None


class Life(Answer):
    """State of the process that answers."""

    status: str


class Refusal(Answer):
    """Reason for refusing a request, in one sentence."""

    error: str


class RefusalDetails(Answer):
    """Reason for refusing a request, in one sentence, and its kind, as clients of OpenAI's API read them."""

    message: str
    type: str


class RefusalToClient(Answer):
    """Refusal of a path under ``/v1``; a sentence alone if the request came to no path."""

    error: RefusalDetails | str


REFUSALS = {
    400: "The request is not HTTP/1.1, its body is not JSON in UTF-8, or the header Host is not allowed.",
    403: "The request comes from a page of another site.",
    408: "The request did not come whole in time.",
    413: "The body is too long, or asks for too many pairs.",
    415: "The body is compressed.",
    422: "The body has another form, or a text is too long.",
    500: "The service failed.",
    503: "Too much is waiting, or no worker process is ready.",
}


def bounded(schemas: dict[str, Any], scale: Scale) -> None:
    """Add the ends of a scale to the schemas of an OpenAPI document whose fields are scores, in place."""
    for name in {each.__name__ for each in (Score, Explanation, Match)} & schemas.keys():
        properties = schemas[name]["properties"]
        for field in ("score", "low", "high"):
            properties[field] |= {"minimum": scale.low, "maximum": scale.high}


def refusals(*statuses: int, model: type[BaseModel] = Refusal) -> dict[int | str, dict[str, Any]]:
    """Return the declaration of refusals for FastAPI."""
    return {status: {"model": model, "description": REFUSALS[status]} for status in statuses}


def score(model: "Model", pairs: Sequence[Pair | DecidedPair]) -> list[dict[str, Any]]:
    """Return ``score``, ``low``, ``high``, on the scale of the model, and ``flags`` of each pair.

    A `DecidedPair` has ``decision`` and ``reason``, too.
    """
    prediction = model.predict_pairs([(pair[0], pair[1]) for pair in pairs])
    numbers = (values.tolist() for values in (prediction.score, prediction.low, prediction.high))
    columns = (*numbers, map(list, prediction.flags))
    rows = [dict(zip(("score", "low", "high", "flags"), row, strict=True)) for row in zip(*columns, strict=True)]
    add_decisions(model, pairs, prediction.score, rows)
    return rows


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
    from ...ensemble.loading import main_part

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
            score(model, pairs), main_part(model).aligned_tokens(pairs), model.differences(list(pairs)), strict=True
        )
    ]


OPENAI = "/v1/"
"""Start of the paths whose refusals have the form of OpenAI's API."""


def refusal_to(path: str, status: int, message: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return the answer to a request for a path: a message of one sentence, with its kind under `OPENAI`."""
    error: object = message
    if path.startswith(OPENAI):
        error = {"message": message, "type": "server_error" if status >= 500 else "invalid_request_error"}
    return JSONResponse({"error": error}, status, headers)
