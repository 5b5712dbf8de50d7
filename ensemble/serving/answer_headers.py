"""Headers of every answer, which restrict what a browser does with it."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""An answer may have other values: the page has a policy that allows its own script."""


class AnswerHeaders:
    """ASGI middleware that adds `HEADERS` to every answer that has no such header of its own.

    Parameters
    ----------
    app
        Application that answers.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request with these headers."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                known = {name.lower() for name, _ in headers}
                message["headers"] = headers + [pair for pair in self._headers if pair[0] not in known]
            await send(message)

        await self._app(scope, receive, send_with_headers)
