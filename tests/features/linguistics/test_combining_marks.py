import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.analysis.analysis import analyse, normalise
from samewise.features.linguistics.combining_marks import bound_marks

MARKS = [chr(code) for code in range(0x110000) if unicodedata.combining(chr(code))]
DECOMPOSED = [chr(code) for code in range(0x110000) if len(unicodedata.normalize("NFD", chr(code))) > 1]

letters = st.one_of(st.sampled_from(DECOMPOSED), st.sampled_from("ae \u200d\uff9e\u1100\u1161"))
marks = st.one_of(st.sampled_from(MARKS), st.sampled_from("\u0301\u0323\u0344\u0345\u0f73\u0f75\u0f81"))
runs = st.integers(0, 70).flatmap(lambda size: st.lists(marks, min_size=size, max_size=size)).map("".join)
texts = st.lists(st.one_of(letters, runs), max_size=6).map("".join)


def bounded(text, most=30):
    # By definition: decompose and order the whole text, and count the marks since the last other character.
    kept, count = [], 0
    for letter in unicodedata.normalize("NFD", text):
        count = count + 1 if unicodedata.combining(letter) else 0
        if count <= most:
            kept.append(letter)
    return unicodedata.normalize("NFC", "".join(kept))


@given(texts)
def test_the_bound_by_definition(text):
    assert unicodedata.normalize("NFC", bound_marks(text)) == bounded(text)


@given(texts, st.sampled_from(["NFC", "NFD"]))
def test_form_does_not_matter_and_twice_is_once(text, form):
    once = normalise(text)
    assert normalise(unicodedata.normalize(form, text)) == once
    assert normalise(once) == normalise(unicodedata.normalize(form, once)) == once


@pytest.mark.parametrize("base", ["", "e", "é", "ᾂ", "각", "x y "])
@pytest.mark.parametrize("count", [12, 27, 28, 29, 30, 31, 32, 60])
def test_runs_near_the_bound(base, count):
    for mark in ("\u0301", "\u0344", "\u0f73", "\u3099"):
        text = base + mark * count + "z"
        assert unicodedata.normalize("NFC", bound_marks(text)) == bounded(text)


@pytest.mark.parametrize("text", ["café", "e" + 11 * "\u0301\u0323", "👩‍👩‍👧‍👦" * 20, "نَصٌّ مُشَكَّلٌ" * 9, "。" * 99, ""])
def test_other_texts_stay_as_they_are(text):
    assert bound_marks(text) == text


@pytest.mark.parametrize(("marks", "truncated"), [(29, False), (30, True), (31, True), (500, True)])
def test_what_is_left_out_is_flagged(marks, truncated):
    for base in "ex각":
        [pair] = analyse([("a b" + base + "\u0323" * marks + " c", "")])
        assert pair.a.truncated == truncated
    [pair] = analyse([("a é" + "\u0301" * (marks - 1), "")])  # one of them is in the letter
    assert pair.a.truncated == truncated


def test_a_million_marks_are_read():
    # A sort by insertion would take half an hour.
    text = "e" + "\u0301\u0323" * 500_000
    assert normalise(text) == normalise(text[:200]) == unicodedata.normalize("NFC", "e" + "\u0323" * 30)
