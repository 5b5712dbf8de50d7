import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("unit", "Take 500 mg at night.", "Take 500 g at night."),
        ("unit", "The trip takes 3 hours.", "The trip takes 3 days."),
        ("unit_conversion", "The film lasts 2 hours.", "The film lasts 120 minutes."),
        ("unit_conversion", "Return it within a week.", "Return it within seven days."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("unit", "The weeks passed."),
        ("unit_conversion", "He swims once a week."),
    ],
)
def test_where_no_edit_applies(kind, text):
    assert edits(kind, text) == {None}
