import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("roles", "I blocked the seller.", "The seller blocked me."),
        ("roles", "The nurses visit the king.", "The king visits the nurses."),
        ("roles", "A dog is chased by a cat.", "A cat is chased by a dog."),
        ("roles", "The bus goes from London to Paris.", "The bus goes from Paris to London."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("roles", "The man is a doctor."),
        ("roles", "Rain falls."),
    ],
)
def test_where_no_edit_applies(kind, text):
    assert edits(kind, text) == {None}
