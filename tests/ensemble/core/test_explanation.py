"""Explanations add up to the score, whatever the model and the pair, and say the same in any batch and direction."""

import csv
import json
import random
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from samewise.ensemble.commands.explain_command import explain
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.core.explanation import RULES
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.loading import load
from samewise.features.alignment.aligner import align
from samewise.models.member import pairs_of
from samewise.models.profiles import BEST, PROFILES, is_installed
from typer.testing import CliRunner

from samewise import SimilarityEnsemble

from ...conftest import HOSTILE, PAIRS

SMALL = {name: {"n_estimators": 12, "min_samples_leaf": 1} for name in ("rf", "gbm")}
SMALL["xgb"] = {"n_estimators": 12, "min_child_weight": 1}
SCORES = [4.2, 0.2, 4.6, 2.0, 1.8, 1.6, 3.8, 2.0, 4.4, 3.0, 4.4, 4.8, 0.4, 3.0, 0.2]


def generated(count):
    """Pairs made of the sentences of the tests: reordered, shortened and joined."""
    rng = random.Random(2)
    texts = [text for pair in PAIRS for text in pair]

    def text():
        words = rng.choice(texts).split() + (rng.choice(texts).split() if rng.random() < 0.2 else [])
        if rng.random() < 0.5:
            words = [word for word in words if rng.random() < 0.7]
        if rng.random() < 0.3:
            rng.shuffle(words)
        return " ".join(words)

    return [(text(), text()) for _ in range(count)]


def fitted(features, **settings):
    pairs = [(f"{a} {i}", f"{b} {i}") for i in range(4) for a, b in PAIRS]
    y = np.clip(np.tile(SCORES, 4) + np.repeat([0.0, 0.1, -0.1, 0.2], len(PAIRS)), 0, 5)
    return SimilarityEnsemble(features, **{"member_params": SMALL, **settings}).fit(pairs, y)


@pytest.fixture(scope="module")
def model():
    return fitted("surface").predictor_


@pytest.fixture(scope="module")
def calibrated():
    return fitted("surface", combine="stack", calibrate=True).predictor_


@dataclass
class Network:
    """A member that reads the texts: the share of the words of both that both have, times five."""

    name: str = "cross_encoder"
    suffix: str = ".onnx"
    reads_columns: bool = False
    averaged: bool = False
    corrects: bool = False
    level: str = "tokens"
    libraries: tuple = ()
    params: dict = field(default_factory=dict)
    tables: tuple = ()

    def contributions(self, matrix):
        return None

    def predict(self, matrix):
        sets = [(set(pair.a.words), set(pair.b.words)) for pair in pairs_of(matrix)]
        return np.asarray([5.5 * len(a & b) / max(len(a | b), 1) for a, b in sets])


def with_network(model, means=MappingProxyType({"cross_encoder": 1.75}), **combination):
    manifest = {**model.manifest, "member_means": dict(means)}
    made = Combination("stack", (0.2, 0.3, 0.1, 0.45), -0.2, **combination)
    return replace(model, members=(*model.members, Network()), combination=made, manifest=manifest)


def check(model, pairs):
    found = model.explain(pairs)
    prediction = model.predict_pairs(pairs)
    assert [each.score for each in found] == prediction.score.tolist()
    assert [each.low for each in found] == prediction.low.tolist()
    assert [each.high for each in found] == prediction.high.tolist()
    assert [each.flags for each in found] == prediction.flags
    assert {each.base for each in found} == {found[0].base} and 0 <= found[0].base <= 5
    for each in found:
        assert each.base + sum(each.contributions.values()) == pytest.approx(each.score, abs=1e-9)
        assert sorted(each.contributions) == sorted(model.contribution_names)
        sizes = [abs(points) for points in each.contributions.values()]
        assert sizes == sorted(sizes, reverse=True) and np.isfinite(sizes).all()
        ruled = {"identical", "empty"} & set(each.flags) or each.score in (0.0, 5.0)
        assert ruled or each.contributions[RULES] == 0
        assert all(0 <= i < len(each.tokens[0]) and 0 <= j < len(each.tokens[1]) for i, j in each.alignment)
        assert each.alignment == sorted(set(each.alignment))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("profile", [*PROFILES, BEST])
def test_the_models_that_ship_explain_their_scores(profile):
    if not is_installed(profile):
        pytest.skip(f"the profile {profile} is not installed")
    check(load(profile), generated(60))


def test_a_stack_with_a_calibration_sums_to_the_score(calibrated):
    assert calibrated.combination.weights
    bent = replace(
        calibrated, combination=replace(calibrated.combination, knots=(0.0, 1.5, 3.0, 4.5), values=(0.2, 0.9, 3.6, 4.1))
    )
    check(bent, generated(200) + HOSTILE[:12])
    check(calibrated, generated(50))


