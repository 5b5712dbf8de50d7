"""The tracks of SemEval-2017: their files, their scores, and the marks of published rows."""

import json
from dataclasses import replace

import numpy as np
import pytest
from samewise.ensemble.evaluation.metrics import pearson
from samewise.ensemble.evaluation.system_comparison import williams
from samewise.ensemble.evaluation.tracks import gap_mark, published_marks, read_tracks, score_tracks
from samewise.ensemble.loading import load
from samewise.ensemble.multilingual.multilingual_model import MultilingualModel
from samewise.features.linguistics.languages import Languages
from typer.testing import CliRunner

TEXTS = {
    "5.en-en": [
        ("A dog runs.", "A dog is running."),
        ("A cat sleeps.", "Shares fell today."),
        ("Two men cry.", "One."),
    ],
    "4a.es-en": [("Un perro corre.", "A dog is running."), ("A cat sleeps.", "Un gato duerme."), ("Hola.", "The end.")],
}
GOLD = [4.5, 1.0, 2.5]


@pytest.fixture
def folder(tmp_path):
    for name, pairs in TEXTS.items():
        more = [("left", "over")] if name.startswith("4a") else []
        (tmp_path / f"STS.input.track{name}.txt").write_text("".join(f"{a}\t{b}\n" for a, b in pairs + more))
        (tmp_path / f"STS.gs.track{name}.txt").write_text("".join(f"{score}\n" for score in GOLD))
    (tmp_path / "README.txt").write_text("nothing\n")
    return tmp_path


def test_reads_the_files_of_the_task(folder):
    first, second = read_tracks(folder, "5,4a")
    assert (first.name, second.name) == ("4a", "5")
    assert first.pairs == TEXTS["4a.es-en"]  # as many as there are gold scores
    assert first.languages == Languages(("es", "en"))
    assert second.languages == Languages(("en",))
    assert second.gold.tolist() == GOLD


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("7", "must be one of 1, .*, 6, or all, got '7'"),
        ("all", "have a file STS.input.track1"),
        ("5,6", "have a file STS.input.track6"),
    ],
)
def test_says_what_is_missing(folder, names, message):
    with pytest.raises(ValueError, match=message):
        read_tracks(folder, names)
    with pytest.raises(ValueError, match="must be in a folder, got"):
        read_tracks(folder / "absent", "5")


class Spanish:
    name = "two sentences"

    def covers(self, source, target):
        return (source, target) == ("es", "en")

    def translate(self, texts, source, target):
        return [{"Un perro corre.": "A dog runs.", "Un gato duerme.": "A cat sleeps."}.get(t, "Hello.") for t in texts]


def test_scores_tracks(folder):
    english = load("surface")
    model = MultilingualModel.of(english, others=None)
    model = replace(model, translator=Spanish())
    found = score_tracks(model, read_tracks(folder, "4a,5"))
    plain = english.predict_pairs(TEXTS["5.en-en"]).score
    assert found.evaluations["5"].pearson == pytest.approx(pearson(np.asarray(GOLD), plain))
    assert found.flags["5"] == {}
    assert found.flags["4a"] == {"cross_lingual": 3, "translated": 3}
    assert found.averages == {"primary6": None, "primary7": None, "missing": ["1", "2", "3", "4b", "6"]}
    assert json.loads(json.dumps(found.as_dict()))["tracks"]["4a"]["flags"]["translated"] == 3


def test_marks_differences_that_are_more_than_chance():
    # The smallest differences near .85 on 250 pairs, for systems that correlate by .90: about .029.
    assert [gap_mark(0.85, 0.85 + gap, 250) for gap in (0.0, 0.02, 0.035, -0.02, -0.04)] == ["", "", "+", "", "-"]
    for gap in (0.02, 0.035, -0.04):
        assert (gap_mark(0.85, 0.85 + gap, 250) != "") == (williams(0.85, 0.85 + gap, 0.9, 250)[1] < 0.05)
    assert gap_mark(0.85, 0.95, 3) == ""


def test_marks_of_a_row(folder):
    model = MultilingualModel.of(load("surface"), others=None)
    found = score_tracks(model, read_tracks(folder, "5"))
    assert published_marks(found, {"4a": 80.0, "5": 80.0}).keys() == {"5"}


def test_the_command_line(folder):
    from samewise.ensemble.commands.cli import app

    both = ["--tracks", "5", "--ranking"]
    done = CliRunner().invoke(app, ["evaluate", str(folder), *both])
    assert done.exit_code == 2
    done = CliRunner().invoke(app, ["evaluate", str(folder), "--tracks", "9"])
    assert done.exit_code == 1
    done = CliRunner().invoke(app, ["evaluate", str(folder), "--tracks", "5", "--model", "surface"])
    header, row = done.output.splitlines()[:2]
    found = load("surface").predict_pairs(TEXTS["5.en-en"])
    inside = sum(low <= gold <= high for low, gold, high in zip(found.low, GOLD, found.high, strict=True))
    assert header.split()[:2] == ["track", "n"] and "coverage" in header
    assert f"{inside / len(GOLD):.1%}" in row.split()
