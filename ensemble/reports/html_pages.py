"""From a template and its facts to one HTML file: texts escaped, style inside, a policy that lets nothing else in."""

import base64
import hashlib
import math
import re
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

_NOT_HTML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that a document may not hold; lone surrogates could not even be written as UTF-8."""


def render(template: str, **facts: Any) -> str:
    """Return a page of the folder ``data`` as HTML text.

    Every text among the facts is escaped; what no HTML document may hold becomes U+FFFD. The Content-Security-Policy
    inside the page permits its own style and nothing else: no script, no connection, no image but an empty icon.
    """
    style = _read("report.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    page = _environment().get_template(template).render(style=Markup(style), policy=policy, **facts)
    return _NOT_HTML.sub("\ufffd", page)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(_read), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {"signed": signed, "shortened": shortened}
    return made


@cache
def _read(name: str) -> str:
    return files(__package__).joinpath("data", name).read_text(encoding="utf-8")


def signed(value: float, digits: int = 2) -> str:
    """Return a number with its sign, a true minus and never minus zero; an empty text for NaN."""
    if math.isnan(value):
        return ""
    size = f"{abs(value):.{digits}f}"
    return ("\u2212" if value < 0 and float(size) else "+") + size


def shortened(text: str, most: int = 1_000) -> str:
    """Return a text, or its beginning with a note of its length if it is longer than `most` characters."""
    return text if len(text) <= most else f"{text[:most]}\u2026 ({len(text):,} characters)"
