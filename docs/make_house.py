"""Print the map of the code: each folder and its modules, with the first line of each docstring.

``docs/generated_pages.py`` puts it into docs/house.md when the site is built, so that it is never out of date.
"""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOPS = ("src/samewise", "features", "models", "ensemble", "apps", "research", "scripts", "benchmarks")
"""Folders of the map, in the order in which imports go, with what measures and makes things last."""

NOTES = {
    "scripts": "Programs that make the models and data that ship; they are not installed.",
    "benchmarks": "Programs that measure; they are not installed.",
}
"""Texts of folders that are not packages."""


def first_line(path: Path) -> str:
    """Return the first line of the docstring of a module."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    return (text or "").partition("\n")[0]


def house_map(root: Path = ROOT) -> str:
    """Return the map as Markdown: a heading for each folder, what it is, and a list of its modules."""
    parts = []
    for top in TOPS:
        folders = {path.parent for path in (root / top).rglob("*.py")}
        for folder in sorted(folders):
            name = folder.relative_to(root).as_posix()
            package = folder / "__init__.py"
            about = first_line(package) if package.exists() else NOTES.get(name, "")
            modules = [path for path in sorted(folder.glob("*.py")) if path != package]
            items = "\n".join(f"- `{path.name}`: {first_line(path)}" for path in modules)
            level = "##" if name == top else "###"
            parts.append("\n\n".join(filter(None, [f"{level} {name}", about, items])))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    print(house_map(), end="")
