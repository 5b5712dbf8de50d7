import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("name", "Mary moved to Paris.", "Mary moved to Rome."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("name", "The cat sleeps."),
        # No name of the list is left to take the place of another.
        ("name", "Europe, Asia, Africa, Antarctica and Oceania are far away."),
    ],
)
def test_where_no_edit_applies(kind, text):
    assert edits(kind, text) == {None}
