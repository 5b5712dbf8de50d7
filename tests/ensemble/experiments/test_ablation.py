import json
import re
import sys
from dataclasses import asdict, dataclass
from typing import ClassVar

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from samewise.ensemble.commands.ablate_command import ablate as command
from samewise.ensemble.commands.console import reporting
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.core.folds import grouped_folds
from samewise.ensemble.evaluation.metrics import pearson
from samewise.ensemble.evaluation.system_comparison import compare, holm, pearson_difference
from samewise.ensemble.experiments import QUICK, ablate
from samewise.ensemble.experiments import member_fits as fits
from samewise.ensemble.experiments.experiment_matrices import check_split, looks_like_test, matrices
from samewise.features.base.feature import Feature
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.models.member import REGRESSORS, make_member
from typer.testing import CliRunner

from ...conftest import PAIRS

TINY = {"rf": {"n_estimators": 5}, "gbm": {"n_estimators": 8}, "xgb": {"n_estimators": 8}}
QUICKEST = {"members": ("rf", "gbm"), "params": TINY, "seeds": 2}
COLUMNS = ("strong.a.x", "strong.a.y", "weak.b.x", "noise.c.x", "noise.c.y")
SCORES = [4.2, 0.2, 4.6, 2.0, 1.8, 1.6, 3.8, 2.0, 4.4, 3.0, 4.4, 4.8, 0.4, 3.0, 0.2]


def made(n, seed):
    """Make a matrix of numbers, and scores that two columns tell well, one a little, and two not at all."""
    rng = np.random.default_rng(seed)
    truth = rng.uniform(0, 5, n)
    spread = np.asarray([0.6, 0.8, 3.0])
    told = truth[:, None] + rng.normal(size=(n, 3)) * spread
    return FeatureMatrix(np.hstack([told, rng.normal(size=(n, 2))]).astype(np.float32), COLUMNS), truth


@pytest.fixture(scope="module")
def numbers():
    (train, y_train), (dev, y_dev) = made(300, 1), made(200, 2)
    return train, dev, y_train, y_dev


@pytest.fixture(scope="module")
def dropped(numbers):
    return ablate(*numbers, **QUICKEST)


def without_seconds(ablation):
    return [{**asdict(row), "seconds": None} for row in ablation.rows]


def counted(monkeypatch):
    done = []

    def fit_one(key, *rest):
        done.append(key)
        return original(key, *rest)

    original = fits._fit_one
    monkeypatch.setattr(fits, "_fit_one", fit_one)
    return done


def by_hand(train, dev, y_train, members=("rf", "gbm"), seeds=2):
    """Fit the members one by one; return the mean scores over the seeds."""
    scores = []
    for seed in range(seeds):
        fitted = [make_member(name, TINY[name], random_state=seed).fit(train, y_train) for name in members]
        scores.append(Combination().apply(np.column_stack([model.predict(dev) for model in fitted])))
    return np.mean(scores, axis=0)


def test_rows_are_tidy_and_the_whole_comes_first(dropped):
    frame = dropped.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame["what"].tolist() == [name for name in ("whole", "strong", "weak", "noise") for _ in range(3)]
    assert frame["seed"].tolist() == ["mean", "0", "1"] * 4
    assert frame["change"].tolist() == ["whole"] * 3 + ["drop"] * 9
    assert set(frame["n"]) == {200}
    assert frame["columns"].tolist() == [5] * 3 + [3] * 3 + [4] * 3 + [3] * 3
    assert frame.loc[frame["seed"] != "mean", ["low", "high", "p", "p_holm"]].isna().all(axis=None)
    assert frame.loc[:2, "delta"].isna().all()
    assert (frame["seconds"] > 0).all()


def test_what_matters_most_stands_first(dropped):
    assert dropped.means[0].what == "strong"
    assert dropped.means[0].delta < -0.2
    assert dropped.means[0].high < 0
    noise = next(row for row in dropped.means if row.what == "noise")
    assert noise.low < 0.02
    assert abs(noise.delta) < 0.05


