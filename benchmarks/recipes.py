"""Worth of each part of the recipe of general models: on sources left out, on SICK and on held contrast squares.

The table is that of ``scripts/make_scored_pairs.py --written``. A recipe is the word ``plain`` (regressors on the
columns of the profile, and its networks) or a list of parts with "+" between them:

- ``scales``: levels of sources are removed (`ensemble.core.source_scales`);
- ``contrasts``: pairs written for this project are fitted on too, with relative scores (needs ``scales``);
- ``columns``: columns of BLEU, METEOR, information content in WordNet and values besides;
- ``members``: the cosine of word vectors, and of sentences where the profile has an encoder, as members of a stack.

Each recipe is fitted once and kept in a folder, as a model that any other benchmark can read too. Sources are scored
out of folds of whole collections, by a combination that is fitted without them.

    python benchmarks/recipes.py TABLE DATA --profile fast --regressors xgb --recipes plain scales scales+contrasts
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from left_out_sources import Scored, fitted_without
from overlap_auc import judge_squares, word_overlap
from samewise.ensemble.contrasts.squares import read_squares, square_pairs
from samewise.ensemble.core.estimator import SimilarityEnsemble
from samewise.ensemble.core.folds import sentence_groups
from samewise.ensemble.evaluation.metrics import pearson
from samewise.features.analysis.analysis import analyse
from samewise.models.member import make_member
from samewise.models.profiles import profile_folder
from sick import read_sick

PARTS = ("scales", "contrasts", "columns", "members")

SETS = {"surface": "surface", "fast": "fast", "full": "full", "best": "full"}

COLUMNS = ("translation.bleu", "translation.meteor", "wordnet_overlap.mihalcea", "values")
"""Columns that ``columns`` adds; ``surface``, which reads no WordNet, takes its values alone."""

REGRESSORS = {
    "rf": {"max_features": 0.15, "max_samples": 0.6},
    "gbm": {"n_estimators": 300, "learning_rate": 0.04, "max_features": 0.08},
}
"""Settings that replace those of the regressors: no worse on three folds of sources left out, and fitted faster."""

NETWORKS = {"full": "cross_encoder", "best": "base_cross_encoder"}

CONTRASTS = Path(__file__).resolve().parents[1] / "data" / "contrasts"


def estimator(profile: str, parts: Sequence[str], regressors: Sequence[str], cache: Path) -> SimilarityEnsemble:
    """Return the unfitted ensemble of a recipe."""
    features, members = [SETS[profile]], list(regressors)
    params: dict[str, dict[str, Any]] = {name: REGRESSORS[name] for name in regressors if name in REGRESSORS}
    if "columns" in parts:
        features += ["values"] if profile == "surface" else COLUMNS
    if profile in NETWORKS:
        members.append(NETWORKS[profile])
        params[NETWORKS[profile]] = {"fitted": str(profile_folder(f"{profile}-stsb"))}
    if "members" in parts and profile != "surface":
        members += ["word_cosine", "sentence_cosine"] if profile in NETWORKS else ["word_cosine"]
    stacked = len(members) > len(regressors)
    return SimilarityEnsemble(
        features if len(features) > 1 else features[0],
        members,
        combine="stack" if stacked else "mean",
        contrasts=0.05,
        member_params=params,
        n_jobs=2,
        cache=cache,
    )


def fitted(
    name: str, model: SimilarityEnsemble, data: Scored, parts: Sequence[str], keep: Path
) -> dict[str, np.ndarray]:
    """Fit a recipe and keep it, or read it; return its out-of-fold scores and the points removed from scores."""
    file = keep / f"{name}.npz"
    if not file.is_file():
        scales = "scales" in parts
        model.fit(
            data.pairs,
            data.gold,
            data.collection,
            data.unseen if model.combine == "stack" else None,
            data.source if scales else None,
            data.weight if "contrasts" in parts else None,
            ~data.scored if "contrasts" in parts else None,
        )
        keep.mkdir(parents=True, exist_ok=True)
        model.save(keep / name)
        np.savez(file, members=model.oof_members_, removed=model.removed_)
    return dict(np.load(file))


def part_of(collections: np.ndarray, share: float) -> np.ndarray:
    """Mark the rows of a share of the collections, the same ones and more for a larger share."""
    numbers = {name: crc32(f"share {name}".encode()) / 2**32 for name in np.unique(collections).tolist()}
    return np.array([numbers[name] < share for name in collections.tolist()])


def left_out(data: Scored, found: dict[str, np.ndarray], model: SimilarityEnsemble) -> np.ndarray:
    """Return the scores of all pairs by combinations fitted without their collection, shape (n,)."""
    members, stacked = found["members"], model.combine == "stack"
    averaged = [make_member(name).averaged for name in model.members]
    groups = sentence_groups(analyse(data.pairs, "text"), data.collection)
    scores = np.zeros(len(data.pairs))
    for name in np.unique(data.collection[data.scored]):
        own = data.collection == name
        others = ~own & (data.unseen | (not stacked))
        combination, _ = fitted_without(data, members, groups, others, stacked, averaged, found["removed"])
        scores[own] = combination.apply(members[own])
    return scores


def main() -> None:
    """Fit the recipes named, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", help="the table of scripts/make_scored_pairs.py --written")
    parser.add_argument("data", type=Path, help="folder of the data sets, of which SICK is read")
    parser.add_argument("--profile", choices=SETS, default="fast")
    parser.add_argument("--recipes", nargs="+", default=["plain", "+".join(PARTS)])
    parser.add_argument("--regressors", default="rf,gbm,xgb", help="regressors to fit; fewer are faster")
    parser.add_argument("--share", type=float, default=1.0, help="share of the written pairs to fit on, whole squares")
    parser.add_argument("--keep", type=Path, default=Path(".start/recipes"), help="folder for what is slow to compute")
    options = parser.parse_args()
    everything = Scored.read(options.table)
    sick, gold = read_sick(options.data / "sick")
    seen = {frozenset(pair) for pair in everything.pairs}
    new = np.array([frozenset(pair) not in seen for pair in sick])
    squares = square_pairs(
        [row for path in sorted(CONTRASTS.glob("squares-*.tsv")) for row in read_squares(path, True)]
    )
    overlap = word_overlap(squares)
    print(f"{'recipe':36} {'25 sources':>10} {'15 unseen':>10} {'worst':>6} {'SICK':>6} {'AUC':>6}  near  kept cross")
    for recipe in options.recipes:
        parts = [] if recipe == "plain" else recipe.split("+")
        if not set(parts) <= set(PARTS) or ("contrasts" in parts) > ("scales" in parts):
            parser.error(f"--recipes must be plain or parts of {', '.join(PARTS)}, contrasts with scales, got {recipe}")
        begin = time.perf_counter()
        taught = part_of(everything.collection, options.share) if "contrasts" in parts else False
        data = everything.of(everything.scored | taught)
        regressors = options.regressors.split(",")
        name = f"{options.profile}-{'-'.join(regressors)}-{recipe.replace('+', '-')}-{options.share:g}"
        model = estimator(options.profile, parts, regressors, options.keep / "cache")
        found = fitted(name, model, data, parts, options.keep)
        scores = left_out(data, found, model)
        by_source = {
            source: pearson(data.gold[data.source == source], scores[data.source == source])
            for source in np.unique(data.source[data.scored])
        }
        unseen = [by_source[source] for source in np.unique(data.source[data.scored & data.unseen])]
        kept = SimilarityEnsemble.load(options.keep / name)
        judged = judge_squares(kept.predict(squares), overlap)
        orders = " ".join(f"{value:5.2f}" for value in judged.orders.values())
        print(
            f"{recipe:36} {np.mean(list(by_source.values())):10.4f} {np.mean(unseen):10.4f} {min(unseen):6.3f} "
            f"{pearson(gold[new], kept.predict([pair for pair, mark in zip(sick, new, strict=True) if mark])):6.4f} "
            f"{judged.auc:6.3f} {orders}  ({judged.low:.3f}-{judged.high:.3f}; {time.perf_counter() - begin:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
