"""Page of the service: one file that contains its style and script, and a policy that allows nothing else."""

import base64
import hashlib
from importlib.resources import files
from typing import NamedTuple


class Page(NamedTuple):
    """Page and the headers to send with it."""

    html: str
    headers: dict[str, str]


def read_page() -> Page:
    """Return the page.

    Its Content-Security-Policy has the hashes of its own style and script; the page can connect only to this service.
    """
    folder = files("samewise.ensemble.serving").joinpath("data")
    html, style, script = (
        folder.joinpath(f"page.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")
    )
    policy = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": _hash(script),
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return Page(
        html.replace("/* page.css */", style).replace("/* page.js */", script),
        {
            "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
            "Referrer-Policy": "no-referrer",
        },
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
