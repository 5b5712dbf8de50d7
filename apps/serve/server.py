"""Server of the service: binds the port, loads the model, and answers until a signal stops it."""

import os
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

import uvicorn

from ...ensemble.differences.keeping_apart import check_kinds
from ...ensemble.loading import ModelRef
from ...ensemble.scoring.worker_processes import worker_count
from .app import WAITING_PAIRS, create_app
from .connections import HEAD_BYTES, ConnectionLimits, limited
from .requests import Limits
from .responses import App
from .service_workers import WorkerPool

__all__ = ["WAITING_PAIRS", "ConnectionLimits", "Limits", "serve"]

BACKLOG = 2048
"""Number of connections that the system queues before the server accepts them."""

SECONDS_TO_FINISH = 60
"""Time after a stop until unfinished requests are abandoned."""

OTHER_FILES = 100
"""File descriptors that are not connections: those of workers, of the model and of libraries."""


def serve(
    ref: ModelRef,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int | str = "auto",
    limits: Limits | None = None,
    waiting_pairs: int = WAITING_PAIRS,
    connections: ConnectionLimits | None = None,
    allowed_hosts: Sequence[str] = (),
    index: str | None = None,
    keys: Sequence[str] = (),
    keep_apart: Sequence[str] | None = None,
    ready: Callable[[str, str], None] = lambda address, signature: None,
) -> None:
    """Answer requests until SIGINT or SIGTERM, then finish the accepted ones.

    Parameters
    ----------
    ref
        Reference to the model.
    host, port
        Address to listen on; port 0 stands for any free port.
    workers
        Number of processes that score; ``"auto"`` is one for each usable core, as far as memory allows.
    limits
        Limits of each request.
    waiting_pairs
        Largest number of waiting pairs; requests beyond it are answered with 503.
    connections
        Limits of connections; there are no more than the system lets this process open, either.
    allowed_hosts
        Names by which the service may be asked, besides `host`, localhost and IP addresses; see `HostCheck`.
    index
        Folder of an `Index`, whose rows ``/match`` finds.
    keys
        Keys of which requests must carry one; without any, every request is answered.
    keep_apart
        Kinds of differences that keep texts apart in decisions, if a request names none; None for those of the model's
        decision.
    ready
        Function called with the address and the signature of the model once requests are answered.

    Raises
    ------
    ValueError
        If the model or the index cannot be loaded, or kinds are given for a model without a decision.
    OSError
        If the port cannot be used.
    """
    with listening(host, port) as listener:
        pool = WorkerPool(ref, worker_count(workers), index)
        try:
            pool.start()
            kinds = None if keep_apart is None else check_kinds(keep_apart)
            if kinds is not None and not pool.decides:
                raise ValueError(
                    "the model must have a decision if differences are to keep texts apart, got none; make one with "
                    "samewise threshold"
                )
            matcher = None if index is None else pool
            app = create_app(pool, limits, waiting_pairs, (host, *allowed_hosts), matcher, pool, keys, kinds)
            run(app, listener, lambda address: ready(address, pool.signature), connections)
        finally:
            pool.close()


def run(
    app: App, listener: socket.socket, ready: Callable[[str], None], connections: ConnectionLimits | None = None
) -> None:
    """Answer the requests of a bound socket by an application until SIGINT or SIGTERM, then finish the accepted ones.

    The parameters are as for `serve`; `ready` gets the address.
    """
    config = uvicorn.Config(
        app,
        http=limited(_within_files(connections or ConnectionLimits())),
        ws="none",
        h11_max_incomplete_event_size=HEAD_BYTES,
        log_config=None,
        log_level="error",  # warnings are about clients, who could fill a disk with them
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
    )
    server = uvicorn.Server(config)
    with _stopped_by_signals(server):
        # Connections are queued from here on, so every request is answered.
        ready(_address(listener))
        server.run(sockets=[listener])


def _within_files(limits: ConnectionLimits) -> ConnectionLimits:
    try:
        import resource
    except ModuleNotFoundError:  # Windows has no such limit
        return limits
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files == resource.RLIM_INFINITY:
        return limits
    return replace(limits, connections=max(min(limits.connections, files - OTHER_FILES), 1))


@contextmanager
def _stopped_by_signals(server: uvicorn.Server) -> Iterator[None]:
    # uvicorn raises a signal again once it has stopped, but a requested stop is not a failure. The handler also works
    # before uvicorn installs its own.
    def stop(number: int, frame: FrameType | None) -> None:
        server.should_exit = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raises OSError if the port cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        # Python adds the address to the message of the system.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise OSError(
            f"cannot listen on port {port} of {host} ({reason}); choose another with --port or --host"
        ) from error


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
