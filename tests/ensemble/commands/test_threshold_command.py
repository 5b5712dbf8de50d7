"""Choice of thresholds by the command line, and decisions of a model that has them."""

import csv
import json
import random
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import typer
from samewise.ensemble.commands.cli import main
from samewise.ensemble.commands.threshold_command import share_of
from samewise.ensemble.core.decision import Rule
from samewise.ensemble.core.model_decision import with_thresholds
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.loading import load
from samewise.ensemble.scoring import predict_file
from samewise.ensemble.scoring.data_frames import score_table
from samewise.models.bundle import BundleError

from samewise import match

from ..core.test_model_decision import labelled

SUBJECTS = ("A baker", "Two sailors", "My neighbour", "The old dog", "A tired nurse", "The mayor")
VERBS = ("is reading", "painted", "sold", "is washing", "found", "has lost")
OBJECTS = ("a small book", "the red car", "a wooden boat", "an old map", "the blue kettle", "some letters")
PARTS = (SUBJECTS, VERBS, OBJECTS)


def made_pairs(count, seed=0):
    """Return pairs of sentences of three parts, of which some are changed, and labels: 5 if none is, 0 if all are."""
    draw = random.Random(seed)
    for _ in range(count):
        left = [draw.choice(part) for part in PARTS]
        changed = draw.choice([0, 0, 1, 2, 3])
        right = list(left)
        for place in draw.sample(range(3), changed):
            right[place] = draw.choice([part for part in PARTS[place] if part != left[place]])
        ending = "." if draw.random() < 0.5 else ", they said."
        yield f"{' '.join(left)}.", f"{' '.join(right)}{ending}", round(5 * (1 - changed / 3), 2)


