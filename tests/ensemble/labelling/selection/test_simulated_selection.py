import csv
import json

import joblib
import numpy as np
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.core.predictive_distribution import spread_of
from samewise.ensemble.evaluation.metrics import pearson
from samewise.ensemble.experiments import QUICK
from samewise.ensemble.labelling.selection import bands, k_center_greedy, robust_k_center
from samewise.ensemble.labelling.selection import simulated_selection as simulation
from samewise.ensemble.labelling.selection.simulated_selection import simulate
from samewise.ensemble.reports import selection_report
from samewise.features.matrix import FeatureMatrix
from samewise.models.member import make_member
from typer.testing import CliRunner

from ....conftest import PAIRS

COLUMNS = ("told.by.x", "told.by.y", "noise.a.x")
TINY = {"gbm": {"n_estimators": 8, "min_samples_leaf": 2}, "rf": {"n_estimators": 5}}
SMALL = {"members": ("rf", "gbm"), "params": TINY, "seeds": 2, "sizes": [10, 20, 35], "time_limit": 5.0}


def made(n, seed):
    rng = np.random.default_rng(seed)
    truth = rng.uniform(0, 5, n)
    values = np.column_stack([truth + rng.normal(size=n), 9 * truth + rng.normal(size=n), rng.normal(size=n)])
    return FeatureMatrix(values.astype(np.float32), COLUMNS), truth


TRAIN, Y = made(60, 1)
DEV, TRUTH = made(50, 2)
SIMILARITY = np.random.default_rng(3).uniform(size=60)
POINTS = ((TRAIN.values - TRAIN.values.mean(axis=0)) / TRAIN.values.std(axis=0)).astype(np.float32)


@pytest.fixture(scope="module")
def found():
    return simulate(TRAIN, DEV, Y, TRUTH, SIMILARITY, **SMALL)


def members_on(rows, seed, target=DEV, names=("rf", "gbm")):
    part = TRAIN.take(np.sort(rows))
    fitted = [make_member(name, TINY[name], random_state=seed).fit(part, Y[np.sort(rows)]) for name in names]
    return np.column_stack([member.predict(target) for member in fitted])


def rest_of(rows):
    return np.setdiff1d(np.arange(60), rows)


def choose(method, rows, count, seed):
    """One round, written again from the description."""
    rest = rest_of(rows)
    if method == "greedy":
        return rest[k_center_greedy(POINTS[rest], count, POINTS[rows]).rows]
    if method == "robust":
        return rest[robust_k_center(POINTS[rest], count, POINTS[rows]).centres.rows]
    return rest[np.argsort(-spread_of(members_on(rows, seed, TRAIN)[rest]), kind="stable")[:count]]


@pytest.mark.parametrize("method", ["random", "greedy", "robust", "uncertainty"])
def test_each_round_fits_on_what_the_method_chose(found, method):
    for seed in (0, 1):
        order = np.random.default_rng(seed).permutation(60)
        rows = order[:10]
        for size in SMALL["sizes"]:
            if size > 10:
                more = order[len(rows) : size] if method == "random" else choose(method, rows, size - len(rows), seed)
                rows = np.concatenate([rows, more])
            assert len(set(rows.tolist())) == size
            expected = pearson(TRUTH, Combination().apply(members_on(rows, seed)))
            here = [row for row in found.rows if (row.method, row.n, row.seed) == (method, size, str(seed))]
            assert [row.pearson for row in here] == [pytest.approx(expected, abs=1e-9)], (size, seed)


