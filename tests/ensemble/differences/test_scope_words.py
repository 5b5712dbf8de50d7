"""Modal words, quantifiers and denials as they stand in sentences."""

import pytest
from samewise.ensemble.differences.operators import denials, modals, quantifiers, same_quantity

from .readings import sentence, words


@pytest.mark.parametrize(
    ("text", "span", "senses", "denied"),
    [
        ("You must leave.", "must", {"duty"}, False),
        ("You have to leave.", "have", {"duty"}, False),
        ("You must not leave.", "must", {"duty"}, True),
        ("You need not leave.", "need", {"duty"}, True),
        ("Guests are allowed to leave.", "allowed", {"permission"}, False),
        ("Guests are not allowed to leave.", "allowed", {"permission"}, True),
        ("Pets are forbidden here.", "forbidden", {"permission"}, True),
        ("Pets are not forbidden here.", "forbidden", {"permission"}, False),
        ("She was unable to leave.", "unable", {"ability"}, True),
        ("Perhaps she left.", "Perhaps", {"possibility"}, False),
        ("She will leave.", "will", {"future"}, False),
    ],
)
def test_one_modal_word(text, span, senses, denied):
    one = sentence(text)
    [fact] = modals(one)
    assert (words(one, fact.places), fact.value.senses, fact.value.denied) == (span, senses, denied)


@pytest.mark.parametrize(
    "text", ["We opened a can.", "It was in May.", "Should the buyer fail, we sell.", "Could you help me?", "The"]
)
def test_no_modal_word(text):
    assert modals(sentence(text)) == []


def mode(text):
    [fact] = modals(sentence(text))
    return fact.value


@pytest.mark.parametrize(
    ("a", "b", "agrees", "denial"),
    [
        ("You must leave.", "You have to leave.", True, False),
        ("You must leave.", "You may leave.", False, False),
        ("You must leave.", "You must not leave.", False, True),
        ("You must leave.", "You need not leave.", False, False),
        ("You must not leave.", "You may not leave.", True, False),
        ("You must not smoke.", "Smoking is forbidden.", True, False),
        ("You need not sign.", "Signing is optional.", True, False),
        ("She could not leave.", "She was unable to leave.", True, False),
    ],
)
def test_modal_words_side_by_side(a, b, agrees, denial):
    x, y = mode(a), mode(b)
    assert (x.agrees(y), x.is_denial_of(y)) == (agrees, denial)
    assert (y.agrees(x), y.is_denial_of(x)) == (agrees, denial)


@pytest.mark.parametrize(
    ("text", "span", "value", "about"),
    [
        ("All doors are shut.", "All", "all", "doors"),
        ("Nearly all the doors are shut.", "Nearly all", "almost all", "doors"),
        ("Only a few doors are shut.", "Only a few", "few", "doors"),
        ("It has at least 4 doors.", "at least", "least", "doors"),
        ("It has no fewer than 4 doors.", "no fewer than", "least", "doors"),
        ("It has over 4 doors.", "over", "more", "doors"),
        ("The door is always shut.", "always", "always", "shut"),
        ("Nobody shut the door.", "Nobody", "none", None),
    ],
)
def test_one_quantifier(text, span, value, about):
    one = sentence(text)
    [fact] = quantifiers(one, frozenset())
    assert (words(one, fact.places), fact.value) == (span, value)
    assert (fact.anchor and one.words[fact.anchor]) == about


@pytest.mark.parametrize("text", ["It flew over the hill.", "She is the only child.", "They did not see any door."])
def test_no_quantifier(text):
    assert quantifiers(sentence(text), frozenset()) == []


def test_quantifiers_that_say_the_same():
    assert same_quantity("all", "always")
    assert same_quantity("few", "seldom")
    assert not same_quantity("most", "all")


@pytest.mark.parametrize(
    ("text", "span", "denied"),
    [
        ("The lamp does not work.", "not", "work"),
        ("The lamp doesn't work.", "n't", "work"),
        ("The lamp never works.", "never", "works"),
        ("The lamp is not new.", "not", "new"),
        ("The lamp has no switch.", "no", "switch"),
        ("The lamp came without a switch.", "without", "switch"),
        ("The lamp no longer works.", "no longer", "works"),
        ("The lamp failed to work.", "failed", "work"),
        ("We avoid taking the bus.", "avoid", "taking"),
    ],
)
def test_one_denial(text, span, denied):
    one = sentence(text)
    [fact] = denials(one, frozenset())
    assert words(one, fact.places) == span
    assert fact.anchor is not None
    assert one.words[fact.anchor] == denied


@pytest.mark.parametrize(
    "text", ["No, the lamp works.", "It is not only bright.", "He did not leave until noon.", "The lamp works."]
)
def test_no_denial(text):
    assert denials(sentence(text), frozenset()) == []
