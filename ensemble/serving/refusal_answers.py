"""Answers that refuse a request, in the form that the clients of each path read."""

from collections.abc import Mapping

from fastapi.responses import JSONResponse

OPENAI = "/v1/"
"""Start of the paths whose refusals have the form of OpenAI's API."""


def refusal_to(path: str, status: int, message: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return the answer to a request for a path: a message of one sentence, with its kind under `OPENAI`."""
    error: object = message
    if path.startswith(OPENAI):
        error = {"message": message, "type": "server_error" if status >= 500 else "invalid_request_error"}
    return JSONResponse({"error": error}, status, headers)
