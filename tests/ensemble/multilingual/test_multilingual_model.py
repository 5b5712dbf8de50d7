"""Models of several languages, and a model of English that leaves other pairs to them and to translations."""

import json
import math
import pickle
from dataclasses import fields, replace
from threading import Lock

import numpy as np
import pytest
from samewise.ensemble import loading
from samewise.ensemble.core.manifest import PROBE
from samewise.ensemble.core.prediction import Prediction
from samewise.ensemble.core.predictor import Predictor, with_ref
from samewise.ensemble.loading import ModelRef, load, pickled, probe, readable_languages
from samewise.ensemble.multilingual.multilingual_model import MultilingualModel
from samewise.ensemble.multilingual.pair_languages import is_suspect
from samewise.ensemble.scoring import predict_file
from samewise.ensemble.scoring.explained_tables import explain_file
from samewise.features.analysis.analysis import analyse
from samewise.features.encoders import multilingual as spaces
from samewise.features.encoders.sentence_encoder import shipped_encoder
from samewise.features.linguistics.languages import Languages
from samewise.models import profiles
from samewise.models.bundle import BundleError
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
UNKNOWN = [("Twee kinderen dansen vandaag in de tuin.", "Two children dance in the garden today.")]
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
        patch.setattr(spaces, "multilingual_encoder", shipped_encoder)
        yield


@pytest.fixture(scope="module")
def several():
    scores = np.linspace(0, 5, 40)
    pairs = (ENGLISH + SPANISH + CROSSED)[:8] * 5
    pairs = [(f"{a} {k}", f"{b} {k if k % 2 else ''}") for k, (a, b) in enumerate(pairs)]
    small = {"gbm": {"n_estimators": 12, "min_samples_leaf": 1}}
    languages = ("en", "ar", "es", "tr")
    model = SimilarityEnsemble("multilingual", ("gbm",), member_params=small, languages=languages, n_jobs=1)
    return model.fit(pairs, scores)


@pytest.fixture(scope="module")
def english():
    return load("surface")


@pytest.fixture
def polyglot(english, several):
    return MultilingualModel.of(english, translate="none", others=several.predictor_, reader=None)


@pytest.mark.slow
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
    with pytest.raises(ValueError, match="must be of the family shared_space, got"):
        SimilarityEnsemble("surface", languages=("en", "es")).fit(ENGLISH, [1, 2, 5])
    with pytest.raises(ValueError, match="a language must be one of en English, .*, got 'nl'"):
        SimilarityEnsemble("multilingual", languages=("en", "nl")).fit(ENGLISH, [1, 2, 5])


@pytest.mark.slow
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
    polyglot = replace(polyglot, translator=Words())
    found = polyglot.predict_pairs(MIXED)
    for row, (a, b) in enumerate(MIXED):
        alone, turned = polyglot.predict_pairs([(a, b)]), polyglot.predict_pairs([(b, a)])
        assert alone.score[0] == found.score[row] == turned.score[0]
        assert (alone.low[0], alone.high[0]) == (found.low[row], found.high[row])
        assert alone.flags[0] == found.flags[row] == turned.flags[0]
        assert alone.low[0] <= alone.score[0] <= alone.high[0]


def test_translations_are_averaged_in(english, several, polyglot):
    plain = polyglot.predict_pairs(MIXED)
    polyglot = replace(polyglot, translator=Words())
    found = polyglot.predict_pairs(MIXED)
    onion = english.predict_pairs([("A woman cuts onions.", "Someone cuts an onion.")])
    for row in (3, 5):
        assert found.score[row] == pytest.approx((2 * plain.score[row] + onion.score[0]) / 3, rel=1e-12)
        assert "translated" in found.flags[row]
    # One text has no translation, or the translator does not know the language.
    for row in (4, 6, 7):
        assert found.score[row] == plain.score[row]
        assert "translated" not in found.flags[row]
    assert found.score[10] == 5.0
    assert found.score[9] == 0.0
    assert polyglot.predict_pairs(ENGLISH).flags == english.predict_pairs(ENGLISH).flags


def fixed(model: Predictor, score: float, low: float, high: float, deviation: float) -> Predictor:
    """Return a model that gives every pair these numbers."""

    class Fixed(Predictor):
        def predict_pairs(self, pairs, languages=None):
            numbers = (np.full(len(pairs), number) for number in (score, low, high))
            return Prediction(*numbers, [()] * len(pairs), np.full(len(pairs), deviation))

    return Fixed(**{each.name: getattr(model, each.name) for each in fields(model) if each.init})


