"""Metrics of the service in the text format of Prometheus."""

import time
from collections.abc import Callable, Collection, MutableMapping
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from .responses import App, Message, Receive, Send

__all__ = ["CONTENT_TYPE_LATEST", "CountingMiddleware", "Metrics"]

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 60.0)
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)

OTHER = "other"
"""Label of all unknown paths, so that a scanner cannot create new time series."""


class Metrics:
    """Counters of one service, separate from others in the same process.

    Attributes
    ----------
    requests
        Number of answered requests by path and status.
    seconds
        Duration of requests by path.
    pairs
        Number of scored pairs.
    batches
        Number of pairs in each scored batch.
    texts
        Number of texts matched with the index.
    """

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self.requests = Counter("samewise_requests", "Requests answered.", ["path", "status"], registry=registry)
        self.seconds = Histogram(
            "samewise_request_seconds", "Seconds to an answer.", ["path"], buckets=SECONDS, registry=registry
        )
        self.pairs = Counter("samewise_pairs", "Pairs scored.", registry=registry)
        self.batches = Histogram("samewise_batch_pairs", "Pairs scored together.", buckets=BATCHES, registry=registry)
        self.texts = Counter("samewise_texts", "Texts matched with the index.", registry=registry)
        self._waiting = Gauge("samewise_queue_pairs", "Pairs that wait.", registry=registry)
        self._waiting_texts = Gauge("samewise_queue_texts", "Texts that wait to be matched.", registry=registry)

    def watch(self, pairs: Callable[[], int], texts: Callable[[], int]) -> None:
        """Use these functions for the numbers of waiting pairs and texts."""
        self._waiting.set_function(pairs)
        self._waiting_texts.set_function(texts)

    def observe_batch(self, pairs: int) -> None:
        """Count a scored batch."""
        self.pairs.inc(pairs)
        self.batches.observe(pairs)

    def observe_texts(self, texts: int) -> None:
        """Count texts matched together."""
        self.texts.inc(texts)

    def text(self) -> bytes:
        """Return all counters as text."""
        return generate_latest(self._registry)


class CountingMiddleware:
    """ASGI middleware that counts and times the answers.

    Parameters
    ----------
    app
        Application that answers.
    metrics
        Metrics to update.
    paths
        Paths of the application.
    """

    def __init__(self, app: App, metrics: Metrics, paths: Collection[str]) -> None:
        self._app, self._metrics, self._paths = app, metrics, frozenset(paths)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request and count it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = "500"  # sent outside this middleware for an uncaught error
        started = time.perf_counter()

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        path = scope["path"] if scope["path"] in self._paths else OTHER
        try:
            await self._app(scope, receive, send_and_note)
        finally:
            self._metrics.requests.labels(path, status).inc()
            self._metrics.seconds.labels(path).observe(time.perf_counter() - started)
