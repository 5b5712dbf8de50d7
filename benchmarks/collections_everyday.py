"""Tickets, product titles and answers in everyday words: samewise beside RapidFuzz, TF-IDF and an encoder.

The tables are those written for this project: tickets with an intent, titles with a product, and answers with points.
Of tickets and of titles, every pair is a question: do both have the same intent, or product? A system is measured by
average precision, and by recall at a precision of 95 %, over all pairs; of answers, by Spearman's correlation of the
score of reference and answer with the points. A profile is also measured with 1 less for pairs with a difference that
keeps texts apart. Intervals: 95 % of 300 resamples of intents, products or questions.

    python benchmarks/collections_everyday.py FOLDER --profiles surface fast full

A profile that is slow reads all pairs of one intent, the closest pairs of each text by every other system, and a random
sample of the rest with a weight (``--slow full best``).
"""

import argparse
import csv
import itertools
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz, process, utils
from samewise.ensemble.contrasts.squares import is_held
from samewise.ensemble.differences.facts import KEEP_APART
from samewise.ensemble.differences.keeping_apart import all_kinds
from samewise.ensemble.loading import load
from samewise.ensemble.matching.candidates import Candidates
from samewise.ensemble.matching.pair_scores import score_candidates
from samewise.ensemble.matching.texts import TextCollection, text_views
from samewise.ensemble.scoring.worker_processes import Workers, usable_cores
from samewise.ensemble.tables.labelled_pairs import need_scores
from samewise.ensemble.tables.labelled_pairs import read_pairs as read_labelled
from scipy.stats import rankdata, spearmanr
from sklearn.feature_extraction.text import TfidfVectorizer

RESAMPLES = 300

PRECISION = 0.95

ONE_IN = 3
"""One intent, product or question in so many is held, as in ``scripts/make_scored_pairs.py``."""

LESS = 1.0
"""Points that a difference which keeps texts apart takes from a score; of 0.25, 0.5, 1 and 5 the best on the titles."""

CLOSEST = 10
"""Closest texts of a text by each other system that a slow profile reads."""

SAMPLE = 3_000
"""Random pairs besides these that a slow profile reads."""


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table without quoting."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def vectors_of(folder: Path, texts: Sequence[str]) -> np.ndarray:
    """Return the vectors of texts by an encoder in ONNX, the mean of its states, shape (n, d), of length 1."""
    import onnxruntime
    from tokenizers import Tokenizer

    reads, session = (
        Tokenizer.from_file(str(folder / "tokenizer.json")),
        onnxruntime.InferenceSession(folder / "model.onnx"),
    )
    reads.no_padding()
    reads.enable_truncation(512)
    inputs = {value.name for value in session.get_inputs()}
    rows = []
    for text in texts:
        pieces = reads.encode(text)
        given = {"input_ids": pieces.ids, "attention_mask": pieces.attention_mask, "token_type_ids": pieces.type_ids}
        states = session.run(None, {name: np.array([given[name]]) for name in inputs})[0]
        rows.append(states[0].mean(axis=0))
    vectors = np.asarray(rows)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def peers(texts: Sequence[str], encoder: Path | None = None) -> dict[str, np.ndarray]:
    """Return the similarities of all pairs of texts by each peer, shape (n, n)."""
    clean = [utils.default_process(text) for text in texts]
    weighted = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True).fit_transform(texts)
    vectors = text_views()["sentences"].codes(texts).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return {
        "RapidFuzz token_set_ratio": process.cdist(clean, clean, scorer=fuzz.token_set_ratio),
        "RapidFuzz WRatio": process.cdist(clean, clean, scorer=fuzz.WRatio),
        "TF-IDF of characters": np.asarray((weighted @ weighted.T).todense()),
        "encoder, cosine": vectors @ vectors.T,
        **({} if encoder is None else {f"{encoder.name}, cosine": (own := vectors_of(encoder, texts)) @ own.T}),
    }


