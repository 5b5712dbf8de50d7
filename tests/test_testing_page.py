"""The page on tests of other people: its blocks run, those of a package that is not installed are skipped."""

import importlib
import re
import subprocess
import sys

import pytest

from .conftest import ROOT

PAGE = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"## (\S+)\n(?:(?!## ).)*?```python\n(.*?)```", PAGE, flags=re.DOTALL)


def test_every_tool_has_a_block():
    assert [tool for tool, _ in BLOCKS] == ["pytest", "DeepEval", "ragas", "MTEB", "Evidently", "scikit-learn"]


@pytest.mark.slow
def test_the_test_of_the_page_passes(tmp_path):
    (tmp_path / "test_page.py").write_text(dict(BLOCKS)["pytest"])
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "samewise.ensemble.integrations.pytest_plugin",
        "--samewise-model",
        "fast",
    ]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout


# Not that of MTEB, which fetches its task; tests/ensemble/integrations has one with a task of its own.
@pytest.mark.slow
@pytest.mark.parametrize("tool", ["DeepEval", "ragas", "Evidently", "scikit-learn"])
def test_blocks_of_other_tools_run(tool, capsys):
    try:
        importlib.import_module({"scikit-learn": "sklearn"}.get(tool, tool.lower()))
    except Exception as error:
        pytest.skip(f"{tool} cannot be imported: {error!r:.80}")
    exec(compile(dict(BLOCKS)[tool], "testing.md", "exec"), {"__name__": "page"})
    assert capsys.readouterr().out
