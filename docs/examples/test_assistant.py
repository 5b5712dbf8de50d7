"""A language model under test: its answers must mean what was agreed, however they are worded.

Run it with ``pytest -p samewise.apps.integrations.pytest_plugin``.
"""

import pytest

ANSWERS = {
    "How long does delivery take?": "Your parcel will arrive within two working days.",
    "Can I return shoes?": "Yes, shoes can be returned within 30 days.",
}
"""Answers of the language model, written down here instead of asked for."""


@pytest.mark.parametrize(
    ("question", "agreed"),
    [
        ("How long does delivery take?", "Parcels arrive within two working days."),
        ("Can I return shoes?", "You can return shoes within 30 days."),
    ],
)
def test_the_answer_means_what_was_agreed(question, agreed, assert_means):
    """Compare meaning, and keep numbers and negations apart."""
    assert_means(ANSWERS[question], agreed, at_least=3.5, keep_apart=("number", "negation"))


def test_the_answer_is_not_about_something_else(assert_not_means):
    """Notice the negation."""
    assert_not_means(ANSWERS["Can I return shoes?"], "Shoes cannot be returned.", keep_apart=("negation",))
