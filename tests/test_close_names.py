"""Suggestions for names that are not known."""

import pytest
from samewise._messages import did_you_mean


@pytest.mark.parametrize(
    ("name", "names", "expected"),
    [
        ("fats", ["surface", "fast", "full"], "; did you mean 'fast'?"),
        ("sentense1", ["id", "sentence1", "sentence2"], "; did you mean 'sentence1'?"),
        ("SCORE", ["Score", "text"], "; did you mean 'Score'?"),
        ("zebra", ["surface", "fast", "full"], ""),
        ("fast", [], ""),
    ],
)
def test_the_closest_name_is_suggested(name, names, expected):
    assert did_you_mean(name, names) == expected
