"""Page of the service: one file that contains its style and script, and a policy that allows nothing else."""

import base64
import hashlib
import json
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
    # Here, because the templates of the reports take a while to import.
    from ..reports.html_pages import colours
    from ..reports.part_names import part_names

    folder = files("samewise.ensemble.serving").joinpath("data")
    html, style, script = (
        folder.joinpath(f"page.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")
    )
    style = colours() + style
    # No text of a name can end the element that holds it.
    names = json.dumps(dict(part_names())).replace("<", "\\u003c")
    return Page(
        html.replace("/* page.css */", style).replace("/* part names */", names).replace("/* page.js */", script),
        document_headers(style, script),
    )


def document_headers(style: str, script: str | None = None) -> dict[str, str]:
    """Return the headers of a page, which allow its own style and script and nothing else."""
    policy = {
        "default-src": "'none'",
        "style-src": _hash(style),
        **({} if script is None else {"script-src": _hash(script), "connect-src": "'self'"}),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "Referrer-Policy": "no-referrer",
    }


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
