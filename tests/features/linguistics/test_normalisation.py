import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.linguistics.normalisation import compared_form, normalise_text, one_form, split_text


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


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("３ ﬁles", "3 files"),
        ("10² m", "10^2 m"),
        ("5 m²", "5 m2"),
        ("3・10⁻² s⁻¹", "3・10^-2 s^-1"),
        ("(a+b)²", "(a+b)^2"),
        ("Ca²⁺ and H₂O", "Ca2+ and H2O"),
        ("10₂", "10_2"),
        ("½ or 1½ or ⅟3", "1/2 or 1 1/2 or 1/3"),
        ("①② 3①", "1 2 3 1"),
        ("the 1ˢᵗ", "the 1st"),
        ("it’s, it´s, itʼs", "it's, it's, it's"),
        ("“so”", '"so"'),
        ("10–20, e‑mail, word—word", "10-20, e-mail, word - word"),
        ("co\u00adope\u200bra\ufefftion\u200f", "cooperation"),
        ("Windows™", "Windows"),
        ("👩\u200d👧 ❤\ufe0f a\u200db", "👩\u200d👧 ❤\ufe0f ab"),
        ("🏴\U000e0067\U000e007f x\U000e0067", "🏴\U000e0067\U000e007f x"),
        ("don`t ~ plain -- ASCII", "don`t ~ plain -- ASCII"),
    ],
)
def test_one_form_by_hand(written, expected):
    assert one_form(written) == expected
    assert one_form(one_form(written)) == expected


HIDDEN = [
    chr(code)
    for code in range(0x110000)
    if unicodedata.category(chr(code)) == "Cf"
    # Signs that are seen, and those that emoji are made of.
    and not 0x600 <= code <= 0x605
    and code not in (0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, 0x200D)
    and not 0x13430 <= code <= 0x1345F
    and not 0xE0020 <= code <= 0xE007F
]
VALUES = re.compile("[²³¹™℠¼-¾⅐-⅟↉⁰-₋①-⒛⓪㉑-㉟㊱-㊿㋀-㋋㍘-㍰㏠-㏾🄀-🄊]")
letters = st.characters(exclude_categories=["Cs"])
pieces = st.one_of(letters, st.sampled_from("éüßø1½²₂①™’—ﬁ３´ m\u0301\u0323👩\u200d"))
some_texts = st.lists(pieces, max_size=12).map("".join)


@given(some_texts, st.lists(st.tuples(st.integers(0, 12), st.sampled_from(HIDDEN)), max_size=4))
def test_hidden_characters_count_for_nothing(text, hidden):
    mixed = text
    for place, letter in hidden:
        mixed = mixed[:place] + letter + mixed[place:]
    assert one_form(mixed) == one_form(text)


@given(some_texts.filter(lambda text: not set("½²₂①™") & set(text) and not VALUES.search(text)))
def test_all_four_forms_of_a_text_are_one(text):
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert one_form(unicodedata.normalize(form, text)) == one_form(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Where is  my résumé?", "where is my RÉSUMÉ?"),
        ("Die Straße in München.", "die strasse in münchen."),
        ("It’s a co\u00adoperative e‑mail", "it's a cooperative e-mail"),
        ("３ files!", "3 files!"),
        ("ΑΘΉΝΑ", "αθήνα"),
    ],
)
def test_texts_that_are_equal_for_people(one, other):
    assert compared_form(one) == compared_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10² files", "102 files"),
        ("1½ h", "11/2 h"),
        ("é?", "é-"),
        ("???", "!!!"),
        ("año", "ano"),
        ("мой", "мои"),
        ("it's", "its"),
    ],
)
def test_texts_that_are_not_equal(one, other):
    assert compared_form(one) != compared_form(other)
