"""The challenge suite is well formed, and the model that ships errs on it as much as was recorded."""

import json
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from samewise.features.analysis.analysis import normalise

from samewise import load

HERE = Path(__file__).resolve().parent
BENCHMARK = HERE.parents[1] / "benchmarks" / "challenge.py"
MEASURE = "python benchmarks/challenge.py --json > tests/challenge/expected.json"

bench = SimpleNamespace(**runpy.run_path(str(BENCHMARK)))
SUITE = bench.read_suite()
EXPECTED = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))

CLASSES = {
    *("sense_under", "sense_over", "attribute", "roles", "negation"),
    *("blending", "translation", "place", "activity"),
}


def plain(text):
    """What two sentences share that differ in case, spaces and outer punctuation alone."""
    return normalise(text).casefold().strip(" .!?\"'")


@pytest.fixture(scope="module")
def model():
    return load()


@pytest.fixture(scope="module")
def scores(model):
    return model.predict(SUITE.pairs)


@pytest.fixture(scope="module")
def table(scores):
    return bench.by_class(SUITE, scores)


def test_every_class_has_enough_pairs():
    assert set(SUITE.classes) == CLASSES
    assert min(Counter(SUITE.classes).values()) >= 20


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_no_constant_wins_a_class(name):
    gold = SUITE.gold[SUITE.rows(name)]
    upper = bench.upper_half(gold)
    assert 0 <= gold.min() <= gold.max() <= 5
    assert min(upper.sum(), (~upper).sum()) >= 4
    assert gold[upper].mean() - gold[~upper].mean() >= 1.5


def test_rows_are_plain():
    header, *lines = (HERE / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    assert header.split("\t") == ["class", "score", "sentence1", "sentence2"]
    assert len(lines) == len(SUITE.pairs)
    for line in lines:
        _, score, *pair = line.split("\t")
        assert len(pair) == 2, line
        assert score == f"{float(score):.1f}", line
        assert '"' not in line
        assert all(text == normalise(text) and text[-1] in ".?!" for text in pair), line


def test_pairs_are_independent():
    """No sentence stands twice in the suite, so no pair twice in either order, nor a sentence beside itself."""
    counts = Counter(plain(text) for pair in SUITE.pairs for text in pair)
    assert [text for text, count in counts.items() if count > 1] == []


def test_no_sentence_is_of_the_data_the_models_are_fitted_on(data):
    files = sorted((data / "stsbenchmark").glob("sts-*.csv"))
    if not files:
        pytest.skip(f"STS Benchmark is not at {data / 'stsbenchmark'}")
    known = {plain(text) for file in files for row in file.read_text("utf-8").splitlines() for text in row.split("\t")}
    assert len(known) > 10_000
    assert [text for pair in SUITE.pairs for text in pair if plain(text) in known] == []


@pytest.mark.slow
def test_scores_are_finite_and_on_the_scale(scores):
    assert np.isfinite(scores).all()
    assert ((scores >= 0) & (scores <= 5)).all()


@pytest.mark.slow
def test_both_orders_score_the_same(model, scores):
    np.testing.assert_array_equal(model.predict([(b, a) for a, b in SUITE.pairs]), scores)


def test_the_summary_on_figures_worked_by_hand():
    found = bench.summarise(np.array([1.0, 2.0, 5.0]), np.array([2.0, 2.0, 3.5]))
    assert found[:4] == pytest.approx((3, 8 / 3, 2.5, -0.5 / 3))
    # The middle of 1..5 is 3: errors +1 and 0 below it, -1.5 above.
    assert (found.low, found.high, found.absolute_error) == pytest.approx((0.5, -1.5, 2.5 / 3))
    assert found.pearson == pytest.approx(3.5 / np.sqrt(13))


# pytest warns where --junitxml writes its newer format; the figures are in the printed table too.
@pytest.mark.filterwarnings("ignore:record_property is incompatible")
def test_the_errors_are_those_recorded(model, table, record_property):
    """A guard against a change of features or scoring; a new model or a new pair asks for new figures."""
    print(bench.render({"shipped": table}))
    for name, summary in table.items():
        record_property(f"mean_signed_error.{name}", round(summary.signed_error, 3))
    found = bench.expected(SUITE, model.signature, table)
    for key in ("signature", "suite"):
        assert found[key] == EXPECTED[key], f"expected.json has another {key}; look at the table, then run {MEASURE}"
    margin = EXPECTED["margin"]
    limit = EXPECTED["mean_absolute_error"] + margin["mean_absolute_error"]
    assert table["overall"].absolute_error <= limit
    assert found["mean_signed_error"] == pytest.approx(
        EXPECTED["mean_signed_error"], abs=margin["mean_signed_error"], rel=0
    )


@pytest.mark.slow
def test_the_command_prints_what_is_recorded():
    done = subprocess.run([sys.executable, BENCHMARK, "--json"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.keys() == EXPECTED.keys()
    assert found["margin"] == EXPECTED["margin"]
    assert found["mean_signed_error"].keys() == EXPECTED["mean_signed_error"].keys() == CLASSES


@pytest.mark.slow
def test_the_command_sets_models_side_by_side():
    options = ["--profile", "surface", "--model", HERE.parents[1] / "models" / "pretrained" / "surface"]
    done = subprocess.run([sys.executable, BENCHMARK, *options], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    overall = done.stdout.splitlines()[-1].split("|")
    assert overall[0].split()[:2] == ["overall", str(len(SUITE.pairs))]
    assert overall[1].split() == overall[2].split()
    refused = subprocess.run([sys.executable, BENCHMARK, *options, "--json"], capture_output=True, text=True)
    assert refused.returncode == 2
    assert "name one" in refused.stderr