def test_a_dropped_matrix_is_one_built_without_the_group(numbers, dropped):
    train, dev, y_train, y_dev = numbers
    kept = [0, 1, 2]
    alone = [FeatureMatrix(side.values[:, kept].copy(), COLUMNS[:3]) for side in (train, dev)]
    row = next(row for row in dropped.means if row.what == "noise")
    assert row.pearson == pearson(y_dev, by_hand(*alone, y_train))
    rebuilt = ablate(*alone, y_train, y_dev, **QUICKEST)
    assert rebuilt.whole.pearson == row.pearson
    assert train.drop("noise").values.tolist() == alone[0].values.tolist()


def test_intervals_and_p_values_are_those_of_a_comparison(numbers, dropped):
    train, dev, y_train, y_dev = numbers
    scores = {name: by_hand(train.drop(name), dev.drop(name), y_train) for name in train.groups}
    base = by_hand(train, dev, y_train)
    expected = compare(y_dev, {**scores, "whole": base})
    for row in expected.rows[:-1]:
        mine = next(found for found in dropped.means if found.what == row.system)
        assert (mine.delta, mine.low, mine.high) == pearson_difference(y_dev, scores[row.system], base)
        assert (mine.p, mine.p_holm) == (row.difference.p, row.difference.p_holm)
    ps = [row.p for row in dropped.means]
    assert [row.p_holm for row in dropped.means] == holm(ps).tolist()


def test_the_delta_of_a_seed_is_to_the_whole_of_that_seed(dropped):
    rows = {(row.what, row.seed): row for row in dropped.rows}
    for (what, seed), row in rows.items():
        if what != "whole":
            assert row.delta == row.pearson - rows["whole", seed].pearson
    assert rows["whole", "0"].pearson != rows["whole", "1"].pearson


@pytest.mark.slow
def test_the_same_seeds_give_the_same_table_on_any_number_of_cores(numbers, dropped):
    assert without_seconds(ablate(*numbers, **QUICKEST, jobs=2)) == without_seconds(dropped)


def test_only_and_columns(numbers):
    found = ablate(*numbers, mode="only", by="column", **QUICKEST)
    assert {row.what for row in found.means} == set(COLUMNS)
    assert {row.columns for row in found.means} == {1}
    assert [row.what for row in found.means[:2]] == ["strong.a.x", "strong.a.y"]


def test_members(numbers, monkeypatch):
    done = counted(monkeypatch)
    settings = {**QUICKEST, "members": ("rf", "gbm", "xgb")}
    found = ablate(*numbers, by="member", **settings)
    assert len(done) == 3 * 2, "a member is fitted once a seed, however many variants use it"
    train, dev, y_train, y_dev = numbers
    row = next(row for row in found.means if row.what == "xgb")
    assert (row.members, row.columns) == (2, 5)
    assert row.pearson == pearson(y_dev, by_hand(train, dev, y_train))


def test_adding_takes_the_best_and_ends_where_none_helps(numbers):
    found = ablate(*numbers, mode="add", **QUICKEST)
    assert found.means[0].what == "strong"
    assert found.means[0].gain is None
    assert [row.step for row in found.means] == list(range(1, len(found.means) + 1))
    for before, row in zip(found.means, found.means[1:], strict=False):
        assert row.gain == row.pearson - before.pearson > 0
        assert row.delta == row.pearson - found.whole.pearson
    only = ablate(*numbers, mode="only", **QUICKEST)
    assert found.means[0].pearson == only.means[0].pearson
    left = set(numbers[0].groups) - {row.what for row in found.means}
    assert not left or found.means[-1].pearson >= found.whole.pearson or len(left) > 1
    assert "too high" in " ".join(found.notes)


@pytest.mark.slow
def test_without_dev_every_pair_is_scored_out_of_fold(numbers):
    train, _, y, _ = numbers
    groups = np.repeat(np.arange(100), 3)
    settings = {**QUICKEST, "members": ("gbm",)}
    found = ablate(train, None, y, None, mode="only", groups=groups, **settings)
    assert found.whole.n == 300
    means = np.empty(300)
    for rows, held_out in grouped_folds(groups):
        means[held_out] = by_hand(train.take(rows), train.take(held_out), y[rows], ("gbm",))
    assert found.whole.pearson == pearson(y, means)
    assert any("cross-validation" in note for note in found.notes)


