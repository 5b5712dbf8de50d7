"""Permutation importance agrees with scikit-learn where that can do it, and two rankings are compared by the book."""

import json
import math
import re
from dataclasses import asdict, replace
from dataclasses import fields as fields_of
from shutil import which

import numpy as np
import pytest
import typer
from samewise.ensemble.commands.ablate_command import ablate as command
from samewise.ensemble.commands.console import reporting
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.core.folds import grouped_folds
from samewise.ensemble.evaluation.metrics import pearson
from samewise.ensemble.evaluation.system_comparison import holm, pearson_difference, williams
from samewise.ensemble.experiments import AblationRow, ablate, agreement, importance, read_rows
from samewise.ensemble.experiments import member_fits as fits
from samewise.ensemble.experiments.importance import Resamples
from samewise.ensemble.experiments.variants import Variant
from samewise.ensemble.reports import ablation_report
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.models.member import make_member
from scipy.stats import bootstrap, kendalltau, norm, pearsonr, spearmanr
from sklearn.inspection import permutation_importance
from typer.testing import CliRunner

TINY = {"rf": {"n_estimators": 5}, "gbm": {"n_estimators": 8}, "xgb": {"n_estimators": 8}}
QUICKEST = {"members": ("rf", "gbm"), "params": TINY, "seeds": 2, "repeats": 4}
COLUMNS = ("strong.a.x", "strong.a.y", "weak.b.x", "noise.c.x", "noise.c.y")


def made(n, seed):
    rng = np.random.default_rng(seed)
    truth = rng.uniform(0, 5, n)
    told = truth[:, None] + rng.normal(size=(n, 3)) * np.asarray([0.6, 0.8, 3.0])
    return FeatureMatrix(np.hstack([told, rng.normal(size=(n, 2))]).astype(np.float32), COLUMNS), truth


@pytest.fixture(scope="module")
def numbers():
    (train, y_train), (dev, y_dev) = made(300, 1), made(200, 2)
    return train, dev, y_train, y_dev


@pytest.fixture(scope="module")
def permuted(numbers):
    return ablate(*numbers, mode="permute", **QUICKEST)


def without_seconds(ablation):
    return [{**asdict(row), "seconds": None} for row in ablation.rows]


def fitted(train, y, seeds=2, members=("rf", "gbm")):
    return [
        [make_member(name, TINY[name], random_state=seed).fit(train, y) for name in members] for seed in range(seeds)
    ]


def ensemble(models, values, columns=COLUMNS):
    matrix = FeatureMatrix(values, columns)
    return Combination().apply(np.column_stack([model.predict(matrix) for model in models]))


def orders_of_scikit_learn(n, repeats, random_state):
    """It shuffles one index on and on, and each time the column that it shuffled before."""
    state = np.random.RandomState(np.random.RandomState(random_state).randint(np.iinfo(np.int32).max + 1))
    index, order, found = np.arange(n), np.arange(n), []
    for _ in range(repeats):
        state.shuffle(index)
        order = order[index]
        found.append(order)
    return np.stack(found)


def test_single_columns_are_those_of_scikit_learn(numbers, monkeypatch):
    train, dev, y_train, y_dev = numbers

    class Estimator:
        def fit(self, values, y):
            return self

        def predict(self, values):
            return np.mean([ensemble(models, values) for models in fitted(train, y_train)], axis=0)

    def score(estimator, values, y):
        return pearson(y, estimator.predict(values))

    truth = permutation_importance(Estimator(), dev.values, y_dev, scoring=score, n_repeats=4, random_state=3)
    monkeypatch.setattr(importance, "_orders", lambda fits, repeats: [orders_of_scikit_learn(200, repeats, 3)])
    found = ablate(*numbers, mode="permute", by="column", **QUICKEST)
    mine = {row.what: -row.delta for row in found.means}
    assert [mine[column] for column in COLUMNS] == pytest.approx(truth.importances_mean.tolist(), abs=1e-12)
    # Families of one column are those columns; with orders of our own they agree up to chance.
    single = [FeatureMatrix(side.values, tuple(f"f{k}.a.b" for k in range(len(COLUMNS)))) for side in numbers[:2]]
    monkeypatch.undo()
    by_family = ablate(*single, y_train, y_dev, mode="permute", **{**QUICKEST, "repeats": 30})
    chance = 4 * truth.importances_std / math.sqrt(4) + 1e-3
    mine = {row.what: -row.delta for row in by_family.means}
    assert np.all(np.abs([mine[f"f{k}"] for k in range(5)] - truth.importances_mean) < chance)


