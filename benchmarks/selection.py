"""Seconds and memory of choosing pairs by coverage: the algorithm alone, and the whole command on pools of three sizes.

The algorithm runs beside the plain one, a loop over scikit-learn's ``pairwise_distances_argmin_min``, in the same run
and on the same made-up points; their first choices must be the same. The command runs as a process of its own on
made-up pairs, whose memory is read from the system as it goes (Linux): what it holds itself, and all, with the pages of
its temporary files, which the system takes back when it needs them.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from samewise.apps.labels.selection import k_center_greedy
from sentences import make_pairs

DIMENSION = 66


def made_points(n: int, seed: int = 0) -> np.ndarray:
    """Points whose columns have tails as long as those of standardised features."""
    return np.random.default_rng(seed).standard_t(3, size=(n, DIMENSION)).astype(np.float32)


def plain_greedy(points: np.ndarray, k: int, first: int) -> np.ndarray:
    from sklearn.metrics import pairwise_distances_argmin_min

    gaps = pairwise_distances_argmin_min(points, points[[first]])[1]
    rows = [first]
    while len(rows) < k:
        rows.append(int(gaps.argmax()))
        gaps = np.minimum(gaps, pairwise_distances_argmin_min(points, points[rows[-1:]])[1])
    return np.asarray(rows)


def memory_of(process: int) -> dict[str, float]:
    """Return the MiB that a process holds itself, and all that it has in memory."""
    facts = {}
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name in ("RssAnon", "VmRSS"):
            facts[name] = int(value.split()[0]) / 1024
    return facts


def watched(command: list[str]) -> tuple[float, dict[str, float]]:
    """Run a command; return its seconds and the most memory that was seen of it."""
    started = time.perf_counter()
    peaks: dict[str, float] = {}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            try:
                found = memory_of(process.pid)
            except OSError:
                break
            peaks |= {name: max(value, peaks.get(name, 0.0)) for name, value in found.items()}
            time.sleep(0.05)
    if process.returncode:
        raise SystemExit(process.returncode)
    return time.perf_counter() - started, peaks


def timed(call: Callable[[], object]) -> tuple[float, object]:
    started = time.perf_counter()
    found = call()
    return time.perf_counter() - started, found


def compare(n: int, k: int, rounds: int) -> None:
    points = made_points(n)
    k_center_greedy(points[:3_000], 2), plain_greedy(points[:100], 2, 0)  # imports
    mine, found = timed(lambda: k_center_greedy(points, k))
    part, rows = timed(lambda: plain_greedy(points, rounds, int(found.rows[0])))
    same = (rows == found.rows[:rounds]).all()
    plain = part * k / rounds
    equal = "equal" if same else "DIFFER"
    print(f"{n:,} points of {DIMENSION} numbers, k = {k:,}")
    print(f"  k_center_greedy            {mine:8.2f} s")
    print(f"  plain loop, scikit-learn   {plain:8.1f} s, from {rounds} rounds; choices {equal}")
    print(f"  ratio                      {plain / mine:8.0f}")


def alone(n: int, k: int) -> None:
    """Run the algorithm on its own, for its memory."""
    k_center_greedy(made_points(n), k)


def whole(n: int, k: int, profile: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pool.parquet"
        schema = pa.schema([("sentence1", pa.string()), ("sentence2", pa.string())])
        with pq.ParquetWriter(path, schema) as writer:
            pairs = make_pairs(n)
            while rows := [pair for _, pair in zip(range(10_000), pairs, strict=False)]:
                writer.write_table(pa.table(list(map(list, zip(*rows, strict=True))), schema=schema))
        command = [sys.executable, "-m", "samewise", "label", "select", str(path)]
        command += ["-o", str(Path(folder) / "out.parquet")]
        seconds, peaks = watched([*command, "--k", str(k), "--method", "greedy", "--model", profile])
    held, every = peaks["RssAnon"], peaks["VmRSS"]
    print(f"{n:10,} pairs, {profile}, k = {k:,}: {seconds:7.1f} s, {n / seconds:6,.0f} pairs/s, {held:6,.0f} MiB held, "
          f"{every:6,.0f} MiB in all", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--k", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=50, help="rounds of the plain loop; the rest is scaled up")
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000], help="pairs in a pool")
    parser.add_argument("--profile", default="surface")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        alone(options.points, options.k)
        return
    if options.points:
        compare(options.points, options.k, options.rounds)
        command = [sys.executable, __file__, "--alone", "--points", str(options.points)]
        most, least = (watched([*command, "--k", str(k)])[1]["RssAnon"] for k in (options.k, 1))
        held, needed = 4 * options.points * DIMENSION / 2**20, 8 * options.points**2 / 2**20
        print(
            f"  memory                     {most:8.0f} MiB, of which the points {held:.0f}; {least:.0f} MiB for k = 1"
        )
        print(f"  all distances would take   {needed:8,.0f} MiB")
    for size in options.sizes:
        whole(size, options.k, options.profile)


if __name__ == "__main__":
    main()
