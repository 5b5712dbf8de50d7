"""The floors of the house: which folder may import which, and the figure of those that do, drawn from the imports.

``python docs/floors.py`` draws ``docs/floors.svg`` again; ``tests/test_architecture.py`` holds code and figure to it.
"""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIGURE = ROOT / "docs" / "floors.svg"

TOPS = {"samewise": "src/samewise"} | {
    f"samewise.{top}": top for top in ("features", "models", "ensemble", "apps", "research")
}

FLOORS = (
    *("_code_version", "_files", "_messages", "_notebook_html"),
    *("features.arrays", "features.base", "features.linguistics", "features.statistics", "features.lexicon"),
    *("features.analysis", "features.strings", "features.alignment", "features.word_similarity"),
    *("features.encoders", "features.pipeline", "features.values", "features.families"),
    "models",
    *("ensemble.differences", "ensemble.contrasts", "ensemble.core", "ensemble.multilingual", "ensemble.loading"),
    *("ensemble.tables", "ensemble.evaluation", "ensemble.scoring", "ensemble.matching", "ensemble.experiments"),
    *("ensemble.reports", "ensemble.commands"),
    *("apps.integrations", "apps.spark", "apps.serve", "apps.labels", "research"),
)
"""Folders, and modules beside folders, from the lowest up: each imports itself and those below it."""

FACES = ("samewise", "samewise.__main__", "samewise.features", "samewise.ensemble", "samewise.apps")
"""Modules of public names, which import from any floor."""

_STEP, _LEFT, _TOP = 18, 190, 130


def _modules() -> dict[str, Path]:
    modules = {}
    for package, home in TOPS.items():
        for path in sorted((ROOT / home).rglob("*.py")):
            parts = path.relative_to(ROOT / home).with_suffix("").parts
            inside = parts[:-1] if parts[-1] == "__init__" else parts
            modules[".".join((package, *inside))] = path
    return modules


MODULES = _modules()
"""Files of the package by the names of their modules."""


@cache
def tree(name: str) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


@cache
def imported(name: str) -> frozenset[str]:
    """Return the modules of the package that a module imports: at the top, late in functions, or for types alone."""
    package = name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join([*parts[: len(parts) - node.level + 1], *filter(None, [node.module])])
            found |= {inner if (inner := f"{base}.{alias.name}") in MODULES else base for alias in node.names}
    return frozenset(other for other in found if other in MODULES and other != name)


def floor(name: str) -> int:
    """Return the place of the floor of a module, 0 for the lowest.

    Raises
    ------
    LookupError
        If it is on none.
    """
    inside = name.removeprefix("samewise.")
    found = [k for k, each in enumerate(FLOORS) if inside == each or inside.startswith(f"{each}.")]
    if not found:
        raise LookupError(f"{name} must be on a floor, got none; name its folder in FLOORS of docs/floors.py")
    return found[-1]


def figure() -> str:
    """Return the figure as SVG: a row for each floor, the highest first, with a dot for each floor that it imports."""
    arrows = {
        (floor(name), floor(other))
        for name in MODULES
        for other in imported(name)
        if name not in FACES and other not in FACES
    }
    count = len(FLOORS)
    width, height = _LEFT + _STEP * count + 40, _TOP + _STEP * count + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="11" role="img">',
        "<title>Floors of the house, and a dot where one imports another</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for k, name in enumerate(FLOORS):
        x, y = _LEFT + _STEP * k + 9, _TOP + _STEP * (count - 1 - k) + 9
        title = name.replace(".", "/")
        parts += [
            f'<line x1="{_LEFT}" y1="{y}" x2="{x}" y2="{y}" stroke="#ddd"/>',
            f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{title}</text>',
            f'<text x="{x}" y="{_TOP - 6}" transform="rotate(-60 {x} {_TOP - 6})">{title.rpartition("/")[2]}</text>',
            f'<rect x="{x - 6}" y="{y - 6}" width="12" height="12" fill="#4a6fa5"/>',
        ]
        parts += [
            f'<circle cx="{_LEFT + _STEP * other + 9}" cy="{y}" r="4" fill="#1d2b44"/>'
            for above, other in sorted(arrows)
            if above == k and other != k
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    FIGURE.write_text(figure(), encoding="utf-8")
