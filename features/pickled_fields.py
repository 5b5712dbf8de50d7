"""State of a dataclass to pickle or copy: its fields, without what was derived from them and cached."""

from dataclasses import fields
from typing import Any


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by name, for ``__getstate__``.

    Cached properties stand in its ``__dict__`` too. They may be large, or hold a lock, an open session or a pipeline,
    which cannot be pickled; a copy computes them again.
    """
    return {field.name: getattr(value, field.name) for field in fields(value)}
