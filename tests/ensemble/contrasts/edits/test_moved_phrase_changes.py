import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("moved_phrase", "I stayed at home because I was ill.", "Because I was ill, I stayed at home."),
        ("moved_phrase", "When it rains, we stay at home.", "We stay at home when it rains."),
        ("moved_phrase", "We left yesterday.", "Yesterday, we left."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("moved_phrase", "Is he here today?"),
    ],
)
def test_where_no_edit_applies(kind, text):
    assert edits(kind, text) == {None}
