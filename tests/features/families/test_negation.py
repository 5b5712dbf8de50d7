import numpy as np
import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.base.sentences import PairBatch
from samewise.features.families import negation

from ..sentences import sentence


@pytest.mark.parametrize(
    ("a", "b", "parity", "difference", "total"),
    [
        ("He is here.", "He is not here.", 1, 1, 1),
        ("He isn't here.", "He cannot come.", 0, 0, 2),
        ("It isn’t true.", "It is true.", 1, 1, 1),  # a typographic apostrophe
        ("Nobody never came.", "They came.", 0, 2, 2),  # two negations
        ("Never!", "NEVER!", 0, 0, 2),
        ("No, never, not once.", "None came.", 0, 2, 4),  # three against one
        ("A knot is another thing.", "", 0, 0, 0),  # "not" inside a word
    ],
)
def test_counts(a, b, parity, difference, total):
    batch = analyse([(a, b)])
    assert negation.differs(batch).tolist() == [[parity]]
    assert negation.count(batch).tolist() == [[difference, total]]


def test_each_pair_has_a_row():
    batch = analyse([("He is here.", "He is not here."), ("No.", "Nothing."), ("It fell.", "It fell.")])
    assert negation.differs(batch).tolist() == [[1], [0], [0]]
    assert negation.count(batch).tolist() == [[1, 1], [0, 2], [0, 0]]


# The terms of the ECNU toolkit (Tian et al., 2017), and words like them that it does not list.
LISTED = (
    "no", "cannot", "not", "n't", "none", "nothing", "nowhere", "neither", "nor", "nobody", "hardly", "scarcely",
    "barely", "never", "noone", "fewer", "less", "without", "rarely",
)  # fmt: skip
NOT_LISTED = ("few", "little", "seldom", "but", "nevertheless", "nonsense", "un", "nt")


@pytest.mark.parametrize("word", LISTED + NOT_LISTED)
def test_every_term_counts_once(word):
    made = [sentence(f"they {word} came"), sentence("they came")]
    batch = PairBatch(made, np.asarray([0]), np.asarray([1]))
    assert negation.count(batch).tolist() == [[int(word in LISTED)] * 2]