def test_rows_are_tidy(found):
    expected = [(m, n, s) for m in found.methods for n in (10, 20, 35) for s in ("mean", "0", "1")]
    assert [(row.method, row.n, row.seed) for row in found.rows] == expected
    random = {row.n: row.pearson for row in found.means if row.method == "random"}
    for row in found.means:
        single = [other.pearson for other in found.rows if (other.method, other.n) == (row.method, row.n)][1:]
        assert row.pearson == pytest.approx(np.mean(single))
        assert row.low < row.pearson < row.high
        if row.method == "random":
            assert row.delta is row.delta_low is None
        else:
            assert row.delta == pytest.approx(row.pearson - random[row.n])
            assert row.delta_low <= row.delta <= row.delta_high
    start = {row.pearson for row in found.means if row.n == 10}
    assert len(start) == 1
    table = found.to_table()
    assert table.column_names[0] == "method" and table.num_rows == len(expected)


def test_bands_fill_up_at_random_and_tell(found):
    assert not any("filled" in note for note in found.notes)
    alike = simulate(TRAIN, DEV, Y, TRUTH, np.full(60, 0.9), **{**SMALL, "methods": ("bands",), "seeds": 1})
    assert any(note.startswith("bands: ") and "filled at random" in note for note in alike.notes)
    order = np.random.default_rng(0).permutation(60)
    rest = rest_of(order[:10])
    even = bands(rest, SIMILARITY[rest], simulation.EDGES, 2, seed=0)
    assert len(even.rows) == 10 and even.shortfalls == ()
    rows = np.concatenate([order[:10], rest[even.rows]])
    here = [row.pearson for row in found.rows if (row.method, row.n, row.seed) == ("bands", 20, "0")]
    assert here == [pytest.approx(pearson(TRUTH, Combination().apply(members_on(rows, 0))), abs=1e-9)]


def test_a_single_member_is_asked_several_times(monkeypatch):
    asked = []
    kept = simulation.member_scores

    def counted(*arguments):
        asked.append((arguments[5], len(arguments[3])))
        return kept(*arguments)

    monkeypatch.setattr(simulation, "member_scores", counted)
    one = {"members": ("gbm",), "params": TINY, "sizes": [10, 20], "seeds": 1, "methods": ("uncertainty",)}
    result = simulate(TRAIN, DEV, Y, TRUTH, SIMILARITY, **one)
    assert sorted(asked) == [(0, 10), (0, 20), (1000, 10), (2000, 10), (3000, 10), (4000, 10)]
    assert all(row.delta is None for row in result.means)  # without random there is nothing to compare with


def test_finished_fits_are_kept_and_workers_change_nothing(found, tmp_path):
    some = {**SMALL, "methods": ("random", "greedy")}
    with joblib.parallel_config("threading"):  # processes would take seconds to start
        again = [simulate(TRAIN, DEV, Y, TRUTH, SIMILARITY, **some, folder=tmp_path, jobs=jobs) for jobs in (2, 1)]
    assert again[0].rows == again[1].rows  # seconds too, for nothing was fitted again
    figures = [[(row.method, row.n, row.seed, row.pearson) for row in result.rows] for result in (found, again[0])]
    assert [row for row in figures[0] if row[0] in some["methods"]] == sorted(
        figures[1], key=lambda row: row[0] != "greedy"
    )


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"methods": ("best",)}, r"methods must be among .*, got \['best'\]"),
        ({"methods": ()}, r"methods must be among .*, got \[\]"),
        ({"members": ("gbm", "gbm")}, "members must be among .*, each once, got"),
        ({"members": ("cross_encoder",)}, r"members must be among .*, got \['cross_encoder'\]"),
        ({"sizes": [20, 10]}, r"growing numbers from 2 to 60, the number of pairs, got \[20, 10\]"),
        ({"sizes": [10, 61]}, r"from 2 to 60, the number of pairs, got \[10, 61\]"),
        ({"sizes": [10]}, "two or more"),
        ({"sizes": None}, r"from 2 to 60, the number of pairs, got \[\]"),
        ({"seeds": 0}, "seeds must be at least 1, got 0"),
    ],
)
def test_bad_settings(changed, told):
    with pytest.raises(ValueError, match=told):
        simulate(TRAIN, DEV, Y, TRUTH, SIMILARITY, **{**SMALL, **changed})


