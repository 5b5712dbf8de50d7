import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("antonym", "The old bridge is expensive.", "The old bridge is cheap."),
        ("antonym", "They support the plan.", "They oppose the plan."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)
