"""Services to ask: a process of its own, or an application in a thread whose scorer waits until it is let go."""

import asyncio
import json
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.client import HTTPConnection

import uvicorn
from prometheus_client.parser import text_string_to_metric_families
from samewise.apps.serve.queue import WorkerDied
from samewise.ensemble.core.scale import POINTS

COMMAND = (sys.executable, "-m", "samewise", "serve", "--model", "surface", "--workers", "1", "--port", "0")
WAIT = 300
"""Seconds: far more than anything takes on a busy machine."""
ONE = json.dumps([["A dog barks.", "The dog is barking."]])


@contextmanager
def started(*options):
    """The service as a process of its own, and the port it answers on."""
    words = [*COMMAND, *map(str, options)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        line = process.stdout.readline()
        yield process, int(line.split()[0].rpartition(":")[2])
    finally:
        process.terminate()
        assert process.wait(WAIT) == 0
        process.stdout.close()


def fails(*words):
    """The one line that a service says which does not start."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout) == (1, "")
    [line] = done.stderr.splitlines()
    return line


@contextmanager
def answering(app, **settings):
    """An application on a free port, in a thread."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, log_level="critical", **settings))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(WAIT)
            assert not thread.is_alive()


def ask(port, path, body=None, method=None, headers=None, chunked=False):
    """The status, the headers and the JSON or text of an answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=600)
    try:
        content = json.dumps(body) if isinstance(body, dict | list) else body
        method = method or ("GET" if body is None else "POST")
        connection.request(method, path, content, headers or {}, encode_chunked=chunked)
        response = connection.getresponse()
        text = response.read().decode()
        is_json = response.headers.get_content_type() == "application/json"
        return response.status, response.headers, json.loads(text) if is_json else text
    finally:
        connection.close()


def counts(port):
    """The values of ``/metrics`` by name and labels."""
    status, headers, text = ask(port, "/metrics")
    assert (status, headers.get_content_type()) == (200, "text/plain")
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {(sample.name, *sample.labels.values()): sample.value for sample in samples}


class Standing:
    """A model with an index that waits until it is let go, and whose workers can be taken away."""

    signature, languages, scale, slots, index_signature, index_rows = "standing", ("en",), POINTS, 1, "rows", 3
    decides = False

    def __init__(self, go=False):
        self.entered, self.go, self.scored, self.workers = threading.Event(), threading.Event(), [], 1
        if go:
            self.go.set()

    async def _wait(self):
        self.entered.set()
        await asyncio.to_thread(self.go.wait, WAIT)

    async def score(self, pairs):
        first = [a for a, _ in pairs]
        self.scored += first
        await self._wait()
        if "deadly" in first:
            raise WorkerDied("worker processes died of the request")
        if "fault" in first:
            raise KeyError("fault")
        return [{"score": 1.0, "low": 0.0, "high": 2.0, "flags": []} for _ in pairs]

    explain = score

    async def match(self, asked):
        await self._wait()
        return [b'{"matches":[]}' for _ in asked]

    async def ready(self):
        return self.workers