def test_a_network_adds_what_it_is_above_its_mean(model):
    both = with_network(model)
    pairs = generated(50)
    found = check(both, pairs)
    alone = Network().predict(both.extract(both.analyse(pairs)))
    np.testing.assert_allclose(
        [each.contributions["cross_encoder"] for each in found], 0.45 * (alone - 1.75), atol=1e-5
    )
    offset = with_network(model, {"cross_encoder": 0.0}).explain(pairs[:1])[0]
    assert offset.base == pytest.approx(found[0].base - 0.45 * 1.75, abs=1e-12)
    check(with_network(model, knots=(0.0, 1.0, 4.0), values=(0.0, 2.0, 4.5)), pairs)


def test_a_model_of_networks_alone():
    lone = fitted("surface", members=("gbm",), interval=None).predictor_
    manifest = {**lone.manifest, "member_means": {"cross_encoder": 2.25}}
    lone = replace(lone, features=(), columns=(), members=(Network(),), manifest=manifest)
    [found] = check(lone, [("a red car", "a red bus")])
    assert found.base == 2.25
    assert found.contributions == {"cross_encoder": pytest.approx(5.5 / 2 - 2.25), RULES: 0.0}


def test_the_mean_of_a_network_is_kept_when_it_is_fitted(monkeypatch):
    class Fitted(Network):
        n_jobs = None

        def fit(self, matrix, y, sample_weight=None):
            return self

        def to_bytes(self):
            return b""

    @dataclass
    class Member(Fitted):
        n_jobs: int | None = None

    monkeypatch.setattr("samewise.ensemble.core.estimator.make_member", lambda name, *_, **__: Member())
    pairs = generated(60)
    y = np.random.default_rng(0).uniform(0, 5, 60)
    truth = float(Network().predict(load("surface").extract(load("surface").analyse(pairs))).mean())
    for interval in (0.9, None):
        made = SimilarityEnsemble(members="cross_encoder", interval=interval).fit(pairs, y)
        assert made.predictor_.manifest["member_means"] == {"cross_encoder": pytest.approx(truth)}


def test_an_explanation_turns_round_with_the_pair(model):
    pairs = generated(100) + HOSTILE[:13]
    there, back = model.explain(pairs), model.explain([(b, a) for a, b in pairs])
    for one, other in zip(there, back, strict=True):
        assert one[:5] == other[:5] and one.contributions == other.contributions
        assert list(one.contributions) == list(other.contributions)
        assert one.tokens == other.tokens[::-1]
        assert one.alignment == sorted((j, i) for i, j in other.alignment)


def test_an_explanation_does_not_depend_on_the_batch(model):
    pairs = generated(60)
    whole = model.explain(pairs)
    parts = [model.explain([pair])[0] for pair in pairs[:10]] + model.explain(pairs[10:][::-1])[::-1]
    for one, other in zip(whole, parts, strict=True):
        assert one[:4] == other[:4] and one.alignment == other.alignment and one.tokens == other.tokens
        assert one.contributions == pytest.approx(other.contributions, abs=1e-6)
    assert model.explain([]) == []


def test_identical_and_empty_texts_are_due_to_the_rules(model):
    same, empty, neither = model.explain([("A red car.", " A red  car."), ("", "A red car."), ("", "")])
    for found, score in ((same, 5.0), (empty, 0.0), (neither, 5.0)):
        assert found.score == score
        rest = sum(points for name, points in found.contributions.items() if name != RULES)
        assert found.contributions[RULES] == pytest.approx(score - found.base - rest)
    assert same.alignment == [(i, i) for i in range(4)]
    assert empty.alignment == [] and empty.tokens == ((), ("A", "red", "car", "."))


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["surface", "lexical", "parsed"])
def test_the_alignment_is_that_of_the_aligner(profile):
    made = fitted(profile, members=("gbm",), interval=None).predictor_
    pairs = [*PAIRS, *generated(10)]
    for pair, found in zip(made.analyse(pairs), made.explain(pairs), strict=True):
        assert found.alignment == [(link.i, link.j) for link in align(*pair)]
        assert found.tokens == (pair.a.tokens, pair.b.tokens)


def test_a_saved_model_explains_the_same(model, tmp_path):
    model.save(tmp_path / "model")
    again = Predictor.load(tmp_path / "model")
    assert again.explain(PAIRS) == model.explain(PAIRS)


@pytest.mark.parametrize(
    "means", [{}, {"cross_encoder": float("nan")}, {"cross_encoder": "2"}, {"cross_encoder": None}]
)
def test_a_network_without_a_mean_is_named(means, model):
    with pytest.raises(ValueError, match="the member cross_encoder must have a mean score, got"):
        with_network(model, means).explain(PAIRS[:1])


def test_the_estimator_explains(model):
    made = fitted("surface", members=("gbm",), interval=None)
    assert made.explain(np.asarray(PAIRS)) == made.predictor_.explain(PAIRS)


@pytest.fixture(scope="module")
def folder(model, tmp_path_factory):
    folder = tmp_path_factory.mktemp("explain")
    model.save(folder / "model")
    return folder


