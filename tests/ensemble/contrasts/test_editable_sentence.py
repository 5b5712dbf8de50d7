import pytest
from samewise.features.analysis.editable_sentence import joined

from .edited import editable


def test_untouched_parts_stay_as_they_are_written():
    text = 'He said: "it\'s (rather) late",  no?'
    sentence = editable(text)
    assert sentence.composed([(0, len(sentence))]) == sentence.text == " ".join(text.split())
    place = sentence.words.index("late")
    assert sentence.replaced(place, place + 1, "early") == 'He said: "it\'s (rather) early", no?'


def test_typographic_quotes_are_found():
    sentence = editable("She cried “stop” and didn’t move.")
    assert sentence.written(0, len(sentence)) == sentence.text


@pytest.mark.parametrize(
    ("text", "piece", "expected"),
    [
        ("She has a", "apple", "She has an apple"),
        ("She has an", "pear", "She has a pear"),
        ("It took an", "hour", "It took an hour"),
        ("He is a", "European", "He is a European"),
        ("A", "university", "A university"),
        ("A", "owl", "An owl"),
        ("I wore a", "MRI tag", "I wore an MRI tag"),
        ("it rains,", ".", "it rains."),
        ("he", "'s", "he's"),
        ("costs $", "5", "costs $5"),
    ],
)
def test_joined(text, piece, expected):
    assert joined(text, piece) == expected


def test_first_letters_follow_the_start():
    sentence = editable("The cook left.")
    assert sentence.composed(["yesterday", ",", (0, 4)]) == "Yesterday, the cook left."
    assert editable("Anna left.").composed(["then", (0, 3)]) == "Then Anna left."


def test_noun_phrases():
    sentence = editable("The old cook gave her two red apples.")
    assert [sentence.written(*phrase) for phrase in sentence.noun_phrases] == [
        "The old cook",
        "her",
        "two red apples",
    ] or [sentence.written(*phrase) for phrase in sentence.noun_phrases] == ["The old cook", "her two red apples"]
