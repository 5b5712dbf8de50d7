"""Parts of the site that are made from code and data: the references, the map of the modules, and two large tables.

A page says where its part goes with a comment, ``<!-- generated -->``, which readers of the files do not see.
"""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import make_features
import make_systems
from make_house import house_map
from sphinx.ext.autodoc.mock import mock
from sphinx.pycode import ModuleAnalyzer

HERE = Path(__file__).parent
PUBLIC = ("samewise", "samewise.ensemble", "samewise.features")
"""Modules whose ``__all__`` is documented as a whole."""

_PLACE = "<!-- generated -->"
_PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
_LIST_OF_COMMANDS = re.compile(r"\*\*Commands\*\*:\n\n(?:\* .*\n)+\n")


def reference() -> str:
    """Return the reference of Python: the public names, then those that other pages import."""
    sections: dict[str, list[tuple[str, object]]] = {}
    documented: list[object] = []
    for module, name in [*_public_names(), *imported_names()]:
        value = getattr(importlib.import_module(module), name)
        if not any(value is other for other in documented):
            documented.append(value)
            sections.setdefault(module, []).append((name, value))
    return "\n".join(_section(module, members) for module, members in sections.items())


def _public_names() -> Iterator[tuple[str, str]]:
    for module in PUBLIC:
        for name in importlib.import_module(module).__all__:
            yield module, name


def imported_names() -> list[tuple[str, str]]:
    """Return the modules and names that blocks of Python on the pages import from samewise, sorted.

    The page that adds parts is left out: it imports the parts themselves, and what their tests need.
    """
    names = set()
    for page in sorted(HERE.glob("*.md")):
        if page.name == "extending.md":
            continue
        for block in _PYTHON.findall(page.read_text(encoding="utf-8")):
            for node in ast.walk(ast.parse(block)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("samewise."):
                    names |= {(str(node.module), alias.name) for alias in node.names}
    return sorted(names)


def _section(module: str, members: list[tuple[str, object]]) -> str:
    directives = dict(filter(None, (_directive(module, *member) for member in members)))
    names = "\n".join(f"   {name}" for name in directives)
    parts = [f".. currentmodule:: {module}", f".. autosummary::\n   :nosignatures:\n\n{names}", *directives.values()]
    return f"## {module}\n\n```{{eval-rst}}\n" + "\n\n".join(parts) + "\n```\n"


def _directive(module: str, name: str, value: object) -> tuple[str, str] | None:
    if inspect.isclass(value):
        return name, f".. autoclass:: {name}\n   :members:"
    if callable(value):
        return name, f".. autofunction:: {name}"
    home = _home(module, name, value)
    if home is None:
        return None  # without a text; the page that imports it tells what it is
    return f"{home}.{name}".removeprefix(f"{module}."), f".. autodata:: {home}.{name}\n   :no-value:"


def _home(module: str, name: str, value: object) -> str | None:
    # The text of a constant stands beside its definition, which may be in another module than the public one.
    ours = [module, *sorted(other for other in sys.modules if other.startswith("samewise."))]
    homes = (home for home in ours if getattr(sys.modules[home], name, None) is value)
    return next((home for home in homes if ("", name) in ModuleAnalyzer.for_module(home).find_attr_docs()), None)


def commands() -> str:
    """Return the help of every command, as Typer writes it for documentation."""
    words = [sys.executable, "-m", "typer", "samewise.ensemble.commands.cli", "utils", "docs", "--name", "samewise"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=True)
    _, _, text = _LIST_OF_COMMANDS.sub("", done.stdout).partition("\n\n")
    return text


_PARTS = {
    "docs/api": reference,
    "docs/commands": commands,
    "docs/features": make_features.tables,
    "docs/house": house_map,
    "docs/systems": make_systems.tables,
}


def _fill(app: Any, page: str, source: list[str]) -> None:
    if page in _PARTS:
        before, after = source[0].split(_PLACE)
        # Adapters of libraries are documented where these are not installed.
        with mock(app.config.autodoc_mock_imports):
            source[0] = f"{before}{_PARTS[page]()}{after}"


def _skip(app: Any, kind: str, name: str, member: object, skip: bool, options: object) -> bool | None:
    # Methods that scikit-learn adds to estimators, whose docstrings refer to its own site; fields of named tuples.
    added = getattr(member, "__module__", "samewise").startswith("sklearn.")
    return True if added or (member.__doc__ or "").startswith("Alias for field number") else None


def setup(app: Any) -> dict[str, bool]:
    """Make the parts when Sphinx reads their pages."""
    app.connect("source-read", _fill)
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
