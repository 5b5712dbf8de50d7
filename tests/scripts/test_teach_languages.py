"""Squares that a cross-encoder of several languages is taught."""

import random
import sys

import pytest

from ..conftest import ROOT

if not (ROOT / "scripts").is_dir():
    pytest.skip("the training scripts are in the repository only", allow_module_level=True)
pytest.importorskip("torch")
pytest.importorskip("transformers")

SIDES = ("text", "same", "kept", "changed", "changed_same", "text_en", "changed_en")


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    before = set(sys.modules)
    import teach_languages

    yield teach_languages
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(ROOT / "scripts")):
            sys.modules.pop(name)


def _square(name, language):
    return {"id": name, "change_score": "2", **{side: f"{side} {language}" for side in SIDES}}


def test_texts_of_english_and_of_other_languages_stand_in_place_of_some(script):
    squares = {"es": [_square("es-1", "es")], "de": [_square("parallel-2", "de")], "fr": [_square("parallel-2", "fr")]}
    own, english, *others = script.mixed(squares, random.Random(0))
    assert own == squares["es"][0]
    assert (english["text"], english["kept"], english["same"]) == ("text_en es", "text es", "same es")
    assert english["changed"] in ("changed es", "changed_en es")
    assert len(others) == 6
    mixed = others[2]
    assert {mixed[side] for side in ("text", "changed_same")} == {"text de", "changed_same de"}
    assert {mixed[side] for side in ("same", "kept", "changed")} == {"same fr", "text fr", "changed fr"}


def test_english_stands_for_the_near_copy_of_a_short_text(script):
    short = _square("es-s1", "es") | {"kept": ""}
    own, _ = script.mixed({"es": [short]}, random.Random(0))
    assert own["kept"] == "text_en es"


def test_squares_that_are_held_or_kept_for_regressors_are_not_taught(script):
    from samewise.ensemble.contrasts.squares import is_held

    found = script.language_squares()
    assert set(found) == {"ar", "de", "es", "fr", "it", "pt", "tr"} and min(map(len, found.values())) > 500
    names = {row["id"] for rows in found.values() for row in rows}
    assert not any(is_held(name) or not script.taught_to_networks(name) for name in names)
