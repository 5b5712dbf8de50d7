"""Models with a glossary: scores, differences, explanations, signatures, and what is saved."""

import json
import pickle
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.decision import Rule
from samewise.ensemble.core.manifest import PROBE
from samewise.ensemble.core.model_decision import LabelledScores, decision_of, with_thresholds
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.core.scale import POINTS
from samewise.ensemble.loading import ModelRef
from samewise.ensemble.multilingual.multilingual_model import MultilingualModel
from samewise.models.bundle import BundleError
from typer.testing import CliRunner

from samewise import load, score

WORDS = [["COD", "cash on delivery"], ["Kiki", "Henrike"], ["SLA", "service level agreement"]]
STRANGE = [["zzqx", "qqvz wwjx"], ["QZX", "jjqk"]]
MEMBERS = [
    ("Ships COD.", "Ships cash on delivery."),
    ("Kiki Smith paid the invoice.", "Henrike Smith paid the invoice."),
    ("Is the SLA part of the contract?", "Is the service level agreement part of the contract?"),
]
OTHERS = [
    (
        "Kiki Smith paid the unpaid March invoice of Acme COD.",
        "Alice Smith paid the unpaid March invoice of Acme by card.",
    ),
    ("The SLA allows two days.", "The service level agreement allows five days."),
    ("A dog sleeps.", "The weather is fine."),
]
PAIRS = [*MEMBERS, *OTHERS]


@pytest.fixture(scope="module")
def plain():
    return load("surface")


@pytest.fixture(scope="module")
def own():
    return load("surface", glossary=WORDS)


@pytest.mark.parametrize("profile", ["surface", pytest.param("fast", marks=pytest.mark.slow)])
def test_members_of_a_group_score_as_equal_texts(profile):
    one, two = load(profile), load(profile, glossary=WORDS)
    assert (one.predict(MEMBERS) < 4.8).all()
    prediction = two.predict_pairs(MEMBERS)
    assert prediction.score.tolist() == [5.0] * 3
    assert prediction.flags == [("identical",)] * 3


def test_scores_are_those_of_the_rewritten_texts(own, plain):
    texts = [tuple(own.glossary.rewrite(text) for text in pair) for pair in PAIRS]
    assert own.predict(PAIRS).tolist() == plain.predict(texts).tolist()
    assert own.predict([pair[::-1] for pair in PAIRS]).tolist() == own.predict(PAIRS).tolist()
    columns, expected = own.predict_members(PAIRS), plain.predict_members(texts)
    assert all(np.array_equal(columns[name], expected[name]) for name in expected)


@pytest.mark.slow
@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.text(max_size=40), st.sampled_from([text for pair in PAIRS for text in pair])), max_size=3)
)
def test_a_glossary_without_a_member_in_the_texts_changes_nothing(pairs):
    one, two = both_models()
    before, after = one.predict_pairs(pairs), two.predict_pairs(pairs)
    assert (before.score.tolist(), before.low.tolist(), before.flags) == (
        after.score.tolist(),
        after.low.tolist(),
        after.flags,
    )
    assert one.differences(pairs) == two.differences(pairs)


@cache
def both_models():
    return load("surface"), load("surface", glossary=STRANGE)


def test_differences_are_the_words_as_they_were_written(own, plain):
    bob = [("Kiki Smith paid the invoice.", "Henrike Smith paid the invoice.")]
    assert [one.kind for one in plain.differences(bob)[0]] == ["name"]
    assert own.differences(bob) == [[]]
    found = own.differences(OTHERS)
    assert [(one.kind, one.a, one.b) for one in found[0]] == [
        ("name", "Kiki", "Alice"),
        ("word", "COD", "card"),
    ]
    assert [(one.kind, one.a, one.b) for one in found[1]] == [("number", "two", "five")]
    # Without a member of the glossary in them they are those of any model.
    assert found[2] == plain.differences(OTHERS[2:])[0]


def test_a_difference_of_both_sides_swaps_with_the_texts(own):
    for pair in PAIRS:
        [one], [other] = own.differences([pair]), own.differences([pair[::-1]])
        assert sorted(one) == sorted(each.swapped() for each in other)


def test_equal_differences_of_other_words_stay_apart(own, plain):
    pair = ("Kiki has room 7, desk 7 and lamp 3.", "Kiki has room 4, desk 4 and lamp 3.")
    [found], [expected] = own.differences([pair]), plain.differences([pair])
    assert [(one.kind, one.a, one.b) for one in found] == [("number", "7", "4")] * 2
    assert found == expected


def test_words_beside_a_member_keep_their_place(own):
    [found] = own.differences([("We want Kiki's red box.", "We want Ann's red box.")])
    assert [(one.kind, one.a, one.b) for one in found] == [("name", "Kiki", "Ann")]
    [found] = own.differences([("The shop takes COD (Kiki said)", "The shop takes it (Kiki said)")])
    assert ("missing", "COD", "") in [(one.kind, one.a, one.b) for one in found]


def test_an_explanation_shows_the_texts_as_they_were_read(own):
    [explained] = own.explain(OTHERS[:1])
    assert " ".join(explained.tokens[0]) == "Henrike Smith paid the unpaid March invoice of Acme cash on delivery ."
    name = next(one for one in explained.differences if one.kind == "name")
    assert (name.a, [explained.tokens[0][place] for place in name.places_a]) == ("Kiki", ["Henrike"])
    assert sum(explained.contributions.values()) + explained.base == pytest.approx(explained.score)


def test_the_signature_names_the_glossary(own, plain, tmp_path):
    assert "glossary" not in plain.signature
    assert own.signature.endswith(f"|glossary:3-{own.glossary.digest[:8]}")
    assert load("surface", glossary=STRANGE).signature != own.signature
    path = tmp_path / "words.txt"
    path.write_text("\n".join(" = ".join(group) for group in WORDS))
    assert load("surface", glossary=path).signature == own.signature


