"""The blocks of a page, and the shell and the Python that run them in order, as a reader does.

- ``python`` and ``sh`` blocks run; those of a page share one folder, and those of Python their names.
- A ``text`` block that begins with ``$ `` shows commands, which run, and what they print.
- Any other ``text`` block is what the block before it prints. A ``python`` block may end with what it prints, as
  comments.
- In what is shown, a line ``...`` stands for any lines, and ``...`` in a line for the rest of it.
- A block whose first line is ``# file: PATH`` or ``# NAME.py`` is written to that path. A page that writes under
  ``features``, ``models``, ``ensemble`` or ``research`` adds a part to samewise: it is read with a copy of the package.
- A comment above a block, which readers do not see, makes an exception: ``<!-- not run: REASON -->`` of a block that
  would run, ``<!-- not compared: REASON -->`` of text that is not what is printed.
"""

import math
import os
import re
import shlex
import subprocess
import sys
from difflib import SequenceMatcher
from typing import NamedTuple

import pytest

from ..package_copy import TOPS, add_file, copy_of_package
from .page_needs import NEEDS, SHELL, Needs

REWRITE = bool(os.environ.get("REWRITE_PAGES"))
"""Mode that writes into pages what their blocks print; output shown with ``...`` is left to a person."""

FENCED = re.compile(
    r"^(?:<!-- not (?P<exception>run|compared): [^\n]+ -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$",
    flags=re.DOTALL | re.MULTILINE,
)
PLUGIN = "samewise.apps.integrations.pytest_plugin"
FILE = re.compile(r"# (?:file: )?(\S+\.\w+)\n")
NUMBER = re.compile(r"(?<![\w.])[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)")


class Block(NamedTuple):
    """A block of a page: the exception made of it, ``run`` or ``compared`` or none, what it is marked as, its lines."""

    exception: str | None
    kind: str
    text: str

    @property
    def transcript(self):
        """True if the block shows commands and what they print."""
        return self.kind == "text" and self.text.startswith("$ ")

    @property
    def runs(self):
        """True if the block is run or written to a file."""
        return self.exception != "run" and (self.kind in ("python", "sh") or self.transcript)

    @property
    def output(self):
        """Output that the page shows: all of text that is compared, and of Python the comments that end it."""
        if self.kind == "python":
            comments = re.search(r"(?:^# .*\n)*\Z", self.text, flags=re.MULTILINE)[0]
            return re.sub(r"^# ", "", comments, flags=re.MULTILINE)
        commands_alone = self.transcript and all(line.startswith("$ ") for line in self.text.splitlines())
        return "" if self.exception or self.kind != "text" or commands_alone else self.text


def blocks_of(page):
    """Return the blocks of a page, a path."""
    return [Block(*found.groups()) for found in FENCED.finditer(page.read_text(encoding="utf-8"))]


class Reader:
    """Carries out blocks in a folder, with what the page needs."""

    def __init__(self, folder, needs: Needs, apart, capsys):
        self.folder, self.needs, self.apart, self.capsys = folder, needs, apart, capsys
        self.package = copy_of_package(folder.parent / "package") if apart else None
        self.names = {"__name__": "page"}
        if needs.python and not apart:
            exec(needs.python, self.names)

    def run(self, block):
        """Run a block; return what it prints on standard output, and on standard error."""
        if block.transcript:
            # Of commands whose output is compared, this shows whether they failed.
            end = "2>&1 || true" if block.output else ""
            lines = re.findall(r"^\$ (.*)\n", block.text, flags=re.MULTILINE)
            return self.bash("".join(f"echo {shlex.quote(f'$ {line}')}\n{{ {line}\n}} {end}\n" for line in lines))
        if block.kind == "sh":
            return self.bash(block.text)
        if re.search(r"^def test_", block.text, flags=re.MULTILINE):
            (self.folder / "test_page.py").write_text(block.text, encoding="utf-8")
            return self.bash(f"python -m pytest -q -p no:cacheprovider -p {PLUGIN} test_page.py")
        if self.apart:
            return self.started([sys.executable, "-c", self.needs.python + block.text])
        exec(compile(block.text, "block of the page", "exec"), self.names)
        return self.capsys.readouterr()

    def bash(self, commands):
        """Run commands as those of a terminal in which samewise is installed."""
        return self.started(["bash", "-euc", f"PYTHON={shlex.quote(sys.executable)}\n{SHELL}{commands}"])

    def started(self, words):
        """Run a program; return what it prints on standard output, and on standard error."""
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
        if self.package:
            environment["PYTHONPATH"] = str(self.package.parent)
        done = subprocess.run(
            words, cwd=self.folder, env=environment, capture_output=True, encoding="utf-8", timeout=600
        )
        assert done.returncode == 0, f"{words[-1]}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
        return done.stdout, done.stderr


