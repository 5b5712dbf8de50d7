"""Exchanged words, replaced words, small words and names in texts that are otherwise nearly the same."""

import pytest
from samewise.ensemble.differences.phrases import PhraseTable
from samewise.ensemble.differences.text_differences import LEVEL, differences
from samewise.ensemble.differences.written_names import same_written_name
from samewise.features.analysis.analysis import analyse

REST = ("added", "missing")


def kinds(a, b):
    """Return the kinds that keep two texts apart, which must be the same in both directions."""
    here, there = ({one.kind for one in found} - {*REST} for found in differences(analyse([(a, b), (b, a)], LEVEL)))
    assert here == there
    return here


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (
            "Is it legal to bring cheese from Norway into Sweden?",
            "Is it legal to bring cheese from Sweden into Norway?",
        ),
        ("Mayor thanks firefighters", "Firefighters thank mayor"),
        ("You call the plumber in the morning.", "The plumber calls you in the morning."),
        ("Sort the list from high to low.", "Sort the list from low to high."),
        ("Peel the apples before you weigh the flour.", "Weigh the flour before you peel the apples."),
        ("Oak desk, steel legs", "Steel desk, oak legs"),
        ("He was trusted by his daughter.", "He was trusting his daughter."),
    ],
)
def test_exchanged_words_are_roles(a, b):
    assert kinds(a, b) == {"role"}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The twins bought salt and pepper.", "The twins bought pepper and salt."),
        ("The lamp is cheaper than the chair.", "The chair is dearer than the lamp."),
        ("Before adjusting the blade, loosen the chain.", "Loosen the chain before adjusting the blade."),
        (
            "Several readers praise the plot and none the style.",
            "None of the readers praise the style and several the plot.",
        ),
        ("The courier blamed the seller.", "The seller was blamed by the courier."),
        ("Anna met Paul at the fair.", "Paul met Anna at the fair."),
    ],
)
def test_the_same_in_another_order_is_no_role(a, b):
    assert "role" not in kinds(a, b)


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("When does the pottery course start?", "Where does the pottery course start?", "question"),
        ("How long is the course?", "How much is the course?", "question"),
        ("Is the pool open on Sundays?", "The pool is open on Sundays.", "question"),
        ("Alerts go out if the sensor fails.", "Alerts go out unless the sensor fails.", "condition"),
        ("It is paid only if you win.", "It is paid even if you win.", "condition"),
        ("She kept her job because of the merger.", "She kept her job despite the merger.", "condition"),
        ("Bring a passport and a utility bill.", "Bring a passport or a utility bill.", "condition"),
        ("Turn the heating on before you leave.", "Turn the heating off before you leave.", "antonym"),
        ("How do I opt in to the newsletter?", "How do I opt out of the newsletter?", "antonym"),
        ("This fare is refundable.", "This fare is non-refundable.", "antonym"),
        ("Encrypt the disk first.", "Decrypt the disk first.", "antonym"),
        ("The shop is open today.", "The shop is closed today.", "antonym"),
        ("You need not sign the form.", "You must not sign the form.", "modality"),
        ("Members can only use the sauna.", "Members can also use the sauna.", "quantifier"),
        ("Safety shoes are required.", "Safety goggles are required.", "word"),
        ("fond of tea", "fond of coffee", "word"),
        ("Line 6 trains are delayed this morning.", "Line 6 trains are on time this morning.", "word"),
        ("We finally picked up the curtains.", "We finally picked out the curtains.", "word"),
        ("7 Mill Street, Osleigh", "7 Mill Road, Osleigh", "name"),
        ("Case for the Ola 12 in black leather", "Case for the Ola 12 Pro in black leather", "name"),
    ],
)
def test_small_changes_that_decide(a, b, kind):
    assert kind in kinds(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Only the driver has a key.", "Nobody but the driver has a key."),
        ("Your plan renews unless you cancel.", "Your plan renews if you don't cancel."),
        ("Robert Hale called the office.", "Bob Hale called the office."),
        ("7 Mill Rd, Osleigh", "7 Mill Road, Osleigh"),
        ("St. Anne Hosp. is closed.", "St. Anne Hospital is closed."),
        ("Most of the columns hold text.", "The majority of the columns hold text."),
        ("How do I strike up a conversation?", "How do I start a conversation?"),
        ("You needn't come.", "You don't have to come."),
    ],
)
def test_the_same_in_other_small_words(a, b):
    assert kinds(a, b) == set()


def test_texts_about_different_things_have_no_opposites():
    a = "The hot soup was served to all guests in the garden before the concert."
    b = "A cold wind blew some leaves across the empty square after midnight."
    assert kinds(a, b) == set()


def test_phrases_are_found_longest_first():
    table = PhraseTable("if: if|when\nonly if: only if\nwhen: when")
    words = "only if it rains when it".split()
    assert list(table.phrases(words)) == [((0, 1), "only if"), ((4,), "if")]
    assert table.names["when",] == ("if", "when")
    assert list(table.sizes(words, 5)) == []


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("rd", "road", True),
        ("bob", "robert", True),
        ("r.", "rauf", True),
        ("hosp.", "hospital", True),
        ("road", "street", False),
        ("rauf", "raul", False),
        ("ann", "anna", False),
    ],
)
def test_names_as_they_are_written(a, b, same):
    assert same_written_name(a, b) is same
    assert same_written_name(b, a) is same