@pytest.mark.slow
def test_steps_in_cross_validation_are_nested(numbers):
    train, _, y, _ = numbers
    settings = {"members": ("gbm",), "params": TINY, "seeds": 1, "mode": "add"}
    groups = np.repeat(np.arange(100), 3)
    found = ablate(train, None, y, None, groups=groups, **settings)
    first, second = np.empty(300), np.empty(300)
    for rows, held_out in grouped_folds(groups):
        part, rest = train.take(rows), train.take(held_out)
        # The path of the fold: by cross-validation on the other folds alone.
        path: list[str] = []
        best = -1.0
        while left := [name for name in train.groups if name not in path]:
            figures = []
            for name in left:
                scores = np.empty(len(rows))
                for inner, inner_out in grouped_folds(groups[rows]):
                    chosen = part.select(*path, name)
                    scores[inner_out] = by_hand(chosen.take(inner), chosen.take(inner_out), y[rows][inner], ("gbm",), 1)
                figures.append(pearson(y[rows], scores))
            if max(figures) <= best:
                break
            best = max(figures)
            path.append(left[int(np.argmax(figures))])
        for step, scores in ((1, first), (2, second)):
            columns = path[:step]
            scores[held_out] = by_hand(part.select(*columns), rest.select(*columns), y[rows], ("gbm",), 1)
    assert found.means[0].pearson == pearson(y, first)
    if len(found.means) > 1:
        assert found.means[1].pearson == pearson(y, second)
    assert any("nested" in note for note in found.notes)


def test_finished_fits_are_not_done_again(numbers, tmp_path, monkeypatch, dropped):
    done = counted(monkeypatch)
    first = ablate(*numbers, **QUICKEST, folder=tmp_path)
    assert len(done) == 4 * 2 * 2
    files = sorted(tmp_path.iterdir())
    assert len(files) == len(done)
    files[3].unlink()
    files[5].write_bytes(files[5].read_bytes()[:50])
    del done[:]
    again = ablate(*numbers, **QUICKEST, folder=tmp_path)
    assert sorted(done) == sorted(file.stem for file in (files[3], files[5]))
    assert without_seconds(first) == without_seconds(again) == without_seconds(dropped)
    del done[:]
    ablate(*numbers, mode="drop", **{**QUICKEST, "seeds": 3}, folder=tmp_path)
    assert len(done) == 4 * 2, "a seed more is fitted for itself"


def test_two_runs_keep_their_fits_in_one_folder(numbers, tmp_path, monkeypatch, dropped):
    save, waiting = np.savez, [True]

    def disturbed(file, **arrays):
        # While a fit is written, another run writes the same one.
        save(file, **arrays)
        if waiting:
            waiting.clear()
            ablate(*numbers, **QUICKEST, folder=tmp_path)

    monkeypatch.setattr("numpy.savez", disturbed)
    first = ablate(*numbers, **QUICKEST, folder=tmp_path)
    assert without_seconds(first) == without_seconds(dropped)
    assert {path.suffix for path in tmp_path.iterdir()} == {".npz"}


def test_an_interrupted_run_goes_on(numbers, tmp_path, dropped, monkeypatch):
    def stop(done, total):
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        ablate(*numbers, **QUICKEST, folder=tmp_path, progress=stop)
    assert "goes on from there" in caught.value.__notes__[0]
    assert len(list(tmp_path.glob("*.npz"))) == 5
    told = []
    found = ablate(*numbers, **QUICKEST, folder=tmp_path, progress=lambda done, total: told.append((done, total)))
    assert told == [(k, 11) for k in range(1, 12)]
    assert without_seconds(found) == without_seconds(dropped)