def test_intervals_are_wide_where_models_disagree(english, several, polyglot):
    polyglot = replace(polyglot, translator=Words())
    # Twice 4 and once 1: mean 3, variance (1 + 1 + 4) / 3 = 2. Deviations 1, 1 and 1: variance 1, and 3 in all.
    apart = replace(
        polyglot, english=fixed(english, 1, 0, 2, 1), multilingual=fixed(several.predictor_, 4, 3.5, 4.5, 1)
    )
    found = apart.predict_pairs(SPANISH[:1])
    assert found.score[0] == pytest.approx(3)
    assert found.deviation[0] == pytest.approx(math.sqrt(3))
    # Mean ends (2 * 3.5 + 0) / 3 = 7/3 and (2 * 4.5 + 2) / 3 = 11/3 are 2/3 away, and then sqrt(3) times as far.
    assert found.low[0] == pytest.approx(3 - 2 / math.sqrt(3))
    assert found.high[0] == pytest.approx(3 + 2 / math.sqrt(3))
    agreed = replace(apart, english=fixed(english, 4, 3, 5, 1))
    found = agreed.predict_pairs(SPANISH[:1])
    assert found.numbers == (4.0, pytest.approx(10 / 3), pytest.approx(14 / 3), 1.0)
    # On the scale, however far apart they are.
    found = replace(apart, english=fixed(english, 0, 0, 0, 0.1)).predict_pairs(SPANISH[:1])
    assert 0.0 <= found.low[0] < found.score[0] < found.high[0] <= 5.0


def test_each_text_is_translated_once(polyglot):
    polyglot = replace(polyglot, translator=Words())
    polyglot.predict_pairs(MIXED * 3)
    polyglot.predict_pairs(SPANISH)
    assert len(polyglot.translator.asked) == len(set(polyglot.translator.asked))


def test_a_dictionary_unless_another_translator_is_named(english):
    found = MultilingualModel.of(english, others=None, reader=None).predict_pairs(CROSSED)
    assert found.flags == [("cross_lingual", "translated")] * 3
    named = MultilingualModel.of(english, "es,tr,ar,en", "dictionary", None, None)
    assert found.score.tolist() == named.predict_pairs(CROSSED).score.tolist()
    assert found.score[0] > 3
    silent = MultilingualModel.of(english, "auto", "none", None, None).predict_pairs(CROSSED)
    assert silent.flags == [("cross_lingual", "non_english")] * 3


def test_translations_alone(english):
    polyglot = MultilingualModel.of(english, others=None, reader=None)
    polyglot = replace(polyglot, translator=Words())
    found = polyglot.predict_pairs([*SPANISH, CROSSED[2], (SPANISH[0][0], "A woman cuts onions.")])
    onion = english.predict_pairs([("A woman cuts onions.", "Someone cuts an onion.")])
    assert found.score[0] == onion.score[0]
    assert found.flags[0] == ("translated",)
    assert "non_english" in found.flags[1] and "translated" not in found.flags[1]
    assert found.flags[2] == ("cross_lingual", "non_english")
    # What has been translated into the other text is as good as the same, but it is not the same text.
    assert found.score[3] == 5.0
    assert found.flags[3] == ("cross_lingual", "translated")


@pytest.mark.slow
def test_the_texts_themselves_count_twice_beside_a_translation(english, several):
    both, texts, translations = (
        replace(MultilingualModel.of(english, others=others, reader=None), translator=translator)
        for others, translator in ((several.predictor_, Words()), (several.predictor_, None), (None, Words()))
    )
    found, one, other = (each.predict_pairs(SPANISH[:1]).score[0] for each in (both, texts, translations))
    assert one != other
    assert found == pytest.approx((2 * one + other) / 3, rel=1e-12)
    explained = both.explain(SPANISH[:1])[0]
    assert explained.base + sum(explained.contributions.values()) == pytest.approx(found, abs=1e-9)