def read(page, folder, capsys):
    """Carry out the blocks of a page in a folder, and compare what they print with what the page shows."""
    needs = NEEDS.get(page.name, Needs())
    blocks = [block for block in blocks_of(page) if block.exception != "run"]
    for one, other in needs.instead.items():
        blocks = [block._replace(text=block.text.replace(one, other)) for block in blocks]
    files = [found[1] for found in (FILE.match(block.text) for block in blocks) if found]
    reader = Reader(folder, needs, needs.apart or any(name.split("/")[0] in TOPS for name in files), capsys)
    if needs.one_shell:
        assert not {block.kind for block in blocks} & {"python", "text"}, (
            "all blocks must be commands, to run in one shell"
        )
        blocks = [Block(None, "sh", "".join(block.text for block in blocks if block.kind == "sh"))]
    printed = None
    for block in [*blocks, Block(None, "sh", needs.after)] if needs.after else blocks:
        if named := FILE.match(block.text):
            add_file(named[1], block.text, reader.package, folder)
            continue
        if block.runs:
            printed = reader.run(block)
        elif block.output:
            assert printed is not None, f"nothing has run that could print this:\n{block.text}"
        if block.output and not (REWRITE and rewritten(page, block, *printed)):
            assert_shown(block.output, *printed)


def rewritten(page, block, out, err=""):
    """Put what is printed in place of what a page shows, unless it fits or leaves lines out; return whether done."""
    if shows(block.output, out) or shows(block.output, out + err) or "..." in block.output:
        return False
    likeness = [SequenceMatcher(None, block.output, text).ratio() for text in (out, out + err)]
    new = (out, out + err)[likeness[1] > likeness[0]].rstrip("\n") + "\n"
    if block.kind == "python":
        shown, new = (re.sub("^", "# ", text, flags=re.MULTILINE).removesuffix("# ") for text in (block.output, new))
    else:
        shown = block.output
    page.write_text(page.read_text(encoding="utf-8").replace(shown, new, 1), encoding="utf-8")
    return True


def assert_shown(shown, out, err=""):
    """Compare what a page shows with what is printed, which a page may show without standard error."""
    assert shows(shown, out) or shows(shown, out + err), f"shown:\n{shown}\nprinted:\n{out}{err}"


def shows(shown, printed):
    """Return whether the lines shown are those printed."""
    lines, anywhere = iter(printed.splitlines()), False
    for line in shown.splitlines():
        if line == "...":
            anywhere = True
        else:
            found = any(fits(line, other) for other in lines) if anywhere else fits(line, next(lines, ""))
            if not found:
                return False
            anywhere = False
    return anywhere or not list(lines)


def fits(shown, printed):
    """Return whether a line is what is shown, with figures up to a unit of their last digit, or to two of a hundred."""
    start, cut, _ = shown.partition("...")
    words, other = (" ".join(NUMBER.sub(" # ", text).split()) for text in (start, printed))
    if not (other.startswith(words) if cut else other == words):
        return False
    pairs = zip(NUMBER.findall(start), NUMBER.findall(printed), strict=False)
    return all(
        _number(other) == pytest.approx(_number(one), rel=0.02, abs=1.01 * _last_digit(one)) for one, other in pairs
    )


def _number(text):
    return float(text.replace(",", ""))


def _last_digit(text):
    # The order of a p-value is no promise.
    return math.inf if "e" in text else 10.0 ** -len(text.partition(".")[2])