def scores_of(profile: str, texts: Sequence[str], first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the scores of pairs of texts by a profile."""
    collection = TextCollection.of(texts)
    a, b = collection.rows[0][first], collection.rows[0][second]
    with Workers(load(profile), usable_cores()) as pool:
        return score_candidates(Candidates(collection, np.minimum(a, b), np.maximum(a, b), {}), pool).score


def figures(scores: np.ndarray, same: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """Return average precision and recall at `PRECISION`; pairs of one score count together."""
    order = np.argsort(-scores, kind="stable")
    last = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    found = np.cumsum(weights[order])[last]
    true = np.cumsum((weights * same)[order])[last]
    precision, recall = true / np.maximum(found, 1e-12), true / max(true[-1], 1e-12)
    good = recall[precision >= PRECISION]
    return float(precision @ np.diff(recall, prepend=0.0)), float(good.max(initial=0.0))


def with_intervals(measure: Callable[[np.ndarray], Sequence[float]], groups: int) -> list[list[float]]:
    """Return each figure for the weight 1 of all groups, and the interval of its resamples."""
    chance = np.random.default_rng(0)
    draws = [measure(np.bincount(chance.integers(0, groups, groups), minlength=groups)) for _ in range(RESAMPLES)]
    found = np.vstack([measure(np.ones(groups)), np.quantile(draws, [0.025, 0.975], axis=0)])
    return [[round(float(value), 3) for value in figure] for figure in found.T]


def pair_rows(
    name: str,
    scores: np.ndarray,
    ends: tuple[np.ndarray, np.ndarray],
    groups: np.ndarray,
    weights: np.ndarray,
) -> dict[str, object]:
    """Return the figures of a system over pairs, whose texts are resampled by group."""
    one, other = (groups[end] for end in ends)

    def measure(times: np.ndarray) -> tuple[float, float]:
        drawn = np.where(one == other, times[one], times[one] * times[other])
        return figures(scores, one == other, drawn * weights)

    found = with_intervals(measure, int(groups.max()) + 1)
    return {"system": name, **dict(zip(("average precision", "recall at 95 % precision"), found, strict=True))}


def best_mix(similar: dict[str, np.ndarray], same: np.ndarray) -> tuple[str, np.ndarray]:
    """Return the peers whose mean of ranks has the greatest average precision here, and this mean."""
    ranks = {name: rankdata(values) for name, values in similar.items()}
    mixes = [mix for size in range(2, len(ranks) + 1) for mix in itertools.combinations(ranks, size)]
    means = {mix: np.mean([ranks[name] for name in mix], axis=0) for mix in mixes}
    best = max(means, key=lambda mix: figures(means[mix], same, np.ones(len(same)))[0])
    return f"best mix of these ({', '.join(best)})", means[best]


def compare(
    name: str,
    texts: Sequence[str],
    labels: Sequence[str],
    profiles: Sequence[str],
    slow: set[str],
    encoder: Path | None = None,
) -> None:
    """Print the figures of all systems for the pairs of a collection."""
    groups = np.unique(labels, return_inverse=True)[1]
    ends = np.triu_indices(len(texts), 1)
    same, whole = groups[ends[0]] == groups[ends[1]], np.ones(len(ends[0]))
    similar = {peer: values[ends].astype(float) for peer, values in peers(texts, encoder).items()}
    mixed, mean = best_mix(similar, same)
    found = load("surface").differences([(texts[i], texts[j]) for i, j in zip(*ends, strict=True)])
    apart = np.array([not all_kinds(one).isdisjoint(KEEP_APART) for one in found])
    for system, scores in {**similar, mixed: mean}.items():
        _print(name, pair_rows(system, scores, ends, groups, whole))
    for profile in profiles:
        begin, places, weights = time.perf_counter(), np.arange(len(same)), whole
        if profile in slow:
            places, weights = read_pairs(similar, ends, same, len(texts))
        first, second = (end[places] for end in ends)
        scores = scores_of(profile, texts, first, second)
        seconds = time.perf_counter() - begin
        if profile not in slow:
            similar[profile] = scores
        facts = {"pairs": len(places), "seconds": round(seconds)}
        _print(name, {**pair_rows(profile, scores, (first, second), groups, weights), **facts})
        lowered = f"{profile}, {LESS:g} less where texts differ"
        _print(name, pair_rows(lowered, scores - LESS * apart[places], (first, second), groups, weights))


def read_pairs(
    similar: dict[str, np.ndarray], ends: tuple[np.ndarray, np.ndarray], same: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of the pairs that a slow profile reads, and the number of pairs that each stands for."""
    chosen = same.copy()
    for values in similar.values():
        square = np.full((count, count), -np.inf)
        square[ends] = values
        square = np.maximum(square, square.T)
        for row, near in enumerate(np.argsort(-square, axis=1, kind="stable")[:, :CLOSEST]):
            chosen |= ((ends[0] == row) & np.isin(ends[1], near)) | ((ends[1] == row) & np.isin(ends[0], near))
    rest = np.flatnonzero(~chosen)
    sample = np.random.default_rng(0).permutation(rest)[:SAMPLE]
    places = np.concatenate([np.flatnonzero(chosen), sample])
    weights = np.ones(len(places))
    weights[len(places) - len(sample) :] = len(rest) / max(len(sample), 1)
    return places, weights


def compare_scores(
    name: str,
    pairs: Sequence[tuple[str, str]],
    gold: np.ndarray,
    groups: Sequence[str],
    profiles: Sequence[str],
    encoder: Path | None = None,
) -> None:
    """Print how scores follow the labels of n pairs, and intervals of resampled groups."""
    number = np.unique(groups, return_inverse=True)[1]
    texts = [text for side in zip(*pairs, strict=True) for text in side]
    first = np.arange(len(pairs))
    second = first + len(pairs)
    systems = {name: lambda values=values: values[first, second] for name, values in peers(texts, encoder).items()}
    systems |= {profile: lambda profile=profile: scores_of(profile, texts, first, second) for profile in profiles}
    for system, score in systems.items():
        scores = np.asarray(score(), dtype=float)

        def measure(times: np.ndarray, scores: np.ndarray = scores) -> tuple[float]:
            drawn = np.repeat(np.arange(len(gold)), times[number].astype(int))
            return (float(spearmanr(gold[drawn], scores[drawn]).statistic),)

        _print(name, {"system": system, "Spearman": with_intervals(measure, int(number.max()) + 1)[0]})


def _print(name: str, facts: dict[str, object]) -> None:
    print(json.dumps({"set": name, **facts}), flush=True)


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder with tickets.tsv, products.tsv and answers.tsv")
    parser.add_argument(
        "--profiles", nargs="+", default=["surface", "fast", "full"], help="profiles, or folders of models"
    )
    parser.add_argument("--held", action="store_true", help="read the third of groups that nothing is fitted on")
    parser.add_argument("--encoder", type=Path, help="folder with model.onnx and tokenizer.json: its cosine as a peer")
    parser.add_argument("--scored", type=Path, help="table of scored pairs to compare on, too")
    parser.add_argument("--slow", nargs="*", default=["full", "best"], help="profiles that read some pairs only")
    options = parser.parse_args()
    slow = set(options.slow)
    tickets, titles, answers = (
        [row for row in read(options.folder / f"{name}.tsv") if not options.held or is_held(row[column], ONE_IN)]
        for name, column in (("tickets", "intent"), ("products", "product"), ("answers", "question_id"))
    )
    answered = [(row["reference"], row["answer"]) for row in answers]
    points = np.array([float(row["points"]) for row in answers])
    questions = [row["question_id"] for row in answers]
    compare_scores("answers", answered, points, questions, options.profiles, options.encoder)
    if options.scored is not None:
        pairs, scores, _ = read_labelled(options.scored)
        names = [str(place) for place in range(len(pairs))]
        compare_scores(
            options.scored.stem, pairs, need_scores(scores, options.scored), names, options.profiles, options.encoder
        )
    products = [row["product"] for row in titles]
    compare("products", [row["title"] for row in titles], products, options.profiles, slow, options.encoder)
    texts = [f"{row['subject']}. {row['body']}" for row in tickets]
    compare("tickets", texts, [row["intent"] for row in tickets], options.profiles, slow, options.encoder)


if __name__ == "__main__":
    main()
