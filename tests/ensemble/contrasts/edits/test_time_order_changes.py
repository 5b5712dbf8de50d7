import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("time_order", "She washed it and then painted the fence.", "She painted the fence and then washed it."),
        ("time_order", "Lock the door before lunch.", "Lock the door after lunch."),
        ("clause_order", "He left before she came.", "She came after he left."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("clause_order", "She came after lunch."),
    ],
)
def test_where_no_edit_applies(kind, text):
    assert edits(kind, text) == {None}
