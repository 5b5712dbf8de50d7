"""Measure `samewise serve` under attack: killed workers, slow connections, clients that leave, a half-sent body.

Each part starts a service of its own, attacks it while honest clients ask for scores, and prints one JSON line.
"""

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from typing import Any

import psutil
from sentences import make_pairs
from serving import Tally, load

HEAD = b"POST /score HTTP/1.1\r\nHost: localhost\r\n"
SLOW_STARTS = (b"", HEAD, HEAD + b'Content-Length: 500\r\n\r\n[["a", "b"]')
"""Connections that say nothing, that never end their head, and that never end their body."""


@contextmanager
def service(options: argparse.Namespace) -> Iterator[tuple[psutil.Process, int]]:
    command = [sys.executable, "-m", "samewise", "serve", "--port", "0", "--workers", options.workers]
    process = subprocess.Popen([*command, "--model", options.model], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield psutil.Process(process.pid), int(process.stdout.readline().split()[0].rpartition(":")[2])
    finally:
        process.terminate()
        process.wait()


def workers(process: psutil.Process) -> list[psutil.Process]:
    found = []
    for child in process.children():
        with suppress(psutil.Error):  # of one that was killed
            if any("LokyProcess" in part for part in child.cmdline()):
                found.append(child)
    return found


def figures(tally: Tally) -> dict[str, Any]:
    ordered = sorted(tally.seconds)
    return {
        "answers": len(ordered),
        "failed": sum(tally.errors.values()),
        "errors": dict(tally.errors),
        "p50_ms": round(1e3 * ordered[len(ordered) // 2]),
        "p99_ms": round(1e3 * ordered[len(ordered) * 99 // 100]),
    }


def ask(port: int, method: str, path: str, body: str | None = None) -> tuple[int, bytes]:
    connection = HTTPConnection("localhost", port)
    connection.request(method, path, body)
    response = connection.getresponse()
    found = response.status, response.read()
    connection.close()
    return found


def killed_workers(options: argparse.Namespace, texts: list[tuple[str, str]]) -> dict[str, Any]:
    """Kill the oldest worker while 60 clients ask, and again after each 50 answers; at last kill all."""
    with service(options) as (process, port):
        kills, health = 0, Counter[int]()

        async def kill(tally: Tally) -> None:
            nonlocal kills
            while True:
                await asyncio.sleep(0.5)
                if len(tally.seconds) > 50 * kills:
                    with suppress(psutil.Error, ValueError):
                        min(workers(process), key=psutil.Process.create_time).kill()
                        kills += 1

        async def run() -> Tally:
            tally = Tally()
            killing = asyncio.create_task(kill(tally))
            try:
                return await load(port, 60, options.seconds, texts, tally)
            finally:
                killing.cancel()

        tally = asyncio.run(run())
        for worker in workers(process):
            worker.kill()
        for _ in range(30):
            health[ask(port, "GET", "/health")[0]] += 1
            time.sleep(0.1)
        return {"kills": kills, **figures(tally), "health_after_all_are_killed": dict(health)}


def slow_connections(options: argparse.Namespace, texts: list[tuple[str, str]]) -> dict[str, Any]:
    """Hold 500 connections that send a byte a second while 300 honest clients ask."""
    with service(options) as (_, port):
        closed = 0

        async def slow(start: bytes) -> None:
            nonlocal closed
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            with suppress(OSError):
                writer.write(start)
                while start:
                    await asyncio.sleep(1.0)
                    writer.write(b"a")
                    await writer.drain()
                await asyncio.sleep(3_600)
            closed += 1

        async def run() -> Tally:
            attackers = [asyncio.create_task(slow(SLOW_STARTS[k % 3])) for k in range(500)]
            await asyncio.sleep(1.0)
            try:
                return await load(port, 300, options.seconds, texts, Tally())
            finally:
                for each in attackers:
                    each.cancel()

        tally = asyncio.run(run())
        begin = time.perf_counter()
    return {**figures(tally), "slow_closed": closed, "stop_s": round(time.perf_counter() - begin, 1)}


def clients_that_leave(options: argparse.Namespace, texts: list[tuple[str, str]]) -> dict[str, Any]:
    """Send nine requests of 1,000 pairs, close their connections or not, and time a request of one pair."""
    found = {}
    for leave in (True, False):
        with service(options) as (_, port):
            ask(port, "POST", "/score", json.dumps(texts[:2]))
            open_ones = []
            for k in range(9):
                body = json.dumps(texts[k * 1_000 : (k + 1) * 1_000]).encode()
                connection = socket.create_connection(("127.0.0.1", port))
                connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)
                open_ones.append(connection)
            time.sleep(0.5)
            for connection in open_ones if leave else ():
                connection.close()
            time.sleep(0.1)
            metrics = ask(port, "GET", "/metrics")[1].decode()
            waiting = float(metrics.rpartition("\nsamewise_queue_pairs ")[2].split()[0])
            begin = time.perf_counter()
            ask(port, "POST", "/score", json.dumps(texts[:1]))
            name = "left" if leave else "stayed"
            found |= {f"pairs_waiting_{name}": waiting, f"one_pair_s_{name}": round(time.perf_counter() - begin, 2)}
            for connection in open_ones:
                connection.close()
    return found


def half_a_body(options: argparse.Namespace, texts: list[tuple[str, str]]) -> dict[str, Any]:
    """Time the stop of a service that waits for the second half of a body."""
    with service(options) as (_, port):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(SLOW_STARTS[2])
        time.sleep(0.5)
        begin = time.perf_counter()
    connection.close()
    return {"stop_s": round(time.perf_counter() - begin, 1)}


PARTS = {part.__name__: part for part in (killed_workers, slow_connections, clients_that_leave, half_a_body)}


def main() -> None:
    """Run the parts and print a JSON line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="all, if none is named")
    parser.add_argument("--model", default="surface", help="a profile or a folder")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--workers", default="2")
    options = parser.parse_args()
    texts = list(make_pairs(20_000, english=True))
    for name in options.parts or PARTS:
        print(json.dumps({"part": name, **PARTS[name](options, texts)}), flush=True)


if __name__ == "__main__":
    main()
