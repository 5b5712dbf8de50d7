"""The structure of the package: no circle of files or folders, and no import upward."""

import ast
import re
import sys
from pathlib import Path

import pytest

from .conftest import ROOT

sys.path.insert(0, str(ROOT / "docs"))
from floors import FACES, FIGURE, FLOORS, MODULES, figure, floor, imported, tree  # noqa: E402

RIDDLE = re.compile(r"(Which|What|Whether|How|Who|Whom|Whose|Where|Why|When|That|From|Whatever)\b")


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
    assert "samewise.features.arrays.ragged" in imported("samewise.features.base.token_sequences")
    late = "samewise.ensemble.core.explanation"
    assert late in imported("samewise.ensemble.core.predictor")
    assert len(MODULES) > 250


@pytest.mark.slow
def test_no_circle_of_files():
    assert _circle({name: imported(name) for name in MODULES}) is None


def test_no_circle_of_folders():
    arrows = {_folder(name): set() for name in MODULES if name not in FACES}
    for name in MODULES:
        if name not in FACES:
            arrows[_folder(name)] |= {_folder(other) for other in imported(name)} - {_folder(name)}
    assert _circle(arrows) is None


@pytest.mark.parametrize("place", range(len(FLOORS)), ids=FLOORS)
def test_nothing_imports_upward(place):
    inside = [name for name in MODULES if name not in FACES and floor(name) == place]
    assert inside
    upward = [
        f"{name} imports {other}"
        for name in inside
        for other in imported(name)
        if other in FACES or floor(other) > place
    ]
    assert upward == []


def test_modules_say_what_they_hold():
    """The first line of a module's docstring is a noun phrase or an imperative, one sentence that ends in a stop."""
    bad = []
    for name in MODULES:
        first = (ast.get_docstring(tree(name)) or "").partition("\n")[0]
        if not first.endswith(".") or RIDDLE.match(first):
            bad.append(f"{name}: {first}")
    assert bad == []


@pytest.mark.slow
def test_docstrings_do_not_begin_as_riddles():
    bad = []
    for name in MODULES:
        for node in ast.walk(tree(name)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                first = (ast.get_docstring(node) or "").partition("\n")[0]
                if RIDDLE.match(first):
                    bad.append(f"{name}.{node.name}: {first}")
    assert bad == []


def test_families_import_no_other_family():
    families = {name for name in MODULES if _folder(name).endswith(".families") and _folder(name) != name}
    assert families
    for name in families:
        assert not imported(name) & families, name


def test_modules_are_found_where_they_stand():
    assert all(Path(path).is_file() for path in MODULES.values())


@pytest.mark.slow
def test_the_figure_is_that_of_the_imports():
    assert FIGURE.read_text(encoding="utf-8") == figure(), "draw it again: python docs/floors.py"
