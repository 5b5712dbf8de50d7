"""The service under attack: slow clients, clients that leave, other names and sites, deadly requests, dead workers."""

import asyncio
import json
import os
import signal
import socket
import threading
import time
from contextlib import contextmanager

import pytest
from samewise.ensemble.loading import ModelRef

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("prometheus_client")

from samewise.apps.serve.access import host_name, is_allowed  # noqa: E402
from samewise.apps.serve.app import create_app  # noqa: E402
from samewise.apps.serve.connections import ConnectionLimits, limited  # noqa: E402
from samewise.apps.serve.queue import Batcher, FairQueue, Job, WorkerDied, room_of, work_of  # noqa: E402  # noqa: E402
from samewise.apps.serve.service_workers import WorkerPool  # noqa: E402
from starlette.middleware.trustedhost import TrustedHostMiddleware  # noqa: E402

from . import running  # noqa: E402
from .running import ONE, WAIT, ask, counts  # noqa: E402


def until(condition):
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


class Scorer(running.Standing):
    """A scorer that answers at once if it is not told to wait."""

    def __init__(self, go=True):
        super().__init__(go)


@contextmanager
def answering(scorer, allowed_hosts=(), **limits):
    """The service on a free port, in a thread."""
    app = create_app(scorer, allowed_hosts=allowed_hosts)
    with running.answering(app, http=limited(ConnectionLimits(**limits)), ws="none") as port:
        try:
            yield port
        finally:
            scorer.go.set()


