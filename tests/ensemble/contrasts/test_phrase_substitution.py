import random

import pytest
from samewise.ensemble.contrasts.phrase_substitution import Substitutions

from .edited import editable


def made(table, text):
    return Substitutions(table.splitlines()).edit(editable(text), random.Random(0))


def test_forms_are_kept():
    assert made("~buy => ~purchase", "She bought two lamps.") == "She purchased two lamps."
    assert made("must => ~have to", "She must wait.") == "She has to wait."
    assert made("must => ~have to", "The boys must wait.") == "The boys have to wait."
    assert made("must => ~be to", "I must wait.") == "I am to wait."


def test_conditions():
    assert made("can => may ; next=VB", "They can swim.") == "They may swim."
    assert made("can => may ; next=NN", "They can swim.") is None
    assert made("can => may ; next=!VB", "They can swim.") is None
    assert made("can => may ; before=they", "They can swim.") == "They may swim."
    assert made("^ can => may", "They can swim.") is None
    assert made("swim $ => dive", "They can swim.") == "They can dive."
    assert made("% => percent ; digits=", "It grew 5% here.") == "It grew 5 percent here."


def test_both_directions():
    table = "sofa <=> couch"
    assert made(table, "A sofa burned.") == "A couch burned."
    assert made(table, "A couch burned.") == "A sofa burned."


def test_a_longer_phrase_wins():
    assert made("all => some\nall of => none of", "I ate all of it.") == "I ate none of it."


@pytest.mark.parametrize(
    ("table", "message"), [("sofa couch", "must hold =>"), ("sofa => couch ; when=NN", "must be tag")]
)
def test_lines_that_are_wrong(table, message):
    with pytest.raises(ValueError, match=message):
        made(table, "A sofa burned.")