def test_translations_are_read_by_a_second_model(english, several):
    class Harsh(Predictor):
        def predict_pairs(self, pairs, languages=None):
            found = super().predict_pairs(pairs, languages)
            return found._replace(score=found.score / 2, low=found.low / 2, high=found.high / 2)

    harsh = Harsh(**{each.name: getattr(english, each.name) for each in fields(Predictor) if each.init})
    alone, second, all_three = (
        replace(MultilingualModel.of(english, others=others, reader=reader), translator=Words())
        for others, reader in ((None, None), (None, harsh), (several.predictor_, harsh))
    )
    pairs = [SPANISH[0], CROSSED[0], ENGLISH[0]]
    plain, halved, mean = (each.predict_pairs(pairs) for each in (alone, second, all_three))
    # English pairs are left alone; of the others, the mean of what is said, the texts themselves twice.
    assert halved.score.tolist() == [*(plain.score[:2] * 0.75), plain.score[2]]
    assert halved.flags == plain.flags
    shared = MultilingualModel.of(english, "es,en", "none", several.predictor_, None).predict_pairs(pairs)
    np.testing.assert_allclose(mean.score[:2], (2 * shared.score[:2] + 1.5 * plain.score[:2]) / 4, rtol=1e-12)
    assert {name.partition(".")[0] for name in all_three.predict_members(pairs)} == {
        "english",
        "translations",
        "multilingual",
        "combined",
    }
    assert alone.signature != second.signature != all_three.signature


def test_languages_that_are_said(english, several):
    told = MultilingualModel.of(english, "es-en", "none", others=several.predictor_, reader=None)
    assert told.languages_of([("No", "No")]) == [("es", "en")]
    assert told.predict_pairs([("Madrid", "Madrid")]).score[0] == 5.0
    named = MultilingualModel.of(english, "tr,en", "none", others=several.predictor_, reader=None)
    assert named.languages_of(SPANISH[:1]) == [("und", "und")]
    automatic = MultilingualModel.of(english, "auto", "none", others=several.predictor_, reader=None)
    assert automatic.languages_of([*ENGLISH[:1], *CROSSED[:2]]) == [("en", "en"), ("es", "en"), ("tr", "ar")]
    assert automatic.signature != named.signature != told.signature != english.signature


def test_a_model_of_several_languages_needs_no_other(several):
    with pytest.raises(ValueError, match="reads several languages by itself"):
        MultilingualModel.of(several.predictor_)


@pytest.mark.slow
def test_files(tmp_path, monkeypatch):
    (tmp_path / "shout.py").write_text("def upper(texts):\n    return [f'the {text} is' for text in texts]\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(loading, "is_installed", lambda name: False)
    source = tmp_path / "pairs.jsonl"
    rows = [{"sentence1": a, "sentence2": b} for a, b in MIXED * 3]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    one = tmp_path / "one.jsonl"
    ref = ModelRef("surface", languages="es,en", translate="shout:upper")
    summary = predict_file(source, one, workers=1, model=ref, batch_size=8)
    assert summary.flags["translated"] == 15
    model = load("surface", languages="es,en", translate="shout:upper")
    assert summary.signature == model.signature
    found = [json.loads(line) for line in one.read_text().splitlines()]
    assert [row["score"] for row in found] == model.predict_pairs(MIXED * 3).score.tolist()


def check(model, pairs):
    """Explanations that add up to what the model predicts, in both directions."""
    found, prediction = model.explain(pairs), model.predict_pairs(pairs)
    for row, (each, turned) in enumerate(zip(found, model.explain([pair[::-1] for pair in pairs]), strict=True)):
        assert (each.score, each.low, each.high) == tuple(column[row] for column in prediction[:3])
        assert each.flags == prediction.flags[row]
        assert each.base + sum(each.contributions.values()) == pytest.approx(each.score, abs=1e-9)
        assert sorted(each.contributions) == sorted(
            {name for part in model.parts.values() for name in part.contribution_names}
        )
        assert all(0 <= i < len(each.tokens[0]) and 0 <= j < len(each.tokens[1]) for i, j in each.alignment)
        assert turned.contributions == pytest.approx(each.contributions, abs=1e-6)
        assert turned.translations == each.translations[::-1]
    return found


@pytest.mark.slow
def test_explanations_with_a_reader_of_translations_add_up(english, several):
    """Families that the reader alone has are among the contributions."""
    settings = {"members": ("gbm",), "member_params": {"gbm": {"n_estimators": 10}}, "interval": None}
    reader = SimilarityEnsemble(["length", "style"], **settings).fit(ENGLISH * 3, [0.0, 2.0, 5.0] * len(ENGLISH))
    model = MultilingualModel.of(english, others=several.predictor_, reader=reader.predictor_)
    model = replace(model, translator=Words())
    assert "length" not in english.contribution_names
    assert "length" in check(model, MIXED)[3].contributions


@pytest.mark.slow
def test_a_model_put_together_in_memory_scores_in_two_workers(english, tmp_path):
    """Workers load its own parts, not those that ship."""
    reader = SimilarityEnsemble(["length"], ("gbm",), interval=None).fit(ENGLISH * 3, [0.0, 2.0, 5.0] * len(ENGLISH))
    model = MultilingualModel.of(english, "es,en", "dictionary", None, reader.predictor_)
    assert model.ref is None
    source, target = tmp_path / "pairs.jsonl", tmp_path / "scored.jsonl"
    source.write_text("".join(json.dumps({"sentence1": a, "sentence2": b}) + "\n" for a, b in MIXED * 3))
    summary = predict_file(source, target, model=model, workers=2, batch_size=8)
    assert summary.signature == model.signature
    scores = [json.loads(line)["score"] for line in target.read_text().splitlines()]
    assert scores == model.predict_pairs(MIXED * 3).score.tolist()


@pytest.mark.slow
def test_a_translator_of_ones_own_reaches_workers_if_it_can_be_pickled(english, tmp_path):
    model = replace(MultilingualModel.of(english), translator=Words())
    source, target = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps({"sentence1": a, "sentence2": b}) + "\n" for a, b in MIXED * 3))
    predict_file(source, target, model=model, workers=2, batch_size=8)
    scores = [json.loads(line)["score"] for line in target.read_text().splitlines()]
    assert scores == model.predict_pairs(MIXED * 3).score.tolist()
    translator = Words()
    translator.lock = Lock()
    with pytest.raises(ValueError, match=r"must be picklable .* got one that is not \(.*lock.*\); name"):
        predict_file(source, tmp_path / "no.jsonl", model=replace(model, translator=translator), workers=2)