def test_a_reference_holds_the_words_and_not_the_file(own, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("Kiki, Henrike\n")
    ref = ModelRef("surface", glossary=path)
    path.unlink()
    copy = pickle.loads(pickle.dumps(ref))
    assert (copy, hash(copy)) == (ref, hash(ref))
    assert copy.load().predict(MEMBERS[1:2]).tolist() == [5.0]
    assert score(*MEMBERS[1], model=ref) == 5.0
    assert own.ref == ModelRef("surface", glossary=WORDS)
    assert pickle.loads(pickle.dumps(own)).predict(PAIRS).tolist() == own.predict(PAIRS).tolist()


def test_a_saved_model_keeps_its_glossary_and_refuses_another(own, tmp_path):
    own.save(tmp_path / "m")
    saved = load(tmp_path / "m")
    assert (saved.glossary, saved.signature) == (own.glossary, own.signature)
    assert saved.predict(PAIRS).tolist() == own.predict(PAIRS).tolist()
    assert load(tmp_path / "m", glossary=WORDS).signature == own.signature
    with pytest.raises(ValueError, match=f"that of the model, 3-{own.glossary.digest[:8]}, got 2-.*; leave it out"):
        load(tmp_path / "m", glossary=STRANGE)


def test_words_of_the_probe_are_recorded_as_they_are_read(tmp_path):
    model = load("surface", glossary=[["guitar", "stringed instrument"]])
    assert "guitar" in PROBE[0][0]
    assert model.probe_difference() == 0.0
    model.save(tmp_path / "m")
    assert Predictor.load(tmp_path / "m").probe_difference() == 0.0


def test_a_malformed_glossary_of_a_bundle_is_refused(own, tmp_path):
    for groups, message in ((["COD, cash"], "glossary"), ([["COD", "COD"]], "two members or more")):
        own.save(tmp_path / "m")
        path = tmp_path / "m" / "manifest.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "glossary": groups}))
        with pytest.raises(BundleError, match=message):
            load(tmp_path / "m")
        path.write_text(json.dumps({**json.loads(path.read_text()), "glossary": WORDS}))


def test_a_decision_is_that_of_the_model_with_its_glossary(own):
    scores = np.round(np.linspace(0, 5, 400), 4)
    labelled = LabelledScores(scores, np.clip(scores + 0.5, 0, 5), POINTS, "made up")
    decided, decision, _ = with_thresholds(own, labelled, Rule("recall", 0.9), 3.0)
    assert decision_of(decided.parts) == decision
    without, _, _ = with_thresholds(load("surface"), labelled, Rule("recall", 0.9), 3.0)
    with pytest.raises(
        BundleError, match=r"the model with its glossary must be for the model .*; run samewise threshold"
    ):
        decision_of(without.with_glossary(WORDS).parts)


def test_a_model_from_memory_takes_no_glossary_by_name(own):
    with pytest.raises(ValueError, match="glossary must be given with the name of a model"):
        load(replace(own), glossary=WORDS)


class _ByWord:
    name = "by word"

    def covers(self, source, target):
        return (source, target) == ("es", "en")

    def translate(self, texts, source, target):
        words = {"código": "code", "el": "the", "es": "is"}
        return [" ".join(words.get(word, word) for word in text.lower().split()) for text in texts]


def test_foreign_texts_are_rewritten_before_they_are_translated():
    glossary = [["CP", "código postal"], ["COD", "cash on delivery"]]
    english = load("surface", glossary=glossary)
    model = MultilingualModel(english, translator=_ByWord())
    [explained] = model.explain([("el CP es 7", "the postal code is COD")], [("es", "en")])
    assert explained.translations == ("the code postal is 7", None)
    assert explained.tokens[1] == ("the", "postal", "code", "is", "cash", "on", "delivery")
    assert "COD" in [one.b for one in explained.differences]


def run(*words):
    done = CliRunner().invoke(app, list(map(str, words)))
    return done.exit_code, done.stdout, done.stderr


def test_the_option_of_the_command_line(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("COD = cash on delivery\n")
    code, out, _ = run("score", *MEMBERS[0], "--model", "surface", "--glossary", path, "--json")
    assert code == 0
    assert json.loads(out)["score"] == 5.0
    assert "|glossary:1-" in json.loads(out)["signature"]
    path.write_text("COD = cash on delivery\nKiki\n")
    code, out, err = run("score", *MEMBERS[0], "--model", "surface", "--glossary", path)
    assert (code, out) == (1, "")
    assert re.search("a group must have two members or more, got 'Kiki' in line 2 of the glossary", err)
    code, _, err = run("score", *MEMBERS[0], "--glossary", tmp_path / "none.txt")
    assert code == 1
    assert "none.txt" in err


@pytest.mark.slow
def test_a_model_is_compared_with_itself_without_the_glossary(tmp_path):
    (tmp_path / "words.txt").write_text("\n".join(map(", ".join, WORDS)))
    rows = [f"{a}\t{b}\t{score}" for (a, b), score in zip(PAIRS, (5, 5, 5, 2, 3, 0), strict=True)]
    (tmp_path / "t.tsv").write_text("\n".join(["sentence1\tsentence2\tscore", *rows]))
    words = ("--glossary", tmp_path / "words.txt", "--against", "surface", "--json")
    code, out, err = run("evaluate", tmp_path / "t.tsv", "--model", "surface", *words)
    assert code == 0, err
    assert all(f'"{name}"' in out for name in ("surface", "surface with the glossary"))