def write(path, rows, header=("sentence1", "sentence2", "score")):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def run(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("signal.signal", lambda *_: None)  # the process is pytest's
            patch.setattr("sys.argv", ["samewise", *map(str, arguments)])
            main()
    return ended.value.code or 0, *capsys.readouterr()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("threshold")
    write(folder / "labelled.csv", made_pairs(600))
    write(folder / "new.csv", [row[:2] for row in made_pairs(300, seed=1)], ("sentence1", "sentence2"))
    return folder


@pytest.fixture(scope="module")
def decided(place):
    """A folder with a model that has a decision."""
    with pytest.raises(SystemExit), pytest.MonkeyPatch.context() as patch:
        patch.setattr("signal.signal", lambda *_: None)
        asked = ["--model", "surface", "--max-false", "5%", "--same-from", "4.5"]
        patch.setattr(
            "sys.argv", ["samewise", "threshold", str(place / "labelled.csv"), "-o", str(place / "m"), *asked]
        )
        main()
    return place / "m"


@pytest.mark.parametrize(("text", "share"), [("1%", 0.01), ("0.01", 0.01), (" 95 %", 0.95), ("99.5%", 0.995)])
def test_shares(text, share):
    assert share_of(text) == pytest.approx(share)


@pytest.mark.parametrize("text", ["1", "0", "-1%", "100%", "1%%", "many", "nan", "5 percent"])
def test_what_is_not_a_share_is_refused(text):
    with pytest.raises(typer.BadParameter, match="must be a share between 0 and 1"):
        share_of(text)


@pytest.mark.slow
def test_the_model_is_the_same_and_has_a_decision(decided):
    model = Predictor.load(decided)
    assert model.signature == load("surface").signature  # no decision enters it
    assert model.manifest["decision"]["rule"] == {"kind": "max_false", "value": 0.05, "max_missed": 0.05}
    assert model.manifest["decision"]["data"] == "labelled.csv"
    assert len(model.manifest["decision"]["sha256"]) == 64


@pytest.mark.slow
def test_bounds_are_kept_on_the_labelled_pairs(decided):
    model = Predictor.load(decided)
    rows = list(made_pairs(600))
    table = pa.table({"sentence1": [row[0] for row in rows], "sentence2": [row[1] for row in rows]})
    decided = np.asarray(score_table(table, model=model, decide=True, workers=1)["decision"].to_pylist())
    same = np.asarray([row[2] >= 4.5 for row in rows])
    assert (~same[decided == "same"]).mean() <= 0.05
    assert same[decided == "different"].mean() <= 0.05


@pytest.mark.slow
def test_printed_table_and_page(place, tmp_path, capsys):
    asked = ["--model", "surface", "--cost", "10:1", "--same-from", "4.5", "--report", tmp_path / "page.html"]
    status, out, _ = run(["threshold", place / "labelled.csv", "-o", tmp_path / "m", *asked], capsys)
    assert status == 0
    assert "least cost, a false pair costing 10 times a missed one" in out
    assert "by resampling" in out
    assert out.count("%") > 20  # the curve
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<h1 dir="auto">labelled.csv</h1>' in page and "cost of a pair" in page
    same = re.search(r"(\d+) same \(", out)[1]
    assert f'<th scope="row">same</th><td class="value">{same}</td>' in page


@pytest.mark.slow
def test_json(place, tmp_path, capsys):
    asked = ["--model", "surface", "--recall", "0.8", "--same-from", "4.5", "--keep-apart", "none", "--json"]
    status, out, _ = run(["threshold", place / "labelled.csv", "-o", tmp_path / "m", *asked], capsys)
    found = json.loads(out)
    assert status == 0
    assert sum(found["counts"].values()) == 600 and found["counts"]["unsure"] == 0
    assert found["decision"]["same_from"] == found["decision"]["different_below"]


@pytest.mark.slow
def test_labels_yes_and_no_need_no_same_from(tmp_path, capsys):
    rows = [(a, b, "yes" if label > 4 else "no") for a, b, label in made_pairs(300)]
    path = write(tmp_path / "labelled.csv", rows)
    asked = ["--model", "surface", "--precision", "80%"]
    status, out, _ = run(["threshold", path, "-o", tmp_path / "m", *asked], capsys)
    assert status == 0 and "the same where labelled yes" in out
    status, _, err = run(["threshold", path, "-o", tmp_path / "m", *asked, "--same-from", "4"], capsys)
    assert status == 2 and "left out" in err


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["--same-from", "4"], 2, "one of --max-false, --precision, --recall"),
        (["--same-from", "4", "--recall", "90%", "--cost", "2:1"], 2, "got 2"),
        (["--max-false", "1%"], 2, "must be given"),
        (["--max-false", "1%", "--same-from", "7"], 1, "above 0 and up to 5"),
        (["--cost", "1", "--same-from", "4"], 2, "such as 10:1"),
        (["--max-false", "0.1%", "--same-from", "4.5"], 1, "7,598 pairs called same, none of them false"),
    ],
)
def test_refusals(place, tmp_path, capsys, options, status, words):
    found = run(["threshold", place / "labelled.csv", "-o", tmp_path / "m", "--model", "surface", *options], capsys)
    text = " ".join(found[2].replace("│", " ").split())
    assert found[0] == status and words in text
    assert not (tmp_path / "m").exists()


def test_predict_with_decisions_and_probabilities(place, decided, tmp_path, capsys):
    out = tmp_path / "out.csv"
    asked = ["--model", decided, "--decide", "--probability-of", "4.5"]
    status, _, err = run(["predict", place / "new.csv", "-o", out, *asked], capsys)
    assert status == 0 and "distributed differently" not in err
    rows = read(out)
    assert list(rows[0])[-6:] == ["low", "high", "probability", "decision", "reason", "flags"]
    decision = json.loads((decided / "manifest.json").read_text())["decision"]
    for row in rows:
        score = float(row["score"])
        expected = "same" if score >= decision["same_from"] and not row["reason"] else "unsure"
        assert row["decision"] == ("different" if score < decision["different_below"] else expected)
    model = load(decided)
    prediction = model.predict_pairs([(row["sentence1"], row["sentence2"]) for row in rows])
    expected = model.probability(prediction, 4.5)
    assert [float(row["probability"]) for row in rows] == expected.tolist()


