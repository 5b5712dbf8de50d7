"""Access to the service: keys, names of hosts, and numbers of requests."""

import hmac
import ipaddress
import logging
import os
import re
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from asgi_correlation_id import CorrelationIdMiddleware
from asgi_correlation_id.context import correlation_id
from starlette.responses import JSONResponse

from .responses import App, Receive, Send, refusal_to

VARIABLE = "SAMEWISE_API_KEY"
"""Environment variable with one key."""

SHORTEST = 16
"""Characters that a key has at least."""

OPEN = frozenset({"/", "/docs", "/health", "/live", "/openapi.json"})
"""Paths that need no key: they score nothing, and programs that watch a service ask some of them."""

SCHEME = "api_key"
"""Name of the scheme in the OpenAPI document."""


def read_keys(file: Path | None, environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the keys of a file, one a line, and of the environment; none if neither is given."""
    # An empty variable is refused as too short: without keys the service would be open by accident.
    keys = [environment[VARIABLE].strip()] if VARIABLE in environment else []
    if file is not None:
        lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
        listed = [line for line in lines if line and not line.startswith("#")]
        if not listed:
            raise ValueError(f"{str(file)!r} must hold a key on a line of its own, got none; write one")
        keys += listed
    for key in keys:
        if len(key) < SHORTEST or not all("!" <= character <= "~" for character in key):
            raise ValueError(
                f"a key must be {SHORTEST} or more visible ASCII characters, got {len(key)} characters; make one with "
                "python -c 'import secrets; print(secrets.token_urlsafe(32))'"
            )
    return tuple(dict.fromkeys(keys))


class KeyCheck:
    """ASGI middleware that answers requests without a key with 401, except for the paths `OPEN`."""

    def __init__(self, app: App, keys: Sequence[str]) -> None:
        self._app = app
        self._keys = [key.encode() for key in keys]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request with a key, and refuse others."""
        if scope["type"] != "http" or scope["path"] in OPEN or self._has_key(scope):
            await self._app(scope, receive, send)
            return
        # The body is not read, so the connection cannot be used again.
        headers = {"WWW-Authenticate": "Bearer", "Connection": "close"}
        message = "the header Authorization must be Bearer and a key of this service, got none that it knows; add one"
        await refusal_to(scope["path"], 401, message, headers)(scope, receive, send)

    def _has_key(self, scope: Mapping[str, Any]) -> bool:
        given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        scheme, _, key = given.partition(b" ")
        # Every key is compared, so that the time reveals nothing about the key that fits.
        found = [hmac.compare_digest(key.strip(), known) for known in self._keys]
        return scheme.lower() == b"bearer" and any(found)


def declare_keys(document: dict[str, Any]) -> None:
    """Add the scheme of the keys to an OpenAPI document, and to its paths that need one, in place."""
    document["components"]["securitySchemes"] = {SCHEME: {"type": "http", "scheme": "bearer"}}
    for path, operations in document["paths"].items():
        if path not in OPEN:
            for operation in operations.values():
                operation["security"] = [{SCHEME: []}]
                operation["responses"]["401"] = {"description": "The request has no key that the service knows."}


LOCAL = ("localhost", "*.localhost")
"""Names that stand for this machine in every browser."""

_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[^\[\]:/?#@\s]+)(:[0-9]{0,5})?", re.ASCII)


def host_name(host: str) -> str | None:
    """Return the name in lower case of a header ``Host``, without brackets and port; None if it has no such form."""
    found = _HOST.fullmatch(host)
    return found["name"].strip("[]").removesuffix(".").lower() if found else None


def is_address(name: str) -> bool:
    """Return whether a name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_allowed(name: str, allowed: Sequence[str]) -> bool:
    """Return whether a name is an IP address or matches one of the allowed names."""
    return is_address(name) or any(
        pattern in ("*", name) or (pattern.startswith("*.") and name.endswith(pattern[1:])) for pattern in allowed
    )


class HostCheck:
    """ASGI middleware that refuses requests for other names, and requests from pages of other sites.

    starlette has a `TrustedHostMiddleware`. This one also allows every IP address, because DNS rebinding needs a name;
    it answers in JSON, as everything else here does; and it looks at the header ``Sec-Fetch-Site``. A test compares the
    two on names.
    """

    def __init__(self, app: App, allowed: Sequence[str] = ()) -> None:
        self._app = app
        self._allowed = (*LOCAL, *(name.lower() for name in allowed))

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request that is allowed, and refuse others."""
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            # The body is not read, so the connection cannot be used again.
            status, message = refusal
            await JSONResponse({"error": message}, status, {"Connection": "close"})(scope, receive, send)

    def _refusal(self, scope: Mapping[str, Any]) -> tuple[int, str] | None:
        fields = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = fields.get(b"host", "")
        name = host_name(host)
        if name is None or not is_allowed(name, self._allowed):
            return (
                400,
                f"the header Host must be an IP address or a name in --allowed-hosts, got {_shown(host)}; add the name",
            )
        # Browsers set this header, and no page can change it.
        if scope["method"] == "POST" and fields.get(b"sec-fetch-site") in ("cross-site", "same-site"):
            return 403, "the request must be sent by a page of this service, got one of another site; do without it"
        return None


def _shown(value: str) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


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
