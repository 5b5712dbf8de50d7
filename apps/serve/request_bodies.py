"""Bodies of requests as they arrive, and clients that leave."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import TypeVar

from fastapi import Request
from starlette.requests import ClientDisconnect

from .request_errors import RequestError

DISCARDED = 10
"""Bodies of up to this multiple of the limit are read to their end; for longer ones the connection is closed."""


async def read_body(declared: str | None, chunks: AsyncIterator[bytes], limit: int, items: str = "pairs") -> bytes:
    """Return the whole body of a request, of which no more than the limit is ever held."""
    size = int(declared) if declared is not None and declared.isdecimal() else None
    if size is not None and size > DISCARDED * limit:
        raise _too_large(f"{size:,} bytes", limit, items)
    body, count = bytearray(), 0
    async for chunk in chunks:
        count += len(chunk)
        if count <= limit and (size is None or size <= limit):
            body += chunk
        elif count > DISCARDED * limit:
            break
    if count > limit:
        size_read = f"{count:,} bytes" if count <= DISCARDED * limit else f"more than {count:,} bytes"
        raise _too_large(size_read, limit, items)
    return bytes(body)


def _too_large(size: str, limit: int, items: str) -> RequestError:
    # The end of an unread body is unknown, so the connection cannot be used again.
    message = f"the body has {size} and the limit is {limit:,}; send fewer {items} at a time"
    return RequestError(413, message, {"Connection": "close"})


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
