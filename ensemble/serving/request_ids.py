"""Ids of requests in the header ``X-Request-ID``, by which a client and the log name the same request."""

import logging
import re
from typing import Any

from asgi_correlation_id import CorrelationIdMiddleware
from asgi_correlation_id.context import correlation_id

HEADER = "X-Request-ID"

_VALID = re.compile(r"[A-Za-z0-9._-]{1,128}")


def is_valid_id(text: str) -> bool:
    """Return whether an id of a client is kept: 1 to 128 letters, digits, dots, hyphens and underscores of ASCII."""
    return _VALID.fullmatch(text) is not None


def identified(app: Any) -> None:
    """Add the header to every answer of an application: the id of the client, or a new one of 32 hex digits."""
    # Its warnings are about clients, who could fill a disk with them.
    logging.getLogger("asgi_correlation_id").setLevel(logging.ERROR)
    app.add_middleware(CorrelationIdMiddleware, header_name=HEADER, validator=is_valid_id)


def id_of_request() -> str:
    """Return the id of the request that is being answered; empty outside one."""
    return correlation_id.get() or ""