@pytest.mark.slow
@pytest.mark.parametrize("change", ["values", "dev", "gold", "params", "code"])
def test_other_data_and_settings_are_kept_apart(numbers, tmp_path, monkeypatch, change):
    train, dev, y_train, y_dev = numbers
    ablate(*numbers, **QUICKEST, folder=tmp_path)
    settings = dict(QUICKEST)
    moved = FeatureMatrix(train.values + np.float32(0.5) * (np.asarray(COLUMNS) == "weak.b.x"), COLUMNS)
    if change == "values":
        train = moved
    elif change == "dev":
        dev = dev.take(np.arange(150))
        y_dev = y_dev[:150]
    elif change == "gold":
        y_train = y_train[::-1]
    elif change == "code":
        monkeypatch.setattr(fits, "_code", lambda: ("new",))
    else:
        settings["params"] = {**TINY, "gbm": {"n_estimators": 16}}
    done = counted(monkeypatch)
    kept = ablate(train, dev, y_train, y_dev, **settings, folder=tmp_path)
    # What does not read the changed column, or is the other member, is as it was.
    assert len(done) == {"values": 3 * 4, "params": 4 * 2}.get(change, 16)
    assert without_seconds(kept) == without_seconds(ablate(train, dev, y_train, y_dev, **settings))


def test_other_gold_of_dev_needs_no_new_fit(numbers, tmp_path, monkeypatch):
    ablate(*numbers, **QUICKEST, folder=tmp_path)
    done = counted(monkeypatch)
    ablate(*numbers[:3], numbers[3][::-1], **QUICKEST, folder=tmp_path)
    assert not done


def test_no_feature_is_computed(monkeypatch):
    pairs = [(f"{a} {i}", f"{b} {i}") for i in range(4) for a, b in PAIRS]
    gold = np.tile(SCORES, 4)
    train, dev = matrices(pairs, pairs[:20], ["length", "ngram.tokens"])
    calls = []
    original = Feature.__call__

    def call(self, *args, **kwargs):
        calls.append(self.full_name)
        return original(self, *args, **kwargs)

    monkeypatch.setattr(Feature, "__call__", call)
    for mode in ("drop", "only", "add"):
        ablate(train, dev, gold, gold[:20], mode=mode, **QUICKEST)
    ablate(train, None, gold, None, **{**QUICKEST, "members": ("gbm",)})
    assert not calls
    matrices(pairs, None, "length")
    assert calls, "the counter counts"


def test_a_column_that_says_nothing_gives_no_test(numbers):
    train, dev, y_train, y_dev = numbers
    names = ("a.b.c", "z.z.z")
    zeros = [FeatureMatrix(side.values[:, :2] * np.asarray([1, 0], np.float32), names) for side in (train, dev)]
    found = ablate(*zeros, y_train, y_dev, mode="only", **{**QUICKEST, "members": ("gbm",)})
    row = found.means[-1]
    assert (row.what, row.pearson, row.p, row.p_holm) == ("z", 0.0, None, None)
    assert found.to_frame()["p"].isna().all()


def test_what_cannot_be_done_is_said(numbers):
    train, dev, y_train, y_dev = numbers
    with pytest.raises(ValueError, match="mode must be one of drop, only, add, permute, got 'swap'"):
        ablate(*numbers, mode="swap")
    with pytest.raises(ValueError, match="by must be one of family, column, member, got 'word'"):
        ablate(*numbers, by="word")
    with pytest.raises(ValueError, match="at least one member"):
        ablate(*numbers, members=())
    with pytest.raises(ValueError, match="params must be for members among .*, got 'lgbm'"):
        ablate(*numbers, params={"lgbm": {}})
    with pytest.raises(ValueError, match="seeds must be at least 1, got 0"):
        ablate(*numbers, seeds=0)
    with pytest.raises(ValueError, match="at least 2 parts by member, got 1"):
        ablate(*numbers, by="member", members=("gbm",))
    with pytest.raises(ValueError, match="at least 2 parts by family, got 1"):
        ablate(train.select("noise"), dev, y_train, y_dev)
    with pytest.raises(
        ValueError, match=re.escape("y_dev must have one score for each of 200 pairs, at least two, got shape (3,)")
    ):
        ablate(train, dev, y_train, y_dev[:3])
    with pytest.raises(ValueError, match="scores in y_dev must be between 0 and 5, got 9.0 of pair 0"):
        ablate(train, dev, y_train, np.full(200, 9.0))
    with pytest.raises(ValueError, match="no column 'strong.a.x'"):
        ablate(train, dev.drop("strong"), y_train, y_dev)
    with pytest.raises(ValueError, match="give groups"):
        ablate(train, None, y_train, None)
    with pytest.raises(ValueError, match="no folds"):
        ablate(train, None, y_train, None, groups=np.zeros(300))
    with pytest.raises(ValueError, match="gbm has no setting 'trees'"):
        ablate(*numbers, members=("gbm",), params={"gbm": {"trees": 3}})


