"""Names of persons, organisations and places, and the links between them, by hand."""

import pytest
from samewise.features.alignment.entity_names import acronym, projected, same_names

from ..sentences import sentence

NONE = sentence("nobody came", entities=())


def names(text, *entities):
    return sentence(text, entities=entities)


def links(a, b):
    return list(same_names(a, projected(a, b), b, projected(b, a)))


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("PERSON", "PERSON"), ("PER", "PERSON"), ("ORG", "ORGANIZATION"), ("GPE", "LOCATION"), ("LOC", "LOCATION"),
        ("FAC", "LOCATION"), ("DATE", None), ("NORP", None),
    ],
)  # fmt: skip
def test_kinds_of_names(label, kind):
    found = projected(names("Lima grew", (0, 1, label)), NONE)
    assert found == ([(0, 1, kind)] if kind else [])


def test_acronyms():
    assert acronym(("United", "Nations")) == "UN"
    assert acronym(("Bank", "of", "England")) == "BE"
    assert acronym(("united", "nations")) == ""
    assert acronym(("Nations",)) == ""


def test_names_that_the_other_sentence_reveals():
    bank = names("the World Bank said", (1, 3, "ORG"))
    # The name and its acronym, wherever they stand; a run within a name that is one already is none.
    assert projected(names("WB and World Bank and WB"), bank) == [
        (0, 1, "ORGANIZATION"), (2, 4, "ORGANIZATION"), (5, 6, "ORGANIZATION"),
    ]  # fmt: skip
    taken = names("old World Bank", (0, 2, "PERSON"))
    assert projected(taken, bank) == [(0, 2, "PERSON")]
    assert projected(names("world bank"), bank) == []
    # What stands before a name is free.
    assert projected(names("WB lent Lima", (2, 3, "GPE")), bank) == [(0, 1, "ORGANIZATION"), (2, 3, "LOCATION")]
    # A name in lower case reveals nothing, and a single word has no acronym.
    assert projected(names("bank of dogs"), names("the bank said", (1, 2, "ORG"))) == []
    assert projected(names("L lives"), names("Lima grew", (0, 1, "GPE"))) == []
    # In order of place, though the second name is revealed first.
    assert projected(names("Rome and Lima"), names("Lima beat Rome", (0, 1, "GPE"), (2, 3, "GPE"))) == [
        (0, 1, "LOCATION"), (2, 3, "LOCATION"),
    ]  # fmt: skip


def test_equal_names_are_linked_word_by_word():
    a = names("Ada Byron met Bo", (0, 2, "PERSON"), (3, 4, "PERSON"))
    b = names("Bo knew ADA Byron", (0, 1, "PERSON"), (2, 4, "PERSON"))
    assert sorted(links(a, b)) == [(0, 2), (1, 3), (3, 0)]
    # Not where one stands twice, and never with a name of another kind that merely has some of its words.
    assert links(names("Bo and Bo", (0, 1, "PERSON"), (2, 3, "PERSON")), names("Bo", (0, 1, "PERSON"))) == []
    assert links(names("Ada Byron", (0, 2, "PERSON")), names("ada met Byron Ltd", (2, 4, "ORG"))) == []


def test_an_acronym_is_linked_to_every_word():
    long, short = names("the World Bank said", (1, 3, "ORG")), names("so says WB", (2, 3, "ORG"))
    assert sorted(links(long, short)) == [(1, 2), (2, 2)]
    assert sorted(links(short, long)) == [(2, 1), (2, 2)]
    assert links(long, names("so says WB", (2, 3, "PERSON"))) == []


def test_a_name_within_a_name():
    long, short = names("Maria del Rio Lopez sang", (0, 4, "PERSON")), names("then Rio Lopez danced", (1, 3, "PERSON"))
    # Equal words, and each of the words left over with all of the shorter name.
    expected = [(0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (3, 2)]
    assert sorted(links(long, short)) == expected
    assert sorted(links(short, long)) == sorted((j, i) for i, j in expected)
    # Neither contains the other; they are as long as each other; nothing is shared.
    assert links(names("Maria Lopez", (0, 2, "PERSON")), names("Maria del Rio", (0, 3, "PERSON"))) == []
    assert links(names("Maria Lopez", (0, 2, "PERSON")), names("Maria Rio", (0, 2, "PERSON"))) == []
    assert links(names("Maria Lopez", (0, 2, "PERSON")), names("Bo", (0, 1, "PERSON"))) == []
