import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("converse", "Tom sold a car to Mary.", "Mary bought a car from Tom."),
        ("converse", "The shed is taller than the fence.", "The fence is shorter than the shed."),
        ("converse", "Ann owns the boat.", "The boat belongs to Ann."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("converse", "It gives me pleasure."),
    ],
)
def test_where_no_edit_applies(kind, text):
    assert edits(kind, text) == {None}
