"""Types that an editor shows in a script of a user: names are found, and no type is unknown."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("a_users_script.py")

pytestmark = pytest.mark.slow


def run_alone(command, folder):
    """Run a checker outside the checkout, whose settings would help it."""
    (folder / "script.py").write_bytes(SCRIPT.read_bytes())
    return subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, timeout=300)


def test_the_script_runs(tmp_path):
    done = subprocess.run([sys.executable, str(SCRIPT)], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "['Who repairs the blinds?']" in done.stdout


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is missing")
def test_mypy_finds_no_error(tmp_path):
    done = run_alone(["mypy", "--strict", "--cache-dir", "cache", "script.py"], tmp_path)
    assert done.stdout == "Success: no issues found in 1 source file\n", done.stdout + done.stderr


@pytest.mark.skipif(find_spec("basedpyright") is None, reason="basedpyright is missing")
def test_pyright_knows_every_type(tmp_path):
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "include": ["script.py"]}')
    done = run_alone(["basedpyright", "--pythonpath", sys.executable, "--outputjson"], tmp_path)
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == 1
    assert [(one["range"]["start"]["line"] + 1, one["message"]) for one in found["generalDiagnostics"]] == []
