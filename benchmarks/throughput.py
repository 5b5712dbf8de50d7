"""Measure `samewise predict` on distinct pairs: pairs/s and the peak memory of all its processes together.

The same pairs are encoded with a sentence-transformers MiniLM in the same run, where one is installed, for the ratio.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
from sentences import make_pairs


def _watch(process: psutil.Process, peaks: dict[str, float], done: threading.Event) -> None:
    while not done.wait(0.1):
        rss = pss = 0.0
        try:
            for member in [process, *process.children(recursive=True)]:
                info = member.memory_full_info()
                rss += info.rss / 2**20
                pss += getattr(info, "pss", info.rss) / 2**20
        except psutil.Error:
            continue
        peaks["rss"], peaks["pss"] = max(peaks["rss"], rss), max(peaks["pss"], pss)


def predict(source: Path, target: Path, options: list[str]) -> dict[str, float]:
    """Run the command once; return seconds and peak MB over all its processes (resident, and shared pages once)."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "samewise", "predict", str(source), "-o", str(target), *options])
    peaks, done = {"rss": 0.0, "pss": 0.0}, threading.Event()
    watcher = threading.Thread(target=_watch, args=(psutil.Process(process.pid), peaks, done))
    watcher.start()
    status = process.wait()
    seconds = time.perf_counter() - started
    done.set()
    watcher.join()
    if status:
        raise SystemExit(f"samewise predict ended with status {status}")
    return {"seconds": seconds, **peaks}


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
    """Run and print one JSON line a file length."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--model", default="full", help="a profile or a folder")
    parser.add_argument("--english", action="store_true", help="English words instead of invented ones")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--peer", default="sentence-transformers/all-MiniLM-L6-v2", help="a model name or folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "pairs.csv"), Path(folder, "scores.csv")
        for count in options.pairs:
            with source.open("w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file)
                writer.writerow(["sentence1", "sentence2"])
                writer.writerows(make_pairs(count, english=options.english))
            found = predict(source, target, ["--model", options.model, "--workers", str(options.workers)])
            facts = {
                "pairs": count,
                "workers": options.workers,
                "seconds": round(found["seconds"], 1),
                "pairs_per_s": round(count / found["seconds"]),
                "peak_rss_mb": round(found["rss"]),
                "peak_pss_mb": round(found["pss"]),
            }
            peer = encode(list(make_pairs(2_000)), options.peer)
            facts["ratio_to_minilm"] = round(facts["pairs_per_s"] / peer, 1) if peer else "not installed"
            print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    main()
