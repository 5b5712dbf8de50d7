"""Models of several languages, and a model of English that leaves other pairs to them and to translations."""

import json

import numpy as np
import pytest
from samewise.ensemble.batch import load_model, predict_file
from samewise.ensemble.polyglot import Polyglot
from samewise.ensemble.predictor import Predictor, load
from samewise.features.encoding import spaces
from samewise.features.encoding.sentence_encoder import shipped_encoder
from samewise.features.linguistics.languages import Languages
from typer.testing import CliRunner

from samewise import SimilarityEnsemble

ENGLISH = [
    ("A woman is slicing onions.", "Someone cuts an onion."),
    ("The keys are on the table.", "Nobody knows where the keys are."),
    ("Two men cry.", "Two men cry."),
]
SPANISH = [
    ("Una mujer corta cebollas.", "Alguien corta una cebolla."),
    ("Las llaves están en la mesa.", "Nadie sabe dónde están las llaves."),
]
CROSSED = [
    ("Una mujer corta cebollas.", "Someone cuts an onion."),
    ("Bir kadın soğan doğruyor.", "امرأة تقطع البصل."),
    ("The keys are on the table.", "Anahtarlar masanın üzerinde."),
]
UNKNOWN = [("Zwei Kinder tanzen heute im Garten.", "Two children dance in the garden today.")]
MIXED = [*ENGLISH, *SPANISH, *CROSSED, *UNKNOWN, ("", "Las llaves están en la mesa."), SPANISH[0][:1] * 2]


class Words:
    """In place of a translator: Spanish texts of the test in English."""

    name = "a list"

    def __init__(self):
        self.asked = []

    def covers(self, source, target):
        return source == "es"

    def translate(self, texts, source, target):
        self.asked += texts
        known = {
            "Una mujer corta cebollas.": "A woman cuts onions.",
            "Alguien corta una cebolla.": "Someone cuts an onion.",
            "Las llaves están en la mesa.": "The keys are on the table.",
        }
        return [known.get(text, "") for text in texts]


@pytest.fixture(scope="module", autouse=True)
def one_encoder():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spaces, "shared_space_encoder", lambda language: shipped_encoder())
        yield


@pytest.fixture(scope="module")
def several():
    scores = np.linspace(0, 5, 40)
    pairs = (ENGLISH + SPANISH + CROSSED)[:8] * 5
    pairs = [(f"{a} {k}", f"{b} {k if k % 2 else ''}") for k, (a, b) in enumerate(pairs)]
    model = SimilarityEnsemble("multilingual", ("gbm",), languages=("en", "ar", "es", "tr"), n_jobs=1)
    return model.fit(pairs, scores)


@pytest.fixture(scope="module")
def english():
    return load("surface")


@pytest.fixture
def polyglot(english, several):
    return Polyglot.of(english, translate="none", others=several.predictor_)


def test_a_model_of_several_languages(several, tmp_path):
    model = several.predictor_
    assert model.languages == Languages(("en", "ar", "es", "tr"))
    found = model.predict_pairs(MIXED)
    turned = model.predict_pairs([pair[::-1] for pair in MIXED])
    assert found.score.tobytes() == turned.score.tobytes()
    assert found.flags == turned.flags
    crossed = ("cross_lingual",)
    assert found.flags[:5] == [(), (), ("identical",), (), ()]
    assert found.flags[5:] == [*[crossed] * 3, (*crossed, "unknown_language"), (*crossed, "empty"), ("identical",)]
    alone = [model.predict_pairs([pair]).score[0] for pair in MIXED]
    assert found.score.tolist() == alone
    model.save(tmp_path / "model")
    again = Predictor.load(tmp_path / "model")
    assert again.languages == model.languages
    assert again.predict_pairs(MIXED).score.tobytes() == found.score.tobytes()
    assert SimilarityEnsemble.load(tmp_path / "model").languages == ("en", "ar", "es", "tr")


def test_only_its_features_read_other_languages():
    with pytest.raises(ValueError, match="only the features of shared_space"):
        SimilarityEnsemble("surface", languages=("en", "es")).fit(ENGLISH, [1, 2, 5])
    with pytest.raises(ValueError, match="the language 'fr' is not known"):
        SimilarityEnsemble("multilingual", languages=("en", "fr")).fit(ENGLISH, [1, 2, 5])


def test_english_keeps_its_scores(english, polyglot):
    plain, found = english.predict_pairs(ENGLISH), polyglot.predict_pairs(MIXED)
    assert found.score[:3].tobytes() == plain.score.tobytes()
    assert found.low[:3].tobytes() == plain.low.tobytes()
    assert found.flags[:3] == plain.flags
    only = polyglot.predict_pairs(ENGLISH)
    assert only.score.tobytes() == plain.score.tobytes()


def test_other_rows_go_to_the_other_model(english, several, polyglot):
    found, other = polyglot.predict_pairs(MIXED), several.predictor_.predict_pairs(MIXED)
    rows = [3, 4, 5, 6, 7, 10]
    assert found.score[rows].tolist() == other.score[rows].tolist()
    assert [found.flags[row] for row in rows] == [other.flags[row] for row in rows]
    # What is in no language that is known stays with the model of English, and says so.
    assert found.score[8] == english.predict_pairs(UNKNOWN).score[0]
    assert {"cross_lingual", "unknown_language"} <= set(found.flags[8])