def test_the_columns_of_a_family_keep_together(numbers, permuted):
    train, dev, y_train, y_dev = numbers
    rng = np.random.default_rng(0)
    orders = [rng.permutation(200) for _ in range(4)]
    models = fitted(train, y_train)
    base = np.mean([ensemble(members, dev.values) for members in models], axis=0)
    assert permuted.whole.pearson == pearson(y_dev, base)
    for family, places in (("strong", [0, 1]), ("weak", [2]), ("noise", [3, 4])):
        scores = []
        for order in orders:
            values = dev.values.copy()
            values[:, places] = values[order][:, places]
            scores.append([ensemble(members, values) for members in models])
        row = next(row for row in permuted.means if row.what == family)
        means = np.mean(scores, axis=1)
        assert row.pearson == pytest.approx(np.mean([pearson(y_dev, each) for each in means]), abs=1e-14)
        assert row.delta == pytest.approx(row.pearson - pearson(y_dev, base), abs=1e-14)
        assert (row.columns, row.members, row.change) == (len(places), 2, "permute")
        one = next(row for row in permuted.rows if row.what == family and row.seed == "1")
        assert one.pearson == pytest.approx(np.mean([pearson(y_dev, each[1]) for each in scores]), abs=1e-14)
        assert (one.low, one.p) == (None, None)
        assert (row.low, row.high, row.p) == pytest.approx(Resamples(y_dev, base).compare(means), rel=1e-9)
        assert row.low <= row.delta <= row.high
    assert [row.p_holm for row in permuted.means] == holm([row.p for row in permuted.means]).tolist()
    assert permuted.means[0].what == "strong" and permuted.means[0].high < 0


def test_columns_that_say_the_same_are_only_seen_shuffled():
    """Left out, a copy takes over (delta 0); shuffled, the model that reads both is misled (Strobl et al., 2008)."""
    rng = np.random.default_rng(5)
    truth = [rng.uniform(0, 5, n) for n in (300, 200)]
    sides = []
    for y in truth:
        told = y + rng.normal(size=len(y)) * 0.3
        weak = y + rng.normal(size=len(y)) * 4
        sides.append(
            FeatureMatrix(np.column_stack([told, told, weak]).astype(np.float32), ("one.a.x", "two.a.x", "weak.a.x"))
        )
    settings = {"members": ("rf",), "params": {"rf": {"n_estimators": 30, "max_features": 0.5}}, "seeds": 2}
    dropped, shuffled = (
        {row.what: row.delta for row in ablate(*sides, *truth, mode=mode, **settings).means}
        for mode in ("drop", "permute")
    )
    for name in ("one", "two"):
        assert abs(dropped[name]) < 0.01
        assert shuffled[name] < -0.05


@pytest.mark.slow
def test_the_same_on_any_number_of_cores_and_repeats_go_on(numbers, permuted):
    assert without_seconds(ablate(*numbers, mode="permute", **QUICKEST, jobs=2)) == without_seconds(permuted)
    given = {"target": numbers[1], "parts": [(np.arange(3), np.arange(7)), (np.arange(4), np.arange(5))]}
    fewer, more = (importance._orders(type("Fits", (), given), repeats) for repeats in (2, 5))
    for few, many in zip(fewer, more, strict=True):
        assert few.tolist() == many[:2].tolist()
        assert all(sorted(order) == list(range(many.shape[1])) for order in many.tolist())


def test_in_cross_validation_a_fold_is_shuffled_in_itself(numbers):
    train, _, y, _ = numbers
    groups = np.repeat(np.arange(100), 3)
    settings = {**QUICKEST, "members": ("gbm",), "seeds": 1, "repeats": 2}
    found = ablate(train, None, y, None, mode="permute", groups=groups, **settings)
    scores = np.empty((2, 300))
    for k, (rows, held_out) in enumerate(grouped_folds(groups)):
        [models] = fitted(train.take(rows), y[rows], 1, ("gbm",))
        rng = np.random.default_rng(k)
        for r in range(2):
            values = train.values[held_out]
            values[:, :2] = values[rng.permutation(len(held_out))][:, :2]
            scores[r, held_out] = ensemble(models, values)
    row = next(row for row in found.means if row.what == "strong")
    assert row.pearson == pytest.approx(np.mean([pearson(y, each) for each in scores]), abs=1e-14)