def test_batches_workers_and_data_frames_decide_alike(place, decided, tmp_path):
    asked = {"model": decided, "decide": True, "at_least": 3.0}
    whole = predict_file(place / "new.csv", tmp_path / "a.csv", workers=1, **asked)
    predict_file(place / "new.csv", tmp_path / "b.csv", workers=2, batch_size=64, **asked)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    frame = pd.read_csv(place / "new.csv")
    scored = score_table(frame, workers=1, **asked)
    rows = read(tmp_path / "a.csv")
    assert scored["decision"].tolist() == [row["decision"] for row in rows]
    assert scored["probability"].tolist() == [float(row["probability"]) for row in rows]
    assert whole.decisions.total() == 300
    assert whole.as_dict()["shift"]["clear"] is False


def test_a_row_without_a_text_has_no_decision(decided):
    table = pa.table({"sentence1": ["A dog runs.", None], "sentence2": ["A dog runs.", "A cat sleeps."]})
    found = score_table(table, model=decided, decide=True, at_least=1.0, workers=1)
    assert found["decision"].to_pylist() == ["same", None]
    assert found["probability"].to_pylist() == [1.0, None]
    reader = score_table(table.to_reader(), model=decided, decide=True, workers=1)
    assert reader.read_all()["decision"].to_pylist() == ["same", None]


@pytest.mark.filterwarnings("always:warning:UserWarning")
def test_other_scores_than_those_of_the_labelled_pairs_are_reported(decided, tmp_path, capsys):
    texts = [(f"{subject} {verb} {thing}.",) * 2 for subject in SUBJECTS for verb in VERBS for thing in OBJECTS]
    path = write(tmp_path / "in.csv", texts, ("sentence1", "sentence2"))
    status, out, err = run(["predict", path, "-o", tmp_path / "out.csv", "--model", decided, "--decide"], capsys)
    assert status == 0 and "216 same" in err
    assert f"samewise: warning: scores of {path} are distributed differently" in err
    asked = ["--model", decided, "--decide", "--json"]
    _, out, _ = run(["predict", path, "-o", tmp_path / "again.csv", *asked], capsys)
    assert json.loads(out)["shift"]["clear"] is True
    assert json.loads(out)["decisions"] == {"same": 216}


