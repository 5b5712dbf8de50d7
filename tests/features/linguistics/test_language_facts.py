"""Every file of facts about a language: complete, and known to the libraries that read it."""

import pkgutil

import pytest
import Stemmer
from py3langid.langid import MODEL_FILE, LanguageIdentifier
from samewise.features.linguistics import language_facts
from samewise.features.linguistics.known_languages import LANGUAGES
from samewise.features.linguistics.languages import Languages
from samewise.features.linguistics.normalisation import normalise_text
from samewise.features.linguistics.stems import bare_forms, stem, stems

FILES = sorted(info.name for info in pkgutil.iter_modules(language_facts.__path__))


def test_every_file_is_a_language_and_english_comes_first():
    assert sorted(language.name.lower() for language in LANGUAGES.values()) == FILES
    assert list(LANGUAGES) == ["en", *sorted(set(LANGUAGES) - {"en"})]
    codes = [code for language in LANGUAGES.values() for code in (language.code, language.code3)]
    assert len(set(codes)) == 2 * len(FILES)


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=lambda language: language.code)
def test_facts_are_known_to_the_libraries(language):
    for name in (language.code, language.code3.upper(), language.name):
        assert Languages.parse(name).candidates == (language.code,)
    assert language.code in dict(LanguageIdentifier.from_model_file(MODEL_FILE).rank("text"))
    assert language.stemmer is None or language.stemmer in Stemmer.algorithms()
    assert language.spell("ABC 1") == language.spell(language.spell("ABC 1"))


def test_the_four_languages_have_these_facts():
    assert {code: LANGUAGES[code].stemmer for code in ("en", "ar", "es", "tr")} == {
        "en": "english", "ar": "arabic", "es": "spanish", "tr": "turkish"
    }  # fmt: skip
    assert {code: LANGUAGES[code].probe for code in ("en", "ar", "es", "tr")} == {
        "en": None,
        "ar": "رجل يعزف على الجيتار في الشارع.",
        "es": "Un hombre toca la guitarra en la calle.",
        "tr": "Bir adam sokakta gitar çalıyor.",
    }
    assert {code: LANGUAGES[code].apertium for code in ("en", "ar", "es", "tr")} == {
        "en": "eng", "ar": None, "es": "spa", "tr": None
    }  # fmt: skip


def test_an_unknown_language_has_no_stems_and_plain_letters():
    assert (stem("casas", "xx"), stems("casas", "xx"), bare_forms("casas", "xx")) == ("casas", [], ["casas"])
    assert normalise_text("ÂI", "xx") == "âi"
    assert stem("casas", "es") == "cas"
    assert normalise_text("ÂI", "tr") == "aı"
