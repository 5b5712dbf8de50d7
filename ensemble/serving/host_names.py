"""Host names that requests may use, so that no page of another site can use the service (DNS rebinding)."""

import ipaddress
import re
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

from starlette.responses import JSONResponse

from .answer_headers import App, Receive, Send

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
    """Return whether a name is an IP address or matches one of the allowed names.

    Parameters
    ----------
    name
        As `host_name` returns it.
    allowed
        Names; ``*.example.com`` stands for the names below example.com, ``*`` for all.
    """
    return is_address(name) or any(
        pattern in ("*", name) or (pattern.startswith("*.") and name.endswith(pattern[1:])) for pattern in allowed
    )


class HostCheck:
    """ASGI middleware that refuses requests for other names, and requests from pages of other sites.

    starlette has a `TrustedHostMiddleware`. This one also allows every IP address, because DNS rebinding needs a name;
    it answers in JSON, as everything else here does; and it looks at the header ``Sec-Fetch-Site``. A test compares the
    two on names.

    Parameters
    ----------
    app
        Application that answers.
    allowed
        Names, as in `is_allowed`, besides those of this machine.
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
        if scope["method"] == "POST" and fields.get(b"sec-fetch-site") == "cross-site":
            return 403, "the request must be sent by a page of this service, got one of another site; do without it"
        return None


def _shown(value: str) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
