"""Pages of HTML: their frame, the names of parts, and facts of a run."""

import base64
import hashlib
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup


class PartName(NamedTuple):
    """Title of a part, and one line on what it measures or is; the line is empty for a part that is not ours."""

    title: str
    meaning: str

    def note(self, name: str) -> str:
        """Return the line on the part after its name in the code, which commands and tables use."""
        return f"{name}: {self.meaning}" if self.meaning else ""


@cache
def part_names() -> Mapping[str, PartName]:
    """Return the names of all families of features, of the members, and of the rules, by their names in the code."""
    table = tomllib.loads(files(__package__).joinpath("data", "part_names.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: PartName(*texts) for section in table.values() for name, texts in section.items()})


def part_name(name: str) -> PartName:
    """Return the name of a part; for an unknown part, such as a user-supplied family, its name without underscores.

    Columns keep their names, by which patterns choose them.
    """
    return part_names().get(name) or PartName(name if "." in name else name.replace("_", " "), "")


_TITLES = {"train": "training pairs", "dev": "measured on", "quick": "quick fit", "final": "final measurement"}


def fact_texts(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the title and the text of each fact that says something: not None, False or empty."""
    kept = {name: value for name, value in facts.items() if value is not None and value is not False}
    texts = [(_TITLES.get(name, name.replace("_", " ")), _text(value)) for name, value in kept.items()]
    return [(title, text) for title, text in texts if text]


def _text(value: Any) -> str:
    if value is True:
        return "yes"
    if isinstance(value, Mapping):
        return "; ".join(_setting(name, each) for name, each in value.items() if each != {})
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _setting(name: str, value: Any) -> str:
    # Of a member its title and all of its settings, such as "XGBoost with max depth 4, eta 0.1".
    title = part_name(name).title
    if isinstance(value, Mapping):
        return f"{title} with {', '.join(_setting(key, each) for key, each in value.items())}"
    return f"{title} {_text(value)}"


_NOT_HTML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that a document may not hold; lone surrogates could not even be written as UTF-8."""


def render(template: str, *, script: str | None = None, forms: bool = False, **facts: Any) -> str:
    """Return a page of the folder ``data`` as HTML text.

    Every text among the facts is escaped; a character that no HTML document may hold becomes U+FFFD. The
    Content-Security-Policy of the page permits its own style, its own script if a file of the folder is named, forms
    that go back to the server of the page if there are `forms`, and nothing else: no connection, and no image but an
    empty icon.
    """
    style, code = colours() + _read("report.css"), "" if script is None else _read(script)
    allowed = f"; script-src {_source(code)}" if code else ""
    target = "'self'" if forms else "'none'"
    policy = (
        f"default-src 'none'; style-src {_source(style)}{allowed}; img-src data:; base-uri 'none'; form-action {target}"
    )
    parts = {"style": Markup(style), "script": Markup(code), "policy": policy}
    return _NOT_HTML.sub("\ufffd", _environment().get_template(template).render(**parts, **facts))


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def colours() -> str:
    """Return the style sheet of the colours, light and dark, that all pages share."""
    return _read("colours.css")


def check_rows(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> None:
    """Refuse a report without rows or with a row that lacks a key, with ValueError."""
    if not rows:
        raise ValueError("there is nothing to report; give one row or more")
    for k, row in enumerate(rows):
        for key in keys:
            if key not in row:
                raise ValueError(f"row {k} of the report has no {key!r}; its keys are {', '.join(keys)}")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_read), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"signed": signed, "shortened": shortened, "part_name": part_name, "fact_texts": fact_texts}
    return environment


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
