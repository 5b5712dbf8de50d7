"""Keys that requests must carry, if the service is started with keys."""

import hmac
import os
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from .answer_headers import App, Receive, Send
from .refusal_answers import refusal_to

VARIABLE = "SAMEWISE_API_KEY"
"""Environment variable with one key."""

SHORTEST = 16
"""Characters that a key has at least."""

OPEN = frozenset({"/", "/docs", "/health", "/live", "/openapi.json"})
"""Paths that need no key: they score nothing, and programs that watch a service ask some of them."""

SCHEME = "api_key"
"""Name of the scheme in the OpenAPI document."""


def read_keys(file: Path | None, environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the keys of a file, one a line, and of the environment; none if neither is given.

    Parameters
    ----------
    file
        Path of the file. Blank lines and lines that begin with ``#`` are left out. With two keys in it, clients can
        change from one to the other while both hold.
    environment
        Variables of the environment; `VARIABLE` has one key.

    Raises
    ------
    ValueError
        If the file holds no key, or a key is too short or has other characters than visible ASCII. No message quotes
        a key.
    OSError
        If the file cannot be read.
    """
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
    """ASGI middleware that answers requests without a key with 401, except for the paths `OPEN`.

    A key comes in the header ``Authorization: Bearer KEY``, as clients of OpenAI and of text-embeddings-inference send
    it. Every key is compared in constant time.

    Parameters
    ----------
    app
        Application that answers.
    keys
        The keys, at least one.
    """

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
