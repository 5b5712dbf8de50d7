"""The error of bundles."""

from .printable_text import printable


class BundleError(ValueError):
    """A folder that cannot be read or written as a bundle; one printable sentence that names the fault and a remedy."""

    def __init__(self, message: str) -> None:
        # The message may quote a manifest, and may be shown on a terminal.
        super().__init__(printable(message))