@pytest.mark.slow
def test_a_reference_gives_the_same_model_again(english, several):
    model = load("surface", languages="es,en", translate="dictionary")
    assert (
        pickle.loads(pickle.dumps(model.ref))
        == model.ref
        == ModelRef("surface", languages="es,en", translate="dictionary")
    )
    assert model.ref.load().signature == load(english, languages="es,en").signature == model.signature
    other = MultilingualModel.of(english, "es,en", "none", several.predictor_, None)
    again = pickle.loads(pickled(other))
    assert again.signature == other.signature
    assert again.predict_pairs(MIXED).score.tolist() == other.predict_pairs(MIXED).score.tolist()
    with pytest.raises(ValueError, match="languages must be given with the name of a model, got a model from memory"):
        load(several.predictor_, languages="es")


@pytest.mark.slow
def test_explanations_add_up(english, several, polyglot):
    polyglot = replace(polyglot, translator=Words())
    found = check(polyglot, MIXED)
    plain, other = english.explain(MIXED), several.predictor_.explain(MIXED)
    onion = english.explain([("A woman cuts onions.", "Someone cuts an onion.")])[0]
    for row in (0, 1, 2, 8):
        assert found[row].base == pytest.approx(plain[row].base, abs=1e-12)
        assert found[row].contributions["unmatched"] == pytest.approx(plain[row].contributions["unmatched"], abs=1e-6)
        assert found[row].contributions["shared_space"] == 0
    # Both models: what the English one adds counts a third, and the words are those of the translations.
    for row in (3, 5):
        points, shared = found[row].contributions, other[row].contributions["shared_space"]
        assert found[row].base == pytest.approx((onion.base + 2 * other[row].base) / 3, abs=1e-9)
        assert points["shared_space"] == pytest.approx(shared * 2 / 3, abs=1e-6)
        assert points["ngram"] == pytest.approx(onion.contributions["ngram"] / 3, abs=1e-6)
        assert (found[row].tokens, found[row].alignment) == (onion.tokens, onion.alignment)
    assert found[3].translations == ("A woman cuts onions.", "Someone cuts an onion.")
    assert found[5].translations == ("A woman cuts onions.", None)
    # The other model alone: one text has no translation, or both texts are the same.
    for row in (4, 6, 7, 10):
        assert found[row].contributions["shared_space"] == pytest.approx(other[row].contributions["shared_space"])
        assert found[row].translations == (None, None)
        assert found[row].tokens[0] == other[row].tokens[0]