def raw(port, sent):
    """All that is answered to bytes, until the service closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=WAIT) as connection:
        connection.sendall(sent)
        return b"".join(iter(lambda: connection.recv(65_536), b""))


def queued(port):
    return counts(port)["samewise_queue_pairs",]


# Turns.


def job(name, count, length=1):
    return Job([(f"{name}{k}".ljust(length), "x" * length) for k in range(count)], None)


def taken(queue):
    return [(part.job.pairs[0][0][0], part.begin, part.end) for part in queue.take()]


def test_long_requests_give_turns_to_short_ones():
    queue = FairQueue(batch_work=40)
    for each in (job("a", 100), job("b", 20), job("c", 1)):
        queue.put(each)
    assert queue.pairs == queue.room == queue.work == 121
    # Sixteen of a, sixteen of b, one of c, and then seven more of a.
    assert taken(queue) == [("a", 0, 23), ("b", 0, 16), ("c", 0, 1)]
    assert queue.pairs == queue.room == queue.work == 81
    assert taken(queue) == [("b", 16, 20), ("a", 23, 59)]


def test_work_grows_with_the_lengths():
    assert [work_of(("a" * n, "b" * n)) for n in (0, 50, 200, 500, 2_000, 9_000)] == [1, 1, 2, 11, 161, 161]
    assert work_of(("a" * 9_000, "b")) == 1
    assert [room_of(("a" * n, "b" * n)) for n in (0, 2_000, 2_001, 10_000)] == [1, 1, 2, 5]


def test_long_pairs_make_small_batches():
    queue = FairQueue(batch_work=256)
    queue.put(job("a", 10, length=2_000))
    assert taken(queue) == [("a", 0, 2)]


def test_what_nobody_waits_for_is_dropped():
    queue = FairQueue(batch_work=4)
    first, second = job("a", 10), job("b", 2)
    queue.put(first), queue.put(second)
    assert taken(queue) == [("a", 0, 4)]
    queue.drop(first), queue.drop(first)
    assert queue.pairs == queue.room == queue.work == 2
    assert taken(queue) == [("b", 0, 2)]
    assert (queue.take(), queue.pairs) == ([], 0)


def test_pairs_of_a_client_that_left_are_not_scored():
    scorer = Scorer(go=False)
    with answering(scorer) as port:
        head = b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
        with socket.create_connection(("127.0.0.1", port)) as first:
            first.sendall(head + b"%d\r\n\r\n%s" % (len(ONE), ONE.encode()))
            until(lambda: scorer.scored)
            body = json.dumps([["left", ""]] * 900).encode()
            with socket.create_connection(("127.0.0.1", port)) as second:
                second.sendall(head + b"%d\r\n\r\n%s" % (len(body), body))
                until(lambda: queued(port) == 900)
            until(lambda: queued(port) == 0)
            scorer.go.set()
            assert first.recv(100).startswith(b"HTTP/1.1 200")
        assert ask(port, "/score", ONE)[0] == 200
    assert "left" not in scorer.scored


# Workers that die.


def test_a_deadly_request_fails_alone():
    calls = []

    async def score(pairs):
        calls.append([a for a, _ in pairs])
        if ("deadly", "") in pairs:
            raise WorkerDied("it died")
        return [a.upper() for a, _ in pairs]

    async def run():
        async with Batcher(score, slots=1, waiting_pairs=100) as batcher:
            names = ["a", "b", "deadly", "c", "d"]
            return await asyncio.gather(*(batcher.submit([(name, "")]) for name in names), return_exceptions=True)

    found = asyncio.run(run())
    assert [each for each in found if isinstance(each, list)] == [["A"], ["B"], ["C"], ["D"]]
    assert isinstance(found[2], WorkerDied)
    assert sum("deadly" in call for call in calls) == 2 + 1 + 3  # together twice, halved, alone three times


def test_a_death_by_chance_is_not_noticed():
    deaths = iter([True, True, False, True, False, False])

    async def score(pairs):
        if next(deaths):
            raise WorkerDied("killed")
        return [a for a, _ in pairs]

    async def run():
        async with Batcher(score, slots=1, waiting_pairs=100) as batcher:
            return await asyncio.gather(*(batcher.submit([(name, "")]) for name in "ab"))

    assert asyncio.run(run()) == [["a"], ["b"]]


def test_a_deadly_request_is_told():
    with answering(Scorer()) as port:
        status, _, answer = ask(port, "/score", '[["deadly", ""]]')
        assert (status, answer) == (
            500,
            {"error": "worker processes died of the request; send fewer pairs or shorter texts"},
        )
        assert ask(port, "/score", ONE)[0] == 200


def test_batches_of_a_killed_worker_are_scored_by_another():
    pool = WorkerPool(ModelRef("surface"), 1)

    async def run():
        first = await pool.ready()
        pid = await pool._run(_own_pid, [])
        async with Batcher(pool.score, slots=1, waiting_pairs=100) as batcher:
            os.kill(pid, signal.SIGKILL)
            while await pool.ready():
                await asyncio.sleep(0.01)
            [row] = await batcher.submit([("A dog barks.", "The dog is barking.")])
        return first, row, await pool.ready()

    try:
        pool.start()
        first, row, last = asyncio.run(run())
    finally:
        pool.close()
    assert first == last == 1
    assert 0 <= row["low"] <= row["score"] <= row["high"] <= 5


def _own_pid(source, signature, pairs):
    return os.getpid()


def test_health_is_that_of_the_workers():
    scorer = Scorer()
    with answering(scorer) as port:
        assert ask(port, "/health")[0] == 200
        scorer.workers = 0
        status, headers, answer = ask(port, "/health")
        assert (status, headers["Retry-After"]) == (503, "1")
        assert answer == {"error": "no worker process is ready; try again in 1 s"}
        assert ask(port, "/live")[2] == {"status": "ok"}


# Connections.


@pytest.mark.parametrize(
    ("sent", "part"),
    [
        (b"", "head"),
        (b"POST /score HTTP/1.1\r\nHost: x", "head"),
        (b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n[", "body"),
        (b"POST /score HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n", "body"),
        (b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\nGET", "head"),
    ],
)
def test_slow_senders_are_cut_off(sent, part):
    with answering(Scorer(), head=0.3, body=0.3) as port:
        head, _, body = raw(port, sent).rpartition(b"\r\n\r\n")
        assert b"HTTP/1.1 408 Request Timeout" in head
        assert b"x-content-type-options: nosniff" in head
        assert json.loads(body) == {"error": f"the {part} of the request must come within 0 s; send it faster"}
        assert ask(port, "/score", ONE)[0] == 200


def test_a_deadline_does_not_move_with_each_byte():
    with answering(Scorer(), head=0.5) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(0.05)
        connection.sendall(b"GET /live HTTP/1.1\r\n")
        found, end = b"", time.monotonic() + WAIT
        while not found:
            assert time.monotonic() < end
            try:
                connection.sendall(b"a")
                found = connection.recv(1_000)
            except TimeoutError:
                pass
        assert found.startswith(b"HTTP/1.1 408")


def test_an_answer_may_take_long():
    scorer = Scorer(go=False)
    with answering(scorer, head=0.1, body=0.1, answer=0.1) as port:
        threading.Timer(1.0, scorer.go.set).start()
        assert ask(port, "/score", ONE)[0] == 200


def test_the_slowest_connection_makes_room():
    with answering(Scorer(), connections=3) as port:
        slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
        assert ask(port, "/score", ONE)[0] == 200
        # The oldest are closed, whichever of the others are still there.
        for connection in slow[:17]:
            connection.settimeout(WAIT)
            try:
                assert connection.recv(1) == b""
            except ConnectionResetError:
                pass
        for connection in slow:
            connection.close()


def test_connections_that_wait_for_answers_are_kept():
    scorer = Scorer(go=False)
    with answering(scorer, connections=2) as port:
        request = b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(ONE), ONE.encode())
        first, second = (socket.create_connection(("127.0.0.1", port), timeout=WAIT) for _ in range(2))
        with first, second:
            first.sendall(request), second.sendall(request)
            until(lambda: scorer.scored)
            answer = raw(port, b"")
            while not answer:  # the second had not been read when it came, and was closed instead
                answer = raw(port, b"")
            assert answer.startswith(b"HTTP/1.1 503 Service Unavailable")
            assert answer.endswith(b'{"error": "2 connections wait for answers; try again in 1 s"}')
            scorer.go.set()
            assert first.recv(100).startswith(b"HTTP/1.1 200")


def test_a_stop_does_not_wait_for_half_a_body():
    scorer = Scorer()
    with socket.socket() as connection:
        with answering(scorer, stop=0.1) as port:
            connection.connect(("127.0.0.1", port))
            connection.sendall(b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n[")
            assert ask(port, "/score", ONE)[0] == 200
        connection.settimeout(WAIT)
        assert connection.recv(100).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 20_000 + b"\r\n",
        b"POST /score HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\n[\r\n" * 20_001,
        b"POST /score HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked, x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ids=["tls", "no-host", "two-hosts", "long-head", "pieces", "smuggled", "two-lengths"],
)
def test_what_is_not_http_is_refused(sent):
    with answering(Scorer()) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=WAIT) as connection:
            # Sent by another thread, for the service may close before it has read all.
            sender = threading.Thread(target=lambda: _try_to_send(connection, sent))
            sender.start()
            answer = connection.recv(65_536)
            sender.join()
            assert _is_closed(connection)
        assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
        assert b'{"error": "' in answer
        assert ask(port, "/score", ONE)[0] == 200


def _is_closed(connection):
    try:
        return connection.recv(65_536) == b""
    except ConnectionResetError:
        return True


def _try_to_send(connection, sent):
    try:
        connection.sendall(sent)
    except OSError:
        pass


# Names and sites.


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("localhost:8000", "localhost"),
        ("EXAMPLE.org.", "example.org"),
        ("[::1]:80", "::1"),
        ("127.0.0.1", "127.0.0.1"),
        ("", None),
        ("a b", None),
        ("evil@localhost", None),
        ("localhost/x", None),
        ("::1", None),
        ("localhost:80:80", None),
    ],
)
def test_names_of_hosts(host, name):
    assert host_name(host) == name


def test_allowed_names_are_those_of_starlette():
    allowed = ["example.org", "*.example.com"]

    async def found(host):
        sent = []

        async def app(scope, receive, send):
            sent.append(200)

        async def send(message):
            sent.append(message.get("status"))

        scope = {"type": "http", "headers": [(b"host", host.encode())], "method": "GET", "path": "/"}
        await TrustedHostMiddleware(app, allowed, www_redirect=False)(scope, None, send)
        return sent[0] == 200

    names = ["example.org", "EXAMPLE.ORG:80", "a.example.com", "a.b.example.com:1", "example.com", "xexample.org"]
    names += ["example.org.evil", "evil", "aexample.com", "www.example.org", ""]
    for host in names:
        name = host_name(host)
        assert (name is not None and is_allowed(name, allowed)) == asyncio.run(found(host)), host
    for address in ("127.0.0.1", "::1", "10.1.2.3"):
        assert is_allowed(address, allowed)
    assert is_allowed("any", ["*"])


def test_other_names_and_sites_are_refused():
    with answering(Scorer(), ["samewise.example"]) as port:
        for host in ("localhost", "x.localhost:8", "Samewise.Example", "192.0.2.1:80", "[::1]"):
            assert ask(port, "/score", ONE, headers={"Host": host})[0] == 200
        status, _, answer = ask(port, "/score", ONE, headers={"Host": "evil.example"})
        assert (status, answer) == (
            400,
            {
                "error": "the header Host must be an IP address or a name in --allowed-hosts, got 'evil.example'; "
                "add the name"
            },
        )
        for other in ("cross-site", "same-site"):  # the second is another port or name of this host
            assert ask(port, "/score", ONE, headers={"Sec-Fetch-Site": other})[0] == 403
        assert ask(port, "/score", ONE, headers={"Sec-Fetch-Site": "same-origin"})[0] == 200
        # A link on another page may lead here.
        assert ask(port, "/", headers={"Sec-Fetch-Site": "cross-site"})[0] == 200


def test_no_redirect_to_the_header_host():
    with answering(Scorer(), ["*"]) as port:
        for path in ("/score/", "/health/", "//evil.example", "/explain//"):
            status, headers, answer = ask(port, path, ONE, headers={"Host": "evil.example"})
            assert (status, headers["Location"]) == (404, None)
            assert "the path must be one listed in /openapi.json" in answer["error"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/score", ONE, 200),
        ("POST", "/score", "[", 400),
        ("GET", "/score", None, 405),
        ("GET", "/none", None, 404),
        ("GET", "/", None, 200),
        ("GET", "/metrics", None, 200),
        ("POST", "/score", '[["fault", 1]]', 422),
    ],
)
def test_headers_of_every_answer(method, path, body, status):
    with answering(Scorer()) as port:
        found, headers, _ = ask(port, path, body, method)
    assert found == status
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    [policy] = headers.get_all("Content-Security-Policy")
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy


def test_compressed_bodies_are_refused():
    with answering(Scorer()) as port:
        status, _, answer = ask(port, "/score", ONE, headers={"Content-Encoding": "gzip"})
        assert (status, answer) == (
            415,
            {"error": "the body must not be compressed, got 'gzip'; send it as it is"},
        )
