import json
import re
from dataclasses import asdict

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.evaluation.metrics import pearson, pearson_interval
from samewise.ensemble.experiments import learning_curve as curve
from samewise.ensemble.experiments.learning_curve import learning_curve
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.models.member import make_member
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.metrics import make_scorer
from sklearn.model_selection import learning_curve as reference
from typer.testing import CliRunner

from samewise import SimilarityEnsemble

from ...conftest import PAIRS

TINY = {"rf": {"n_estimators": 5}, "gbm": {"n_estimators": 8, "min_samples_leaf": 2}}
SMALL = {"members": ("rf", "gbm"), "params": TINY, "seeds": 2, "sizes": [20, 50, 120]}
GROUPS = np.repeat(np.arange(40), 3)
COLUMNS = ("told.by.x", "told.by.y", "noise.a.x")


def made(n, seed):
    rng = np.random.default_rng(seed)
    truth = rng.uniform(0, 5, n)
    values = np.column_stack([truth + rng.normal(size=n), truth + rng.normal(size=n), rng.normal(size=n)])
    return FeatureMatrix(values.astype(np.float32), COLUMNS), truth


@pytest.fixture(scope="module")
def numbers():
    (train, y_train), (dev, y_dev) = made(120, 1), made(80, 2)
    return train, dev, y_train, y_dev


@pytest.fixture(scope="module")
def found(numbers):
    return learning_curve(*numbers, groups=GROUPS, **SMALL)


def fitted(train, dev, y, seed):
    scores = [make_member(name, TINY[name], random_state=seed).fit(train, y).predict(dev) for name in ("rf", "gbm")]
    return Combination().apply(np.column_stack(scores))


def without_seconds(result):
    return [{**asdict(row), "seconds": None} for row in result.rows]


def test_rows_are_tidy(found):
    assert [(row.n, row.seed) for row in found.rows] == [(n, s) for n in (20, 50, 120) for s in ("mean", "0", "1")]
    for mean in found.means:
        figures = [row.pearson for row in found.rows if row.n == mean.n and row.seed != "mean"]
        assert mean.pearson == np.mean(figures)
        assert mean.std == pytest.approx(np.std(figures, ddof=1))
        assert mean.low < mean.pearson < mean.high
    assert all(row.low is row.high is row.std is None for row in found.rows if row.seed != "mean")
    assert found.means[0].pearson < found.means[-1].pearson


def test_the_last_point_is_the_full_fit(numbers, found):
    train, dev, y_train, y_dev = numbers
    last = {row.seed: row.pearson for row in found.rows if row.n == len(train)}
    for seed in (0, 1):
        assert last[str(seed)] == pearson(y_dev, fitted(train, dev, y_train, seed))


def test_points_are_those_of_scikit_learn(numbers):
    train, dev, y_train, y_dev = numbers
    sizes = [20, 50, 120]
    settings = {"n_estimators": 8, "min_samples_leaf": 2, "max_features": 0.9}
    mine = learning_curve(*numbers, groups=GROUPS, sizes=sizes, members=("gbm",), params={"gbm": settings}, seeds=1)
    defaults = make_member("gbm", settings).params
    order = curve._order(GROUPS, 0)
    X, y = np.vstack([train.values, dev.values]), np.append(y_train, y_dev)
    # A prefix of the fold, sorted as ours are: the library takes it as it comes.
    expected = []
    for size in sizes:
        fold = [(np.sort(order[:size]), len(train) + np.arange(len(dev)))]
        estimator = GradientBoostingRegressor(**defaults, random_state=0)
        _, _, scores = reference(estimator, X, y, cv=fold, train_sizes=[1.0], scoring=make_scorer(pearson))
        expected.append(float(scores[0, 0]))
    assert [row.pearson for row in mine.means] == pytest.approx(expected, abs=1e-12)


