"""Shapes of JSON values: a declaration of the allowed types, and the first fault in a value.

Written here because it is part of loading a model, which takes 0.45 s of processor time and 65 MB with `surface`.
The check itself takes 0.6 ms either way; pydantic 2.14, which spaCy brings, would add 0.25 s for its import and the
schema, and 16 MB (jsonschema brings four further packages and msgspec 0.22 one, and their errors name neither the key
of a mapping nor the value). Tests compare what is accepted with pydantic in its strict mode.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from .._messages import printable

LARGEST_NUMBER = 2.0**53
"""Largest absolute value of a number: up to here whole numbers and floating point numbers are the same everywhere."""

DEEPEST_JSON = 32
"""Most lists and objects inside one another."""


_SURROGATE = re.compile("[\ud800-\udfff]")


class Fault(ValueError):
    """A value of another shape: the path to it, what it must be, and what it is."""

    def __init__(self, path: str, rule: str, value: Any) -> None:
        self.path, self.demand = path.removeprefix("."), f"must be {rule}, got {shown(value)}"
        super().__init__(f"{self.path or 'the value'} {self.demand}")


def _key_of(path: str) -> str:
    return f"a key of {path.removeprefix('.')}" if path else "a key"


def shown(value: Any) -> str:
    """Return a value for a message, cut to some 60 characters."""
    if isinstance(value, list | dict) and value:
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    if isinstance(value, str):
        value = value[:60]
    text = printable(repr(value))
    return text if len(text) <= 60 else f"{text[:60]}…"


class Shape(Protocol):
    """A set of JSON values."""

    def check(self, value: Any, path: str) -> None:
        """Raise a `Fault` if a value is not in the set."""


@dataclass(frozen=True)
class Text:
    """Strings; those that match the whole of a pattern, if there is one."""

    rule: str = "text"
    pattern: re.Pattern[str] | None = None
    longest: int = 1 << 16

    def check(self, value: Any, path: str) -> None:  # noqa: D102
        if type(value) is not str or self.pattern is not None and not self.pattern.fullmatch(value):
            raise Fault(path, self.rule, value)
        if len(value) > self.longest or _SURROGATE.search(value):
            raise Fault(path, f"up to {self.longest} characters that UTF-8 can hold", value)


@dataclass(frozen=True)
class Number:
    """Finite numbers in a range; whole ones alone, if `whole`."""

    least: float = -LARGEST_NUMBER
    most: float = LARGEST_NUMBER
    whole: bool = False

    def check(self, value: Any, path: str) -> None:  # noqa: D102
        kinds = (int,) if self.whole else (int, float)
        if type(value) not in kinds or not self.least <= value <= self.most:
            what = "a whole number" if self.whole else "a number"
            raise Fault(path, f"{what} from {self.least:g} to {self.most:g}", value)


@dataclass(frozen=True)
class Either:
    """Values of any of some shapes; `rule` says it in words."""

    rule: str
    shapes: tuple[Shape, ...]

    def check(self, value: Any, path: str) -> None:  # noqa: D102
        for shape in self.shapes:
            try:
                return shape.check(value, path)
            except Fault:
                continue
        raise Fault(path, self.rule, value)


@dataclass(frozen=True)
class Null:
    """The value null."""

    def check(self, value: Any, path: str) -> None:  # noqa: D102
        if value is not None:
            raise Fault(path, "null", value)


@dataclass(frozen=True)
class Listing:
    """Lists of values of one shape."""

    of: Shape
    least: int = 0
    most: int = 1 << 20

    def check(self, value: Any, path: str) -> None:  # noqa: D102
        if type(value) is not list:
            raise Fault(path, "a list", value)
        if not self.least <= len(value) <= self.most:
            raise Fault(path, f"a list of {self.least} to {self.most} values", value)
        for place, item in enumerate(value):
            self.of.check(item, f"{path}[{place}]")


@dataclass(frozen=True)
class Table:
    """Objects with any keys of one shape and values of another."""

    of: Shape
    keys: Shape = field(default_factory=Text)

    def check(self, value: Any, path: str) -> None:  # noqa: D102
        if type(value) is not dict:
            raise Fault(path, "an object", value)
        for key, item in value.items():
            self.keys.check(key, _key_of(path))
            self.of.check(item, f"{path}.{shown(key)}")


@dataclass(frozen=True)
class Record:
    """Objects with certain keys, and further keys with values of the shape `other`."""

    required: Mapping[str, Shape]
    optional: Mapping[str, Shape] = field(default_factory=dict)
    other: Shape = field(default_factory=lambda: ANY)

    def check(self, value: Any, path: str) -> None:  # noqa: D102
        if type(value) is not dict:
            raise Fault(path, "an object", value)
        for key in self.required:
            if key not in value:
                raise Fault(path, f"an object with the key {key!r}", value)
        for key, item in value.items():
            shape = self.required.get(key) or self.optional.get(key)
            if shape is not None:
                shape.check(item, f"{path}.{key}")
            else:
                ANY_TEXT.check(key, _key_of(path))
                self.other.check(item, f"{path}.{shown(key)}")


@dataclass(frozen=True)
class AnyJson:
    """JSON values, not too deep, of finite numbers and of text."""

    def check(self, value: Any, path: str) -> None:  # noqa: D102
        # Without recursion, and without a path for each value: most of a manifest is checked here.
        level, depth = [value], 0
        while level:
            if depth > DEEPEST_JSON:
                raise Fault(path, f"a value with up to {DEEPEST_JSON} lists and objects inside one another", value)
            below: list[Any] = []
            for item in level:
                if isinstance(item, dict):
                    for key in item:
                        ANY_TEXT.check(key, _key_of(path))
                    below.extend(item.values())
                elif isinstance(item, list):
                    below.extend(item)
                elif type(item) is str:
                    ANY_TEXT.check(item, path)
                elif item is not None and type(item) is not bool and not _is_finite(item):
                    raise Fault(path, "JSON with finite numbers", item)
            level, depth = below, depth + 1


def _is_finite(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 64 or type(value) is float and math.isfinite(value)


ANY: Shape = AnyJson()
ANY_TEXT = Text(longest=1 << 20)
