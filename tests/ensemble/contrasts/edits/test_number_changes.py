import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("number", "The train leaves at 5:30 today.", "The train leaves at 6:30 today."),
        ("number", "We ordered 12 chairs.", "We ordered 13 chairs."),
        ("number", "He kept one dog.", "He kept three dogs."),
        ("number_words", "We saw 3 owls.", "We saw three owls."),
        ("number_words", "He bought a dozen eggs.", "He bought twelve eggs."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("number", "It is raining."),
    ],
)
def test_where_no_edit_applies(kind, text):
    assert edits(kind, text) == {None}