@pytest.mark.slow
def test_quick_settings_are_known_and_smaller(numbers):
    assert set(QUICK) == set(REGRESSORS)
    for name, settings in QUICK.items():
        assert settings["n_estimators"] < make_member(name).params["n_estimators"] / 2
    found = ablate(*numbers, members=tuple(QUICK), params=QUICK, seeds=1)
    assert found.means[0].what == "strong"


def test_without_pandas_the_frame_is_an_arrow_table(dropped, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert dropped.to_frame().equals(dropped.to_table())


@dataclass(frozen=True)
class Network:
    """Stands for a network: it reads the pairs, and gives each the share of its words that both sides have."""

    name: str
    random_state: int
    n_jobs: int | None = None
    params: ClassVar[dict] = {}
    reads_columns: ClassVar[bool] = False
    libraries: ClassVar[tuple[str, ...]] = ()

    def fit(self, matrix, y, sample_weight=None):
        assert matrix.columns == ()
        assert len(matrix.pairs) == len(y)
        return self

    def predict(self, matrix):
        sides = ((set(pair.a.words), set(pair.b.words)) for pair in matrix.pairs)
        return np.asarray([5 * len(a & b) / len(a | b) + self.random_state for a, b in sides])


def test_a_network_is_fitted_once_a_seed_and_stays(monkeypatch):
    monkeypatch.setattr(
        fits,
        "make_member",
        lambda name, *rest, **more: (
            Network(name, more["random_state"]) if name == "esim" else make_member(name, *rest, **more)
        ),
    )
    pairs = [(f"{a} {i}", f"{b} {i}") for i in range(4) for a, b in PAIRS]
    gold = np.tile(SCORES, 4)
    train, dev = matrices(pairs, pairs[:20], ["length", "ngram.tokens"])
    done = counted(monkeypatch)
    found = ablate(train, dev, gold, gold[:20], **{**QUICKEST, "members": ("gbm", "esim")})
    assert len(done) == 3 * 2 + 2
    scores = [
        Combination().apply(
            np.column_stack(
                [
                    make_member("gbm", TINY["gbm"], random_state=seed)
                    .fit(train.drop("ngram"), gold)
                    .predict(dev.drop("ngram")),
                    Network("esim", seed).predict(dev),
                ]
            )
        )
        for seed in range(2)
    ]
    row = next(row for row in found.means if row.what == "ngram")
    assert row.pearson == pearson(gold[:20], np.mean(scores, axis=0))
    assert (row.members, row.columns) == (2, len(train.groups["length"]))
    assert "esim read the texts" in found.notes[0]
    only = ablate(train, dev, gold, gold[:20], mode="only", by="member", **{**QUICKEST, "members": ("gbm", "esim")})
    assert {row.what: row.members for row in only.means} == {"gbm": 1, "esim": 1}


def test_files_hold_all_rows(dropped, tmp_path):
    parquet, csv = dropped.write(tmp_path / "out")
    table = pq.read_table(parquet)
    assert table.to_pylist() == [asdict(row) for row in dropped.rows]
    assert pd.read_csv(csv)["pearson"].tolist() == [row.pearson for row in dropped.rows]
    assert dropped.to_table().schema.field("step").type == pa.int64()
    assert json.loads(json.dumps(dropped.as_dict()))["mode"] == "drop"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("data/sts-test.csv", True), ("STS.Test.tsv", True), ("tests/sts-dev.csv", False), ("train.csv", False)],
)
def test_a_test_split_is_known_by_its_name(name, expected):
    assert (looks_like_test(["train.csv", name]) == name) is expected
    if expected:
        with pytest.raises(ValueError, match="must not be a test split, got"):
            check_split([name], final=False)
    check_split([name], final=True)