def run(*arguments):
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(explain)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_command_prints_what_adds_up(folder, model):
    done = run(*PAIRS[0], "--model", folder / "model", "--json")
    assert done.exit_code == 0, done.output
    facts, [truth] = json.loads(done.stdout), model.explain(PAIRS[:1])
    names = ["score", "low", "high", "flags", "base", "contributions", "alignment", "tokens", "translations"]
    assert list(facts) == [*names, "differences", "signature"]
    assert facts["contributions"] == truth.contributions and list(facts["contributions"]) == list(truth.contributions)
    assert facts["alignment"] == [list(link) for link in truth.alignment]
    assert facts["tokens"] == [list(side) for side in truth.tokens]
    assert (facts["score"], facts["signature"]) == (truth.score, model.signature)

    lines = run(*PAIRS[0], "--model", folder / "model").stdout.splitlines()
    cells = dict(line.split(maxsplit=1) for line in lines)
    assert float(cells["base"]) == pytest.approx(truth.base, abs=0.005)
    for name, points in truth.contributions.items():
        assert (name in cells) == (abs(points) >= 0.005)
        assert name not in cells or cells[name] == f"{points:+.2f}"
    small = sum(points for points in truth.contributions.values() if abs(points) < 0.005)
    assert cells.get("other", "none") == (f"{small:+.2f}" if abs(small) >= 0.005 else "none")
    assert cells["score"] == f"{truth.score:.2f}"
    assert "chef — cook" in lines and "tomatoes — tomatoes" in lines


@pytest.mark.parametrize("name", ["out.parquet", "out.csv", "out.jsonl"])
def test_the_command_explains_a_table(name, folder, model):
    pairs = generated(30)
    ids = [f"p{i}" for i in range(30)]
    source = pa.table({"sentence1": [a for a, _ in pairs], "sentence2": [b for _, b in pairs], "id": ids})
    source = source.append_column("score", pa.array([1.0] * 30))
    pq.write_table(source, folder / "in.parquet")
    done = run("--table", folder / "in.parquet", "-o", folder / name, "--model", folder / "model")
    assert done.exit_code == 0, done.output
    if name.endswith("parquet"):
        rows = pq.read_table(folder / name).to_pylist()
    elif name.endswith("csv"):
        rows = list(csv.DictReader((folder / name).read_text().splitlines()))
    else:
        rows = [json.loads(line) for line in (folder / name).read_text().splitlines()]
    added = [f"contribution.{family}" for family in model.contribution_names]
    assert list(rows[0]) == ["sentence1", "sentence2", "id", "score", "samewise_score", "base", *added, "differences"]
    for row, identity, truth in zip(rows, ids, model.explain(pairs), strict=True):
        assert row["id"] == identity
        assert float(row["samewise_score"]) == truth.score
        assert float(row["base"]) + sum(float(row[key]) for key in added) == pytest.approx(truth.score, abs=1e-6)
        assert float(row["contribution.ngram"]) == pytest.approx(truth.contributions["ngram"], abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "two texts"),
        (["a"], "two texts"),
        (["a", "b", "-o", "x.csv"], "name a table"),
        (["--table", "x.csv"], "-o OUT"),
        (["a", "b", "--table", "x.csv", "-o", "y.csv"], "without texts"),
        (["--table", "x.csv", "-o", "y.csv", "--json"], "without texts"),
    ],
)
def test_wrong_use(arguments, message):
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in " ".join(done.output.replace("│", " ").split())


RENT = ("Tenants must pay 300 euros by 2 June.", "Tenants may pay 450 euros by 2 June.")


def test_an_explanation_has_the_differences_of_the_texts(model):
    [found] = model.explain([RENT])
    assert [(one.kind, one.a, one.b) for one in found.differences] == [
        ("modality", "must", "may"),
        ("number", "300", "450"),
    ]
    for one in found.differences:
        assert tuple(found.tokens[0][place] for place in one.places_a) == (one.a,)
        assert tuple(found.tokens[1][place] for place in one.places_b) == (one.b,)
    [turned] = model.explain([RENT[::-1]])
    assert [one.swapped() for one in turned.differences] == list(found.differences)
    # A batch of its own or of others, and a model of another level of analysis, make no difference.
    many = model.explain([*PAIRS, RENT, *HOSTILE])
    assert many[len(PAIRS)].differences == found.differences
    assert [list(each.differences) for each in many] == load("fast").differences([*PAIRS, RENT, *HOSTILE])


def test_the_command_prints_the_differences(folder):
    done = run(*RENT, "--model", folder / "model")
    assert done.stdout.splitlines()[-3:-1] == ["modality: must — may", "number: 300 — 450"]
    done = run(
        "Nobody saw the <b>boat</b>.", "Somebody saw the <b>old boat</b>.", "--model", folder / "model", "--json"
    )
    facts = json.loads(done.stdout)
    assert facts["differences"][-1]["kind"] == "added" and facts["differences"][-1]["b"] == "old"
    place = facts["differences"][-1]["places_b"]
    assert [facts["tokens"][1][k] for k in place] == ["old"] and facts["differences"][-1]["places_a"] == []
    done = run("The lamp is broken.", "The green lamp is not broken.", "--model", folder / "model")
    assert {"negation: (nothing) — not", "added: green"} <= set(done.stdout.splitlines())
