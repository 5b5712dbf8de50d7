"""Languages: what a user says, what is detected, and how sentences of each are analysed."""

import pickle

import pytest
from samewise.features.analysis.analysis import analyse, analyse_texts
from samewise.features.base.caches import SentenceCache
from samewise.features.linguistics.languages import SUPPORTED, Languages, detect

SENTENCES = {
    "en": ["A woman is slicing onions.", "Two men cry.", "Nobody knows where the keys are."],
    "es": ["Una mujer corta cebollas.", "Dos hombres lloran.", "Nadie sabe dónde están las llaves."],
    "ar": ["امرأة تقطع البصل.", "رجلان يبكيان.", "لا أحد يعرف أين المفاتيح."],
    "de": ["Eine Frau schneidet Zwiebeln.", "Zwei Männer weinen.", "Niemand weiß, wo die Schlüssel sind."],
    "fr": ["Une femme coupe des oignons.", "Deux hommes pleurent.", "Personne ne sait où sont les clés."],
    "it": ["Una donna taglia le cipolle.", "Due uomini piangono.", "Nessuno sa dove siano le chiavi."],
    "pt": ["Uma mulher corta cebolas.", "Dois homens choram.", "Ninguém sabe onde estão as chaves."],
    "tr": ["Bir kadın soğan doğruyor.", "İki adam ağlıyor.", "Kimse anahtarların nerede olduğunu bilmiyor."],
}
NAMES = "en English, ar Arabic, de German, es Spanish, fr French, it Italian, pt Portuguese, tr Turkish"
ONE_OF = f"a language must be one of {NAMES}"
WRITTEN = r"languages must be written es,en \(.*\), es-en \(.*\) or auto"
OTHERS = [
    "Twee kinderen dansen in de tuin.",
    "Hunden leker med en boll.",
    "Собака играет с игрушкой.",
    "دو مرد گریه می‌کنند.",
]


def test_detects_each_language_and_none_other():
    for language, texts in SENTENCES.items():
        assert detect(texts) == [language] * 3
    assert detect(OTHERS) == ["und"] * 4


def test_only_the_languages_named_are_looked_for():
    assert detect(SENTENCES["tr"], ("es", "en")) == ["und"] * 3
    assert detect(SENTENCES["es"], ("es",)) == ["es"] * 3


def test_a_text_without_letters_counts_as_the_first_candidate():
    assert detect(["", "500", "...", "3,5 %"], ("es", "en")) == ["es"] * 4


def test_a_text_is_looked_at_alone():
    every = [text for texts in SENTENCES.values() for text in texts] + OTHERS
    assert detect(every) == [detect([text])[0] for text in every]


@pytest.mark.parametrize(
    ("spec", "candidates", "sides"),
    [
        ("es,en", ("es", "en"), None),
        (" ES , en ", ("es", "en"), None),
        ("tr", ("tr",), None),
        ("es-en", ("es", "en"), ("es", "en")),
        ("ar-ar", ("ar",), ("ar", "ar")),
        ("auto", SUPPORTED, None),
        ("AUTO", SUPPORTED, None),
        ("ES-EN", ("es", "en"), ("es", "en")),
        ("spa,eng", ("es", "en"), None),
        ("Tur-ARA", ("tr", "ar"), ("tr", "ar")),
        ("Spanish, english", ("es", "en"), None),
        ("Arabic-Turkish", ("ar", "tr"), ("ar", "tr")),
        ("es-MX", ("es",), None),
        ("es_ES", ("es",), None),
        ("es-419", ("es",), None),
        ("es-AR,tr_TR", ("es", "tr"), None),
        ("es-MX-en-US", ("es", "en"), ("es", "en")),
        ("es_MX-en", ("es", "en"), ("es", "en")),
        ("es-tr", ("es", "tr"), ("es", "tr")),
        ("es-EN", ("es", "en"), ("es", "en")),  # no country has this code
    ],
)
def test_what_a_user_says(spec, candidates, sides):
    found = Languages.parse(spec)
    assert (found.candidates, found.sides) == (candidates, sides)
    assert Languages.parse(str(found)) == found


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        ("nl", f"{ONE_OF}, got 'nl'; docs/extending"),
        ("es,nl-NL", f"{ONE_OF}, got 'nl'; docs/extending"),
        ("es-mx", f"{ONE_OF}, got 'mx'; docs/extending"),
        ("es_en", f"{ONE_OF}, got 'es_en'; docs/extending"),
        ("Klingon", f"{ONE_OF}, got 'Klingon'; docs/extending"),
        (
            "es-en-tr",
            f"{WRITTEN}, got 'es-en-tr'; the languages are {NAMES}",
        ),
        ("es-", f"{WRITTEN}, got 'es-'; the languages are {NAMES}"),
        ("", f"{WRITTEN}, got ''; the languages are {NAMES}"),
    ],
)
def test_refuses_what_it_does_not_know(spec, what):
    with pytest.raises(ValueError, match=f"^{what}"):
        Languages.parse(spec)


def test_sentences_of_each_language():
    pairs = [("Las NIÑAS bailan.", "The girls dance."), ("IŞIK yandı!", "؟ الأطفال يلعبونَ")]
    batch = analyse(pairs, languages=Languages())
    spanish, english, turkish, arabic = (batch.sentences[k] for k in (*batch[:1].left, *batch[:1].right, 2, 3))
    assert [s.language for s in (spanish, english, turkish, arabic)] == ["es", "en", "tr", "ar"]
    assert spanish.words == ("las", "niñas", "bailan", ".")
    assert spanish.tokens == ("Las", "NIÑAS", "bailan", ".")
    assert spanish.stems == ("las", "niñ", "bail", ".")
    assert turkish.words[0] == "ışık"
    assert arabic.words == ("?", "الاطفال", "يلعبون")
    assert english == analyse_texts(["The girls dance."])[0]
    assert all(len(s.tokens) == len(s.words) == len(s.stems) for s in batch.sentences)


def test_sides_are_taken_as_said():
    batch = analyse([("No", "No"), ("Madrid", "Madrid")], languages=Languages.parse("es-en"))
    assert [pair.a.language + pair.b.language for pair in batch] == ["esen"] * 2


def test_what_is_remembered_is_what_would_be_computed(tmp_path):
    pairs = list(zip(*SENTENCES.values(), strict=True))
    pairs = [(row[i], row[j]) for row in pairs for i in range(8) for j in range(8)] + [(OTHERS[0], OTHERS[1])]
    plain = analyse(pairs, languages=Languages())
    for _ in range(2):  # first into the file, then from it
        kept = analyse(pairs, languages=Languages(), sentence_cache=SentenceCache(tmp_path))
        assert kept.sentences == plain.sentences
    assert [s.language for s in kept.sentences][-2:] == ["und", "und"]
    # English analysed as ever does not get what was kept of another language.
    again = analyse([(SENTENCES["es"][0], OTHERS[0])], sentence_cache=SentenceCache(tmp_path))
    assert [s.language for s in again.sentences] == ["en", "en"]


def test_long_texts_are_cut_and_no_pairs_are_no_sentences():
    long = analyse([("una frase muy larga " * 200, "corta")], languages=Languages(("es",))).sentences[0]
    assert long.truncated
    assert len(long.text) <= 2000
    assert len(analyse([], languages=Languages())) == 0


def test_lone_surrogates_are_no_error():
    assert analyse([("una \ud800 frase", "")], languages=Languages(("es",))).sentences[0].words[1] == "\ufffd"


def test_languages_can_be_sent_to_another_process():
    assert pickle.loads(pickle.dumps(Languages.parse("es-en"))) == Languages.parse("es-en")
