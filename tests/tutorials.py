"""Runs the pages that are tutorials: block by block, in order, as a reader does, in a folder of its own."""

import re
import shlex
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from .conftest import ROOT

EXAMPLES = ROOT / "docs" / "examples"

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="the blocks of the shell need bash")


FENCED = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]+) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", flags=re.DOTALL | re.MULTILINE
)
"""A block of code, and the comment above it that says why it is not run."""


class Block(NamedTuple):
    """A block of code of a page: what language it is marked as, and its lines."""

    kind: str
    text: str

    @property
    def commands(self):
        """The lines of a block of text that show what is typed, without the prompt."""
        return "".join(re.findall(r"^\$ (.*\n)", self.text, flags=re.MULTILINE))


def blocks(page):
    """Return the blocks of a page of the docs, without those that say why they are not run."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [Block(found["kind"], found["text"]) for found in FENCED.finditer(text) if not found["reason"]]


def shell(text, before=""):
    """Run a block as a reader does, with the `samewise` of this interpreter; return what it prints, and on stderr."""
    here = f'PYTHON={shlex.quote(sys.executable)}\nsamewise() {{ "$PYTHON" -m samewise "$@"; }}\n'
    here += 'python() { "$PYTHON" "$@"; }\n'
    done = subprocess.run(["bash", "-euc", here + before + text], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{text}\n{done.stderr}"
    return done.stdout, done.stderr


def run_page(page, examples, folder, monkeypatch, capsys, hosts=()):
    """Run every block of a page in a folder with some example files; return what each one printed.

    Blocks of Python share their names. They may connect to `hosts` and to nothing else; blocks marked as text are not
    run, and there are no others.

    Returns
    -------
    list of tuple of (Block, str, str)
        The blocks that ran, in order, with what they printed on standard output and on standard error.
    """
    allow_only(hosts, monkeypatch)
    monkeypatch.chdir(folder)
    for name in examples:
        shutil.copy(EXAMPLES / name, folder)
    assert {block.kind for block in blocks(page)} <= {"sh", "python", "text"}, "what does not run is marked as text"
    return run_blocks([block for block in blocks(page) if block.kind != "text"], page, capsys)


def run_blocks(chosen, page, capsys, before=""):
    """Run blocks in order in the present folder, with lines of the shell before each; return what each one printed.

    Of a block of text, the commands that it shows are run.
    """
    names = {"__name__": "tutorial"}
    told = []
    for block in chosen:
        if block.kind == "python":
            exec(compile(block.text, page, "exec"), names)
            told.append((block, *capsys.readouterr()))
        else:
            told.append((block, *shell(block.commands if block.kind == "text" else block.text, before)))
    return told


def allow_only(hosts, monkeypatch):
    """Refuse the connections of this process, but for those to some hosts; no proxy stands in for one of them."""
    connect = socket.socket.connect

    def checked(self, address):
        assert address[0] in hosts, f"the tutorial opens a connection to {address}"
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", checked)
    monkeypatch.setenv("no_proxy", "*")


def last_table(text, first):
    """Return the rows of the table that is printed last under a header beginning with a word; cells by the first."""
    lines = text.splitlines()
    start = max(k for k, line in enumerate(lines) if line.split()[:1] == [first])
    found = {}
    for line in lines[start + 1 :]:
        if not line.strip():
            break
        name, *cells = line.split()
        found[name] = cells
    return found


def written(folder):
    """Return the names of the files of a folder."""
    return {path.name for path in Path(folder).iterdir()}
