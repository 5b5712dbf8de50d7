"""The structure of the package: no circle of files or folders, and no import upward."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from .conftest import ROOT

TOPS = {"samewise": "src/samewise"} | {
    f"samewise.{top}": top for top in ("features", "models", "ensemble", "apps", "research")
}

FLOORS = (
    *("_code_version", "_files", "_messages", "_notebook_html"),
    *("features.arrays", "features.base", "features.linguistics", "features.statistics", "features.lexicon"),
    *("features.analysis", "features.strings", "features.alignment", "features.word_similarity"),
    *("features.encoders", "features.pipeline", "features.families"),
    "models",
    *("ensemble.differences", "ensemble.contrasts", "ensemble.core", "ensemble.multilingual", "ensemble.loading"),
    *("ensemble.tables", "ensemble.evaluation", "ensemble.scoring", "ensemble.matching", "ensemble.experiments"),
    *("ensemble.reports", "ensemble.commands"),
    *("apps.integrations", "apps.spark", "apps.serve", "apps.labels", "research"),
)
"""Folders, and modules beside folders, from the lowest up: each imports itself and those below it."""

FACES = ("samewise", "samewise.__main__", "samewise.features", "samewise.ensemble", "samewise.apps")
"""Modules of public names, which import from any floor."""

RIDDLE = re.compile(r"(Which|What|Whether|How|Who|Whom|Whose|Where|Why|When|That|From|Whatever)\b")


def _modules():
    modules = {}
    for package, home in TOPS.items():
        for path in sorted((ROOT / home).rglob("*.py")):
            parts = path.relative_to(ROOT / home).with_suffix("").parts
            inside = parts[:-1] if parts[-1] == "__init__" else parts
            modules[".".join((package, *inside))] = path
    return modules


MODULES = _modules()


@cache
def _tree(name):
    # On demand: every process of a parallel run imports this file, and one runs its tests.
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


@cache
def _imported(name):
    """Return the modules of the package that a module imports: at the top, late in functions, or for types alone."""
    package = name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    for node in ast.walk(_tree(name)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                found.add(inner if inner in MODULES else base)
    return {other for other in found if other in MODULES and other != name}


def _floor(name):
    inside = name.removeprefix("samewise.")
    floors = [k for k, floor in enumerate(FLOORS) if inside == floor or inside.startswith(f"{floor}.")]
    assert floors, f"{name} must be on a floor; name its folder in FLOORS"
    return floors[-1]


def _folder(name):
    return name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]


def _circle(arrows):
    """Return the names of one circle, in order, or None."""
    done, path = set(), []

    def visit(name):
        if name in path:
            return path[path.index(name) :]
        if name in done:
            return None
        path.append(name)
        for other in sorted(arrows[name]):
            if found := visit(other):
                return found
        path.pop()
        done.add(name)
        return None

    return next(filter(None, map(visit, sorted(arrows))), None)


def test_the_imports_are_read():
    assert "samewise.features.arrays.ragged" in _imported("samewise.features.base.token_sequences")
    late = "samewise.ensemble.core.explanation"
    assert late in _imported("samewise.ensemble.core.predictor")
    assert len(MODULES) > 250


@pytest.mark.slow
def test_no_circle_of_files():
    assert _circle({name: _imported(name) for name in MODULES}) is None


def test_no_circle_of_folders():
    arrows = {_folder(name): set() for name in MODULES if name not in FACES}
    for name in MODULES:
        if name not in FACES:
            arrows[_folder(name)] |= {_folder(other) for other in _imported(name)} - {_folder(name)}
    assert _circle(arrows) is None


@pytest.mark.parametrize("floor", FLOORS)
def test_nothing_imports_upward(floor):
    inside = [name for name in MODULES if name not in FACES and FLOORS[_floor(name)] == floor]
    assert inside
    upward = [
        f"{name} imports {other}"
        for name in inside
        for other in _imported(name)
        if other in FACES or _floor(other) > _floor(name)
    ]
    assert upward == []


def test_modules_say_what_they_hold():
    """The first line of a module's docstring is a noun phrase or an imperative, one sentence that ends in a stop."""
    bad = []
    for name in MODULES:
        first = (ast.get_docstring(_tree(name)) or "").partition("\n")[0]
        if not first.endswith(".") or RIDDLE.match(first):
            bad.append(f"{name}: {first}")
    assert bad == []


@pytest.mark.slow
def test_docstrings_do_not_begin_as_riddles():
    bad = []
    for name in MODULES:
        for node in ast.walk(_tree(name)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                first = (ast.get_docstring(node) or "").partition("\n")[0]
                if RIDDLE.match(first):
                    bad.append(f"{name}.{node.name}: {first}")
    assert bad == []


def test_families_import_no_other_family():
    families = {name for name in MODULES if _folder(name).endswith(".families") and _folder(name) != name}
    assert families
    for name in families:
        assert not _imported(name) & families, name


def test_modules_are_found_where_they_stand():
    assert all(Path(path).is_file() for path in MODULES.values())
