"""ASGI application of the service: its paths, their answers and errors."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel, TypeAdapter
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from ..core.manifest import installed_version
from . import Pair
from .micro_batches import Batcher, QueueFull
from .page import read_page
from .request_bodies import EXPLAIN_REQUEST, SCORE_REQUEST, Limits, RequestError, explain_pair, read_body, score_pairs
from .service_metrics import CONTENT_TYPE_LATEST, CountingMiddleware, Metrics
from .service_workers import WorkerDied

WAITING_PAIRS = 10_000
"""Largest number of pairs waiting to be scored."""

WAITING_EXPLANATIONS = 100
EXPLAINED_TOGETHER = 8

_REF = "#/components/schemas/{model}"


class Scorer(Protocol):
    """Source of scores and explanations, such as `service_workers.WorkerPool`."""

    signature: str
    languages: Sequence[str]
    slots: int

    async def score(self, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        """Return the fields of `Score` for each pair."""
        ...

    async def explain(self, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        """Return the fields of `Explanation` for each pair, except the signature."""
        ...


class Score(BaseModel):
    """Score on 0..5, interval around it, and flags."""

    score: float
    low: float
    high: float
    flags: list[str]


class Scores(BaseModel):
    """Scores in the order of the pairs."""

    results: list[Score]
    signature: str


class Explanation(Score):
    """Explanation of a score: the base and the contributions by family add up to it."""

    base: float | None
    contributions: dict[str, float] | None
    tokens: tuple[list[str], list[str]]
    alignment: list[tuple[int, int]]
    translations: tuple[str | None, str | None]
    note: str | None
    signature: str


class Health(BaseModel):
    """State of the service, signature of the model, and the languages (ISO 639-1) that it reads."""

    status: str
    signature: str
    languages: list[str]


class Refusal(BaseModel):
    """Reason for refusing a request, in one sentence."""

    error: str


class _Application(FastAPI):
    # `request_bodies` reads and checks bodies, so FastAPI does not know their schemas.
    def openapi(self) -> dict[str, Any]:
        document = super().openapi()
        schemas = document["components"]["schemas"]
        for kind in (SCORE_REQUEST, EXPLAIN_REQUEST):
            schemas.update(kind.json_schema(ref_template=_REF).get("$defs", {}))
        return document


def create_app(scorer: Scorer, limits: Limits | None = None, waiting_pairs: int = WAITING_PAIRS) -> FastAPI:
    """Return the service as an ASGI application.

    Parameters
    ----------
    scorer
        The model.
    limits
        Limits of each request.
    waiting_pairs
        Largest number of waiting pairs; requests beyond it are answered with 503.
    """
    limits = limits or Limits()
    metrics = Metrics()
    scoring = Batcher(scorer.score, slots=scorer.slots, waiting_pairs=waiting_pairs, observe=metrics.observe_batch)
    # One batch at a time, so that requests for explanations leave the other workers to scores.
    explaining = Batcher(scorer.explain, slots=1, waiting_pairs=WAITING_EXPLANATIONS, batch_pairs=EXPLAINED_TOGETHER)
    metrics.watch(lambda: scoring.waiting + explaining.waiting)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with scoring, explaining:
            yield

    app = _Application(
        title="samewise",
        description="Similarity of two sentences in meaning, from 0 (unrelated) to 5 (the same).",
        version=installed_version("samewise") or "unknown",
        lifespan=lifespan,
        docs_url=None,  # those pages load scripts from another host
        redoc_url=None,
        responses={"4XX": {"model": Refusal}, "503": {"model": Refusal}},
    )
    _answer_scores(app, scorer, scoring, explaining, limits)
    _answer_rest(app, scorer, metrics)
    _answer_errors(app)
    paths = ("/", "/score", "/explain", "/health", "/metrics", "/openapi.json")
    app.add_middleware(CountingMiddleware, metrics=metrics, paths=paths)
    return app


def _answer_scores(app: FastAPI, scorer: Scorer, scoring: Batcher, explaining: Batcher, limits: Limits) -> None:
    async def body_of(request: Request) -> bytes:
        return await read_body(request.headers.get("content-length"), request.stream(), limits.body)

    @app.post(
        "/score",
        response_model=Scores,
        openapi_extra=_body(
            SCORE_REQUEST, f"At most {limits.pairs:,} pairs of texts of at most {limits.characters:,} characters."
        ),
    )
    async def score(request: Request) -> Response:
        """Score pairs of texts."""
        pairs = score_pairs(await body_of(request), limits)
        return JSONResponse({"results": await scoring.submit(pairs), "signature": scorer.signature})

    @app.post(
        "/explain",
        response_model=Explanation,
        openapi_extra=_body(EXPLAIN_REQUEST, f"Texts of at most {limits.characters:,} characters."),
    )
    async def explain(request: Request) -> Response:
        """Score one pair and explain the score: contributions by family, and the aligned words."""
        pair = explain_pair(await body_of(request), limits)
        [explanation] = await explaining.submit([pair])
        return JSONResponse({**explanation, "signature": scorer.signature})


def _body(kind: TypeAdapter[Any], description: str) -> dict[str, Any]:
    schema = kind.json_schema(ref_template=_REF)
    schema.pop("$defs", None)
    return {
        "requestBody": {
            "required": True,
            "description": description,
            "content": {"application/json": {"schema": schema}},
        }
    }


def _answer_rest(app: FastAPI, scorer: Scorer, metrics: Metrics) -> None:
    page = read_page()

    @app.get("/health", response_model=Health)
    async def health() -> Response:
        """Report that the service is alive."""
        return JSONResponse({"status": "ok", "signature": scorer.signature, "languages": list(scorer.languages)})

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

    async def answer_dead_worker(request: Request, error: Any) -> Response:
        return _refusal(503, str(error), {"Retry-After": "1"})

    async def answer_wrong_path(request: Request, error: Any) -> Response:
        messages = {
            404: f"the path must be one listed in /openapi.json, got {ascii(request.url.path)[:100]}; correct it",
            405: f"the method must be one listed in /openapi.json for {request.url.path}, got {request.method}; "
            "use that",
        }
        return _refusal(error.status_code, messages.get(error.status_code, str(error.detail)), error.headers)

    async def answer_lost_client(request: Request, error: Any) -> Response:
        return Response(status_code=499)  # nobody reads the answer, but it is counted

    async def answer_failure(request: Request, error: Any) -> Response:
        return _refusal(500, "the service failed; see its log")

    answers: dict[type[Exception], Callable[[Request, Any], Awaitable[Response]]] = {
        RequestError: answer_refusal,
        QueueFull: answer_full_queue,
        WorkerDied: answer_dead_worker,
        HTTPException: answer_wrong_path,
        ClientDisconnect: answer_lost_client,
        Exception: answer_failure,
    }
    for kind, answer in answers.items():
        app.add_exception_handler(kind, answer)


def _refusal(status: int, message: str, headers: Any = None) -> Response:
    return JSONResponse({"error": message}, status, headers)
