"""The structure of the package: no circle of imports, no import upward, names that tell modules apart."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from .conftest import ROOT

TOPS = {"samewise": "src/samewise"} | {f"samewise.{top}": top for top in ("features", "models", "ensemble", "research")}

LAYERS = (
    ("features",),
    ("models",),
    ("ensemble.rule_made_pairs",),
    ("ensemble.differences",),
    ("ensemble.core",),
    ("ensemble.multilingual",),
    ("ensemble.tables",),
    ("ensemble.evaluation",),
    ("ensemble.scoring",),
    ("ensemble.matching",),
    ("ensemble.serving", "ensemble.experiments", "ensemble.integrations", "ensemble.labelling", "ensemble.reports"),
    ("research",),
    ("ensemble.commands",),
)
"""From the lowest up: a module imports its own layer and those below it."""

RESEARCH_COMMANDS = ("systems_commands", "pyramid_command")
"""The commands that may import `research`."""

FACES = ("samewise", "samewise.__main__", "samewise.ensemble")
"""Modules of public names, which import from any layer."""

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


def _layer(name):
    inside = name.removeprefix("samewise.")
    for place, rooms in enumerate(LAYERS):
        if any(inside == room or inside.startswith(f"{room}.") for room in rooms):
            return place
    raise AssertionError(f"{name} is in no layer")


def _circle():
    """Return the modules of one circle, in order, or None."""
    done, path = set(), []

    def visit(name):
        if name in path:
            return path[path.index(name) :]
        if name in done:
            return None
        path.append(name)
        for other in sorted(_imported(name)):
            if found := visit(other):
                return found
        path.pop()
        done.add(name)
        return None

    return next(filter(None, map(visit, sorted(MODULES))), None)


def test_the_imports_are_read():
    assert "samewise.features.arrays.ragged" in _imported("samewise.features.token_sequences")
    late = "samewise.ensemble.core.explanation"
    assert late in _imported("samewise.ensemble.core.predictor")
    assert len(MODULES) > 250


@pytest.mark.slow
def test_no_circle_of_imports():
    assert _circle() is None


@pytest.mark.parametrize("layer", range(len(LAYERS)), ids=["+".join(rooms) for rooms in LAYERS])
def test_nothing_imports_upward(layer):
    inside = [name for name in MODULES if name not in FACES and _layer(name) == layer]
    assert inside
    upward = [
        f"{name} imports {other}"
        for name in inside
        for other in _imported(name)
        if other in FACES or _layer(other) > layer
    ]
    assert upward == []


def test_rooms_side_by_side_do_not_import_each_other():
    rooms = next(rooms for rooms in LAYERS if len(rooms) > 1)

    def room(name):
        return next((room for room in rooms if name.removeprefix("samewise.").startswith(room)), None)

    crossing = {
        (room(name), room(other))
        for name in MODULES
        for other in _imported(name)
        if room(name) and room(other) and room(name) != room(other)
    }
    # A room may read another as long as none reads it back.
    assert not {(second, first) for first, second in crossing} & crossing


def test_only_its_commands_import_research():
    users = [
        name
        for name in MODULES
        if not name.startswith("samewise.research")
        and any(other.startswith("samewise.research") for other in _imported(name))
    ]
    assert sorted(users) == sorted(f"samewise.ensemble.commands.{name}" for name in RESEARCH_COMMANDS)


def test_no_two_modules_have_one_name():
    names = Counter(name.rpartition(".")[2] for name in MODULES)
    assert [name for name, count in names.items() if count > 1] == []


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
    families = {name for name in MODULES if name.startswith("samewise.features.families.")}
    assert families
    for name in families:
        assert not _imported(name) & families, name


def test_the_layers_hold_every_module():
    assert {_layer(name) for name in MODULES if name not in FACES} == set(range(len(LAYERS)))


def test_modules_are_found_where_they_stand():
    assert all(Path(path).is_file() for path in MODULES.values())
