"""HTTP connections with deadlines: a client that is slow to send or to read is cut off, and makes room for others."""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .responses import HEADERS

HEAD_BYTES = 16_384
"""Largest head of a request; it is also fed to the parser in pieces of this size, so that no longer one is parsed."""

PIECES = 20_000
"""Most pieces in which a body may come: each chunk of a chunked body takes 30 µs of a processor, even one of a byte."""


@dataclass(frozen=True)
class ConnectionLimits:
    """Limits of connections.

    Attributes
    ----------
    connections
        Number of open connections.
    head, body
        Seconds to send the head of a request, from the start of the connection or from its first byte; and its body.
    answer
        Seconds to read an answer.
    stop
        Seconds of each of these once the service stops.
    """

    connections: int = 1_000
    head: float = 10.0
    body: float = 30.0
    answer: float = 30.0
    stop: float = 3.0


class _Parser(h11.Connection):
    # An h11 connection that refuses a body of two lengths, of which a proxy may read the other, or of too many pieces.
    def __init__(self) -> None:
        super().__init__(h11.SERVER, HEAD_BYTES)
        self.pieces = 0

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            if {b"content-length", b"transfer-encoding"} <= {name for name, _ in event.headers}:
                raise h11.RemoteProtocolError("a body with both Content-Length and Transfer-Encoding")
        elif isinstance(event, h11.Data):
            self.pieces += 1
            if self.pieces > PIECES:
                raise h11.RemoteProtocolError(f"a body in more than {PIECES:,} pieces")
        return event

    def start_next_cycle(self) -> None:
        super().start_next_cycle()
        self.pieces = 0


class Connection(H11Protocol):
    """Connection of uvicorn, with deadlines for what uvicorn 0.54 waits for without end.

    uvicorn limits only the time between two requests, and the number of requests at a time by refusing
    the latest ones, honest ones among many slow ones too.

    `limited` makes the class for one service; uvicorn makes an object of it for each connection.
    """

    limits: ClassVar[ConnectionLimits]
    _reading: ClassVar[dict["Connection", None]]
    _idle: ClassVar[dict["Connection", None]]

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = _Parser()
        self._phase = ""
        self._answers = 0
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, if need be by closing the one that has been slowest to send its request."""
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            slowest = next(iter(self._reading), None) or next(iter(self._idle), None)
            if slowest is None:
                message = f"{self.limits.connections:,} connections wait for answers; try again in 1 s"
                self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, message, "retry-after: 1\r\n")
                return
            slowest._enter("")
            self.connections.discard(slowest)
            slowest.transport.abort()
        self._follow("head")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._enter("")
        for timer in self._timers.values():
            timer.cancel()

    def data_received(self, data: bytes) -> None:
        """Parse what came, and set the deadline for the rest."""
        for begin in range(0, len(data), HEAD_BYTES):
            if self.transport.is_closing():
                return
            super().data_received(data[begin : begin + HEAD_BYTES])
        self._follow("head")

    def on_response_complete(self) -> None:
        """Go on to the next request, and set the deadline for reading the answer."""
        self._answers += 1
        super().on_response_complete()
        self._follow("head" if self.conn.trailing_data[0] else "idle")
        if self.transport.get_write_buffer_size():
            self._start("answer", self.limits.answer, self._check_answer, self._answers)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        message = "the request must be HTTP/1.1 with a body of one length and few pieces; correct it"
        self._refuse(HTTPStatus.BAD_REQUEST, message)

    def shutdown(self) -> None:
        """Close the connection, or let it finish the request that it has begun to send or answer."""
        with suppress(h11.LocalProtocolError):  # of a connection that was refused and is closing
            super().shutdown()
        if self in self._reading:
            self._start("read", self.limits.stop, self._give_up)
        elif self.transport.is_closing():
            self._start("answer", self.limits.stop, self.transport.abort)

    def _follow(self, between: str) -> None:
        # `between` is the phase if no request has begun.
        state = self.conn.their_state
        if self.transport.is_closing():
            self._enter("")
        elif state is h11.SEND_BODY:
            self._enter("body")
        else:
            self._enter(between if state is h11.IDLE else "")

    def _enter(self, phase: str) -> None:
        if phase == self._phase:
            return  # a deadline does not move with each byte
        self._phase = phase
        self._stop("read")
        self._reading.pop(self, None)
        self._idle.pop(self, None)
        if phase == "idle":
            self._idle[self] = None
        elif phase:
            self._reading[self] = None
            self._start("read", getattr(self.limits, phase), self._give_up)

    def _give_up(self) -> None:
        part = "head" if self._phase == "head" else "body"
        message = f"the {part} of the request must come within {getattr(self.limits, part):.0f} s; send it faster"
        self._refuse(HTTPStatus.REQUEST_TIMEOUT, message)

    def _check_answer(self, answers: int) -> None:
        if not self.transport.get_write_buffer_size():
            return
        if answers == self._answers:
            self.transport.abort()
        else:
            self._start("answer", self.limits.answer, self._check_answer, self._answers)

    def _refuse(self, status: HTTPStatus, message: str, more: str = "") -> None:
        # Without h11, which answers a request only when it is complete.
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = json.dumps({"error": message})
            head = "".join(f"{name.lower()}: {value}\r\n" for name, value in HEADERS.items())
            self.transport.write(
                f"HTTP/1.1 {status} {status.phrase}\r\ncontent-type: application/json\r\n"
                f"content-length: {len(body)}\r\nconnection: close\r\n{head}{more}\r\n{body}".encode()
            )
        self._enter("")
        self.transport.close()
        self._start("answer", self.limits.stop, self.transport.abort)

    def _start(self, name: str, seconds: float, then: Any, *arguments: Any) -> None:
        self._stop(name)
        self._timers[name] = self.loop.call_later(seconds, then, *arguments)

    def _stop(self, name: str) -> None:
        if timer := self._timers.pop(name, None):
            timer.cancel()


def limited(limits: ConnectionLimits) -> type[Connection]:
    """Return the class of the connections of one service."""
    return type("LimitedConnection", (Connection,), {"limits": limits, "_reading": {}, "_idle": {}})
