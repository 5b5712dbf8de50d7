import shlex

import numpy as np
import pyarrow.csv as pc
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.folds import grouped_folds
from samewise.ensemble.experiments.random_search import SPACE, search
from samewise.ensemble.experiments.variants import quiet_pearson
from samewise.ensemble.loading import load
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.models.member import make_member
from scipy.stats import loguniform, randint
from typer.testing import CliRunner

from ...conftest import PAIRS

GROUPS = np.repeat(np.arange(40), 3)
QUICK = {"gbm": {"n_estimators": 20, "learning_rate": 0.2}, "rf": {"n_estimators": 10}}


@pytest.fixture(scope="module")
def numbers():
    """Scores that one column tells exactly, if the leaves are small enough."""
    rng = np.random.default_rng(0)
    truth = rng.uniform(0, 5, 120)
    values = np.column_stack([truth, rng.normal(size=(120, 2))]).astype(np.float32)
    return FeatureMatrix(values, ("told.by.x", "noise.a.x", "noise.b.x")), truth


def searched(numbers, **settings):
    given = {"members": ("gbm",), "draws": 3, "params": QUICK, **settings}
    return search(*numbers, GROUPS, **given)


def by_hand(numbers, member, settings):
    matrix, truth = numbers
    return [
        quiet_pearson(
            truth[rest], make_member(member, settings).fit(matrix.take(rows), truth[rows]).predict(matrix.take(rest))
        )
        for rows, rest in grouped_folds(GROUPS)
    ]


def test_a_better_setting_is_found(numbers):
    space = {"gbm": {"min_samples_leaf": [1, 45], "max_depth": [3]}}
    found = searched(numbers, space=space, draws=6)
    best, default = found.best("gbm"), found.default("gbm")
    assert best.settings["min_samples_leaf"] == 1
    assert best.mean > default.mean
    assert found.settings == {"gbm": {"min_samples_leaf": 1, "max_depth": 3}}
    assert found.as_options() == ["gbm.min_samples_leaf=1", "gbm.max_depth=3"]
    assert {candidate.settings["min_samples_leaf"] for candidate in found.candidates} == {1, 25, 45}


@pytest.mark.slow
def test_the_figures_are_those_of_the_members_in_grouped_folds(numbers):
    found = searched(numbers)
    for candidate in found.candidates:
        assert candidate.folds == pytest.approx(by_hand(numbers, "gbm", candidate.settings), abs=1e-12)
        assert candidate.mean == pytest.approx(np.mean(candidate.folds))
        assert candidate.std == pytest.approx(np.std(candidate.folds))
    assert sorted(candidate.rank for candidate in found.candidates) == [1, 2, 3, 4]


@pytest.mark.slow
def test_the_default_stands_first_and_wins_ties(numbers):
    found = searched(numbers, space={"gbm": {"min_samples_leaf": [110, 115]}}, params={"gbm": {"n_estimators": 5}})
    assert found.candidates[0].is_default
    assert found.candidates[0].settings == {**make_member("gbm").params, "n_estimators": 5}
    assert found.best("gbm") is found.candidates[0]
    assert found.settings == {}
    assert found.as_options() == []
    # A leaf of 110 of 96 pairs: nothing is told, by any of them.
    same = searched(numbers, space={"gbm": {"max_depth": [1, 2]}}, params={"gbm": {"min_samples_leaf": 96}})
    assert {candidate.mean for candidate in same.candidates} == {0.0}
    assert [candidate.rank for candidate in same.candidates] == [1, 2, 3, 4]


def test_the_same_seed_draws_the_same_and_more_draws_begin_alike(numbers):
    steps = []
    space = {"gbm": {"max_depth": randint(1, 4), "learning_rate": loguniform(0.1, 0.5)}}
    params = {"gbm": {"n_estimators": 5}}

    def tell(done, total):
        steps.append((done, total))

    first = searched(numbers, space=space, params=params, progress=tell)
    more = searched(numbers, space=space, params=params, draws=5)
    assert [c.settings for c in more.candidates[:4]] == [c.settings for c in first.candidates]
    assert [c.folds for c in more.candidates[:4]] == [c.folds for c in first.candidates]
    assert steps == [(k, 20) for k in range(1, 21)]
    other = searched(numbers, space=space, params=params, seed=1)
    assert [c.settings for c in other.candidates[1:]] != [c.settings for c in first.candidates[1:]]
    for candidate in first.candidates[1:]:
        assert isinstance(candidate.settings["max_depth"], int)
        assert float(f"{candidate.settings['learning_rate']:.3g}") == candidate.settings["learning_rate"]


