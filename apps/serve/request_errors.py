"""Refusal of a request."""


class RequestError(Exception):
    """Refusal of a request.

    Parameters
    ----------
    status
        The HTTP status, 4xx or 5xx.
    message
        One sentence with the offending value and the limit or the remedy.
    headers
        Headers of the answer.
    """

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, headers
