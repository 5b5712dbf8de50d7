import pytest
from samewise.features.linguistics.normalisation import normalise_text, split_text


def words(text, language):
    return [token.text for token in split_text(text, language)]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("أحمد", "احمد"),  # alef with hamza
        ("إلى آخر", "الي اخر"),  # hamza below, madda; alef maksura
        ("ٱلبيت", "البيت"),  # wasla
        ("مدرسة", "مدرسه"),  # teh marbuta
        ("كَتَبَ الوَلَدُ", "كتب الولد"),  # vowel signs
        ("مدّة", "مده"),  # shadda
        ("جـمـيـل", "جميل"),  # tatweel
        ("ﻻ", "لا"),  # a presentation form
        ("٢٠١٧", "2017"),
        ("کتاب فارسی", "كتاب فارسي"),  # letters of a Persian keyboard
    ],
)
def test_arabic_has_one_spelling(written, expected):
    assert normalise_text(written, "ar") == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [("IŞIK", "ışık"), ("İZMİR", "izmir"), ("Isı", "ısı"), ("i", "i"), ("kâğıt", "kağıt"), ("ÇÖĞÜŞ", "çöğüş")],
)
def test_turkish_keeps_its_two_letters_i(written, expected):
    assert normalise_text(written, "tr") == expected


def test_elsewhere_a_capital_i_is_dotted():
    assert normalise_text("IGLESIA İ", "es") == "iglesia i"


def test_spanish_keeps_its_accents():
    assert normalise_text("ÁÉÍÓÚÜÑ", "es") == "áéíóúüñ"
    assert normalise_text("an\u0303o", "es") == "año"  # put together


def test_marks_are_those_of_english():
    assert words("ما هذا؟", "ar") == ["ما", "هذا", "?"]
    assert words("واحد، اثنان؛ ثلاثة", "ar") == ["واحد", ",", "اثنان", ";", "ثلاثه"]
    assert words("¡Hola! ¿Qué tal?", "es") == ["hola", "!", "qué", "tal", "?"]


def test_a_suffix_after_an_apostrophe_is_a_word():
    assert words("Ankara'nın", "tr") == words("Ankara’nın", "tr") == ["ankara", "nın"]


def test_spans_lead_back_to_the_text():
    text = "  Kâğıt, İstanbul'da ¿50%?"
    found = split_text(text, "tr")
    assert [text[slice(*token.span)] for token in found] == ["Kâğıt", ",", "İstanbul", "da", "50", "%", "?"]


def test_words_with_combining_vowels_stay_whole():
    assert words("मैं घर जाता हूँ", "hi") == ["मैं", "घर", "जाता", "हूँ"]


@pytest.mark.parametrize("text", ["", "   ", "ـــ", "¿¡"])
def test_nothing_is_left_of_nothing(text):
    assert split_text(text, "ar") == []


def test_what_is_no_character_is_read_as_a_question_mark():
    assert words("a \ud800", "es") == ["a", "?"]


@pytest.mark.parametrize("language", ["ar", "es", "tr", "xx"])
def test_normalising_twice_changes_nothing(language):
    for text in ("İIıi Kâğıt", "أهلاً وسهلاً ١٢٣", "¿Año? ½ ﬁn", "Straße ß"):
        once = normalise_text(text, language)
        assert normalise_text(once, language) == once