def test_subsets_are_nested_and_take_whole_groups():
    orders = [curve._order(GROUPS, seed) for seed in range(3)]
    assert len({tuple(order.tolist()) for order in orders}) == 3
    for order in orders:
        assert sorted(order.tolist()) == list(range(120))
        for size in (20, 21, 50):
            counts = np.bincount(GROUPS[order[:size]], minlength=40)
            assert ((counts == 0) | (counts == 3)).sum() >= 39


def test_the_interval_of_one_seed_is_that_of_its_correlation(numbers):
    train, dev, y_train, y_dev = numbers
    alone = learning_curve(*numbers, groups=GROUPS, **{**SMALL, "seeds": 1, "sizes": [120]})
    row = alone.means[0]
    ends = pearson_interval(y_dev, fitted(train, dev, y_train, 0))
    assert (row.low, row.high) == pytest.approx(ends, abs=1e-9)
    assert row.std is None


def test_a_column_that_says_nothing_has_no_interval(numbers):
    _, _, y_train, y_dev = numbers
    sides = [FeatureMatrix(np.zeros((n, 1), dtype=np.float32), ("a.b.c",)) for n in (120, 80)]
    row = learning_curve(*sides, y_train, y_dev, groups=GROUPS, **SMALL).means[-1]
    assert (row.pearson, row.low, row.high) == (0.0, -1.0, 1.0)


def test_finished_fits_are_not_done_again(numbers, found, tmp_path, monkeypatch):
    steps = []
    first = learning_curve(*numbers, groups=GROUPS, folder=tmp_path, progress=lambda *told: steps.append(told), **SMALL)
    assert steps == [(k, 12) for k in range(1, 13)]
    assert len(list(tmp_path.iterdir())) == 12
    monkeypatch.setattr("samewise.ensemble.experiments.member_fits._fit_one", lambda *rest: 1 / 0)
    again = learning_curve(*numbers, groups=GROUPS, folder=tmp_path, **SMALL)
    assert without_seconds(first) == without_seconds(again) == without_seconds(found)
    fewer = learning_curve(*numbers, groups=GROUPS, folder=tmp_path, **{**SMALL, "sizes": [50]})
    assert fewer.rows == again.rows[3:6]


def test_sizes_by_default():
    assert curve._sizes(None, 850) == [100, 200, 400, 800, 850]
    assert curve._sizes(None, 100) == [100]
    assert curve._sizes(None, 60) == [60]
    assert curve._sizes([50, 20, 50], 60) == [20, 50]


def test_what_cannot_be_done_is_said(numbers):
    train, dev, y_train, y_dev = numbers
    with pytest.raises(
        ValueError, match=re.escape("sizes must be between 2 and 120, the number of training pairs, got [1, 50]")
    ):
        learning_curve(*numbers, groups=GROUPS, sizes=[1, 50])
    with pytest.raises(ValueError, match="between 2 and 120"):
        learning_curve(*numbers, groups=GROUPS, sizes=[121])
    with pytest.raises(ValueError, match="at least one member"):
        learning_curve(*numbers, members=())
    with pytest.raises(ValueError, match="params must be for members among .*, got 'lgbm'"):
        learning_curve(*numbers, params={"lgbm": {}})
    with pytest.raises(ValueError, match="seeds must be at least 1, got 0"):
        learning_curve(*numbers, seeds=0)
    with pytest.raises(
        ValueError, match=re.escape("y_dev must have one score for each of 80 pairs, at least two, got shape (3,)")
    ):
        learning_curve(train, dev, y_train, y_dev[:3])
    with pytest.raises(ValueError, match="give groups"):
        learning_curve(*numbers)
    with pytest.raises(ValueError, match="give one group for each pair"):
        learning_curve(*numbers, groups=GROUPS[:3])
    with pytest.raises(ValueError, match="no column 'told.by.x'"):
        learning_curve(train, dev.drop("told"), y_train, y_dev, groups=GROUPS)


