import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("equal_phrase", "Can you close the window?", "Please close the window."),
        ("equal_phrase", "We stopped because of the rain.", "We stopped due to the rain."),
        ("equal_phrase", "She must go.", "She has to go."),
        ("equal_phrase", "They must go.", "They have to go."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)