@pytest.mark.slow
def test_the_whole_is_fitted_once_and_kept(numbers, tmp_path, monkeypatch, permuted):
    done = []
    original = fits._fit_one
    monkeypatch.setattr(fits, "_fit_one", lambda key, *rest: done.append(key) or original(key, *rest))
    first = ablate(*numbers, mode="permute", **QUICKEST, folder=tmp_path)
    assert len(done) == 2 * 2
    told = []
    again = ablate(
        *numbers, mode="permute", by="column", **QUICKEST, folder=tmp_path, progress=lambda *step: told.append(step)
    )
    assert len(done) == 4 and told == [(k, 5) for k in range(1, 6)]
    assert without_seconds(first) == without_seconds(permuted)
    assert again.whole.pearson == first.whole.pearson
    ablate(*numbers, mode="drop", **QUICKEST, folder=tmp_path)
    assert len(done) == 4 + 3 * 4, "what was shuffled is the whole of what drops"
    # Scores without their model, as `drop` keeps them, are not enough; a damaged model is fitted again.
    other = tmp_path / "other"
    ablate(*numbers, mode="drop", **QUICKEST, folder=other)
    del done[:]
    assert without_seconds(ablate(*numbers, mode="permute", **QUICKEST, folder=other)) == without_seconds(permuted)
    assert len(done) == 4
    path = other / f"{done[0]}.npz"
    path.write_bytes(path.read_bytes()[:-40])
    del done[:]
    assert without_seconds(ablate(*numbers, mode="permute", **QUICKEST, folder=other)) == without_seconds(permuted)
    assert [path.stem] == done


def test_a_member_that_reads_no_columns_keeps_its_scores(numbers):
    _, dev, y_train, _ = numbers
    [[model]] = fitted(numbers[0], y_train, 1, ("gbm",))
    kept = np.linspace(0, 5, 200)
    order = np.stack([np.arange(200)[::-1], np.arange(200)])
    variant = Variant("strong", COLUMNS[:2], ("gbm", "esim"))
    found = importance._shuffled(variant, [[(model,), kept]], dev, [(np.arange(300), np.arange(200))], [order])
    assert found.seeds[0].shape == (2, 200)
    values = dev.values.copy()
    values[:, :2] = values[::-1, :2]
    expected = Combination().apply(np.column_stack([model.predict(FeatureMatrix(values, COLUMNS)), kept]))
    assert found.seeds[0][0].tolist() == expected.tolist()
    assert found.seeds[0][1].tolist() == Combination().apply(np.column_stack([model.predict(dev), kept])).tolist()


def test_intervals_are_those_of_scipy():
    rng = np.random.default_rng(1)
    truth = rng.uniform(0, 5, 120)
    base = truth + rng.normal(size=120)
    scores = base + rng.normal(size=(3, 120)) * 0.5
    resamples = Resamples(truth, base)
    for one in scores:
        assert resamples.compare(one[None])[:2] == pytest.approx(pearson_difference(truth, one, base)[1:], abs=1e-12)

    def statistic(gold, other, *rows, axis=-1):
        mean = np.mean([pearsonr(gold, row, axis=axis).statistic for row in rows], axis=0)
        return mean - pearsonr(gold, other, axis=axis).statistic

    found = bootstrap(
        [truth, base, *scores],
        statistic,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=2_000,
        rng=np.random.default_rng(0),
    )
    low, high, p = resamples.compare(scores)
    assert (low, high) == pytest.approx(tuple(found.confidence_interval), abs=1e-12)
    z = statistic(truth, base, *scores) / found.standard_error
    assert p == pytest.approx(2 * norm.sf(abs(z)), rel=1e-9)
    assert resamples.compare(np.zeros((1, 120)))[:2] == (-2.0, 2.0)
    assert math.isnan(resamples.compare(np.stack([base, base]))[2])
    few = Resamples(np.asarray([1.0, 2.0, 4.0]), np.asarray([1.0, 3.0, 2.0]))
    assert all(np.isfinite(few.compare(np.asarray([[2.0, 1.0, 3.0]]))))


def test_the_p_value_claims_as_seldom_as_it_says():
    rng = np.random.default_rng(2)
    claimed = 0
    for _ in range(300):
        truth = rng.normal(size=150)
        base, *scores = truth + rng.normal(size=(4, 150))  # equally good: every claim is false
        claimed += Resamples(truth, base, resamples=200).compare(np.stack(scores))[2] < 0.05
    assert 0.02 <= claimed / 300 <= 0.09
    r = [pearson(*sides) for sides in ((truth, scores[0]), (truth, base), (base, scores[0]))]
    mine = Resamples(truth, base).compare(scores[0][None])[2]
    assert norm.isf(mine / 2) == pytest.approx(norm.isf(williams(*r, 150)[1] / 2), rel=0.1)


