"""Answers of the service, as its OpenAPI document declares them."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ..core.scale import Scale

TWO = Field(min_length=2, max_length=2)


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Score(_Answer):
    """Score on the scale of the model, interval around it, and flags."""

    score: float
    low: float
    high: float
    flags: list[str]


class Scores(_Answer):
    """Scores in the order of the pairs."""

    results: list[Score]
    signature: str


class DifferentWords(_Answer):
    """Words of the two texts that differ in meaning."""

    kind: str
    a: str
    b: str


class Difference(DifferentWords):
    """Words of the two texts that differ in meaning, and their places among the tokens."""

    places_a: list[int]
    places_b: list[int]


class Explanation(Score):
    """Explanation of a score: the base and the contributions by family add up to it."""

    base: float | None
    contributions: dict[str, float] | None
    tokens: Annotated[list[list[str]], TWO]
    alignment: list[Annotated[list[int], TWO]]
    translations: Annotated[list[str | None], TWO]
    differences: list[Difference]
    note: str | None
    signature: str


class Match(_Answer):
    """Row of the index that matches a text: its number from 1, its name, its text, and their score.

    ``differences`` are there if requested: ``a`` are words of the text, ``b`` of the row.
    """

    row: int
    id: str | int | float | bool | None
    text: str
    score: float
    low: float
    high: float
    flags: list[str]
    differences: list[DifferentWords] = Field(default_factory=list)


class MatchedText(_Answer):
    """Rows that match a text, the best first."""

    matches: list[Match]


class Matches(_Answer):
    """Matches in the order of the texts, and the signatures of the model and of the index."""

    results: list[MatchedText]
    signature: str
    index: str


class RankedText(_Answer):
    """Text of a request for an order: its place in the request, from 0, and its score; the text if it was asked for."""

    index: int
    score: float
    text: str = Field(default="")


class Embedding(_Answer):
    """Vector of a text, as numbers or as base64 of 32-bit floats, and the place of the text in the request, from 0."""

    object: str
    index: int
    embedding: list[float] | str


class Usage(_Answer):
    """Number of words of all texts, as they are divided by white space."""

    prompt_tokens: int
    total_tokens: int


class Embeddings(_Answer):
    """Vectors in the order of the texts, and the name of the encoder."""

    object: str
    data: list[Embedding]
    model: str
    usage: Usage


class IndexFacts(_Answer):
    """Signature and number of rows of the index that ``/match`` searches."""

    signature: str
    rows: int


class Health(_Answer):
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


class Life(_Answer):
    """State of the process that answers."""

    status: str


class Refusal(_Answer):
    """Reason for refusing a request, in one sentence."""

    error: str


class RefusalDetails(_Answer):
    """Reason for refusing a request, in one sentence, and its kind, as clients of OpenAI's API read them."""

    message: str
    type: str


class RefusalToClient(_Answer):
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
    for name in {Score.__name__, Explanation.__name__, Match.__name__} & schemas.keys():
        properties = schemas[name]["properties"]
        for field in ("score", "low", "high"):
            properties[field] |= {"minimum": scale.low, "maximum": scale.high}


def refusals(*statuses: int, model: type[BaseModel] = Refusal) -> dict[int | str, dict[str, Any]]:
    """Return the declaration of refusals for FastAPI."""
    return {status: {"model": model, "description": REFUSALS[status]} for status in statuses}
