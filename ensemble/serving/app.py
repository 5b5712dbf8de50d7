"""ASGI application of the service: its paths, their answers and errors."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol, TypeVar

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from ..core.manifest import installed_version
from ..core.scale import Scale
from . import Pair
from .answer_headers import HEADERS, AnswerHeaders
from .answer_models import Explanation, Health, Life, Scores, bounded, refusals
from .host_names import HostCheck
from .micro_batches import Batcher, QueueFull, WorkerDied
from .page import read_page
from .request_bodies import Limits, RequestError, RequestForms, read_body
from .service_metrics import CONTENT_TYPE_LATEST, CountingMiddleware, Metrics
from .service_workers import NoWorker

T = TypeVar("T")

WAITING_PAIRS = 10_000
"""Largest number of pairs waiting to be scored."""

WAITING_EXPLANATIONS = 100
EXPLAINED_TOGETHER = 8

SECONDS_BETWEEN_CHECKS = 5.0
"""Time until a worker process that died while it was idle is replaced, if nobody asks for its health."""

_REF = "#/components/schemas/{model}"


class Scorer(Protocol):
    """Source of scores and explanations, such as `service_workers.WorkerPool`."""

    signature: str
    languages: Sequence[str]
    scale: Scale
    slots: int

    async def score(self, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        """Return the fields of `Score` for each pair."""
        ...

    async def explain(self, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        """Return the fields of `Explanation` for each pair, except the signature."""
        ...

    async def ready(self) -> int:
        """Return how many workers can score."""
        ...


def create_app(
    scorer: Scorer,
    limits: Limits | None = None,
    waiting_pairs: int = WAITING_PAIRS,
    allowed_hosts: Sequence[str] = (),
) -> FastAPI:
    """Return the service as an ASGI application.

    Parameters
    ----------
    scorer
        The model.
    limits
        Limits of each request.
    waiting_pairs
        Largest number of waiting pairs; requests beyond it are answered with 503.
    allowed_hosts
        Names by which the service may be asked, besides those of this machine and IP addresses; see `HostCheck`.
    """
    limits = limits or Limits()
    metrics = Metrics()
    scoring = Batcher(scorer.score, slots=scorer.slots, waiting_pairs=waiting_pairs, observe=metrics.observe_batch)
    # One batch at a time, so that requests for explanations leave the other workers to scores.
    explaining = Batcher(scorer.explain, slots=1, waiting_pairs=WAITING_EXPLANATIONS, batch_work=EXPLAINED_TOGETHER)
    metrics.watch(lambda: scoring.waiting + explaining.waiting)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with scoring, explaining:
            watching = asyncio.create_task(_watch(scorer))
            yield
            watching.cancel()

    app = FastAPI(
        title="samewise",
        description=_description(scorer.scale),
        version=installed_version("samewise") or "unknown",
        lifespan=lifespan,
        docs_url=None,  # those pages load scripts from another host
        redoc_url=None,
        redirect_slashes=False,  # to the host that the header names
        responses=refusals(400, 408, 500),
    )
    _answer_scores(app, scorer, scoring, explaining, limits)
    _answer_rest(app, scorer, metrics)
    _answer_errors(app)
    paths = ("/", "/score", "/explain", "/health", "/live", "/metrics", "/openapi.json")
    app.add_middleware(HostCheck, allowed=allowed_hosts)
    app.add_middleware(AnswerHeaders)
    app.add_middleware(CountingMiddleware, metrics=metrics, paths=paths)
    return app


def _description(scale: Scale) -> str:
    if scale.binary:
        return "Probability that two sentences match in meaning, from 0 to 1."
    return f"Similarity of two sentences in meaning, from {scale.low:g} (unrelated) to {scale.high:g} (the same)."


async def _watch(scorer: Scorer) -> None:
    while True:
        await asyncio.sleep(SECONDS_BETWEEN_CHECKS)
        await scorer.ready()


async def _while_connected(request: Request, result: Awaitable[T]) -> T:
    # Cancels the result if the client leaves. The body has been read, so that the next message is the disconnection.
    waiting = asyncio.ensure_future(result)

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        waiting.cancel()

    watching = asyncio.create_task(watch())
    try:
        return await waiting
    except asyncio.CancelledError:
        if watching.done():
            raise ClientDisconnect from None
        raise
    finally:
        watching.cancel()
        waiting.cancel()


def _answer_scores(app: FastAPI, scorer: Scorer, scoring: Batcher, explaining: Batcher, limits: Limits) -> None:
    forms = RequestForms(limits)
    score_schema, explain_schema, definitions = forms.schemas(_REF)
    document = app.openapi

    def with_bodies() -> dict[str, Any]:
        # FastAPI does not know the schemas of bodies that it does not read.
        found = document()
        found["components"]["schemas"].update(definitions)
        bounded(found["components"]["schemas"], scorer.scale)
        return found

    app.openapi = with_bodies  # type: ignore[method-assign]

    async def body_of(request: Request) -> bytes:
        encoding = request.headers.get("content-encoding", "identity")
        if encoding.lower() != "identity":
            raise RequestError(415, f"the body must not be compressed, got {ascii(encoding)[:60]}; send it as it is")
        return await read_body(request.headers.get("content-length"), request.stream(), limits.body)

    @app.post(
        "/score",
        response_model=Scores,
        responses=refusals(403, 413, 415, 422, 503),
        openapi_extra=_body(
            score_schema, f"At most {limits.pairs:,} pairs of texts of at most {limits.characters:,} characters."
        ),
    )
    async def score(request: Request) -> Response:
        """Score pairs of texts."""
        pairs = forms.score_pairs(await body_of(request))
        results = await _while_connected(request, scoring.submit(pairs))
        return JSONResponse({"results": results, "signature": scorer.signature})

    @app.post(
        "/explain",
        response_model=Explanation,
        responses=refusals(403, 413, 415, 422, 503),
        openapi_extra=_body(explain_schema, f"Texts of at most {limits.characters:,} characters."),
    )
    async def explain(request: Request) -> Response:
        """Score one pair and explain the score: contributions by family, and the aligned words."""
        pair = forms.explain_pair(await body_of(request))
        [explanation] = await _while_connected(request, explaining.submit([pair]))
        return JSONResponse({**explanation, "signature": scorer.signature})


def _body(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {
        "requestBody": {
            "required": True,
            "description": f"{description} The type of the content is not looked at.",
            "content": {"application/json": {"schema": schema}},
        }
    }


def _answer_rest(app: FastAPI, scorer: Scorer, metrics: Metrics) -> None:
    page = read_page()

    @app.get("/live", response_model=Life)
    async def live() -> Response:
        """Report that the process answers; without this it should be started again."""
        return JSONResponse({"status": "ok"})

    @app.get("/health", response_model=Health, responses=refusals(503))
    async def health() -> Response:
        """Report that the service is ready: a worker process can score."""
        if not await scorer.ready():
            raise NoWorker
        scale = scorer.scale
        facts = {"scale": str(scale), "lowest": scale.low, "highest": scale.high}
        languages = list(scorer.languages)
        return JSONResponse({"status": "ok", "signature": scorer.signature, "languages": languages, **facts})

    @app.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
    async def counted() -> Response:
        """Return the counters in the text format of Prometheus."""
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)

    @app.get("/", response_class=HTMLResponse)
    async def show() -> Response:
        """Return a page for trying out pairs."""
        return HTMLResponse(page.html, headers=page.headers)


def _answer_errors(app: FastAPI) -> None:
    async def answer_refusal(request: Request, error: Any) -> Response:
        return _refusal(error.status, error.message, error.headers)

    async def answer_full_queue(request: Request, error: Any) -> Response:
        return _refusal(503, f"{error}; try again in {error.retry_after} s", {"Retry-After": str(error.retry_after)})

    async def answer_no_worker(request: Request, error: Any) -> Response:
        return _refusal(503, "no worker process is ready; try again in 1 s", {"Retry-After": "1"})

    async def answer_deadly_request(request: Request, error: Any) -> Response:
        # Without Retry-After: it was scored several times, alone at last.
        return _refusal(500, f"{error}; send fewer pairs or shorter texts")

    async def answer_wrong_path(request: Request, error: Any) -> Response:
        path = ascii(request.scope["path"])[:100]
        messages = {
            404: f"the path must be one listed in /openapi.json, got {path}; correct it",
            405: f"the method must be one listed in /openapi.json for {path}, got {request.method[:20]}; use that",
        }
        return _refusal(error.status_code, messages.get(error.status_code, str(error.detail)), error.headers)

    async def answer_lost_client(request: Request, error: Any) -> Response:
        return Response(status_code=499)  # nobody reads the answer, but it is counted

    async def answer_failure(request: Request, error: Any) -> Response:
        return _refusal(500, "the service failed; see its log", HEADERS)  # outside of all middleware

    answers: dict[type[Exception], Callable[[Request, Any], Awaitable[Response]]] = {
        RequestError: answer_refusal,
        QueueFull: answer_full_queue,
        NoWorker: answer_no_worker,
        WorkerDied: answer_deadly_request,
        HTTPException: answer_wrong_path,
        ClientDisconnect: answer_lost_client,
        Exception: answer_failure,
    }
    for kind, answer in answers.items():
        app.add_exception_handler(kind, answer)


def _refusal(status: int, message: str, headers: Any = None) -> Response:
    return JSONResponse({"error": message}, status, headers)
