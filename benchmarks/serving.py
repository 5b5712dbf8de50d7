"""Measure `samewise serve` under many clients at once: requests, pairs/s, latency and the memory of all its processes.

Every client keeps one connection to the loopback and sends its next request when it has the answer to the last.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPConnection

import psutil
from sentences import make_pairs

SIZES = (1, 1, 1, 1, 2, 5, 10, 50)
"""Pairs in a request: half ask for one."""


@dataclass
class Tally:
    """What came back."""

    seconds: list[float] = field(default_factory=list)
    pairs: int = 0
    errors: Counter[str] = field(default_factory=Counter)


def watch(process: psutil.Process, megabytes: list[float], done: threading.Event) -> None:
    """Note the memory of a process and its children, shared pages counted once, until it is done."""
    while not done.wait(0.5):
        try:
            members = [process, *process.children(recursive=True)]
            infos = [member.memory_full_info() for member in members]
        except psutil.Error:
            continue
        megabytes.append(sum(getattr(info, "pss", info.rss) for info in infos) / 2**20)


async def client(port: int, texts: list[tuple[str, str]], seed: int, end: float, tally: Tally) -> None:
    """Send requests until the end, one after the other."""
    rng = random.Random(seed)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < end:
        size = rng.choice(SIZES)
        begin = rng.randrange(len(texts) - size)
        body = json.dumps({"pairs": texts[begin : begin + size]}).encode()
        started = time.perf_counter()
        writer.write(b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
        answer = json.loads(await reader.readexactly(length))
        tally.seconds.append(time.perf_counter() - started)
        if head.startswith("http/1.1 200") and len(answer["results"]) == size:
            tally.pairs += size
        else:
            tally.errors[f"{head[9:12]} {answer.get('error')}"] += 1
    writer.close()
    await writer.wait_closed()


async def load(port: int, clients: int, seconds: float, texts: list[tuple[str, str]], tally: Tally) -> Tally:
    """Run all clients."""
    end = time.perf_counter() + seconds
    done = await asyncio.gather(
        *(client(port, texts, seed, end, tally) for seed in range(clients)), return_exceptions=True
    )
    tally.errors.update(repr(each) for each in done if each is not None)
    return tally


def single(port: int, texts: list[tuple[str, str]], requests: int = 50) -> float:
    """Return the median milliseconds of a lone client with one pair a request."""
    connection, seconds = HTTPConnection("127.0.0.1", port), []
    for pair in texts[:requests]:
        started = time.perf_counter()
        connection.request("POST", "/score", json.dumps([pair]))
        connection.getresponse().read()
        seconds.append(time.perf_counter() - started)
    connection.close()
    return 1e3 * sorted(seconds)[requests // 2]


def main() -> None:
    """Run and print one JSON line; status 1 if a request failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="surface", help="a profile or a folder")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workers", default="auto")
    options = parser.parse_args()
    texts = list(make_pairs(20_000, english=True))
    command = [sys.executable, "-m", "samewise", "serve", "--port", "0", "--workers", options.workers]
    process = subprocess.Popen([*command, "--model", options.model], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        if not line:
            raise SystemExit("the service did not start")
        port = int(line.split()[0].rpartition(":")[2])
        service, megabytes = psutil.Process(process.pid), list[float]()
        done = threading.Event()
        watcher = threading.Thread(target=watch, args=(service, megabytes, done), daemon=True)
        watcher.start()
        alone = single(port, texts)
        started = time.perf_counter()
        tally = asyncio.run(load(port, options.clients, options.seconds, texts, Tally()))
        seconds = time.perf_counter() - started
        done.set()
        watcher.join()
        busy = [sum(each.cpu_times()[:2]) for each in (service, *service.children(recursive=True))]
    finally:
        process.terminate()
        status = process.wait()
    ordered = sorted(tally.seconds)
    facts = {
        "model": options.model,
        "clients": options.clients,
        "seconds": round(seconds, 1),
        "requests": len(ordered),
        "pairs": tally.pairs,
        "pairs_per_s": round(tally.pairs / seconds, 1),
        "errors": dict(tally.errors),
        "p50_ms": round(1e3 * ordered[len(ordered) // 2], 1),
        "p99_ms": round(1e3 * ordered[len(ordered) * 99 // 100], 1),
        "processor_s_of_the_server": round(busy[0], 1),
        "processor_s_of_the_workers": round(sum(busy[1:]), 1),
        "single_pair_alone_ms": round(alone, 1),
        "peak_mb": round(max(megabytes)),
        "peak_mb_of_the_first_half": round(max(megabytes[: len(megabytes) // 2])),
        "exit_status": status,
    }
    print(json.dumps(facts), flush=True)
    raise SystemExit(1 if tally.errors or status else 0)


if __name__ == "__main__":
    main()
