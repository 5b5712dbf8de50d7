import csv
import json
import re

import numpy as np
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.predictor import Predictor
from typer.testing import CliRunner

THINGS = ("boiler", "invoice", "password", "ladder", "ticket", "parcel", "window", "meeting", "tyre", "kettle", "form")
ASKED = ("The {} is broken again.", "Please send the {} to me.", "Where can I find my {}?", "I have paid for a {}.")
SAID = ("Our {} does not work any more.", "Could you post the {}?", "I am looking for the {}.", "We bought a new {}.")


def labelled(path, label, count=44):
    """Write pairs with a label by how much of what they say is the same: the request, the thing, or neither."""
    rng = np.random.default_rng(0)
    rows = []
    for place in range(count):
        thing, asked = THINGS[place % len(THINGS)], place // len(THINGS) % 4
        kept_thing, kept_request = rng.integers(2), rng.integers(2)
        other = thing if kept_thing else THINGS[(place + 3) % len(THINGS)]
        said = asked if kept_request else (asked + 1) % 4
        pair = f"{ASKED[asked].format(thing)} ({place})", f"{SAID[said].format(other)} ({place + 500})"
        rows.append((*pair, label(int(kept_thing), int(kept_request))))
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("sentence1", "sentence2", "score"), *rows])
    return rows


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.slow
def test_labels_of_0_to_1_move_a_model_to_their_scale(tmp_path):
    rows = labelled(tmp_path / "own.csv", lambda thing, request: round(0.1 + 0.4 * thing + 0.4 * request, 2))
    result = run("adapt", "surface", tmp_path / "own.csv", "-o", tmp_path / "adapted", "--json")
    assert result.exit_code == 0, result.output
    facts = json.loads(result.stdout)
    assert "samewise: labels are on 0..1; name another scale with --scale" in result.stderr
    assert facts["scale"] == "0..1"
    assert facts["tried"][0]["name"] == "nothing"
    chosen = next(change for change in facts["tried"] if change["name"] == facts["change"])
    assert chosen["error"] <= facts["tried"][0]["error"]
    model = Predictor.load(tmp_path / "adapted")
    scores = model.predict([*(row[:2] for row in rows), ("one text", "one text"), ("one text", "")])
    assert scores.min() >= 0 and scores.max() <= 1
    assert scores[-2:].tolist() == [1.0, 0.0]
    before = Predictor.load(tmp_path / "adapted").manifest["adapted"]
    assert before["labels"] == 44
    # Measured on other pairs of the same kind, it is no worse than the model before on 0..1.
    plain = np.asarray([Predictor.load(_profile("surface")).predict([row[:2]])[0] / 5 for row in rows], dtype=float)
    gold = np.asarray([row[2] for row in rows], dtype=float)
    assert np.mean((scores[:-2] - gold) ** 2) <= np.mean((plain - gold) ** 2) + 1e-12
    assert run("info", tmp_path / "adapted").exit_code == 0


def _profile(name):
    from samewise.models.profiles import profile_folder

    return profile_folder(name)


@pytest.mark.slow
def test_yes_and_no_become_a_model_of_probabilities(tmp_path):
    labelled(tmp_path / "own.csv", lambda thing, request: "yes" if thing and request else "no", 66)
    result = run("adapt", "surface", tmp_path / "own.csv", "-o", tmp_path / "adapted")
    assert result.exit_code == 0, result.output
    assert "a curve to the probability of yes" in result.stdout
    model = Predictor.load(tmp_path / "adapted")
    same, other = model.predict(
        [
            ("Our kettle does not work any more.", "Our old kettle does not work any more."),
            ("Where can I find my tyre?", "The meeting was long."),
        ]
    )
    assert 0 <= other < same <= 1


@pytest.mark.parametrize(
    ("label", "count", "options", "message"),
    [
        (lambda thing, request: 3 * thing, 6, (), "labels must be of at least 10 pairs"),
        (lambda *_: "perhaps", 44, (), "line 2 .*scores must be numbers on a scale .*, got .perhaps."),
        (lambda *_: "yes", 44, ("--scale", "yes/no"), "labels must say yes of some pairs and no"),
    ],
)
def test_what_is_refused(tmp_path, label, count, options, message):
    labelled(tmp_path / "own.csv", label, count)
    result = run("adapt", "surface", tmp_path / "own.csv", "-o", tmp_path / "adapted", *options)
    assert result.exit_code == 1
    assert re.search(message, result.stderr), result.stderr
    assert not (tmp_path / "adapted").exists()


@pytest.mark.slow
def test_a_model_of_yes_and_no_is_not_moved_to_scores(tmp_path):
    labelled(tmp_path / "own.csv", lambda thing, request: "yes" if thing and request else "no", 66)
    assert run("adapt", "surface", tmp_path / "own.csv", "-o", tmp_path / "first").exit_code == 0
    labelled(tmp_path / "own.csv", lambda thing, request: 1.0 + 2 * thing + 1.5 * request)
    result = run("adapt", tmp_path / "first", tmp_path / "own.csv", "-o", tmp_path / "second")
    assert result.exit_code == 1
    assert "a model of labels yes and no cannot be adapted to scores" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["multilingual"])
def test_other_profiles_are_adapted_too(tmp_path, profile):
    pytest.importorskip("samewise_languages")
    labelled(tmp_path / "own.csv", lambda thing, request: round(20 + 40 * thing + 30 * request))
    result = run("adapt", profile, tmp_path / "own.csv", "-o", tmp_path / "adapted")
    assert result.exit_code == 0, result.output
    assert str(Predictor.load(tmp_path / "adapted").scale) == "0..100"
