import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("abbreviation", "About 40% of them voted.", "About 40 percent of them voted."),
        ("contraction", "I do not know.", "I don't know."),
        ("contraction", "They won't come.", "They will not come."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("contraction", "Why don't you sing?"),
    ],
)
def test_where_no_edit_applies(kind, text):
    assert edits(kind, text) == {None}
