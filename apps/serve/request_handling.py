"""Handling of requests that all paths share: the body, a client that leaves, and the declaration."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from starlette.requests import ClientDisconnect

from .request_bodies import RequestError, read_body

T = TypeVar("T")


async def body_of(request: Request, limit: int, items: str = "pairs") -> bytes:
    """Return the body of a request; the parameters are those of `read_body`.

    Raises
    ------
    RequestError
        415 if it is compressed, 413 if it is longer than the limit.
    """
    encoding = request.headers.get("content-encoding", "identity")
    if encoding.lower() != "identity":
        raise RequestError(415, f"the body must not be compressed, got {ascii(encoding)[:60]}; send it as it is")
    return await read_body(request.headers.get("content-length"), request.stream(), limit, items)


async def while_connected(request: Request, result: Awaitable[T]) -> T:
    """Return a result, or cancel it if the client leaves; the body must have been read.

    Raises
    ------
    ClientDisconnect
        If the client left.
    """
    # The body has been read, so that the next message is the disconnection.
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


def extend_document(app: FastAPI, extend: Callable[[dict[str, Any]], object]) -> None:
    """Extend the OpenAPI document of an application by what FastAPI does not know, such as the forms of bodies.

    Parameters
    ----------
    app
        The application.
    extend
        Function that changes the document in place. It is called for each request for the document.
    """
    document = app.openapi

    def extended() -> dict[str, Any]:
        found = document()
        extend(found)
        return found

    app.openapi = extended  # type: ignore[method-assign]


def declared_body(schema: dict[str, Any], description: str) -> dict[str, Any]:
    """Return the declaration of a body that FastAPI does not read."""
    return {
        "requestBody": {
            "required": True,
            "description": f"{description} The type of the content is not looked at.",
            "content": {"application/json": {"schema": schema}},
        }
    }