@pytest.mark.slow
def test_differences_need_no_translation(english, several, polyglot):
    found = polyglot.differences(MIXED)
    assert found[:3] == english.differences(ENGLISH) and found[2] == []
    assert found[3] != [] and polyglot.differences([SPANISH[0][::-1]]) == [[one.swapped() for one in found[3]]]
    assert found == replace(polyglot, translator=Words()).differences(MIXED)
    assert [list(each.differences) for each in polyglot.explain(MIXED)] == found
    # The same text in two languages, of which one side alone is translated.
    twice, sides = [SPANISH[0][:1] * 2], [("es", "en")]
    assert polyglot.differences(twice, sides) == [[]] == [list(polyglot.explain(twice, sides)[0].differences)]
    # A model of several languages alone translates nothing.
    alone = several.predictor_.differences(MIXED)
    assert alone[:2] == found[:2] and alone[3:7] == [[]] * 4
    languages = [("en", "en")] * 3 + [("es", "en")] * 8
    assert several.predictor_.differences(MIXED, languages) == [*found[:3], *[[]] * 8]


@pytest.mark.slow
def test_explanations_of_translations_alone(english):
    polyglot = MultilingualModel.of(english, others=None, reader=None)
    polyglot = replace(polyglot, translator=Words())
    found = check(polyglot, SPANISH)
    assert found[0].translations == ("A woman cuts onions.", "Someone cuts an onion.")
    assert found[1].translations == (None, None)
    assert "shared_space" not in found[0].contributions


def test_members(english, several, polyglot):
    polyglot = replace(polyglot, translator=Words())
    found = polyglot.predict_members(MIXED)
    plain, other = english.predict_members(MIXED), several.predictor_.predict_members(MIXED)
    assert list(found) == [f"english.{name}" for name in plain] + [f"multilingual.{name}" for name in other] + [
        "combined"
    ]
    assert found["combined"].tolist() == polyglot.predict_pairs(MIXED).score.tolist()
    onion = english.predict_members([("A woman cuts onions.", "Someone cuts an onion.")])
    assert found["english.rf"][[0, 3]].tolist() == [plain["rf"][0], onion["rf"][0]]
    assert found["multilingual.gbm"].tolist() == other["gbm"].tolist()
    alone = MultilingualModel.of(english, others=None, reader=None)
    found = alone.predict_members(MIXED)
    assert list(found) == list(plain)
    assert list(found.values())[-1].tolist() == alone.predict_pairs(MIXED).score.tolist()


def test_english_is_always_read(english):
    only = MultilingualModel.of(english, "es", others=None, reader=None)
    assert only.languages.readable == ("es", "en")
    assert only.languages_of([*ENGLISH[:1], *CROSSED[:2]]) == [("en", "en"), ("es", "en"), ("und", "und")]
    assert MultilingualModel.of(english, "es-tr", others=None, reader=None).languages.readable == ("es", "tr")
    # What is in no known language is read as English, also beside what is translated.
    found = only.predict_pairs([(SPANISH[0][0], UNKNOWN[0][0])])
    assert found.flags == [("cross_lingual", "translated", "unknown_language")]


def test_a_probe_of_every_language(english):
    polyglot = with_ref(MultilingualModel.of(english, "es,tr"), ModelRef("surface", languages="es,tr"))
    assert readable_languages(polyglot) == ("es", "tr", "en")
    assert probe(polyglot)[:3] == probe(english) == english.predict_pairs(PROBE).score.tolist()
    assert len(probe(polyglot)) == len(PROBE) + 2


def run(*arguments):
    from samewise.ensemble.commands.cli import app

    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.mark.slow
def test_the_command_explains_translations(tmp_path, monkeypatch):
    monkeypatch.setattr(loading, "is_installed", lambda name: False)
    done = run("explain", *CROSSED[0], "--model", "surface", "--languages", "es", "--report", tmp_path / "why.html")
    assert done.exit_code == 0, done.output
    [found] = load("surface", languages="es").explain(CROSSED[:1])
    lines = dict(line.split("  ", 1) for line in done.stdout.splitlines() if "  " in line)
    assert lines["first text, translated"].strip() == found.translations[0]
    assert "second text, translated" not in lines
    assert lines["points and words"].strip().startswith("of the translations")
    page = (tmp_path / "why.html").read_text()
    assert f"Read in translation: {found.translations[0]}" in page
    assert "These are words of the translations." in page
    assert "The texts are in two languages." in page


@pytest.mark.slow
def test_a_table_of_reasons(tmp_path, polyglot):
    polyglot = replace(polyglot, translator=Words())
    source, target = tmp_path / "pairs.jsonl", tmp_path / "why.jsonl"
    source.write_text("".join(json.dumps({"sentence1": a, "sentence2": b}) + "\n" for a, b in MIXED))
    assert explain_file(source, target, model=polyglot) == len(MIXED)
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    for row in rows:
        points = sum(value for name, value in row.items() if name.startswith("contribution."))
        assert row["base"] + points == pytest.approx(row["score"], abs=1e-9)
    assert rows[3]["contribution.shared_space"] != 0
    assert rows[0]["contribution.shared_space"] == 0