NUMBERS = [("The lift opens at noon for 30 guests.", "The lift opens at noon for 60 guests."), ("A boat.", "A boat.")]


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A folder with a model that calls pairs the same from a low score on, if they do not differ in a number."""
    folder = tmp_path_factory.mktemp("strict") / "m"
    pairs = labelled()._replace(differences=[[]] * 400)
    with_thresholds(load("surface"), pairs, Rule("cost", 1.0), 1.0, keep_apart=["number"])[0].save(folder)
    return folder


def test_a_pair_that_differs_in_a_number_is_never_called_the_same(strict, tmp_path, capsys):
    path = write(tmp_path / "in.csv", NUMBERS, ("sentence1", "sentence2"))
    asked = ["--model", strict, "--decide", "--differences"]
    found = {}
    for kinds in ("none", "number", "name"):
        out = tmp_path / f"{kinds}.csv"
        status, _, err = run(["predict", path, "-o", out, *asked, "--keep-apart", kinds], capsys)
        assert status == 0, err
        found[kinds] = [(row["decision"], row["reason"]) for row in read(out)]
    assert found["none"] == found["name"] == [("same", ""), ("same", "")]
    assert found["number"] == [("unsure", "number"), ("same", "")]
    table = pa.table({"sentence1": [a for a, _ in NUMBERS], "sentence2": [b for _, b in NUMBERS]})
    scored = score_table(table, model=strict, decide=True, workers=1)
    assert scored["reason"].to_pylist() == ["number", None]
    assert "differences" not in scored.schema.names
    assert score_table(table, model=strict, decide=True, keep_apart=(), workers=1)["reason"].null_count == 2
    _, out, _ = run(["score", *NUMBERS[0], "--model", strict], capsys)
    assert "reason    number" in out and "decision  unsure" in out


def test_a_match_that_differs_in_a_number_is_unsure(strict):
    texts = [NUMBERS[0][1], NUMBERS[0][0]]
    found = match([NUMBERS[0][0]], texts, model=strict, decide=True, workers=1)
    assert list(zip(found["decision"].to_pylist(), found["reason"].to_pylist(), strict=True)) == [
        ("same", None),
        ("unsure", "number"),
    ]
    plain = match([NUMBERS[0][0]], texts, model=strict, decide=True, keep_apart=(), workers=1)
    assert plain["decision"].to_pylist() == ["same", "same"]


def test_kinds_need_a_decision_and_must_be_known(place, decided, tmp_path, capsys):
    for asked, words in (
        (["--keep-apart", "number"], "with --decide"),
        (["--decide", "--keep-apart", "datte"], "date"),
    ):
        status, _, err = run(
            ["predict", place / "new.csv", "-o", tmp_path / "o.csv", "--model", decided, *asked], capsys
        )
        assert status == 2 and words in err
    with pytest.raises(ValueError, match="must be given with a decision, got number alone"):
        predict_file(place / "new.csv", tmp_path / "o.csv", model=decided, keep_apart=["number"], workers=1)


@pytest.mark.slow
def test_kinds_that_are_given_are_stored_and_shown(place, tmp_path, capsys):
    asked = ["--model", "surface", "--cost", "1:1", "--same-from", "4.5", "--keep-apart", "name,number"]
    status, out, err = run(["threshold", place / "labelled.csv", "-o", tmp_path / "m", *asked], capsys)
    assert status == 0, err
    assert "kept apart by    number, name" in out and "promise" in out
    assert json.loads((tmp_path / "m" / "manifest.json").read_text())["decision"]["keep_apart"] == ["number", "name"]


def test_without_decide_nothing_is_added(place, decided, tmp_path):
    summary = predict_file(place / "new.csv", tmp_path / "out.csv", model=decided, workers=1)
    assert "decisions" not in summary.as_dict() and "shift" not in summary.as_dict()
    assert "decision" not in read(tmp_path / "out.csv")[0]


def test_a_model_without_a_decision_refuses(place, tmp_path, capsys):
    asked = ["--model", "surface", "--decide"]
    status, _, err = run(["predict", place / "new.csv", "-o", tmp_path / "out.csv", *asked], capsys)
    assert status == 1 and "surface must have a decision, got none; make one with samewise threshold" in err
    assert not (tmp_path / "out.csv").exists()


def test_a_score_off_the_scale_is_refused(place, decided, tmp_path):
    with pytest.raises(ValueError, match="must be from 0 to 5"):
        predict_file(place / "new.csv", tmp_path / "out.csv", model=decided, at_least=7.0, workers=1)


def test_a_changed_model_does_not_keep_its_decision(decided, tmp_path):
    facts = json.loads((decided / "manifest.json").read_text())
    facts["seed"] = 17
    (tmp_path / "m").mkdir()
    for file in decided.iterdir():
        (tmp_path / "m" / file.name).write_bytes(file.read_bytes())
    (tmp_path / "m" / "manifest.json").write_text(json.dumps(facts))
    table = pa.table({"sentence1": ["A dog runs."], "sentence2": ["A cat sleeps."]})
    with pytest.raises(BundleError, match="must be for the model"):
        score_table(table, model=tmp_path / "m", decide=True, workers=1)


def test_score_and_info_show_the_decision(decided, capsys):
    status, out, _ = run(["score", "A dog runs.", "A dog runs.", "--model", decided], capsys)
    assert status == 0 and "decision  same" in out
    _, out, _ = run(["score", "A dog runs.", "A dog runs.", "--model", decided, "--json"], capsys)
    assert json.loads(out)["decision"] == "same"
    status, out, _ = run(["info", decided], capsys)
    assert (
        status == 0 and "same from" in out and "600 pairs of labelled.csv, the same where labelled 4.5 or more" in out
    )
