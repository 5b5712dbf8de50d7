import pytest
from samewise.ensemble.rule_made_pairs.inflection import degree, inflected, plural, verb_form


@pytest.mark.parametrize(
    ("lemma", "tag", "form"),
    [
        ("stop", "VBG", "stopping"), ("stop", "VBD", "stopped"), ("offer", "VBD", "offered"),
        ("admit", "VBN", "admitted"),
        ("carry", "VBZ", "carries"), ("play", "VBZ", "plays"), ("teach", "VBZ", "teaches"), ("go", "VBZ", "goes"),
        ("lie", "VBG", "lying"), ("see", "VBG", "seeing"), ("make", "VBG", "making"), ("be", "VBG", "being"),
        ("be", "VBZ", "is"), ("be", "VBP", "are"), ("have", "VBZ", "has"), ("write", "VBN", "written"),
        ("ride", "VBN", "ridden"), ("turn off", "VBD", "turned off"), ("quit", "VBG", "quitting"),
        ("need", "VBD", "needed"), ("rain", "VBG", "raining"), ("fix", "VBD", "fixed"),
    ],
)  # fmt: skip
def test_verbs(lemma, tag, form):
    assert verb_form(lemma, tag) == inflected(lemma, tag) == form


def test_nouns():
    assert [plural(noun) for noun in ("city", "box", "woman", "child", "day", "human", "mobile phone", "series")] == [
        "cities", "boxes", "women", "children", "days", "humans", "mobile phones", "series",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("lemma", "tag", "form"),
    [
        ("big", "JJR", "bigger"), ("happy", "JJS", "happiest"), ("large", "JJR", "larger"), ("good", "JJS", "best"),
        ("careful", "JJR", "more careful"), ("simple", "JJR", "simpler"), ("narrow", "JJR", "narrower"),
    ],
)  # fmt: skip
def test_degrees(lemma, tag, form):
    assert degree(lemma, tag) == form
