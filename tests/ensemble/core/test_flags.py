"""Flags of pairs by a model of English."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.core.english_text import in_another_script, unknown_words, word_counts
from samewise.ensemble.core.pair_inputs import flags_of_english
from samewise.features.analysis.analysis import analyse

WORDS = ["the dog", "asdf", "El perro", "duerme en", "Москва", "Łódź", "42", "n't", "Tom", "!", "a", "qwer"]
texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join) | st.text(max_size=20)


def flags_of(*pair: str) -> tuple[str, ...]:
    [flags] = flags_of_english(analyse([pair]))
    return flags


def test_counts_by_hand():
    batch = analyse([("The king met foo Tomek at no 42 Москва.", "Perro zxcv")])
    columns = np.stack(word_counts(batch))[:, [batch.left[0], batch.right[0]]].T.tolist()
    # the, king; met (which Dutch has more often), foo, Москва; Tomek. Content: king, met, foo, Tomek, 42, Москва.
    assert columns[0] == [2, 3, 1, 1, 6, 1]
    # A capital at the beginning is none of a name.
    assert columns[1] == [0, 2, 0, 0, 2, 1]


@pytest.mark.parametrize(
    "text",
    [
        "Guatemala's ex-minister Otilia Lux wins in Zacapa.",
        "Ah ha, ha, ha!",
        "Zebras are socializing.",
        "restrict or confine",
        "U.S. Warplanes Enter Somali Airspace",
        "Reality is scary.",
        "Tom smelled smoke.",
        "HR - Ana Souza, Kemal Yurt, Fran Mayes, Felicia Solis",
        "http://a.example/b?c=d",
        "Barack Obama",
        "Łódź",
        "naïve",
        "No!",
        "12 345 678",
        "",
    ],
)
def test_english_is_quiet(text):
    assert not {"non_english", "unknown_words"} & set(flags_of(text, "A dog barks."))


@pytest.mark.parametrize(
    "text",
    [
        "El perro negro ladra mucho por la noche.",
        "Adam arabasını yol kenarına park etti.",
        "Der Hund schläft auf dem Sofa.",
        "Le chien dort sur le canapé.",
        "Il gatto dorme sul divano.",
        "O gato dorme no sofá da sala.",
        "Benim köpeğim uyuyor.",
        "Endonezya'da Deprem Yüzlerce İnsanı Öldürdü",  # a headline: all but the first look like names
        "مرحبا",
        "Привет!",
    ],
)
def test_other_languages_are_found(text):
    assert flags_of("A dog barks.", text) == ("non_english",)
    assert flags_of(text, "A dog barks.") == ("non_english",)


@pytest.mark.parametrize("text", ["foo", "asdf qwer", "zxcv", "xyzzy plugh", "Tom asdf qwer zxcv."])
def test_unknown_words_are_found(text):
    assert flags_of(text, "A dog barks.") == flags_of("A dog barks.", text) == ("unknown_words",)


@pytest.mark.parametrize(
    "text",
    [
        "bar",
        "The dog zxcv.",  # one slip beside a known word
        "asdf dog barks loudly qwer today",  # two of six
        "Zxcv Qwer",  # names
        "ZXCV-12 42",
        "the of and",
        "!",
    ],
)
def test_known_words_names_and_numbers(text):
    assert flags_of(text, "A dog barks.") == ()


def test_a_sentence_of_another_language_is_not_of_unknown_words():
    turkish = "Benim köpeğim bahçedeki ağacın altında uyuyor."
    assert unknown_words(word_counts(analyse([(turkish, turkish)]))).all()
    assert flags_of(turkish, "A dog barks.") == ("non_english",)
    assert flags_of(turkish, "asdf qwer") == ("non_english", "unknown_words")  # one of each text


@pytest.mark.slow
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5))
def test_flags_depend_on_the_pair_alone(pairs):
    together = flags_of_english(analyse(pairs))
    assert together == [flags_of(*pair) for pair in pairs]
    assert together == [flags_of(b, a) for a, b in pairs]
    assert all(list(flags) == sorted(set(flags)) for flags in together)


def test_no_pairs():
    assert flags_of_english(analyse([])) == []


@pytest.mark.parametrize(
    ("word", "expected"),
    [("dog", False), ("Łódź", False), ("дом", True), ("كَلْبٌ", True), ("µm", False), ("42", False), ("", False)],
)
def test_another_script(word, expected):
    assert in_another_script(word) == expected


@pytest.mark.slow
def test_english_does_without_the_identifier_of_languages():
    code = (
        "import sys; from samewise.ensemble.core.pair_inputs import flags_of_english; "
        "from samewise.features.analysis.analysis import analyse; "
        "print(flags_of_english(analyse([('A dog barks at Rex.', 'Oil prices hit a record high.')])), "
        "'py3langid' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "[()] False"


@pytest.mark.parametrize(
    ("a", "b", "raised"),
    [
        ("Send the résumé.", "Send the resume.", True),
        ("München", "MUNCHEN", True),
        ("Send the résumé.", "Send the resume!", False),
        ("résumé", "résumé", False),
        ("Resume", "resume", False),
        ("мой", "мои", False),
    ],
)
def test_accents_alone(a, b, raised):
    assert ("accents" in flags_of(a, b)) == raised
    assert ("accents" in flags_of(b, a)) == raised


@pytest.mark.parametrize(
    "text",
    [
        "Press <b>Save</b> now.",
        "one<br/>two",
        'See <a href="x">this</a>.',
        "R&amp;D",
        "a&nbsp;b",
        "it&#39;s",
        "<!-- x -->",
    ],
)
def test_remains_of_html(text):
    assert "markup" in flags_of(text, "A dog barks.")


@pytest.mark.parametrize(
    "text",
    ["I <3 cats", "if a < b and c > d", "Q&As; R&D; AT&T;", "<name>", "a <b and c> d", "x & y;", "1 &lt 2"],
)
def test_other_signs_are_no_html(text):
    assert "markup" not in flags_of(text, "A dog barks.")


DAMAGED = [
    "café",
    "hôtel",
    "über",
    "où est-il",
    "voilà que",
    "mañana",
    "Été",
    "£5",
    "10 °C",
    "it’s",
    "“so”",
    "a – b",
    "5 €",
]
DAMAGED += ["the ™ sign", "a → b", "😀 hi", "Привет"]


@pytest.mark.parametrize("text", DAMAGED)
@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_a_wrong_encoding_is_seen(text, encoding):
    # Bytes that the encoding lacks stay control characters, as browsers read them.
    wrong = "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in text.encode("utf-8"))
    assert "mojibake" in flags_of(wrong, "A dog barks.")
    assert "mojibake" not in flags_of(text, "A dog barks.")


@pytest.mark.parametrize(
    "text",
    ["SÃO PAULO", "A MAÇÃ É BOA.", "ESPAÑA", "PÂTE À TARTE", "Ångström", "Ñandú", "â votre", "Ça va?"],
)
def test_capitals_with_accents_are_no_wrong_encoding(text):
    assert "mojibake" not in flags_of(text, "A dog barks.")