def test_what_cannot_be_shuffled_is_said(numbers):
    with pytest.raises(ValueError, match='must be "family" or "column" with mode="permute"'):
        ablate(*numbers, mode="permute", by="member")
    with pytest.raises(ValueError, match="repeats must be at least 1, got 0"):
        ablate(*numbers, mode="permute", repeats=0)
    train, dev, y_train, y_dev = numbers
    only = ablate(train.select("strong"), dev, y_train, y_dev, mode="permute", **QUICKEST)
    assert [row.what for row in only.means] == ["strong"]


def ranked(figures, change="drop"):
    blank = dict.fromkeys(field.name for field in fields_of(AblationRow))
    row = AblationRow(**{**blank, "seed": "mean", "change": change})
    return [replace(row, what=what, delta=delta, pearson=0.9 + delta) for what, delta in figures.items()]


def test_ranks_are_compared_by_the_book():
    # By hand: ranks (1, 2, 3, 4) and (2, 1, 4, 3): sum of squared differences 4, so 1 - 6 * 4 / 60 = 0.6; four of six
    # pairs agree and two do not, so (4 - 2) / 6.
    first = ranked({"a": -0.4, "b": -0.3, "c": -0.2, "d": 0.1})
    second = ranked({"d": -0.01, "c": 0.0, "b": -0.05, "a": -0.02}, "permute")
    found = agreement(first, second)
    assert found.spearman == pytest.approx(0.6)
    assert found.kendall == pytest.approx(1 / 3)
    assert found.changes == ("drop", "permute")
    assert [tuple(row) for row in found.rows] == [
        ("a", -0.4, 1, -0.02, 2),
        ("b", -0.3, 2, -0.05, 1),
        ("c", -0.2, 3, 0.0, 4),
        ("d", 0.1, 4, -0.01, 3),
    ]
    assert json.loads(json.dumps(found.as_dict()))["rows"][0]["other_rank"] == 2
    # What is good alone has a high figure, and what is missed a low one.
    assert agreement(first, ranked({"a": -0.1, "b": -0.2, "c": -0.3, "d": -0.4}, "only")).spearman == pytest.approx(1)
    tied = ranked({"a": -0.4, "b": 0.0, "c": 0.0, "d": 0.0})
    found = agreement(first, tied)
    assert [row.other_rank for row in found.rows] == [1, 2, 2, 2]
    worth = ([4, 3, 2, 1], [1, 0, 0, 0])
    assert found.spearman == pytest.approx(spearmanr(*worth).statistic)
    assert found.kendall == pytest.approx(kendalltau(*worth).statistic)
    flat = agreement(first, ranked(dict.fromkeys("abcd", 0.0)))
    assert math.isnan(flat.spearman) and math.isnan(flat.kendall)
    assert flat.as_dict()["spearman"] is None


def test_what_cannot_be_compared_is_said(permuted, tmp_path):
    first = ranked({"a": -0.4, "b": -0.3})
    with pytest.raises(ValueError, match="must have the same parts, got 'c' in one only"):
        agreement(first, ranked({"a": -0.4, "b": -0.3, "c": 0.0}))
    with pytest.raises(ValueError, match='must be "drop", "only" or "permute", got "add"'):
        agreement(first, ranked({"a": -0.4, "b": -0.3}, "add"))
    with pytest.raises(ValueError, match="at least 2 to rank them, got 1"):
        agreement(first[:1], first[:1])
    permuted.write(tmp_path)
    assert read_rows(tmp_path) == permuted.rows
    with pytest.raises(ValueError, match=r"the folder must hold ablation\.parquet"):
        read_rows(tmp_path / "none")
    (tmp_path / "ablation.parquet").write_bytes(b"none")
    with pytest.raises(ValueError, match="must be the table of an ablation"):
        read_rows(tmp_path)


def reported(deltas, **facts):
    rows = [{"name": k, "delta": v, "low": v - 0.001, "high": v + 0.001, "p_holm": 0.5} for k, v in deltas.items()]
    return ablation_report(rows, **facts)


def test_small_bars_are_drawn_again_on_their_own():
    page = reported({"<b>large</b>": -0.4, "next": -0.03, "small": -0.004, "smaller": 0.002}, change="shuffled")
    assert "shuffled among the pairs" in page
    _, near = page.split("The other parts on their own scale")
    assert "&lt;b&gt;large&lt;/b&gt;</bdi>, <bdi>next</bdi>, beside which" in near
    assert re.findall(r'<th scope="row"><bdi>(.*?)</bdi>', near) == ["small", "smaller"]
    for deltas in ({"a": -0.4, "b": -0.3, "c": -0.001}, {"a": -0.4}, {"a": 0.0, "b": 0.0}):
        assert "on their own scale" not in reported(deltas)