@pytest.fixture
def run(tmp_path):
    app = typer.Typer()
    app.command()(command)

    @app.callback()
    def nothing():
        """Make the command one of several, as in the command line."""

    rows = ["sentence1,sentence2,score"]
    rows += [
        f'"{a.replace(chr(34), "")} {i}","{b.replace(chr(34), "")} {i}",{SCORES[k]}'
        for i in range(4)
        for k, (a, b) in enumerate(PAIRS)
    ]
    for name in ("train.csv", "dev.csv", "my-test.csv"):
        (tmp_path / name).write_text("\n".join(rows if name == "train.csv" else [rows[0], *rows[20:50]]) + "\n")

    def call(*args):
        small = [f"--set={name}.n_estimators={facts['n_estimators']}" for name, facts in TINY.items()]
        options = ["--features", "length,ngram.tokens", "--members", "rf,gbm", "--seeds", "2", "--workers", "1", *small]
        with reporting(debug=True):
            return CliRunner().invoke(app, ["ablate", str(tmp_path / "train.csv"), *options, *map(str, args)])

    return call


def test_command(run, tmp_path):
    out = tmp_path / "out"
    found = run("--dev", tmp_path / "dev.csv", "-o", out)
    assert found.exit_code == 0, found.output
    assert found.stdout.splitlines()[0].split()[:3] == ["without", "columns", "Pearson"]
    assert {line.split()[0] for line in found.stdout.splitlines()[1:]} == {"(the", "length", "ngram"}
    assert "networks are left out" in found.stderr
    assert pq.read_table(out / "ablation.parquet").num_rows == 3 * 3
    assert len(list((out / "fits").glob("*.npz"))) == 3 * 2 * 2
    assert not (out / "log.jsonl").exists()
    facts = json.loads(run("--dev", tmp_path / "dev.csv", "-o", out, "--json").stdout)
    assert facts["facts"]["dev"] == "dev.csv"
    assert facts["rows"][0]["what"] == "whole"


def test_command_in_cross_validation_and_by_steps(run, tmp_path):
    found = run("--mode", "only", "--part", "member", "--quick", "-o", tmp_path / "out")
    assert found.exit_code == 0, found.output
    assert "cross-validation" in found.stderr
    found = run("--mode", "add", "--dev", tmp_path / "dev.csv", "-o", tmp_path / "out")
    assert found.exit_code == 0, found.output
    assert "gain" in found.stdout
    assert "+ " in found.stdout


def test_command_refuses_a_test_split_unless_it_is_the_end(run, tmp_path):
    out = tmp_path / "out"
    found = run("--dev", tmp_path / "my-test.csv", "-o", out)
    assert found.exit_code != 0
    assert isinstance(found.exception, ValueError)
    assert "--final" in str(found.exception)
    assert not out.exists()
    for _ in range(2):
        assert run("--dev", tmp_path / "my-test.csv", "-o", out, "--final").exit_code == 0
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    assert [line["event"] for line in lines] == ["final", "final"]
    assert lines[0]["dev"] == "my-test.csv"
    assert len(lines[0]["dev_sha256"]) == 64


def test_command_names_wrong_words(run, tmp_path):
    for option in ("--mode", "--part"):
        found = run(option, "swap", "-o", tmp_path / "out")
        assert found.exit_code == 2
        assert "must be one of" in re.sub(r"\s+", " ", found.output)


def test_matrices_are_those_of_the_estimator(tmp_path):
    from samewise import SimilarityEnsemble

    pairs = [(f"{a} {i}", f"{b} {i}") for i in range(2) for a, b in PAIRS]
    spec = ["ngram.tokens", "bow"]
    model = SimilarityEnsemble(spec, ("gbm",), member_params=TINY, interval=None).fit(pairs, SCORES * 2)
    train, dev = matrices(pairs, PAIRS, spec, cache=tmp_path)
    fitted = make_member("gbm", TINY["gbm"], random_state=0).fit(train, np.asarray(SCORES * 2))
    expected = model.predictor_.members[0].predict(dev)
    assert fitted.predict(dev).tolist() == expected.tolist()
    assert joblib.hash(matrices(pairs, PAIRS, spec, cache=tmp_path)[1].values) == joblib.hash(dev.values)
