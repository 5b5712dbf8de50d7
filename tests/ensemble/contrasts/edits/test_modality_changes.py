import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("modality", "You must wear a helmet.", "You may wear a helmet."),
        ("modality", "Attendance is mandatory.", "Attendance is optional."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)
