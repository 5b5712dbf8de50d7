import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("intent", "I want to cancel my order.", "I want to renew my order."),
        ("intent", "She turned on the lamp.", "She turned off the lamp."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)
