"""What each family of features is worth: fitted on STS Benchmark train, Pearson on dev and test.

The unsupervised columns stand alone, as they are; then every family and the columns of every published system under
gradient boosting, and the set `parsed` under the three regressors and their mean. Nothing here chooses anything:
`compare_sets.py`, which sees the training file alone, does. Published figures are those of the toolkit of Tian et al.
(2017), of Cer et al. (2017) and of the systems' authors.
"""

import argparse
from pathlib import Path

import numpy as np
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.evaluation.metrics import evaluate, pearson
from samewise.ensemble.tables.labelled_pairs import need_scores, read_pairs
from samewise.features import FeatureMatrix, extract, resolve
from samewise.features.analysis.analysis import analyse
from samewise.features.base.feature import highest_level
from samewise.features.pipeline.registry import Resources
from samewise.features.pipeline.user_supplied import GIVEN
from samewise.models.member import make_member

PUBLISHED = {
    "alignment.idf_coverage.ecnu": "79.7 / 76.2",
    "alignment.share.all": "69.9 / 63.8",
    "bit, gbm": "82.9 / 80.9",
    "dt_team, gbm": "83.0 / 79.2 (with three neural encoders)",
    "ecnu, gbm": "83.6 / 80.2",
    "udl, gbm": "72.4 / 79.0",
    "embedding.cosine_distilled.mean": "70.0 / 56.5 (word2vec)",
    "embedding.cosine_relational.sif_minus_15": "80.1 / 72.0 (LexVec)",
    "alignment, gbm": "81.6 / 77.5",
    "lemma_ngram, gbm": "78.2 / 74.5",
    "lemma_bow, gbm": "77.9 / 68.7",
    "embedding, gbm": "80.1 / 71.3",
    "all, rf": "83.3 / 79.9",
    "all, gbm": "83.6 / 80.2",
    "all, mean of three": "84.7 / 81.0 (with four neural scorers)",
}
ALONE = (
    *("alignment.share.all", "alignment.share.content", "alignment.idf_coverage.ecnu", "alignment.idf_coverage.smooth"),
    *("alignment.frequency_coverage.sif", "sentence_information.overlap.ratio", "sentence_information.overlap.dice"),
    *("soft_alignment.relatedness.mean", "cardinality.lemmas.removed"),
    *("embedding.cosine_distilled.mean", "embedding.cosine_relational.sif_minus_15", "embedding_match.distilled.mean"),
    *("transport.distilled.mover", "embedding_alignment.optimal.idf"),
    *("award_penalty.matched.mean", "explicit_semantics.concepts.idf", "retrieval.glosses.cosine"),
    *("paragraph_vector.bag_of_words.cosine", "dependency.pairs_idf.f1"),
)
SYSTEMS = ("ecnu", "takelab", "ukp", "udl", "dt_team", "bit")


def _show(name: str, found: dict[str, str]) -> None:
    print(f"{name:44} {found['dev']:>6} / {found['test']:<6} {PUBLISHED.get(name, '')}".rstrip(), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder with sts-train.csv, sts-dev.csv and sts-test.csv")
    parser.add_argument("--features", default="parsed", help="the set that is all of them")
    parser.add_argument("--cache", type=Path, help="folder that keeps computed features")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    # What needs something of the user's cannot be measured here.
    features = tuple(value for value in resolve("*")[0] if GIVEN.keys().isdisjoint(value.needs))
    columns = tuple(column for value in features for column in value.columns)
    chosen = resolve(options.features.split(","))[1]
    needs = {need for value in features for need in value.needs}
    level = highest_level(features)
    matrices: dict[str, FeatureMatrix] = {}
    gold: dict[str, np.ndarray] = {}
    resources = None
    for split in ("train", "dev", "test"):
        path = options.data / f"sts-{split}.csv"
        pairs, scores, _ = read_pairs(path)
        gold[split] = need_scores(scores, path)
        batch = analyse(pairs, level)
        resources = resources or Resources.fit(sorted(needs), batch.sentences)
        matrices[split] = extract(batch, features, resources, columns=columns, cache=options.cache)

    def figures(scores: dict[str, np.ndarray]) -> dict[str, str]:
        return {split: f"{100 * pearson(gold[split], scores[split]):.1f}" for split in ("dev", "test")}

    def fitted(member: str, *patterns: str) -> dict[str, np.ndarray]:
        parts = {split: matrix.select(*patterns) for split, matrix in matrices.items()}
        model = make_member(member, random_state=options.seed, n_jobs=-1).fit(parts["train"], gold["train"])
        return {split: model.predict(parts[split]) for split in ("dev", "test")}

    print(f"{'100 x Pearson':44} {'dev':>6} / {'test':6} published")
    for column in ALONE:
        _show(column, figures({split: matrix.select(column).values[:, 0] for split, matrix in matrices.items()}))
    for family in matrices["train"].groups:
        _show(f"{family}, gbm", figures(fitted("gbm", family)))
    for name in SYSTEMS:
        _show(f"{name}, gbm", figures(fitted("gbm", *resolve(name)[1])))
    everything = {member: fitted(member, *chosen) for member in ("rf", "gbm", "xgb")}
    for member, scores in everything.items():
        _show(f"all, {member}", figures(scores))
    mean = {
        split: Combination().apply(np.column_stack([scores[split] for scores in everything.values()]))
        for split in ("dev", "test")
    }
    _show("all, mean of three", figures(mean))
    for split, scores in mean.items():
        found = evaluate(gold[split], scores, seed=options.seed)
        print(
            f"all, mean of three on {split}: Pearson {found.pearson:.4f} "
            f"({found.pearson_low:.4f} to {found.pearson_high:.4f}), n = {len(scores)}, {len(chosen)} columns"
        )


if __name__ == "__main__":
    main()
