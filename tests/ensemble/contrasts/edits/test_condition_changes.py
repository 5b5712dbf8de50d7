import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("condition", "If it rains, we stay at home.", "We stay at home."),
        ("condition", "We leave because the shop is closed.", "We leave although the shop is closed."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)