@pytest.mark.parametrize(
    ("a", "b", "flagged"),
    [
        ("مرحبا صديقي", "Hello, friend.", True),
        ("Привет!", "Hello!", True),
        ("كَلْبٌ صَغِيرٌ", "A dog.", True),  # signs between the letters
        ("नमस्ते", "Hello.", True),
        ("In Москва", "A dog.", False),  # half of it English
        ("Barack Obama", "Łódź", False),  # a name is no language
        ("5 µm", "naïve", False),
        ("The dog runs to the α.", "A dog.", False),
    ],
)
def test_one_word_in_another_script_is_enough(english, a, b, flagged):
    [flags] = english.predict_pairs([(a, b)]).flags
    assert ("non_english" in flags) == flagged


def test_suspects_without_a_vocabulary():
    assert is_suspect(["дом"], frozenset())
    assert is_suspect(["ñandú", "ñu", "ano"], frozenset())
    assert not is_suspect(["nandu", "ñu", "ano"], frozenset())
    assert not is_suspect([], frozenset())


@pytest.mark.parametrize("made", [False, True])
def test_without_the_profile(english, tmp_path, monkeypatch, made):
    # Not there, or a folder in which nothing is saved yet.
    monkeypatch.setattr(profiles, "profile_folder", lambda name: tmp_path if made else tmp_path / name)
    with pytest.raises(BundleError, match="'multilingual' is not installed; install samewise-l.* --languages") as error:
        load("multilingual")
    assert str(tmp_path) not in str(error.value)


@pytest.mark.slow
def test_what_is_said_must_say_something():
    with pytest.raises(ValueError, match="got ''; the languages are en English"):
        load("surface", languages="")
    with pytest.raises(
        ValueError, match="translate must be one of none, apertium, dictionary, or module:function for yours, got ''"
    ):
        load("surface", translate="")
    model = load("surface", languages="spa,eng")
    assert str(model.languages) == "es,en" and model.translator.name.startswith("dictionary")
    model = load("surface", translate="none")
    assert str(model.languages) == "auto" and model.translator is None


def test_says_what_is_wrong():
    from samewise.ensemble.commands.cli import app

    done = CliRunner().invoke(app, ["score", "a", "b", "--model", "surface", "--languages", "klingon"])
    assert done.exit_code == 1
    known = "ar Arabic, de German, es Spanish, fr French, it Italian, pt Portuguese, tr Turkish"
    assert f"a language must be one of en English, {known}, got 'klingon'" in done.output


def test_a_language_that_was_added_needs_no_stemmer_and_no_probe(english, monkeypatch):
    finnish = analyse(
        [("Kaksi taloa.", "Talo.")], "text", None, english.sentence_cache, Languages(("fi",), ("fi", "fi"))
    )
    assert [sentence.stems for sentence in finnish.sentences] == [sentence.words for sentence in finnish.sentences]
    polyglot = MultilingualModel.of(english, "en", "none", None, None)
    monkeypatch.setattr(loading, "readable_languages", lambda model: ("en", "fi"))
    assert probe(polyglot) == probe(english)


def test_languages_that_are_known_are_not_detected(polyglot, several):
    """A text that reads the same in two languages is scored as in the ones passed in."""
    pairs = [("Madrid", "Madrid es grande"), ("No", "No")]
    sides = [("es", "es"), ("es", "en")]
    prediction = polyglot.predict_pairs(pairs, sides)
    assert prediction.score.tolist() == several.predictor_.predict_pairs(pairs, sides).score.tolist()
    assert "cross_lingual" in prediction.flags[1]
    assert [each.score for each in polyglot.explain(pairs, sides)] == prediction.score.tolist()
    assert polyglot.predict_members(pairs, sides)["combined"].tolist() == prediction.score.tolist()


@pytest.mark.parametrize("method", ["predict_pairs", "predict_members", "explain"])
def test_languages_of_fewer_pairs_are_refused(polyglot, several, method):
    for model in (polyglot, several.predictor_):
        with pytest.raises(ValueError, match="languages must have one entry a pair, got 1 for 2 pairs"):
            getattr(model, method)(SPANISH[:1] * 2, [("es", "es")])
