import pytest
from samewise.features.analysis import analyse
from samewise.features.families import negation


@pytest.mark.parametrize(
    ("a", "b", "parity", "difference", "total"),
    [
        ("He is here.", "He is not here.", 1, 1, 1),
        ("He isn't here.", "He cannot come.", 0, 0, 2),
        ("It isn’t true.", "It is true.", 1, 1, 1),  # a typographic apostrophe
        ("Nobody never came.", "They came.", 0, 2, 2),  # two negations
        ("Never!", "NEVER!", 0, 0, 2),
        ("A knot is another thing.", "", 0, 0, 0),  # "not" inside a word
    ],
)
def test_counts(a, b, parity, difference, total):
    batch = analyse([(a, b)])
    assert negation.differs(batch).tolist() == [[parity]]
    assert negation.count(batch).tolist() == [[difference, total]]