@pytest.fixture
def tables(tmp_path):
    rows = [
        (f"{a.replace(chr(34), '')} {i}", f"{b.replace(chr(34), '')} {i}", float((3 * k + i) % 6))
        for i in range(4)
        for k, (a, b) in enumerate(PAIRS)
    ]
    for name, some in (("train.csv", rows), ("dev.csv", rows[20:50]), ("my-test.csv", rows[20:50])):
        pd.DataFrame(some, columns=["sentence1", "sentence2", "score"]).to_csv(tmp_path / name, index=False)
    return tmp_path, rows


def run(folder, *arguments, dev="dev.csv", expected=0):
    small = ["--set", "rf.n_estimators=5", "--set", "gbm.n_estimators=8", "--workers", "1", "--members", "rf,gbm"]
    words = ["learning-curve", folder / "train.csv", "--dev", folder / dev, "-o", folder / "out", *small]
    done = CliRunner().invoke(app, [str(word) for word in [*words, "--features", "length,ngram.words", *arguments]])
    assert done.exit_code == expected, done.output
    return done


def test_command(tables):
    folder, rows = tables
    done = run(folder, "--sizes", "20,60", "--seeds", "2")
    assert done.stdout.splitlines()[0].split() == [
        "pairs",
        "Pearson",
        "95",
        "%",
        "interval",
        "over",
        "seeds",
        "fitting",
    ]
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == ["20", "60"]
    assert "come from all training texts" in done.stderr
    out = folder / "out"
    table = pq.read_table(out / "learning_curve.parquet")
    assert table["seed"].to_pylist() == ["mean", "0", "1"] * 2
    assert pd.read_csv(out / "learning_curve.csv")["pearson"].tolist() == table["pearson"].to_pylist()
    page = (out / "report.html").read_text(encoding="utf-8")
    assert f"{table['pearson'][3].as_py():.4f}" in page
    assert "What more pairs of train.csv add on dev.csv" in page
    assert "<dt>training pairs</dt><dd><bdi>train.csv</bdi></dd>" in page and "{" not in page.partition("<footer>")[2]
    assert len(list((out / "fits").glob("*.npz"))) == 2 * 2 * 2
    facts = json.loads(run(folder, "--sizes", "20,60", "--seeds", "2", "--json").stdout)
    assert [row["pearson"] for row in facts["rows"]] == table["pearson"].to_pylist()
    assert facts["facts"]["dev"] == "dev.csv"
    # All of the pairs: what an ordinary fit gives, the rule for identical texts aside.
    model = SimilarityEnsemble(
        ["length", "ngram.words"],
        ("rf", "gbm"),
        member_params={"rf": {"n_estimators": 5}, "gbm": {"n_estimators": 8}},
        interval=None,
    ).fit([row[:2] for row in rows], [row[2] for row in rows])
    held_out = rows[20:50]
    expected = pearson(np.asarray([row[2] for row in held_out]), model.predict([row[:2] for row in held_out]))
    assert facts["rows"][4]["pearson"] == pytest.approx(expected, abs=1e-12)


def test_command_quick_and_by_default(tables):
    folder, _ = tables
    done = run(folder, "--quick", "--seeds", "1")
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == ["60"]


def test_command_refuses_a_test_split_unless_it_is_the_end(tables):
    folder, _ = tables
    done = run(folder, dev="my-test.csv", expected=1)
    assert "--final" in done.stderr
    assert not (folder / "out").exists()
    run(folder, "--final", "--seeds", "1", "--sizes", "20", dev="my-test.csv")
    [line] = [json.loads(line) for line in (folder / "out" / "log.jsonl").read_text().splitlines()]
    assert (line["event"], line["dev"], line["sizes"]) == ("final", "my-test.csv", [20])


def test_command_names_wrong_sizes(tables):
    folder, _ = tables
    assert "must be a list of numbers" in re.sub(r"[\s│]+", " ", run(folder, "--sizes", "20,all", expected=2).output)
    assert (
        "sizes must be between 2 and 60, the number of training pairs, got [20, 61]"
        in run(folder, "--sizes", "20,61", expected=1).stderr
    )
