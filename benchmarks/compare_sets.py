"""Compare feature sets on a training file, by folds grouped by sentence and by leaving out one source at a time.

The first says how well a set does on more text of the same sources, the second on text of a source that it never saw.
Both are Pearson correlations of XGBoost, averaged over seeds; nothing but the training file is looked at.

With ``--squares``, a table of texts that are each written again in the same meaning and changed in one thing (columns
``id``, ``kind``, ``change_score``, ``text``, ``same``, ``kept``, ``changed``, ``changed_same``), it prints instead for
each set of features the share of texts whose ``same`` has a higher score than their ``changed``, by kind of change. The
training file and four fifths of the table are fitted on, and the rest is scored.
"""

import argparse
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from samewise.ensemble.contrasts.squares import read_squares
from samewise.ensemble.core.bundle_parts import USER_RESOURCES
from samewise.ensemble.core.folds import grouped_folds, sentence_groups
from samewise.ensemble.evaluation.metrics import pearson
from samewise.ensemble.tables.labelled_pairs import read_pairs
from samewise.features import FeatureMatrix, extract, resolve
from samewise.features.analysis.analysis import analyse
from samewise.features.base.feature import highest_level
from samewise.features.base.sentences import LEVELS
from samewise.features.pipeline.registry import Resources
from samewise.features.pipeline.user_supplied import GIVEN
from samewise.models.member import make_member

PARAMS = {
    "n_estimators": 250,
    "max_depth": 5,
    "learning_rate": 0.05,
    "subsample": 0.5,
    "colsample_bytree": 0.4,
    "min_child_weight": 16,
}


def _held_out(
    matrix: FeatureMatrix, gold: np.ndarray, train: np.ndarray, rows: np.ndarray, seeds: int
) -> tuple[np.ndarray, np.ndarray]:
    part, rest = matrix.take(train), matrix.take(rows)
    fitted = [make_member("xgb", PARAMS, random_state=seed).fit(part, gold[train]) for seed in range(seeds)]
    return rows, np.mean([model.predict(rest) for model in fitted], axis=0)


_COLUMNS = ("same", "kept", "changed", "changed_same")
_FOLDS = 5


def squares(path: Path, train: tuple[list[tuple[str, str]], np.ndarray], sets: Sequence[str], seeds: int) -> None:
    """Print for each set of features, all kinds of change and each kind, how often `same` is above `changed`."""
    rows = read_squares(path)
    pairs = [(row["text"], row[column]) for row in rows for column in _COLUMNS]
    changed = np.asarray([float(row["change_score"]) for row in rows])
    gold = np.concatenate([np.stack([np.full((2, len(rows)), 5.0), [changed] * 2]).reshape(4, -1).T.ravel(), train[1]])
    fold = np.repeat([zlib.crc32(row["id"].encode()) // 2 % _FOLDS for row in rows], len(_COLUMNS))
    fold = np.concatenate([fold, np.full(len(train[1]), -1)])
    kinds = np.asarray([row["kind"] for row in rows])
    for name in sets:
        features, columns = resolve(name.split(","))
        batch = analyse([*pairs, *train[0]], highest_level(features))
        resources = Resources.fit(sorted({need for one in features for need in one.needs}), batch.sentences, {})
        matrix = extract(batch, features, resources, columns=columns)
        scores = np.empty(len(gold))
        for k in range(_FOLDS):
            at, part = _held_out(matrix, gold, np.flatnonzero(fold != k), np.flatnonzero(fold == k), seeds)
            scores[at] = part
        same, _, other, _ = scores[: len(pairs)].reshape(len(rows), -1).T
        above = {kind: (same > other)[kinds == kind].mean() for kind in sorted(set(kinds.tolist()))}
        of_kinds = ", ".join(f"{kind} {value:.3f}" for kind, value in above.items())
        print(f"{(same > other).mean():.3f}  {name}: {of_kinds}", flush=True)


def main() -> None:
    """Print one line a set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", help="training file")
    parser.add_argument("sets", nargs="+", help="sets or patterns, commas between; - takes away")
    parser.add_argument("--by", default="file", help="column that names the source")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--squares", type=Path, help="table of texts, each in the same meaning and changed")
    for key, kind in USER_RESOURCES.items():
        parser.add_argument(f"--{key}", help=f"{kind.title} for {kind.family}")
    parser.add_argument("--cache", help="folder that keeps computed features")
    options = parser.parse_args()
    pairs, gold, table = read_pairs(options.train)
    assert gold is not None, "a training file has scores"
    if options.squares is not None:
        squares(options.squares, (pairs, gold), options.sets, options.seeds)
        return
    sources = np.asarray(table.column(options.by).to_pylist())
    sets = [resolve(name.split(",")) for name in options.sets]
    level = max((highest_level(features) for features, _ in sets), key=LEVELS.index)
    batch = analyse(pairs, level)
    places = {kind: getattr(options, key) for key, kind in USER_RESOURCES.items()}
    given = {kind.name: kind.read(place) for kind, place in places.items() if place is not None}
    needs = {need for features, _ in sets for value in features for need in value.needs}
    resources = Resources.fit(sorted(needs.difference(GIVEN).union(given)), batch.sentences, given)
    folds = grouped_folds(sentence_groups(batch))
    apart = [(np.flatnonzero(sources != name), np.flatnonzero(sources == name)) for name in np.unique(sources)]
    print("columns  grouped folds  left-out source  set", flush=True)
    with Parallel(n_jobs=2) as parallel:
        for name, (features, wanted) in zip(options.sets, sets, strict=True):
            features = [value for value in features if all(need in resources for need in value.needs)]
            columns = [column for column in wanted if any(column in value.columns for value in features)]
            matrix = extract(batch, features, resources, columns=columns, cache=options.cache)
            tasks = (delayed(_held_out)(matrix, gold, *fold, options.seeds) for fold in [*folds, *apart])
            found = parallel(tasks)
            predicted = np.empty(len(gold))
            for rows, part in found[: len(folds)]:
                predicted[rows] = part
            transfer = np.mean([pearson(gold[rows], part) for rows, part in found[len(folds) :]])
            print(f"{len(columns):7}  {pearson(gold, predicted):13.4f}  {transfer:15.4f}  {name}", flush=True)


if __name__ == "__main__":
    main()
