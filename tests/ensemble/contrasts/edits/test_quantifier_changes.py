import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("quantifier", "All students passed the exam.", "Some students passed the exam."),
        ("quantifier", "She always pays in cash.", "She never pays in cash."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)
