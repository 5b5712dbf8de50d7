import pytest

from ..edited import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("negation", "She reads it daily.", "She does not read it daily."),
        ("negation", "The guests didn't like some of it.", "The guests liked some of it."),
        ("negation", "She can't find any keys.", "She can find some keys."),
        ("negation", "He has bought some bread.", "He has not bought any bread."),
        ("double_negation", "The shop is closed.", "The shop is not open."),
        ("double_negation", "It is not legal.", "It is illegal."),
    ],
)
def test_edits_by_hand(kind, text, expected):
    assert expected in edits(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("double_negation", "It is an open question."),
        ("negation", "Is he here?"),
    ],
)
def test_where_no_edit_applies(kind, text):
    assert edits(kind, text) == {None}
