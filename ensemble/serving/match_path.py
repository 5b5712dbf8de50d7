"""The path ``/match``: rows of an index that match texts."""

import json
from collections.abc import Sequence
from typing import Any, Protocol

from fastapi import FastAPI, Request
from fastapi.responses import Response

from ..core.scale import Scale
from .answer_models import Matches, bounded, refusals
from .match_requests import AskedText, MatchForm
from .micro_batches import Batcher
from .request_bodies import Limits, RequestError
from .request_handling import body_of, declared_body, extend_document, while_connected

PATH = "/match"


class Matcher(Protocol):
    """Model and index, such as `service_workers.WorkerPool`."""

    signature: str
    scale: Scale
    slots: int
    index_signature: str | None
    index_rows: int

    async def match(self, asked: Sequence[AskedText]) -> list[bytes]:
        """Return for each text the JSON object of `MatchedText`."""
        ...


def answer_matches(app: FastAPI, matcher: Matcher, matching: Batcher, limits: Limits, ref_template: str) -> None:
    """Add the path to an application.

    Parameters
    ----------
    app
        The application.
    matcher, matching
        Model and index, and the queue in front of them.
    limits
        Limits of each request.
    ref_template
        Place of a schema in the OpenAPI document.
    """
    form = MatchForm(limits, matcher.scale)
    schema, definitions = form.schemas(ref_template)
    signatures = json.dumps({"signature": matcher.signature, "index": matcher.index_signature})

    def extend(document: dict[str, Any]) -> None:
        document["components"]["schemas"].update(definitions)
        bounded(document["components"]["schemas"], matcher.scale)

    extend_document(app, extend)

    @app.post(
        PATH,
        response_model=Matches,
        responses=refusals(403, 413, 415, 422, 503),
        openapi_extra=declared_body(
            schema,
            f"Texts of at most {limits.characters:,} characters; the number of texts times top is at most "
            f"{limits.pairs:,}.",
        ),
    )
    async def match(request: Request) -> Response:
        """Find the rows of the index that mean the same as each text."""
        asked = form.asked_texts(await body_of(request, limits.body, "texts"))
        results = await while_connected(request, matching.submit(asked))
        body = b'{"results":[' + b",".join(results) + b"]," + signatures[1:].encode()
        return Response(body, media_type="application/json")


def refuse_matches(app: FastAPI) -> None:
    """Add the path to an application without an index, which refuses it."""

    @app.post(PATH, include_in_schema=False)
    async def match(request: Request) -> Response:
        raise RequestError(404, "the service must have an index to match texts, got none; start it with --index DIR")
