import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("passive", "The cook burned the soup.", "The soup was burned by the cook."),
        ("passive", "The letter was written by her.", "She wrote the letter."),
        ("passive", "A boy is eating an apple.", "An apple is being eaten by a boy."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("passive", "The film lasts two hours."),
        ("passive", "He hurt himself."),
        ("passive", "Does she like it?"),
    ],
)
def test_where_no_edit_applies(kind, text):
    assert edits(kind, text) == {None}
