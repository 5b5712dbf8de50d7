"""Facts of an experiment as texts, for the foot of its report."""

from collections.abc import Mapping
from typing import Any

_TITLES = {"train": "training pairs", "dev": "measured on", "quick": "quick fit", "final": "final measurement"}


def fact_texts(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the title and the text of each fact that says something: not None, False or empty.

    Settings of members are written as the option ``--set`` takes them.
    """
    kept = {name: value for name, value in facts.items() if value is not None and value is not False}
    texts = [(_TITLES.get(name, name.replace("_", " ")), _text(value)) for name, value in kept.items()]
    return [(title, text) for title, text in texts if text]


def _text(value: Any) -> str:
    if value is True:
        return "yes"
    if isinstance(value, Mapping):
        return ", ".join(_assignment(name, each) for name, each in value.items() if each != {})
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _assignment(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}.{key}={each}" for key, each in value.items())
    return f"{name}={value}"
