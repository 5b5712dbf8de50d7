import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("synonym", "She bought a bicycle.", "She purchased a bicycle."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)