def test_ranks_stand_in_the_report():
    found = agreement(ranked({"a": -0.4, "<i>": -0.3}), ranked({"a": -0.1, "<i>": -0.2}, "permute"))
    page = reported({"a": -0.4, "<i>": -0.3}, agreement=found, sides=("left out", "shuffled (<u>)"))
    assert "Spearman \u22121.000, Kendall \u22121.000" in page and "replace each other" in page
    assert "<i>" not in page and "shuffled (&lt;u&gt;)" in page
    assert '</bdi></th><td class="value">1 (\u22120.4000)</td><td class="value">2 (\u22120.1000)</td>' in page
    same = agreement(ranked({"a": -0.4, "b": -0.3}), ranked({"a": -0.1, "b": -0.2}))
    assert "replace each other" not in reported({"a": -0.4, "b": -0.3}, agreement=same)


@pytest.mark.slow
@pytest.mark.skipif(which("chromium") is None, reason="there is no Chromium")
def test_the_report_fits_a_phone(tmp_path):
    sync_api = pytest.importorskip("playwright.sync_api")
    deltas = {"contextual": -0.4514, "embedding_alignment": -0.03, "sentence_information": -0.002, "style": 0.001}
    found = agreement(ranked(deltas), ranked(deltas, "permute"))
    (tmp_path / "report.html").write_text(
        reported(deltas, agreement=found, sides=("left out", "shuffled (a-folder)")), encoding="utf-8"
    )
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        for width in (1280, 375):
            page = browser.new_page(viewport={"width": width, "height": 812})
            page.goto((tmp_path / "report.html").as_uri())
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.evaluate("(e => e.scrollWidth <= e.clientWidth)(document.querySelector('.ranks').parentNode)")
            sizes = page.evaluate(
                "[...document.querySelectorAll('main *')].map(e => parseFloat(getComputedStyle(e).fontSize))"
            )
            assert min(sizes) >= 12
        browser.close()


@pytest.mark.slow
def test_command(tmp_path):
    app = typer.Typer()
    app.command()(command)
    rows = [
        f"Door {k} is {'shut' if k % 3 else 'open'},The door {k} of the hall is {'shut' if k % 2 else 'open'},{k % 5}"
        for k in range(40)
    ]
    (tmp_path / "pairs.csv").write_text("\n".join(["sentence1,sentence2,score", *rows]) + "\n")

    def run(*args):
        small = [f"--set={name}.n_estimators=5" for name in ("rf", "gbm")]
        options = ["--features", "length,ngram.tokens", "--members", "rf,gbm", "--seeds", "2", "--workers", "1", *small]
        with reporting(debug=True):
            return CliRunner().invoke(app, [str(tmp_path / "pairs.csv"), *options, *map(str, args)])

    assert run("-o", tmp_path / "dropped").exit_code == 0
    found = run("--mode", "permute", "--repeats", "3", "--ranks-of", tmp_path / "dropped", "-o", tmp_path / "out")
    assert found.exit_code == 0, found.output
    lines = found.stdout.splitlines()
    assert lines[0].split()[:3] == ["shuffled", "columns", "Pearson"]
    assert {line.split()[0] for line in lines[2:4]} == {"length", "ngram"}
    assert lines[5].split()[:5] == ["shuffled", "rank", "left", "out", f"({tmp_path / 'dropped'})"]
    assert re.fullmatch(r"rank correlation: Spearman -?1\.000, Kendall -?1\.000", lines[-1])
    assert "shuffled in 3 orders" in found.stderr
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Ranks beside those of another ablation" in page and "shuffled among the pairs" in page
    assert "<dt>features</dt>" in page and "{" not in page.partition("<footer>")[2]
    facts = run(
        "--mode", "permute", "--repeats", "3", "--ranks-of", tmp_path / "dropped", "--json", "-o", tmp_path / "out"
    )
    facts = json.loads(facts.stdout)
    expected = agreement(read_rows(tmp_path / "out"), read_rows(tmp_path / "dropped"))
    assert facts["agreement"] == json.loads(json.dumps(expected.as_dict()))
    wrong = run("--ranks-of", tmp_path / "nowhere", "-o", tmp_path / "new")
    assert wrong.exit_code == 1 and "the folder must hold ablation.parquet" in str(wrong.exception)
    assert not (tmp_path / "new").exists()