def test_rows_do_not_depend_on_each_other_nor_on_their_sides(polyglot):
    polyglot.translator = Words()
    found = polyglot.predict_pairs(MIXED)
    for row, (a, b) in enumerate(MIXED):
        alone, turned = polyglot.predict_pairs([(a, b)]), polyglot.predict_pairs([(b, a)])
        assert alone.score[0] == found.score[row] == turned.score[0]
        assert (alone.low[0], alone.high[0]) == (found.low[row], found.high[row])
        assert alone.flags[0] == found.flags[row] == turned.flags[0]
        assert alone.low[0] <= alone.score[0] <= alone.high[0]


def test_translations_are_averaged_in(english, several, polyglot):
    plain = polyglot.predict_pairs(MIXED)
    polyglot.translator = Words()
    found = polyglot.predict_pairs(MIXED)
    onion = english.predict_pairs([("A woman cuts onions.", "Someone cuts an onion.")])
    for row in (3, 5):
        assert found.score[row] == (plain.score[row] + onion.score[0]) / 2
        assert found.low[row] == (plain.low[row] + onion.low[0]) / 2
        assert "translated" in found.flags[row]
    # One text has no translation, or the translator does not know the language.
    for row in (4, 6, 7):
        assert found.score[row] == plain.score[row]
        assert "translated" not in found.flags[row]
    assert found.score[10] == 5.0
    assert found.score[9] == 0.0
    assert polyglot.predict_pairs(ENGLISH).flags == english.predict_pairs(ENGLISH).flags


def test_each_text_is_translated_once(polyglot):
    polyglot.translator = Words()
    polyglot.predict_pairs(MIXED * 3)
    polyglot.predict_pairs(SPANISH)
    assert len(polyglot.translator.asked) == len(set(polyglot.translator.asked))


def test_a_dictionary_unless_another_translator_is_named(english):
    found = Polyglot.of(english, others=None).predict_pairs(CROSSED)
    assert found.flags == [("cross_lingual", "translated")] * 3
    named = Polyglot.of(english, "es,tr,ar,en", "dictionary", None)
    assert found.score.tolist() == named.predict_pairs(CROSSED).score.tolist()
    assert found.score[0] > 3
    silent = Polyglot.of(english, "auto", "none", None).predict_pairs(CROSSED)
    assert silent.flags == [("cross_lingual", "non_english")] * 3


def test_translations_alone(english):
    polyglot = Polyglot.of(english, others=None)
    polyglot.translator = Words()
    found = polyglot.predict_pairs([*SPANISH, CROSSED[2], (SPANISH[0][0], "A woman cuts onions.")])
    onion = english.predict_pairs([("A woman cuts onions.", "Someone cuts an onion.")])
    assert found.score[0] == onion.score[0]
    assert found.flags[0] == ("translated",)
    assert "non_english" in found.flags[1] and "translated" not in found.flags[1]
    assert found.flags[2] == ("cross_lingual", "non_english")
    # What has been translated into the other text is as good as the same, but it is not the same text.
    assert found.score[3] == 5.0
    assert found.flags[3] == ("cross_lingual", "translated")


def test_languages_that_are_said(english, several):
    told = Polyglot.of(english, "es-en", "none", others=several.predictor_)
    assert told.languages_of([("No", "No")]) == [("es", "en")]
    assert told.predict_pairs([("Madrid", "Madrid")]).score[0] == 5.0
    named = Polyglot.of(english, "tr,en", "none", others=several.predictor_)
    assert named.languages_of(SPANISH[:1]) == [("und", "und")]
    automatic = Polyglot.of(english, "auto", "none", others=several.predictor_)
    assert automatic.languages_of([*ENGLISH[:1], *CROSSED[:2]]) == [("en", "en"), ("es", "en"), ("tr", "ar")]
    assert automatic.signature != named.signature != told.signature != english.signature


def test_a_model_of_several_languages_needs_no_other(several):
    with pytest.raises(ValueError, match="reads several languages by itself"):
        Polyglot.of(several.predictor_)


def test_files(tmp_path, monkeypatch):
    (tmp_path / "shout.py").write_text("def upper(texts):\n    return [f'the {text} is' for text in texts]\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(Polyglot.of.__func__, "__defaults__", ("auto", "dictionary", None))
    source = tmp_path / "pairs.jsonl"
    rows = [{"sentence1": a, "sentence2": b} for a, b in MIXED * 3]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    one = tmp_path / "one.jsonl"
    options = {"model": "surface", "languages": "es,en", "translate": "shout:upper", "batch_size": 8}
    summary = predict_file(source, one, workers=1, **options)
    assert summary.flags["translated"] == 15
    model = load_model("surface", languages="es,en", translate="shout:upper")
    assert summary.signature == model.signature
    found = [json.loads(line) for line in one.read_text().splitlines()]
    assert [row["score"] for row in found] == model.predict_pairs(MIXED * 3).score.tolist()


def test_spark_scores_english_alone():
    from samewise.ensemble.commands.cli import app

    done = CliRunner().invoke(app, ["predict", "in.csv", "-o", "out", "--engine", "spark", "--languages", "es,en"])
    assert done.exit_code == 2
    assert "Spark scores English alone" in " ".join(done.output.replace("│", " ").split())


def test_says_what_is_wrong():
    from samewise.ensemble.commands.cli import app

    done = CliRunner().invoke(app, ["score", "a", "b", "--profile", "surface", "--languages", "klingon"])
    assert done.exit_code == 1
    assert "the language 'klingon' is not known; the languages are en, ar, es, tr" in done.output
