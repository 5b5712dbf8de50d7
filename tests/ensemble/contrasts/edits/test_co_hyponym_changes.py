import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("co_hyponym", "She played the violin on Monday.", "She played the violin on Friday."),
        ("co_hyponym", "She ate an apple.", "She ate a banana."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)
