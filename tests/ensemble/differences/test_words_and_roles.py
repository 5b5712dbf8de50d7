"""Opposites, synonyms, names, and roles of nouns."""

import pytest
from samewise.ensemble.differences.sentence_facts import grammatical_slots, name_places
from samewise.ensemble.differences.word_relations import are_opposites, mean_the_same, positive_form

from .readings import sentence, words


@pytest.mark.parametrize(
    ("a", "b"), [("hot", "cold"), ("buyer", "seller"), ("legal", "illegal"), ("increase", "decrease"), ("up", "down")]
)
def test_opposites(a, b):
    assert are_opposites(a, b)
    assert are_opposites(b, a)
    assert not mean_the_same(a, "NN", b, "NN")


@pytest.mark.parametrize(("a", "b"), [("hot", "hot"), ("come", "income"), ("dog", "lamp"), ("", "un"), ("car", "road")])
def test_no_opposites(a, b):
    assert not are_opposites(a, b)
    assert not are_opposites(b, a)


def test_words_of_like_meaning():
    assert mean_the_same("car", "NN", "automobile", "NN")
    assert mean_the_same("teach", "VB", "teacher", "NN")
    assert mean_the_same("kenya", "NNP", "kenyan", "JJ")
    assert not mean_the_same("car", "NN", "banana", "NN")


@pytest.mark.parametrize(
    ("word", "tag", "plain"),
    [("brighter", "JJR", "bright"), ("dimmer", "JJR", "dim"), ("happiest", "JJS", "happy"), ("her", "PRP", "her")],
)
def test_positive_forms(word, tag, plain):
    assert positive_form(word, tag) == plain


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We flew to Lima with Rosa Diaz.", "Lima Rosa Diaz"),
        ("The Swedish team won.", "Swedish"),
        ("The lamp is on.", ""),
        ("I saw the lamp.", ""),
        ("", ""),
    ],
)
def test_names(text, names):
    one = sentence(text)
    assert words(one, sorted(name_places(one, frozenset()))) == names


def roles(text):
    one = sentence(text)
    return {
        (one.words[place], slot.role, one.lemmas[slot.verb] if slot.verb >= 0 else "")
        for place, slots in grammatical_slots(one).items()
        for slot in slots
    }


def test_a_passive_clause_has_the_roles_of_the_active_one():
    active = roles("The gardener watered the roses.")
    assert active == {("gardener", "subject", "water"), ("roses", "object", "water")}
    assert roles("The roses were watered by the gardener.") == active


def test_prepositions_are_roles():
    assert roles("The singer waved at the crowd.") == {("singer", "subject", "wave"), ("crowd", "at", "wave")}


def test_two_objects():
    expected = {("cook", "subject", "give"), ("soup", "object", "give"), ("guest", "to", "give")}
    assert roles("The cook gave the guest the soup.") == expected
    assert roles("The cook gave the soup to the guest.") == expected


def test_ends_of_a_route():
    assert {("lima", "from", ""), ("quito", "to", "")} <= roles("The flight from Lima to Quito was late.")
