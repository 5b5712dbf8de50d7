import pytest
from samewise.features.analysis.inflection import degree, inflected, plural, verb_form


@pytest.mark.parametrize(
    ("lemma", "tag", "form"),
    [
        ("stop", "VBG", "stopping"), ("stop", "VBD", "stopped"), ("offer", "VBD", "offered"),
        ("admit", "VBN", "admitted"),
        ("carry", "VBZ", "carries"), ("play", "VBZ", "plays"), ("teach", "VBZ", "teaches"), ("go", "VBZ", "goes"),
        ("lie", "VBG", "lying"), ("see", "VBG", "seeing"), ("make", "VBG", "making"), ("be", "VBG", "being"),
        ("be", "VBZ", "is"), ("be", "VBP", "are"), ("have", "VBZ", "has"), ("write", "VBN", "written"),
        ("ride", "VBN", "ridden"), ("turn off", "VBD", "turned off"), ("quit", "VBG", "quitting"),
        ("need", "VBD", "needed"), ("rain", "VBG", "raining"), ("fix", "VBD", "fixed"), ("panic", "VBD", "panicked"),
        ("quiz", "VBZ", "quizzes"), ("forbid", "VBG", "forbidding"), ("undo", "VBZ", "undoes"),
        ("veto", "VBZ", "vetoes"),
    ],
)  # fmt: skip
def test_verbs(lemma, tag, form):
    assert verb_form(lemma, tag) == inflected(lemma, tag) == form


@pytest.mark.parametrize("tag", ["VBZ", "VBD", "VBN", "VBG"])
def test_verbs_as_lemminflect_has_them(tag):
    library = pytest.importorskip("lemminflect")
    verbs = """accept agree answer appear apply arrive beg borrow break bring brush buy call cancel carry
        catch choose clap close come confirm copy cry cut damage delay deliver deny destroy die dig draw
        drink drive drop eat employ enjoy enter envy explain fail fall feel find fix fly follow forget give
        grab grow happen help hide hit hope hug hurry invite issue jump keep kick know laugh leave lend lift
        listen lose love make marry meet mix move obey occur offer open order owe pack paint pay plan play
        prefer pull push raise reach read refer reply rob run say see sell send shake shut sign sing sit
        skip sleep slip smile speak spend stay steal stop study submit swim take teach tell throw tie travel
        try turn type use visit wait walk wash wear win wish work worry write""".split()
    differ = [verb for verb in verbs if verb_form(verb, tag) not in library.getInflection(verb, tag)]
    assert differ == []


@pytest.mark.slow
def test_nouns():
    nouns = "city", "box", "woman", "child", "day", "human", "mobile phone", "series", "news", "person"
    assert [plural(noun) for noun in nouns] == [
        "cities", "boxes", "women", "children", "days", "humans", "mobile phones", "series", "news", "people",
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
