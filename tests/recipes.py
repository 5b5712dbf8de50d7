"""Runs the recipes of the docs: pages that add one part to samewise, carried out on a copy of the package.

A block whose first line is ``# file: PATH`` is written to that path of a checkout; blocks marked ``sh`` and ``python``
run in order as a reader would run them, with the copy as the installed package; ``text`` shows output and is not run.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from .conftest import ROOT
from .tutorials import blocks

TOPS = {"features": "features", "models": "models", "ensemble": "ensemble", "research": "research", ".": "src/samewise"}
DATA = ("data", "pretrained")


def copy_of_package(folder):
    """Lay out the package under a folder as it is installed, every file and folder of data a link; return its place."""
    for inside, home in TOPS.items():
        _link(ROOT / home, folder / "samewise" / inside)
    return folder / "samewise"


def _link(source, target):
    target.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir():
        if path.name == "__pycache__":
            continue
        if path.is_dir() and path.name not in DATA:
            _link(path, target / path.name)
        else:
            (target / path.name).symlink_to(path)


def run_recipe(page, folder, files=()):
    """Carry out a page of the docs; return what each block printed, in order, with the number of files it added.

    Parameters
    ----------
    page
        Name of the page in ``docs/``.
    folder
        An empty folder to work in.
    files
        Names of example files of ``docs/examples`` that the page reads.

    Returns
    -------
    list of str
        Standard output of every block that ran.
    list of str
        Paths of the files that the page added, relative to a checkout.
    """
    package = copy_of_package(folder / "package")
    work = folder / "work"
    work.mkdir()
    for name in files:
        (work / name).symlink_to(ROOT / "docs" / "examples" / name)
    printed, added = [], []
    for kind, text in blocks(page):
        named = re.match(r"# file: (\S+)\n", text)
        if named:
            added.append(named[1])
            _write(named[1], text, package, work)
        elif kind in ("sh", "python"):
            printed.append(_run(kind, text, package.parent, work))
        else:
            assert kind == "text", f"a block of {page} that neither runs nor names its file is marked as text"
    return printed, added


def _write(name, text, package, work):
    top, _, rest = name.partition("/")
    target = package / name if top in TOPS else work / name
    assert rest == "" or not target.exists(), f"a recipe adds files and changes none, got {name}"
    if target.parent.is_symlink():
        # A folder of data: its files are linked one by one, so that nothing is written into the checkout.
        source = target.parent.resolve()
        target.parent.unlink()
        _link(source, target.parent)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def _run(kind, text, path, work):
    environment = {**os.environ, "PYTHONPATH": str(path)}
    here = f'samewise() {{ "{sys.executable}" -m samewise "$@"; }}\npython() {{ "{sys.executable}" "$@"; }}\n'
    command = [sys.executable, "-c", text] if kind == "python" else ["bash", "-euc", here + text]
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{text}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def lines_of(page):
    """Return how many lines of code a recipe adds, by file."""
    named = [(re.match(r"# file: (\S+)\n", text), text) for _, text in blocks(page)]
    return {found[1]: len(text.splitlines()) - 1 for found, text in named if found}


def pytest_of(paths: list[Path]) -> list[str]:
    """Return the command that runs test files alone, without the project's own settings."""
    return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", *map(str, paths)]