def test_what_is_given_is_not_searched(numbers):
    found = searched(numbers, params={"gbm": {"n_estimators": 5, "max_depth": 2, "subsample": 1.0}}, draws=2)
    assert {candidate.settings["max_depth"] for candidate in found.candidates} == {2}
    assert not {"max_depth", "n_estimators", "subsample"} & set(found.drawn["gbm"])


def test_the_space_names_settings_that_are_tuned():
    assert set(SPACE) == {"rf", "gbm", "xgb"}
    for name, space in SPACE.items():
        assert set(space) <= set(make_member(name).params)
        for key, distribution in space.items():
            low, high = distribution.support()
            assert low <= make_member(name).params[key] <= high


def test_tables_hold_all_candidates(numbers, tmp_path):
    found = searched(numbers, members=("rf", "gbm"), draws=2)
    table = found.to_table()
    assert table["member"].to_pylist() == ["rf"] * 3 + ["gbm"] * 3
    assert table["default"].to_pylist() == [True, False, False] * 2
    assert table["learning_rate"].to_pylist()[:4] == [None] * 3 + [0.2]
    read = pc.read_csv(found.write(tmp_path / "new" / "search.csv"))
    assert read["pearson_mean"].to_pylist() == table["pearson_mean"].to_pylist()
    mixed = searched(numbers, space={"gbm": {"max_features": ["sqrt", 0.5]}})
    assert set(mixed.to_table()["max_features"].to_pylist()) <= {'"sqrt"', "0.5", "0.08"}


def test_what_cannot_be_searched_is_said(numbers):
    with pytest.raises(ValueError, match="members must name one of rf, gbm, xgb, got esim; add one to search"):
        searched(numbers, members=("esim",))
    with pytest.raises(ValueError, match="draws must be at least 1, got 0"):
        searched(numbers, draws=0)
    with pytest.raises(ValueError, match="every searched setting of rf is given, so there is nothing to search"):
        searched(numbers, members=("rf",), params={"rf": {"min_samples_leaf": 1, "max_features": 0.5}})
    with pytest.raises(ValueError, match="one group"):
        search(*numbers, np.zeros(120), members=("rf",))
    with pytest.raises(ValueError, match="gbm has no setting 'trees'"):
        searched(numbers, params={"gbm": {"trees": 3}})


@pytest.fixture
def table(tmp_path):
    rows = ["sentence1,sentence2,score"]
    for i in range(4):
        rows += [
            f'"{a.replace(chr(34), "")} {i}","{b.replace(chr(34), "")} {i}",{(3 * k + i) % 6}'
            for k, (a, b) in enumerate(PAIRS)
        ]
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def run(*arguments):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def test_the_command_of_the_manifest_makes_the_model_again(table, tmp_path):
    fixed = ["--set", "gbm.n_estimators=8", "--set", "gbm.learning_rate=0.3"]
    options = [
        "--features",
        "length,ngram.words",
        "--members",
        "rf,gbm",
        "--workers",
        "1",
        "--set",
        "rf.n_estimators=8",
    ]
    done = run("train", table, "-o", tmp_path / "model", *options, *fixed, "--search", "3")
    candidates = pc.read_csv(tmp_path / "model.search.csv")
    assert candidates.num_rows == 2 * 4
    assert not list((tmp_path / "model").glob("*search*"))
    assert done.stdout.splitlines()[0].split() == ["member", "default", "best", "gain", "settings"]
    model = load(tmp_path / "model")
    command = model.manifest["training"]["command"]
    assert "--search" not in command
    best = {row["member"]: row for row in candidates.to_pylist() if row["rank"] == 1}
    for member in model.members:
        for key, value in member.params.items():
            assert best[member.name][key] == value
        won = f"none of 3 drawn settings is better than the default of {member.name}" in done.stderr
        assert won == best[member.name]["default"]
        assert (f"--set {member.name}.min_samples_leaf=" in command) != won
    words = shlex.split(command)[2:]
    run("train", table, "-o", tmp_path / "again", *words[1:], "--workers", "1")
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("model", "again")
    )
    assert first == second


def test_networks_are_left_as_they_are(table, tmp_path, monkeypatch):
    monkeypatch.setattr("samewise.models.member.find_spec", lambda library: library)  # as if torch were installed
    monkeypatch.setattr("samewise.ensemble.core.estimator.SimilarityEnsemble.fit", lambda self, *data: 1 / 0)
    options = ["--features", "length", "--members", "rf,esim", "--workers", "1", "--set", "rf.n_estimators=4"]
    done = CliRunner().invoke(app, ["train", str(table), "-o", str(tmp_path / "m"), *options, "--search", "1"])
    assert isinstance(done.exception, ZeroDivisionError)
    assert "networks are not searched, only rf, gbm, xgb; esim stays as set" in done.stderr
    assert set(pc.read_csv(tmp_path / "m.search.csv")["member"].to_pylist()) == {"rf"}
