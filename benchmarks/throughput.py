"""Pairs a second of a whole run over a file, how busy the cores are, and whether memory stays where it is.

Pairs are generated (`sentences`). Memory is that of all processes together, shared pages counted once (PSS on Linux),
at its peak in each tenth of the run. With several numbers of workers the ratio of their speeds is printed too.
"""

import argparse
import csv
import json
import os
import tempfile
import threading
import time
from pathlib import Path

import psutil
from samewise.ensemble.scoring import predict_file
from sentences import make_pairs

TOLD = (10, 50, 100)
"""At what percent of the run the memory is told."""


class Watch:
    """Peak memory of this process and its children in each tenth of a run, and the processor time they used.

    Attributes
    ----------
    peaks
        MB of all processes.
    own
        MB of this process alone, at the end.
    """

    def __init__(self) -> None:
        self.peaks = [0.0] * 10
        self.own = 0.0
        self.tenth = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._children: dict[int, float] = {}

    def _run(self) -> None:
        own = psutil.Process()
        while not self._ended.wait(0.5):
            total = 0.0
            for process in [own, *own.children(recursive=True)]:
                try:
                    info = process.memory_full_info()
                    size = getattr(info, "pss", info.rss) / 2**20
                    total += size
                    if process is own:
                        self.own = size
                    else:
                        times = process.cpu_times()
                        self._children[process.pid] = times.user + times.system
                except psutil.Error:
                    continue
            self.peaks[self.tenth] = max(self.peaks[self.tenth], total)

    def __enter__(self) -> "Watch":
        self._begin, self._own = time.perf_counter(), time.process_time()
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()
        self.seconds = time.perf_counter() - self._begin
        self.busy = (time.process_time() - self._own + sum(self._children.values())) / self.seconds

    def progress(self, done: int, total: int) -> None:
        """Say how far the run is."""
        self.tenth = min(10 * done // total, 9)


def measure(source: Path, target: Path, count: int, model: str, workers: int) -> dict[str, object]:
    """Return what one run over the file took."""
    with Watch() as watch:
        predict_file(source, target, model=model, workers=workers, progress=lambda done, _: watch.progress(done, count))
    target.unlink()
    memory = {f"{percent} %": round(watch.peaks[percent // 10 - 1]) for percent in TOLD}
    return {
        "model": model,
        "pairs": count,
        "workers": workers,
        "seconds": round(watch.seconds, 1),
        "pairs_per_s": round(count / watch.seconds),
        "cpu_percent": round(100 * watch.busy),
        "peak_pss_mb": memory,
    }


def encode(pairs: list[tuple[str, str]], model: str) -> float | None:
    """Return pairs/s of a sentence-transformers model on the CPU, or None where it is not installed."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        return None
    encoder = SentenceTransformer(model, device="cpu")
    started = time.perf_counter()
    encoder.encode([text for pair in pairs for text in pair], batch_size=64, show_progress_bar=False)
    return len(pairs) / (time.perf_counter() - started)


def main() -> None:
    """Run and print one JSON line a run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, nargs="+", default=[100_000])
    parser.add_argument("--model", nargs="+", default=["full"], help="profiles or folders")
    parser.add_argument("--english", action="store_true", help="English words instead of invented ones")
    parser.add_argument("--workers", type=int, nargs="+", default=[os.cpu_count()])
    parser.add_argument("--peer", help="also time this sentence-transformers model, by name or folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "pairs.csv"), Path(folder, "scores.csv")
        for count in options.pairs:
            with source.open("w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file)
                writer.writerow(["sentence1", "sentence2"])
                writer.writerows(make_pairs(count, english=options.english))
            peer = encode(list(make_pairs(2_000)), options.peer) if options.peer else None
            for model in options.model:
                first = 0
                for workers in options.workers:
                    facts = measure(source, target, count, model, workers)
                    speed = int(str(facts["pairs_per_s"]))
                    if first:
                        facts[f"ratio_to_{options.workers[0]}_worker"] = round(speed / first, 2)
                    if peer:
                        facts["ratio_to_peer"] = round(speed / peer, 1)
                    first = first or speed
                    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    main()
