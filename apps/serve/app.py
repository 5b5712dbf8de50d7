"""ASGI application of the service: its paths, their answers and errors."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from typing import Any, Protocol

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from ..._code_version import installed_version
from ...ensemble.core.scale import Scale
from . import Pair
from .access import HEADER, HostCheck, KeyCheck, id_of_request, identified
from .decisions import DecidedPair, Decisions, Kinds
from .match_path import PATH as MATCH_PATH
from .match_path import TEXT_COSTS, Matcher, answer_matches, refuse_matches
from .pages import PATHS as DOCUMENT_PATHS
from .pages import answer_documents, read_page
from .queue import Batcher, QueueFull, WorkerDied
from .ranking_paths import PATHS as RANKING_PATHS
from .ranking_paths import answer_rankings
from .request_bodies import body_of, while_connected
from .request_errors import RequestError
from .requests import Limits, RequestForms, declared_body, extend_document
from .responses import HEADERS, AnswerHeaders, Explanation, Health, Life, Scores, bounded, refusal_to, refusals
from .service_metrics import CONTENT_TYPE_LATEST, CountingMiddleware, Metrics
from .service_workers import NoIndex, NoWorker
from .vector_paths import PATHS as VECTOR_PATHS
from .vector_paths import VECTOR_COSTS, Embedder, answer_embeddings

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
    decides: bool

    async def score(self, pairs: Sequence[Pair | DecidedPair]) -> list[dict[str, Any]]:
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
    matcher: Matcher | None = None,
    embedder: Embedder | None = None,
    keys: Sequence[str] = (),
    keep_apart: Kinds = None,
) -> FastAPI:
    """Return the service as an ASGI application."""
    limits = limits or Limits()
    metrics = Metrics()
    scoring = Batcher(scorer.score, slots=scorer.slots, waiting_pairs=waiting_pairs, observe=metrics.observe_batch)
    # One batch at a time, so that requests for explanations leave the other workers to scores.
    explaining = Batcher(scorer.explain, slots=1, waiting_pairs=WAITING_EXPLANATIONS, batch_work=EXPLAINED_TOGETHER)
    matching = None if matcher is None else _matching(matcher, waiting_pairs, metrics)
    embedding = None if embedder is None else _embedding(embedder, waiting_pairs)
    metrics.watch(lambda: scoring.waiting + explaining.waiting, lambda: 0 if matching is None else matching.waiting)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with scoring, explaining, matching or nullcontext(), embedding or nullcontext():
            watching = asyncio.create_task(_watch(scorer))
            yield
            watching.cancel()

    app = FastAPI(
        title="samewise",
        description=_description(scorer.scale),
        version=installed_version("samewise") or "unknown",
        lifespan=lifespan,
        docs_url=None,  # those pages load scripts from another host; `pages` has one that does not
        redoc_url=None,
        redirect_slashes=False,  # to the host that the header names
        responses=refusals(400, 408, 500),
    )
    decisions = Decisions(scorer.decides, keep_apart)
    _answer_scores(app, scorer, scoring, explaining, RequestForms(limits, decisions), limits)
    if matcher is not None and matching is not None:
        answer_matches(app, matcher, matching, limits, _REF, decisions)
    else:
        refuse_matches(app)
    if embedding is not None:
        answer_embeddings(app, embedding, limits, _REF)
    answer_rankings(app, scoring, scorer.scale, scorer.signature, limits, _REF)
    _answer_rest(app, scorer, metrics, matcher)
    answer_documents(app, bool(keys))
    _answer_errors(app)
    own = ("/", "/score", "/explain", "/health", "/live", "/metrics", *DOCUMENT_PATHS)
    paths = (*own, MATCH_PATH, *RANKING_PATHS, *VECTOR_PATHS)
    if keys:
        app.add_middleware(KeyCheck, keys=keys)
    app.add_middleware(HostCheck, allowed=allowed_hosts)
    app.add_middleware(AnswerHeaders)
    app.add_middleware(CountingMiddleware, metrics=metrics, paths=paths)
    identified(app)
    return app


def _matching(matcher: Matcher, waiting_pairs: int, metrics: Metrics) -> Batcher:
    return Batcher(
        matcher.match,
        slots=matcher.slots,
        waiting_pairs=waiting_pairs,
        observe=metrics.observe_texts,
        costs=TEXT_COSTS,
    )


def _embedding(embedder: Embedder, waiting_pairs: int) -> Batcher:
    return Batcher(embedder.embed, slots=embedder.slots, waiting_pairs=waiting_pairs, costs=VECTOR_COSTS)


def _description(scale: Scale) -> str:
    if scale.binary:
        return "Probability that two sentences match in meaning, from 0 to 1."
    return f"Similarity of two sentences in meaning, from {scale.low:g} (unrelated) to {scale.high:g} (the same)."


async def _watch(scorer: Scorer) -> None:
    while True:
        await asyncio.sleep(SECONDS_BETWEEN_CHECKS)
        await scorer.ready()


def _answer_scores(
    app: FastAPI, scorer: Scorer, scoring: Batcher, explaining: Batcher, forms: RequestForms, limits: Limits
) -> None:
    score_schema, explain_schema, definitions = forms.schemas(_REF)

    def extend(document: dict[str, Any]) -> None:
        document["components"]["schemas"].update(definitions)
        bounded(document["components"]["schemas"], scorer.scale)

    extend_document(app, extend)

    @app.post(
        "/score",
        response_model=Scores,
        responses=refusals(403, 413, 415, 422, 503),
        openapi_extra=declared_body(
            score_schema, f"At most {limits.pairs:,} pairs of texts of at most {limits.characters:,} characters."
        ),
    )
    async def score(request: Request) -> Response:
        """Score pairs of texts, or texts with several references, and decide about them if asked."""
        asked = forms.asked_scores(await body_of(request, limits.body))
        results = asked.best(await while_connected(request, scoring.submit(asked.pairs)))
        return JSONResponse({"results": results, "signature": scorer.signature})

    @app.post(
        "/explain",
        response_model=Explanation,
        responses=refusals(403, 413, 415, 422, 503),
        openapi_extra=declared_body(explain_schema, f"Texts of at most {limits.characters:,} characters."),
    )
    async def explain(request: Request) -> Response:
        """Score one pair and explain the score: contributions by family, and the aligned words."""
        pair = forms.explain_pair(await body_of(request, limits.body))
        [explanation] = await while_connected(request, explaining.submit([pair]))
        return JSONResponse({**explanation, "signature": scorer.signature})


def _answer_rest(app: FastAPI, scorer: Scorer, metrics: Metrics, matcher: Matcher | None) -> None:
    page = read_page()
    index = None if matcher is None else {"signature": matcher.index_signature, "rows": matcher.index_rows}

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
        return JSONResponse(
            {"status": "ok", "signature": scorer.signature, "languages": languages, **facts, "index": index}
        )

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
        return _refusal(request, error.status, error.message, error.headers)

    async def answer_full_queue(request: Request, error: Any) -> Response:
        headers = {"Retry-After": str(error.retry_after)}
        return _refusal(request, 503, f"{error}; try again in {error.retry_after} s", headers)

    async def answer_no_worker(request: Request, error: Any) -> Response:
        return _refusal(request, 503, "no worker process is ready; try again in 1 s", {"Retry-After": "1"})

    async def answer_no_index(request: Request, error: Any) -> Response:
        return _refusal(request, 503, str(error))  # without Retry-After: it does not pass

    async def answer_deadly_request(request: Request, error: Any) -> Response:
        # Without Retry-After: the request was tried several times, at last alone.
        return _refusal(request, 500, f"{error}; send fewer pairs or shorter texts")

    async def answer_wrong_path(request: Request, error: Any) -> Response:
        path = ascii(request.scope["path"])[:100]
        messages = {
            404: f"the path must be one listed in /openapi.json, got {path}; correct it",
            405: f"the method must be one listed in /openapi.json for {path}, got {request.method[:20]}; use that",
        }
        return _refusal(request, error.status_code, messages.get(error.status_code, str(error.detail)), error.headers)

    async def answer_lost_client(request: Request, error: Any) -> Response:
        return Response(status_code=499)  # nobody reads the answer, but it is counted

    async def answer_failure(request: Request, error: Any) -> Response:
        # Outside of all middleware.
        found = id_of_request()
        print(f"samewise: request {found} failed", file=sys.stderr, flush=True)
        return _refusal(request, 500, "the service failed; see its log", {**HEADERS, HEADER: found})

    answers: dict[type[Exception], Callable[[Request, Any], Awaitable[Response]]] = {
        RequestError: answer_refusal,
        QueueFull: answer_full_queue,
        NoWorker: answer_no_worker,
        NoIndex: answer_no_index,
        WorkerDied: answer_deadly_request,
        HTTPException: answer_wrong_path,
        ClientDisconnect: answer_lost_client,
        Exception: answer_failure,
    }
    for kind, answer in answers.items():
        app.add_exception_handler(kind, answer)


def _refusal(request: Request, status: int, message: str, headers: Any = None) -> Response:
    return refusal_to(request.scope["path"], status, message, headers)
