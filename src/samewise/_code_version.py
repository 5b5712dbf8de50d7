"""Digests of installed code, which key caches and unfinished runs; models record values of features instead."""

import hashlib
import inspect
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_PACKAGE = __name__.partition(".")[0]


def installed_version(name: str) -> str | None:
    """Return the version of an installed distribution, or None."""
    from importlib.metadata import PackageNotFoundError, version  # late: no score needs it

    try:
        return version(name)
    except PackageNotFoundError:
        return None


@cache
def package_digest() -> str:
    """Return a hex digest of 16 characters of the version of the package, its modules and its word lists."""
    digest = hashlib.sha256(str(installed_version(_PACKAGE)).encode())
    for top in ("features", "models", "ensemble", "apps", "research"):
        spec = find_spec(f"{_PACKAGE}.{top}")
        assert spec is not None and spec.submodule_search_locations
        folder = Path(spec.submodule_search_locations[0])
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("data/*.txt")]):
            name = f"{top}/{path.relative_to(folder).as_posix()}\0"
            digest.update(name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def code_digest(value: Callable[..., Any]) -> str:
    """Return a digest of the package, and of the file of a function or class that is not part of it."""
    package = package_digest()
    if value.__module__.startswith(f"{_PACKAGE}."):
        return package
    try:
        code = Path(inspect.getfile(inspect.unwrap(value))).read_bytes()
    except (OSError, TypeError) as error:
        raise ValueError(
            f"the code of {value.__qualname__} must be in a readable file ({error}); save it as one to use a cache"
        ) from None
    return hashlib.sha256(package.encode() + code).hexdigest()[:16]
