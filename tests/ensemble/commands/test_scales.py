"""Whole runs of the commands with labels on other scales than 0..5."""

import csv
import json
import random
import re

import numpy as np
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.core.scale import YES_OR_NO, Scale
from samewise.ensemble.loading import load

SUBJECTS = ("A baker", "The old pilot", "My neighbour", "One of the sailors")
VERBS = ("painted", "sold", "carried", "repaired")
OBJECTS = ("a wooden boat", "the red car", "some bread", "a small clock")

MAPS = {
    "points": lambda share: f"{5 * share:.2f}",
    "unit": lambda share: f"{share:.3f}",
    "percent": lambda share: f"{100 * share:.1f}",
    "likert": lambda share: f"{1 + 4 * share:.2f}",
    "yesno": lambda share: "yes" if share > 0.5 else "no",
    "ones": lambda share: int(share > 0.5),
    "odd": lambda share: f"{2 * share - 1:.2f}",
}

SCALES = {
    "points": Scale(),
    "unit": Scale(0.0, 1.0),
    "percent": Scale(0.0, 100.0),
    "likert": Scale(1.0, 5.0),
    "yesno": YES_OR_NO,
}

TRAIN = "--features surface --members xgb --set xgb.n_estimators=30".split()


def shares(count, seed):
    """Pairs that share no sentence with others, and how alike they are, 0..1; the ends are there."""
    rng = random.Random(seed)
    for i in range(count):
        first = [rng.choice(words) for words in (SUBJECTS, VERBS, OBJECTS)]
        second = [
            word if rng.random() < 0.5 else rng.choice(words)
            for word, words in zip(first, (SUBJECTS, VERBS, OBJECTS), strict=True)
        ]
        alike = sum(a == b for a, b in zip(first, second, strict=True)) / 3
        share = float(i) if i < 2 else min(1.0, max(0.0, alike + rng.uniform(-0.1, 0.1)))
        day = f"on day {seed}{i:03}"
        yield f"{' '.join(first)} {day}.", f"{' '.join(second)} {day}, it seems.", share


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Tables of the same pairs with labels on every scale, for training and to measure on."""
    folder = tmp_path_factory.mktemp("scales")
    for part, count, seed in (("train", 60, 1), ("held", 30, 2)):
        rows = list(shares(count, seed))
        for name, label in MAPS.items():
            with open(folder / f"{name}-{part}.csv", "w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["sentence1", "sentence2", "score", "source", "fresh", "some"])
                for i, (a, b, share) in enumerate(rows):
                    writer.writerow([a, b, label(share), f"s{i % 5}", int(i % 3 > 0), i % 4 or ""])
    rows = list(shares(12, 3))
    lines = ["pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"]
    lines += [f"{i}\t{a}\t{b}\t{1 + 4 * share:.2f}\tNEUTRAL" for i, (a, b, share) in enumerate(rows)]
    (folder / "sick.txt").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="module")
def here(folder):
    """Run a command in the folder; return its status."""

    def here(*arguments):
        with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
            patch.chdir(folder)
            app([str(argument) for argument in arguments], prog_name="samewise")
        return ended.value.code

    return here


@pytest.fixture
def run(here, capsys):
    """Run a command in the folder; return its status and what it printed."""

    def run(*arguments):
        capsys.readouterr()
        return here(*arguments), *capsys.readouterr()

    return run


@pytest.fixture(scope="module")
def models(folder, here):
    """Models of every scale, by name, fitted on the same pairs."""
    for name in SCALES:
        assert here("train", f"{name}-train.csv", "-o", f"m-{name}", *TRAIN, "--dev", f"{name}-held.csv") == 0
    return {name: Predictor.load(folder / f"m-{name}") for name in SCALES}


def manifest_of(folder, name):
    return json.loads((folder / name / "manifest.json").read_text())


@pytest.mark.slow
def test_a_model_answers_on_the_scale_of_its_labels(models):
    pairs = [pair[:2] for pair in shares(12, 9)] + [("The same text.", "The same  text."), ("", "A text.")]
    points = models["points"].predict_pairs(pairs)
    for name, scale in SCALES.items():
        found = models[name].predict_pairs(pairs)
        assert found.scale == models[name].scale == scale
        assert (found.score[-2], found.score[-1]) == (scale.high, scale.low)
        if not scale.binary:
            # Labels are rounded otherwise on each scale, so trees may be, too.
            np.testing.assert_allclose(scale.points(found.score), points.score, atol=0.25)


def test_bundles_from_before_scales_are_on_points():
    surface = load("surface")
    assert "scale" not in surface.manifest
    assert surface.scale == surface.predict_pairs([("A text.", "Another text.")]).scale == Scale()


@pytest.mark.slow
def test_a_model_on_points_has_no_scale_in_its_manifest(folder, models):
    assert "scale" not in manifest_of(folder, "m-points")
    assert {name: manifest_of(folder, f"m-{name}")["scale"] for name in SCALES if name != "points"} == {
        "unit": [0.0, 1.0],
        "percent": [0.0, 100.0],
        "likert": [1.0, 5.0],
        "yesno": "yes/no",
    }


def test_the_scale_that_is_detected_is_said_and_recorded(folder, run):
    status, _, error = run("train", "unit-train.csv", "-o", "said", *TRAIN)
    assert status == 0
    assert "samewise: labels are on 0..1; name another scale with --scale" in error
    command = manifest_of(folder, "said")["training"]["command"]
    assert command.endswith("--scale 0..1")
    assert run("train", "points-train.csv", "-o", "quiet", *TRAIN)[2] == ""
    assert "--scale" not in manifest_of(folder, "quiet")["training"]["command"]


@pytest.mark.slow
def test_a_scale_that_is_named_is_taken(folder, run):
    status, _, error = run("train", "unit-train.csv", "-o", "wide", *TRAIN, "--scale", "0..4", "--dev", "unit-held.csv")
    assert (status, error) == (0, "")
    assert manifest_of(folder, "wide")["scale"] == [0.0, 4.0]
    assert "--scale 0..4" in manifest_of(folder, "wide")["training"]["command"]
    assert run("train", "odd-train.csv", "-o", "odd", *TRAIN, "--scale", "-1..1")[0] == 0
    assert load(folder / "odd").predict([("The same.", "The same.")]).tolist() == [1.0]


def test_figures_of_probabilities(folder, models, run):
    metrics = manifest_of(folder, "m-yesno")["metrics"]["dev"]
    assert metrics["data"] == "yesno-held.csv" and metrics["n"] == 30
    assert "pearson" not in metrics
    assert 0.5 < metrics["auc"] <= 1 and 0 <= metrics["brier"] < 0.25 and len(metrics["bands"]) == 10
    status, out, _ = run("info", "m-yesno")
    assert status == 0
    assert "scale" in out and "yes/no" in out
    assert f"AUC on dev {metrics['auc']:.4f} (yesno-held.csv, 30 pairs)" in " ".join(out.split())
    for title in ("average precision on dev", "best F1 on dev", "log loss on dev", "Brier score on dev"):
        assert title in out


def test_info_names_the_scale(models, run):
    assert ["scale", "0..100"] in [line.split() for line in run("info", "m-percent")[1].splitlines()]


def test_labels_1_and_0_are_yes_and_no(folder, models, run):
    status, out, error = run("evaluate", "ones-held.csv", "--model", "m-yesno", "--json")
    assert (status, error) == (0, "")
    words = json.loads(run("evaluate", "yesno-held.csv", "--model", "m-yesno", "--json")[1])
    assert json.loads(out) == words
    assert words["scale"] == words["labels"] == "yes/no"


def test_evaluation_of_probabilities(folder, models, run):
    facts = json.loads(run("evaluate", "yesno-held.csv", "--model", "m-yesno", "--by", "fresh", "--json")[1])
    stored = manifest_of(folder, "m-yesno")["metrics"]["dev"]
    for key, value in facts["binary"].items():
        assert value == stored[key] or value == pytest.approx(stored[key])
    assert {name: group["binary"]["n"] for name, group in facts["groups"].items()} == {"0": 10, "1": 20}
    status, out, _ = run("evaluate", "yesno-held.csv", "--model", "m-yesno")
    assert status == 0
    for title in ("AUC", "best F1", "log loss", "calibration error", "share of yes", "figures on 0..5"):
        assert title in out


def test_scores_are_measured_on_yes_and_no_as_a_ranking(models, run):
    status, out, error = run("evaluate", "yesno-held.csv", "--model", "m-points", "--json")
    assert status == 0
    assert "scores in yesno-held.csv are on yes/no and are mapped onto 0..5; name another scale with --scale" in error
    found = json.loads(out)["binary"]
    assert 0.5 < found["auc"] <= 1 and 0 < found["threshold"] <= 5
    assert found["log_loss"] is found["brier"] is found["calibration_error"] is None and not found["bands"]
    assert "share of yes" not in run("evaluate", "yesno-held.csv", "--model", "m-points")[1]


@pytest.mark.parametrize("name", ["unit", "percent", "likert"])
def test_figures_are_on_points_for_every_scale(models, run, name):
    found = json.loads(run("evaluate", f"{name}-held.csv", "--model", f"m-{name}", "--all", "--json")[1])
    points = json.loads(run("evaluate", "points-held.csv", "--model", "m-points", "--all", "--json")[1])
    for key in ("pearson", "rmse", "within_1"):
        assert found[key] == pytest.approx(points[key], abs=0.1)
    assert found["interval"]["mean_width"] == pytest.approx(points["interval"]["mean_width"], abs=0.5)
    assert [band["band"] for band in found["calibration"]["bands"]] == ["0-1", "1-2", "2-3", "3-4", "4-5"]
    assert found["scale"] == found["labels"] == str(SCALES[name])
    assert "scale" not in points
    line = f"figures on 0..5  mapped from scores on {SCALES[name]} and labels on {SCALES[name]}"
    assert line in run("evaluate", f"{name}-held.csv", "--model", f"m-{name}")[1]


def test_labels_on_another_scale_than_the_model(models, run):
    on_own = json.loads(run("evaluate", "percent-held.csv", "--model", "m-percent", "--json")[1])
    status, out, error = run("evaluate", "points-held.csv", "--model", "m-percent", "--json")
    assert status == 0
    assert "scores in points-held.csv are on 0..5 and are mapped onto 0..100; name another" in error
    found = json.loads(out)
    assert (found["scale"], found["labels"]) == ("0..100", "0..5")
    assert found["rmse"] == pytest.approx(on_own["rmse"], abs=0.02)
    # Named, they are what they are said to be.
    low = json.loads(run("evaluate", "points-held.csv", "--model", "m-percent", "--scale", "0..100", "--json")[1])
    assert low["rmse"] > 2 and low["labels"] == "0..100"


def test_sick_stays_on_its_scale(folder, models, run):
    found = json.loads(run("evaluate", "sick.txt", "--model", "m-points", "--json")[1])
    assert (found["scale"], found["labels"], found["n"]) == ("0..5", "1..5", 12)
    assert run("train", "points-train.csv", "-o", "with-sick", *TRAIN, "--dev", "sick.txt")[0] == 0
    dev = manifest_of(folder, "with-sick")["metrics"]["dev"]
    assert dev["rmse"] == pytest.approx(found["rmse"])


def test_members_and_other_models_are_compared_on_points(models, run):
    status, out, _ = run("evaluate", "percent-held.csv", "--model", "m-percent", "--against", "m-yesno", "--json")
    assert status == 0
    rows = json.loads(out)
    text = json.dumps(rows)
    assert "m-yesno" in text and "m-percent" in text
    status, out, _ = run("evaluate", "percent-held.csv", "--model", "m-percent", "--against", "members")
    assert status == 0
    assert all(float(line.split()[6]) < 5 for line in out.splitlines()[1:3] if line.startswith("xgb"))


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("points", r"^score +\d\.\d\d\ninterval +\d\.\d\d to \d\.\d\d\nmodel"),
        ("unit", r"^score +[01]\.\d\d\ninterval +[01]\.\d\d to [01]\.\d\d\nscale +0\.\.1\nmodel"),
        ("percent", r"^score +\d+\.\d\ninterval +\d+\.\d to \d+\.\d\nscale +0\.\.100\nmodel"),
        ("yesno", r"^probability +[01]\.\d\d\ninterval +[01]\.\d\d to [01]\.\d\d\nscale +yes/no\nmodel"),
    ],
)
def test_score_prints_digits_that_suit_the_scale(models, run, name, pattern):
    status, out, _ = run("score", "--model", f"m-{name}", "A baker sold some bread.", "A baker sold the red car.")
    assert status == 0 and re.match(pattern, out), out


def test_score_as_json_names_the_scale(models, run):
    pair = "A baker sold some bread.", "A baker sold the red car."
    assert json.loads(run("score", "--model", "m-percent", *pair, "--json")[1])["scale"] == "0..100"
    assert "scale" not in json.loads(run("score", "--model", "m-points", *pair, "--json")[1])


@pytest.mark.parametrize("name", ["percent", "yesno"])
def test_explanations_on_a_scale(folder, models, run, name):
    pair = "A baker sold some bread.", "A baker sold the red car."
    found = json.loads(run("explain", "--model", f"m-{name}", *pair, "--json")[1])
    assert found["scale"] == str(SCALES[name])
    assert found["base"] + sum(found["contributions"].values()) == pytest.approx(found["score"])
    status, out, _ = run("explain", "--model", f"m-{name}", *pair, "--report", "page.html")
    assert status == 0
    page = (folder / "page.html").read_text()
    shown = SCALES[name].text(found["score"])
    assert f"<b>{shown}</b>" in page
    assert ("of 100" in page) == (name == "percent") and ("probability of yes" in page) == (name == "yesno")
    assert f"on a scale from 0 to {SCALES[name].high:g}" in page
    title = "probability" if name == "yesno" else "score"
    assert [title, shown] in [line.split() for line in out.splitlines()]


def test_predicted_tables_and_reports(folder, models, run):
    assert run("predict", "percent-held.csv", "--model", "m-percent", "-o", "out.parquet", "--workers", "1")[0] == 0
    table = pq.read_table(folder / "out.parquet")
    assert table.column_names[-4:] == ["samewise_score", "samewise_low", "samewise_high", "flags"]
    pairs = list(zip(table["sentence1"].to_pylist(), table["sentence2"].to_pylist(), strict=True))
    assert table["samewise_score"].to_pylist() == models["percent"].predict(pairs).tolist()
    assert run("evaluate", "yesno-held.csv", "--model", "m-yesno", "--report", "r.html")[0] == 0
    page = (folder / "r.html").read_text()
    assert "mapped from scores on yes/no and labels on yes/no" in page and "Brier score" in page
    assert run("evaluate", "points-held.csv", "--model", "m-points", "--report", "p.html")[0] == 0
    assert "mapped from" not in (folder / "p.html").read_text()


def test_unseen_pairs_and_groups(folder, run):
    options = ("--groups", "source", "--held-out-column", "fresh")
    assert run("train", "unit-train.csv", "-o", "marked", *TRAIN, *options)[0] == 0
    command = manifest_of(folder, "marked")["training"]["command"]
    assert command.endswith("--groups source --held-out-column fresh --scale 0..1")
    assert run("train", "unit-train.csv", "-o", "unmarked", *TRAIN, "--groups", "source")[0] == 0
    marked, unmarked = (manifest_of(folder, name)["interval"] for name in ("marked", "unmarked"))
    assert marked != unmarked  # fitted on a third fewer pairs


def test_sources_and_weights_of_pairs(folder, run):
    options = ("--sources", "source", "--weights", "weight", "--relative", "fresh", "--scale", "0..1")
    head, *lines = (folder / "unit-train.csv").read_text().splitlines()
    weighted = [f"{head},weight", *(f"{line},{1 + place % 3}" for place, line in enumerate(lines))]
    (folder / "weighted-train.csv").write_text("\n".join(weighted) + "\n")
    assert run("train", "weighted-train.csv", "-o", "weighted", *TRAIN, *options)[0] == 0
    manifest = manifest_of(folder, "weighted")
    assert manifest["training"]["command"].endswith("--sources source --weights weight --relative fresh --scale 0..1")
    assert set(manifest["source_levels"]) == {
        row["source"] for row in csv.DictReader([head, *lines]) if row["fresh"] == "0"
    }
    assert run("train", "weighted-train.csv", "-o", "plain", *TRAIN, "--scale", "0..1")[0] == 0
    assert manifest_of(folder, "plain")["files"] != manifest["files"]


def test_probabilities_need_folds(run, folder):
    lines = ["sentence1,sentence2,score", *(f"Text number {k}.,Text number {k + 1}.,{k % 2}" for k in range(20))]
    (folder / "linked.csv").write_text("\n".join(lines) + "\n")
    status, _, error = run("train", "linked.csv", "-o", "none", "--features", "length.*", "--members", "xgb")
    assert status == 1
    assert "probabilities need pairs that do not all share sentences or a group; give more pairs, or another" in error


@pytest.mark.slow
def test_a_search_reads_points(folder, run):
    status, _, error = run("train", "yesno-train.csv", "-o", "searched", *TRAIN, "--search", "1")
    assert status == 0, error
    rows = list(csv.DictReader((folder / "searched.search.csv").read_text().splitlines()))
    assert len(rows) == 2


@pytest.mark.slow
def test_experiments_map_labels(folder, run):
    options = ("--features", "length.*,number.*", "--members", "xgb", "--quick", "--seeds", "1", "--workers", "1")
    status, _, error = run("ablate", "percent-train.csv", "--dev", "percent-held.csv", "-o", "ablation", *options)
    assert status == 0, error
    assert "scores in percent-train.csv are on 0..100 and are mapped onto 0..5" in error
    status, _, error = run("ablate", "odd-train.csv", "--dev", "odd-held.csv", "-o", "other", *options)
    assert status == 1
    assert "--scale LOW..HIGH" in error
    status, _, error = run(
        "ablate", "odd-train.csv", "--dev", "odd-held.csv", "-o", "other", *options, "--scale", "-1..1"
    )
    assert status == 0, error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "odd-train.csv",
            "line 2 of odd-train.csv: the scores must be numbers on a scale such as 0..1, 1..5 or 0..100",
        ),
        (
            "points-train.csv --scale 0..1",
            "line 3 of points-train.csv: the score must be a number from 0 to 1, got '5.00",
        ),
        ("unit-train.csv --dev percent-held.csv", "line 3 of percent-held.csv: the score must be a number from 0 to 1"),
        (
            "yesno-train.csv --dev sick.txt",
            "the scores in sick.txt must be on yes/no, as those of TRAIN, got 1..5; conv",
        ),
        (
            "unit-train.csv --held-out-column source",
            "the source of pair 1 of unit-train.csv must be 1 or 0, got 's0'; correct it",
        ),
        (
            "unit-train.csv --held-out-column age",
            "unit-train.csv has no column 'age'; its columns are: sentence1, sentence2, sco",
        ),
        (
            "unit-train.csv --weights source",
            "the source of pair 1 of unit-train.csv must be a positive number, got 's0'; correct it, or leave out the",
        ),
        ("unit-train.csv --scale five", "scale must be LOW..HIGH, such as 0..1, 1..5 or 0..100, or yes/no, got 'five'"),
    ],
)
def test_errors_of_training(run, arguments, message):
    status, out, error = run("train", *arguments.split(), "-o", "none", *TRAIN)
    assert (status, out) == (1, "")
    assert message in error and error.count("\n") == 1 + error.count("name another scale")


def test_errors_of_evaluation(models, run):
    status, out, error = run("evaluate", "percent-held.csv", "--model", "m-points", "--scale", "0..5")
    assert (status, out) == (1, "")
    assert "line 3 of percent-held.csv: the score must be a number from 0 to 5, got '100.0'" in error
