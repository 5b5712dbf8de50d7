"""Python blocks of the pages that no other test runs, all blocks of a page one after another."""

import re
import shutil
import subprocess
import sys

import pytest

from .conftest import ROOT

PAGES = (
    "adapting",
    "analysis",
    "batch",
    "evaluation",
    "labelling",
    "matching",
    "pairs-by-rule",
    "reports",
    "selection",
)


@pytest.mark.parametrize("page", PAGES)
def test_python_of_a_page_runs(page, tmp_path):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    assert blocks
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    words = [sys.executable, "-c", "\n".join(blocks)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