def test_similarities_that_do_not_fit():
    with pytest.raises(ValueError, match="similarity must have one value for each of 60 pairs, got shape"):
        simulate(TRAIN, DEV, Y, TRUTH, SIMILARITY[:5], **SMALL)


def test_the_page_shows_every_method(found):
    rows = [vars(row) for row in found.means]
    page = selection_report(rows, title="<b>mine</b>")
    assert page.count('stroke-width="1.5"') == 5
    for method in found.methods:
        assert f"{method}</p>" in page and f"35 {method}" in page
    assert "<b>mine</b>" not in page and "<script" not in page and "style=" not in page
    best = next(row for row in found.means if row.method == "greedy" and row.n == 35)
    assert f"{best.pearson:.4f}" in page
    with pytest.raises(ValueError, match="at most 7 methods, got 8"):
        selection_report([{**rows[0], "method": str(k)} for k in range(8)])


@pytest.fixture
def tables(tmp_path):
    for name, turn in (("train.csv", 1), ("dev.csv", -1)):
        with (tmp_path / name).open("w", newline="") as file:
            rows = [(a, f"{b} {k}", (7 * k) % 6) for k in range(2) for a, b in PAIRS[::turn]]
            csv.writer(file).writerows([("sentence1", "sentence2", "score"), *rows])
    return tmp_path


def run(folder, *arguments, code=0):
    done = CliRunner().invoke(app, ["select", *map(str, arguments)])
    assert done.exit_code == code, done.output
    return done


def test_the_command_writes_tables_and_a_page(tables, monkeypatch):
    monkeypatch.chdir(tables)
    settings = ["--features", "length", "--members", "gbm", "--set", "gbm.n_estimators=5", "--jobs", "1"]
    sizes = ["--sizes", "8,14", "--seeds", "2", "--method", "random,greedy"]
    command = ["--simulate", "train.csv", "--dev", "dev.csv", "-o", "out", *settings, *sizes]
    facts = json.loads(run(tables, *command, "--json").stdout)
    assert facts["methods"] == ["random", "greedy"] and facts["sizes"] == [8, 14]
    assert facts["facts"]["train"] == "train.csv" and facts["facts"]["settings"]["gbm"] == {
        **QUICK["gbm"],
        "n_estimators": 5,
    }
    table = pq.read_table(tables / "out" / "simulation.parquet")
    assert table.num_rows == 12 == len((tables / "out" / "simulation.csv").read_text().splitlines()) - 1
    assert "<svg" in (tables / "out" / "report.html").read_text()
    shown = run(tables, *command)
    assert "to random" in shown.stdout and "simulation.parquet" in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--simulate", "train.csv", "-o", "out"], 2, "--dev"),
        (["--simulate", "train.csv", "--dev", "dev.csv"], 2, "-o"),
        (["--simulate", "train.csv", "--dev", "dev.csv", "-o", "out", "--k", "3"], 2, "--k"),
        (["--simulate", "train.csv", "--dev", "dev.csv", "-o", "out", "--sizes", "x"], 2, "list of numbers"),
        (["train.csv", "--k", "3", "--dev", "dev.csv"], 2, "--simulate"),
        (["train.csv", "--k", "3", "--seeds", "2"], 2, "--simulate"),
        (["--simulate", "train.csv", "--dev", "dev.csv", "-o", "dev.csv"], 1, "name a folder"),
        (["--simulate", "train.csv", "--dev", "sts-test.csv", "-o", "out"], 1, "test"),
        (["--simulate", "train.csv", "--dev", "absent.csv", "-o", "out"], 1, "no file absent.csv"),
    ],
)
def test_bad_use_of_the_command(arguments, code, told, tables, monkeypatch):
    monkeypatch.chdir(tables)
    assert told in " ".join(run(tables, *arguments, code=code).stderr.replace("│", " ").split())
