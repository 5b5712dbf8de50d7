"""Files under deploy/, and traces of OpenTelemetry."""

import json
import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from urllib.request import Request, urlopen

import pytest
import typer
from samewise.ensemble.commands.cli import app

from ..conftest import ROOT

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

DEPLOY = ROOT / "deploy"


def parsed(words):
    """Return the options of ``samewise serve`` by name, as the command line reads them."""
    assert words[:2] == ["samewise", "serve"]
    command = typer.main.get_command(app).commands["serve"]
    return command.make_context("serve", list(words[2:]), resilient_parsing=False).params


def instruction(name):
    text = (DEPLOY / "Containerfile").read_text()
    return json.loads(re.search(rf"^{name} (\[.*\])$", text, re.MULTILINE)[1])


def test_the_container_starts_the_service_with_keys_and_may_be_given_another_profile():
    start = instruction("ENTRYPOINT")
    options = parsed([*start, *instruction("CMD")])
    assert (options["host"], options["port"], str(options["key_file"])) == ("0.0.0.0", 8000, "/run/keys")
    parsed([*start, "--model", "full", "--allowed-hosts", "api.example"])


def test_the_container_installs_extras_that_there_are_and_runs_as_nobody_special():
    text = (DEPLOY / "Containerfile").read_text()
    extras = re.search(r"\$wheel\[([\w,]+)\]", text)[1].split(",")
    project = (ROOT / "pyproject.toml").read_text()
    assert all(re.search(rf"^{extra} = \[", project, re.MULTILINE) for extra in extras)
    lines = text.splitlines()
    assert lines.index("USER samewise") < min(i for i, line in enumerate(lines) if line.startswith("ENTRYPOINT"))


def test_the_check_of_health_asks_the_service(tmp_path):
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    check = json.loads(re.search(r"HEALTHCHECK .* CMD +(\[.*\])", text)[1])
    assert check[0] == "python"
    with serving("--model", "surface") as (address, _):
        here = check[2].replace("http://127.0.0.1:8000", address)
        assert subprocess.run([sys.executable, "-c", here], timeout=60).returncode == 0
    assert subprocess.run([sys.executable, "-c", here], timeout=60, capture_output=True).returncode == 1


def test_the_unit_starts_the_service_with_keys():
    [command] = re.findall(r"^ExecStart=(.*)$", (DEPLOY / "samewise.service").read_text(), re.MULTILINE)
    program, *words = shlex.split(command)
    assert Path(program).name == "samewise"
    assert str(parsed(["samewise", *words])["key_file"]) == "%d/keys"


@pytest.mark.skipif(which("systemd-analyze") is None, reason="systemd-analyze is missing")
def test_systemd_understands_the_unit(tmp_path):
    # The program is elsewhere here.
    unit = (DEPLOY / "samewise.service").read_text().replace("/opt/samewise/bin/samewise", sys.executable)
    (tmp_path / "samewise.service").write_text(unit)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / "samewise.service"], capture_output=True, text=True
    )
    assert [line for line in (done.stdout + done.stderr).splitlines() if "samewise.service" in line] == []


class serving:
    """A running service: its address and its process."""

    def __init__(self, *options, before=(), environment=None):
        words = (*before, sys.executable, "-m", "samewise", "serve", "--workers", "1", "--port", "0", *options)
        self._process = subprocess.Popen(
            words, stdout=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})}
        )

    def __enter__(self):
        line = next(line for line in self._process.stdout if " answers with " in line)
        return line.split()[0], self._process

    def __exit__(self, *failure):
        self._process.terminate()
        self.printed = self._process.communicate(timeout=300)[0]


@pytest.mark.skipif(
    find_spec("opentelemetry.instrumentation.fastapi" if find_spec("opentelemetry") else "opentelemetry") is None,
    reason="the extra telemetry is not installed",
)
def test_traces_of_requests_are_sent_without_their_texts():
    environment = {"OTEL_TRACES_EXPORTER": "console", "OTEL_METRICS_EXPORTER": "none", "OTEL_LOGS_EXPORTER": "none"}
    environment |= {"OTEL_SERVICE_NAME": "similarity"}
    program = Path(sys.executable).with_name("opentelemetry-instrument")
    service = serving("--model", "surface", before=(str(program),), environment=environment)
    with service as (address, _):
        body = json.dumps([["A secret sentence.", "Another one."]]).encode()
        assert urlopen(Request(f"{address}/score", body), timeout=300).status == 200
    assert '"name": "POST /score"' in service.printed
    assert '"service.name": "similarity"' in service.printed
    assert "secret" not in service.printed
