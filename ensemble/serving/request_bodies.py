"""Bodies of requests: read up to a limit, checked, and refused in one sentence."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Discriminator, FailFast, RootModel, Tag, TypeAdapter, ValidationError

from . import Pair

DISCARDED = 10
"""Bodies of up to this multiple of the limit are read to their end; for longer ones the connection is closed."""


@dataclass(frozen=True)
class Limits:
    """Limits of one request.

    Attributes
    ----------
    pairs
        Number of pairs in a request.
    characters
        Number of Unicode code points in a text.
    body
        Number of bytes in the body of a request.
    """

    pairs: int = 1_000
    characters: int = 10_000
    body: int = 2_000_000


class RequestError(Exception):
    """Refusal of a request.

    Parameters
    ----------
    status
        The HTTP status, 4xx or 5xx.
    message
        One sentence with the offending value and the limit or the remedy.
    headers
        Headers of the answer.
    """

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, headers


class TwoTexts(BaseModel):
    """Pair of texts by name."""

    sentence1: str
    sentence2: str


def _form(value: Any) -> str | None:
    if isinstance(value, list):
        return "<list>"
    return "<object>" if isinstance(value, dict) else None


_Item = Annotated[
    Annotated[Pair, Tag("<list>")] | Annotated[TwoTexts, Tag("<object>")],
    Discriminator(
        _form,
        custom_error_type="pair",
        custom_error_message="a pair is a list of two texts, or an object with sentence1 and sentence2",
    ),
]


class PairList(RootModel[Annotated[list[_Item], FailFast()]]):
    """Pairs of texts."""


class ScoreRequest(BaseModel):
    """Pairs of texts to be scored."""

    pairs: Annotated[list[_Item], FailFast()]


SCORE_REQUEST: TypeAdapter[PairList | ScoreRequest] = TypeAdapter(
    Annotated[
        Annotated[PairList, Tag("<list>")] | Annotated[ScoreRequest, Tag("<object>")],
        Discriminator(
            _form,
            custom_error_type="pairs",
            custom_error_message="send an object with pairs, or a list of pairs",
        ),
    ]
)
EXPLAIN_REQUEST = TypeAdapter(TwoTexts)


async def read_body(declared: str | None, chunks: AsyncIterator[bytes], limit: int) -> bytes:
    """Return the whole body of a request, of which no more than the limit is ever held.

    What goes beyond the limit is read and thrown away, up to `DISCARDED` limits: a client that reads only when it has
    sent everything gets the answer, where a connection that is closed in its face would lose it.

    Parameters
    ----------
    declared
        The header Content-Length.
    chunks
        The body, as it comes.
    limit
        In bytes.

    Raises
    ------
    RequestError
        If the body is longer than the limit.
    """
    size = int(declared) if declared is not None and declared.isdecimal() else None
    if size is not None and size > DISCARDED * limit:
        raise _too_large(f"{size:,} bytes", limit)
    body, count = bytearray(), 0
    async for chunk in chunks:
        count += len(chunk)
        if count <= limit and (size is None or size <= limit):
            body += chunk
        elif count > DISCARDED * limit:
            break
    if count > limit:
        raise _too_large(f"{count:,} bytes" if count <= DISCARDED * limit else f"more than {count:,} bytes", limit)
    return bytes(body)


def _too_large(size: str, limit: int) -> RequestError:
    # The end of an unread body is unknown, so the connection cannot be used again.
    message = f"the body has {size} and the limit is {limit:,}; send fewer pairs at a time"
    return RequestError(413, message, {"Connection": "close"})


def score_pairs(body: bytes, limits: Limits) -> list[Pair]:
    """Return the pairs of a body of ``/score``.

    Raises
    ------
    RequestError
        400 for a body that is not JSON, 422 for a wrong form or a text that is too long, 413 for too many pairs.
    """
    request = _valid(SCORE_REQUEST, body)
    items = request.root if isinstance(request, PairList) else request.pairs
    if len(items) > limits.pairs:
        raise RequestError(
            413, f"the request has {len(items):,} pairs and the limit is {limits.pairs:,}; send them in several"
        )
    pairs = [(item.sentence1, item.sentence2) if isinstance(item, TwoTexts) else item for item in items]
    for place, pair in enumerate(pairs):
        _check_length(pair, f"pairs[{place}]: ", limits)
    return pairs


def explain_pair(body: bytes, limits: Limits) -> Pair:
    """Return the pair of a body of ``/explain``; raises as `score_pairs` does."""
    request = _valid(EXPLAIN_REQUEST, body)
    pair = request.sentence1, request.sentence2
    _check_length(pair, "", limits)
    return pair


def _check_length(pair: Pair, place: str, limits: Limits) -> None:
    for name, text in zip(("first", "second"), pair, strict=True):
        if len(text) > limits.characters:
            raise RequestError(
                422,
                f"{place}the {name} text has {len(text):,} characters and the limit is {limits.characters:,}; "
                "compare its parts",
            )


def _valid(kind: TypeAdapter[Any], body: bytes) -> Any:
    try:
        return kind.validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
    message = first["msg"]
    if first["type"] == "json_invalid":
        message = message.removeprefix("Invalid JSON: ")
        hint = ", perhaps of a lone surrogate" if "hex escape" in message else ""
        raise RequestError(400, f"the body is not JSON in UTF-8: {message}{hint}")
    # The location includes the names of our forms.
    place = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}"
        for part in first["loc"]
        if part not in ("<list>", "<object>")
    ).lstrip(".")
    place = place or "the body"
    if first["type"] == "missing":
        raise RequestError(422, f"{place} is missing")
    raise RequestError(422, f"{place} is {_shown(first['input'])}: {message[0].lower()}{message[1:]}")


def _shown(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
