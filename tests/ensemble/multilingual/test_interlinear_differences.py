"""Differences of texts that are not in English, alone and beside English ones."""

import pytest
from num2words import num2words
from samewise.ensemble.differences.facts import KEEP_APART
from samewise.ensemble.differences.keeping_apart import keeping_apart
from samewise.ensemble.multilingual.interlinear_differences import reads
from samewise.features.linguistics.closed_classes import closed_class_languages, closed_classes
from samewise.features.values.interlinear import interlinear

import samewise


@pytest.fixture(scope="module")
def model():
    """Return the smallest model, which reads the differences of all languages."""
    return samewise.load("surface", languages="auto", translate="none")


APART = [
    ("de", "Die Heizung läuft um halb sieben.", "Die Heizung läuft um 7.30 Uhr.", "date"),
    ("de", "Wir zahlen 1.250,50 Euro Miete.", "Wir zahlen 1.520,50 Euro Miete.", "number"),
    ("de", "Der Vertrag ist gültig.", "Der Vertrag ist nicht gültig.", "negation"),
    ("de", "Der Bus fährt heute nicht.", "Der Bus fährt heute.", "negation"),
    ("de", "Du musst den Helm tragen.", "Du kannst den Helm tragen.", "modality"),
    ("de", "Alle Zimmer haben Balkone.", "Manche Zimmer haben Balkone.", "quantifier"),
    ("fr", "Le magasin ouvre à huit heures.", "Le magasin ouvre à neuf heures.", "date"),
    ("fr", "La porte est ouverte.", "La porte est fermée.", "antonym"),
    ("fr", "Le chien n'aboie jamais la nuit.", "Le chien aboie toujours la nuit.", "quantifier"),
    ("es", "El curso dura treinta y cinco horas.", "El curso dura cuarenta horas.", "number"),
    ("es", "¿Dónde se paga la cuota?", "¿Cuándo se paga la cuota?", "question"),
    ("es", "El jarabe se toma antes de comer.", "El jarabe se toma después de comer.", "antonym"),
    ("it", "Il museo è chiuso il lunedì.", "Il museo è chiuso il martedì.", "date"),
    ("it", "Il cavo è lungo 3,5 metri.", "Il cavo è lungo 3,5 centimetri.", "unit"),
    ("pt", "A piscina abre em 12 de maio.", "A piscina abre em 12 de junho.", "date"),
    ("pt", "O remédio não tem açúcar.", "O remédio tem açúcar.", "negation"),
    ("tr", "Toplantı saat 15.30'da başlıyor.", "Toplantı saat 16.30'da başlıyor.", "date"),
    ("tr", "Otuz beş kişi geldi.", "Otuz altı kişi geldi.", "number"),
    ("tr", "Paket bugün gelmedi.", "Paket bugün geldi.", "negation"),
    ("ar", "يمكن فتح النافذة.", "لا يمكن فتح النافذة.", "negation"),
    ("ar", "الدورة خمسة وعشرون يوما.", "الدورة خمسة وثلاثون يوما.", "number"),
]
TOGETHER = [
    ("de", "Das Seminar kostet zweihundertfünfzig Euro.", "Das Seminar kostet 250 Euro."),
    ("de", "Die Bank schließt am 3. Mai.", "Am 3.5. schließt die Bank."),
    ("fr", "Le train part à 15 h 30.", "Le train part à 15h30."),
    ("es", "La tienda no la visita nadie.", "Nadie visita la tienda."),
    ("es", "La cita es a las tres y media.", "La cita es a las 3:30."),
    ("it", "Servono 1.200 viti.", "Servono milleduecento viti."),
    ("pt", "O voo sai às 15h.", "O voo sai às 15:00."),
    ("tr", "Kurs on iki hafta sürüyor.", "Kurs 12 hafta sürüyor."),
    ("ar", "ينتظر ٣٥ راكبا.", "ينتظر خمسة وثلاثون راكبا."),
]
BESIDE_ENGLISH = [
    ("de", "Der Schlüssel kostet 12,50 Euro.", "The key costs 12.50 euros.", None),
    ("de", "Der Schlüssel kostet 12,50 Euro.", "The key costs 15.20 euros.", "number"),
    ("fr", "La réunion est le 4 mars.", "The meeting is on 4 March.", None),
    ("fr", "La réunion est le 4 mars.", "The meeting is on 4 April.", "date"),
    ("it", "Il treno parte alle 17.30.", "The train leaves at 5:30 pm.", None),
    ("tr", "Paket 3 kg.", "The parcel is 5 kg.", "number"),
]


def kept_apart(model, language, other, a, b):
    """Return the kinds of the differences that keep two texts apart."""
    [found] = model.differences([(a, b)], [(language, other)])
    return {one.kind for one in keeping_apart(found, KEEP_APART)}


@pytest.mark.parametrize(("language", "a", "b", "kind"), APART)
def test_other_meanings_are_kept_apart(model, language, a, b, kind):
    assert kind in kept_apart(model, language, language, a, b) & kept_apart(model, language, language, b, a)


@pytest.mark.parametrize(("language", "a", "b"), TOGETHER)
def test_one_meaning_is_not(model, language, a, b):
    assert kept_apart(model, language, language, a, b) == set()


@pytest.mark.parametrize(("language", "a", "b", "kind"), BESIDE_ENGLISH)
def test_beside_english(model, language, a, b, kind):
    assert kept_apart(model, language, "en", a, b) == ({kind} if kind else set())


@pytest.mark.parametrize("language", closed_class_languages())
def test_number_words_are_read_as_num2words_writes_them(language):
    # It writes 118 wrongly in Italian ("centodicotto"), and 111,000 in Turkish as 110,000.
    for value in (*range(2, 112), 203, 380, 1000, 1100, 1234, 2026, 9999, 12_500, 96_128, 200_017, 737_567):
        words = num2words(value, lang=language)
        assert interlinear(f"№ {words}.", language).sentence.tokens[1:-1] == (str(value),), words


def test_words_and_places_are_those_of_the_texts(model):
    [[one]] = model.differences([("Die Bank ist offen.", "Die Bank ist nicht offen.")], [("de", "de")])
    assert one == ("negation", "", "nicht", (), (3,))


def test_languages_without_a_file_have_none(model):
    assert not reads(("en", "en")) and not reads(("de", "xx")) and reads(("en", "tr"))
    with pytest.raises(ValueError, match="a language with closed-class words must be one of ar, .*, got 'xx'; add a"):
        closed_classes("xx")


@pytest.mark.parametrize("language", closed_class_languages())
def test_any_text_is_safe_and_each_file_has_the_parts_that_rules_need(language):
    for text in ("", " ", "…", "1", "'", "%", "3.", "12h", "a" * 3000, "7 h", "№ 5 / 6-x@y.z 1,2,3"):
        sentence, spans = interlinear(text, language)
        assert len(sentence.tokens) == len(spans) == len(sentence.lemmas) == len(sentence.tags)
    english = closed_classes(language).english
    needed = "not never without can all some only who when where why before after up down today January Monday"
    assert english >= {*needed.split(), "hour", "kilogram", "percent", "7", "30", "100", "1000"}
    assert english & {"must", "have"}
