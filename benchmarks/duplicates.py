"""Groups of duplicates beside semhash and the sentence encoder, on questions with planted paraphrases and near-copies.

Every system chooses its threshold by the F1 of pairs on a development set, of another seed, and is measured once on the
test set. Precision, recall and F1 are of pairs of rows in one group; `near-copies` is the share of planted near-copies,
which differ in a number, a name or a negation, that stand in one group. Intervals: 1,000 resamples of true groups.

    python benchmarks/duplicates.py --count 100000 --profiles fast full --peers

The peers need ``pip install semhash sentence-transformers``. semhash's own static model is on a hub; it is given the
word vectors that ship here, of the same making (model2vec), and, as another row, the vectors of the sentence encoder.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from planted_questions import PlantedQuestions, planted_questions
from samewise.ensemble.loading import load
from samewise.ensemble.matching.duplicates import duplicates
from samewise.ensemble.matching.options import DedupeOptions
from samewise.ensemble.matching.pair_scores import ScoredPairs
from samewise.ensemble.matching.pipeline import Search
from samewise.ensemble.matching.texts import TextRows, text_views
from samewise.ensemble.scoring.worker_processes import Workers, usable_cores

LOWEST = 2.0
"""Score from which candidates are scored on the development set, where the threshold is chosen."""

RESAMPLES = 1_000


class Quality(NamedTuple):
    """Agreement of groups with the planted ones, all shares 0..1; `interval` is of F1."""

    precision: float
    recall: float
    f1: float
    near_copies: float
    interval: tuple[float, float]


def quality(representatives: np.ndarray, planted: PlantedQuestions) -> Quality:
    """Return how well groups agree with the planted ones.

    Parameters
    ----------
    representatives
        Shape (n,): row that stands for each row.
    planted
        The questions, n of them.
    """
    both = _pairs_in(representatives.astype(np.int64) * (planted.groups.max() + 1) + planted.groups, planted.groups)
    found = _pairs_in(representatives, planted.groups)
    true = _pairs_in(planted.groups, planted.groups)
    chance = np.random.default_rng(0)
    samples = []
    for _ in range(RESAMPLES):
        weight = chance.poisson(1.0, len(true))
        samples.append(_f1(*(float(weight @ part) for part in (both, found, true)))[2])
    near = [representatives[one] == representatives[other] for one, other, _ in planted.near_copies]
    low, high = np.quantile(samples, [0.025, 0.975])
    precision, recall, f1 = _f1(both.sum(), found.sum(), true.sum())
    return Quality(precision, recall, f1, float(np.mean(near)), (float(low), float(high)))


def _pairs_in(labels: np.ndarray, groups: np.ndarray) -> np.ndarray:
    # Pairs of rows with one label, half of a pair for each of its rows, summed by true group.
    _, place, counts = np.unique(labels, return_inverse=True, return_counts=True)
    return np.bincount(groups, (counts[place] - 1) / 2.0)


def _f1(both: float, found: float, true: float) -> tuple[float, float, float]:
    precision, recall = both / max(found, 1e-9), both / max(true, 1e-9)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def scored(profile: str, questions: Sequence[str], lowest: float) -> tuple[ScoredPairs, dict[str, float]]:
    """Return the scored pairs of `dedupe`, from which groups at any threshold follow, and the seconds of each step."""
    begin = time.perf_counter()
    with Search(profile, DedupeOptions(same_from=lowest, unsure_from=lowest)) as search:
        candidates = search.candidates(TextRows(questions))
        between = time.perf_counter()
        scores = search.scored(candidates)
    return scores, {"candidates": between - begin, "scoring": time.perf_counter() - between}


def groups_at(
    texts: Sequence[str], scores: ScoredPairs, profile: str, threshold: float, keep: str = "central"
) -> np.ndarray:
    """Return the row that stands for each row at a threshold."""
    model = load(profile)
    with Workers(model, usable_cores()) as pool:
        rule = DedupeOptions(same_from=threshold, unsure_from=threshold).rule(model)
        return duplicates(TextRows(texts), scores, rule, keep, pool).representatives


def ours(profile: str, choice: PlantedQuestions, test: PlantedQuestions) -> dict[str, Any]:
    """Return the figures of a profile."""
    at_choice, _ = scored(profile, choice.texts, LOWEST)
    threshold = _best(
        np.arange(LOWEST, 4.81, 0.1), lambda score: groups_at(choice.texts, at_choice, profile, score), choice
    )
    begin = time.perf_counter()
    at_test, steps = scored(profile, test.texts, threshold)
    groups = groups_at(test.texts, at_test, profile, threshold)
    facts = {"seconds": time.perf_counter() - begin, **steps, "pairs": len(at_test.score)}
    return {"system": profile, "threshold": threshold, **quality(groups, test)._asdict(), "steps": facts}


def _best(thresholds: Sequence[float], groups: Callable[[float], np.ndarray], choice: PlantedQuestions) -> float:
    def f1(threshold: float) -> float:
        found = groups(threshold)
        both = _pairs_in(found.astype(np.int64) * (choice.groups.max() + 1) + choice.groups, choice.groups).sum()
        return _f1(both, _pairs_in(found, choice.groups).sum(), _pairs_in(choice.groups, choice.groups).sum())[2]

    return float(max(map(float, thresholds), key=f1))


class ViewEncoder:
    """Encoder in the form that semhash takes, with the vectors of a view."""

    def __init__(self, view: str) -> None:
        self._codes = text_views()[view].codes

    def encode(self, inputs: Sequence[str], **settings: Any) -> np.ndarray:
        """Return the vectors of texts, shape (n, d), float32."""
        return np.asarray(self._codes(list(inputs)), dtype=np.float32)


def by_semhash(view: str, choice: PlantedQuestions, test: PlantedQuestions) -> dict[str, Any]:
    """Return the figures of semhash with the vectors of a view."""
    from semhash import SemHash

    def groups(index: Any, questions: Sequence[str], threshold: float) -> np.ndarray:
        row = {text: place for place, text in enumerate(questions)}
        representatives = np.arange(len(questions))
        for removed in index.self_deduplicate(threshold=threshold).filtered:
            representatives[row[removed.record]] = row[removed.duplicate_of]
        return representatives

    index = SemHash.from_records(choice.texts, model=ViewEncoder(view))
    threshold = _best(np.arange(0.6, 0.99, 0.02), lambda cosine: groups(index, choice.texts, cosine), choice)
    begin = time.perf_counter()
    index = SemHash.from_records(test.texts, model=ViewEncoder(view))
    found = groups(index, test.texts, threshold)
    facts = {"seconds": time.perf_counter() - begin}
    return {"system": f"semhash, {view}", "threshold": threshold, **quality(found, test)._asdict(), "steps": facts}


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000, help="questions of the test set")
    parser.add_argument("--choice", type=int, default=10_000, help="questions of the development set")
    parser.add_argument("--profiles", nargs="*", default=["fast", "full"])
    parser.add_argument("--peers", action="store_true", help="semhash too")
    arguments = parser.parse_args()
    choice, test = planted_questions(arguments.choice, seed=1), planted_questions(arguments.count, seed=0)
    runs: list[Callable[[], dict[str, Any]]] = []
    if arguments.peers:
        runs += [lambda view=view: by_semhash(view, choice, test) for view in ("words", "sentences")]  # type: ignore[misc]
    runs += [lambda profile=profile: ours(profile, choice, test) for profile in arguments.profiles]  # type: ignore[misc]
    print(f"{'system':20}  threshold  precision  recall     F1              near-copies  seconds")
    for run in runs:
        found = run()
        low, high = found["interval"]
        print(
            f"{found['system']:20}  {found['threshold']:9.2f}  {found['precision']:9.3f}  {found['recall']:6.3f}  "
            f"{found['f1']:.3f} {low:.3f}-{high:.3f}  {found['near_copies']:11.3f}  {found['steps']['seconds']:7.0f}"
        )
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
