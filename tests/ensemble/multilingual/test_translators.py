"""Translators: Apertium as installed and as made up, functions of the user's, and what is remembered."""

import os
import pickle
import stat
import sys

import numpy as np
import pytest
from samewise.ensemble.multilingual import find_translator
from samewise.ensemble.multilingual.apertium import MODES, Apertium, escaped, read_mode, unescaped
from samewise.ensemble.multilingual.translators import FirstThatCovers, translated
from samewise.features.base.caches import SentenceCache
from samewise.features.lexicon.dictionaries import Dictionary, pack_words

needs_apertium = pytest.mark.skipif(not (MODES / "spa-eng.mode").exists(), reason="Apertium's Spanish is not installed")

# In place of Apertium's programs: upper case, text by text; it dies of one word and sleeps at another.
PROGRAM = """#!{python} -IS
import os, sys, time
text = b""
while piece := os.read(0, 1):
    text += piece
    if piece == b"\\0":
        if b"die" in text.lower():
            os._exit(9)
        if b"sleep" in text.lower():
            time.sleep(60)
        os.write(1, text.upper())
        text = b""
"""


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    program = tmp_path / "lt-proc"
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "spa-eng.mode").write_text("lt-proc '/no where/a.bin' | lt-proc $1 /b.bin\n")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    found = Apertium(tmp_path, patience=20.0)
    yield found
    found.close()


@pytest.mark.slow
@needs_apertium
def test_apertium_translates_both_ways():
    apertium = find_translator("apertium")
    try:
        assert apertium.translate(["Dos niños están bailando.", "Nada."], "es", "en")[0] == "Two boys are dancing."
        assert apertium.translate(["The boys are dancing."], "en", "es") == ["Los chicos están bailando."]
        signs = "a[b] ^x$ @ / \\ <z> {q}"
        assert apertium.translate([signs], "es", "en")[0].endswith(signs[1:])
        assert apertium.translate(["", "\0", "perro\ngato"], "es", "en") == ["", "", "Dog cat"]
        texts = ["El perro ladra.", "La casa es blanca.", "Llueve", "Nadie sabe nada."]
        assert apertium.translate(texts, "es", "en") == [apertium.translate([t], "es", "en")[0] for t in texts]
        assert not apertium.covers("ar", "en")
        with pytest.raises(ValueError, match="no translation from tr to en"):
            apertium.translate(["Merhaba."], "tr", "en")
    finally:
        apertium.close()


@pytest.mark.slow
@needs_apertium
def test_what_stands_after_apertium_gives_the_words_that_it_does_not_know(tmp_path, monkeypatch):
    (tmp_path / "my_words.py").write_text("def upper(texts):\n    return [text.upper() for text in texts]\n")
    monkeypatch.syspath_prepend(tmp_path)
    alone, filled = find_translator("apertium"), find_translator("apertium,my_words:upper")
    text = "El qwerto de Zzyyqx duerme y #baila 5*3."
    assert alone.translate([text], "es", "en") == ["The qwerto of Zzyyqx sleeps and dances 5*3."]
    assert filled.translate([text], "es", "en") == ["The qWERTO of Zzyyqx sleeps and dances 5*3."]
    assert pickle.loads(pickle.dumps(filled)).translate([text], "es", "en") == filled.translate([text], "es", "en")


@pytest.mark.slow
def test_batches_larger_than_a_pipe(made_up):
    texts = [f"frase {k} " + "x" * 500 for k in range(400)]
    assert made_up.translate(texts, "es", "en") == [text.upper() for text in texts]


@pytest.mark.slow
def test_a_text_that_ends_the_processes_is_left_out(made_up):
    texts = ["uno", "dos", "die", "tres", "die", "die", "cuatro"]
    assert made_up.translate(texts, "es", "en") == ["UNO", "DOS", "", "TRES", "", "", "CUATRO"]


@pytest.mark.slow
def test_processes_that_were_killed_are_started_again(made_up):
    assert made_up.translate(["uno"], "es", "en") == ["UNO"]
    for process in made_up._rows["es", "en"]._processes:
        process.kill()
        process.wait()
    assert made_up.translate(["dos", "tres"], "es", "en") == ["DOS", "TRES"]


@pytest.mark.slow
def test_stuck_processes_are_given_up(tmp_path, made_up):
    made_up._patience = 1.5
    assert made_up.translate(["uno", "sleep", "dos"], "es", "en") == ["UNO", "", "DOS"]


@pytest.mark.slow
def test_says_so_if_nothing_can_be_translated(made_up):
    with pytest.raises(ValueError, match="must return a translation, got none"):
        made_up.translate(["die"], "es", "en")


def test_starts_only_programs_of_apertium(tmp_path):
    mode = tmp_path / "spa-eng.mode"
    mode.write_text("lt-proc a.bin | rm -rf nothing")
    with pytest.raises(ValueError, match="names the program 'rm"):
        read_mode(mode)
    mode.write_text("lt-proc 'a b.bin' | apertium-tagger -g $2 c | lt-proc $1 ';rm x'")
    assert read_mode(mode) == [
        ["lt-proc", "-z", "a b.bin"],
        ["apertium-tagger", "-z", "-g", "c"],
        ["lt-proc", "-z", "-g", ";rm x"],
    ]


def test_marks_of_the_stream():
    for text in ("a/b", "^hola$ [x] {y} <z> @ \\", "3.", "etc. [sic]", "fin.[]"):
        assert unescaped(escaped(text) + ".[]\n") == text


def test_says_how_to_install_apertium(tmp_path, monkeypatch):
    monkeypatch.delenv("APERTIUM_PATH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match="apt install apertium apertium-eng-spa"):
        find_translator("apertium")


def test_says_where_apertium_is_not(tmp_path, monkeypatch):
    monkeypatch.setenv("APERTIUM_PATH", str(tmp_path))
    with pytest.raises(ValueError, match=f"no folder '{tmp_path}/modes' .* correct APERTIUM_PATH"):
        find_translator("apertium")


@pytest.mark.slow
def test_is_sent_to_another_process_without_its_processes(made_up):
    assert made_up.translate(["uno"], "es", "en") == ["UNO"]
    copy = pickle.loads(pickle.dumps(made_up))
    assert copy.translate(["uno"], "es", "en") == ["UNO"]
    copy.close()


def test_functions_of_the_user(tmp_path, monkeypatch):
    (tmp_path / "my_translator.py").write_text(
        "def upper(texts):\n    return [t.upper() for t in texts]\n"
        "def short(texts):\n    return texts[1:]\nnumber = 3\n"
    )
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    mine = find_translator("my_translator:upper")
    assert mine.covers("ar", "en")
    assert not mine.covers("en", "es")
    assert mine.translate(["hola", "dos"], "es", "en") == ["HOLA", "DOS"]
    assert pickle.loads(pickle.dumps(mine)).translate(["x"], "tr", "en") == ["X"]
    with pytest.raises(ValueError, match="must return a list of 2 texts for 2"):
        find_translator("my_translator:short").translate(["a", "b"], "es", "en")
    with pytest.raises(ValueError, match="must be a function; name one"):
        find_translator("my_translator:number")
    with pytest.raises(ValueError, match="cannot be loaded"):
        find_translator("my_translator:absent")
    with pytest.raises(ValueError, match="cannot be loaded"):
        find_translator("no_such_module:upper")


def test_words_by_a_dictionary():
    found = find_translator("dictionary")
    assert found.translate(["Bir adam gitar çalıyor.", "", "???", "İstanbul 1453"], "tr", "en") == [
        "A man guitar playing.",
        "",
        "???",
        "Istanbul 1453",
    ]
    assert found.translate(["El perro duerme."], "es", "en")[0].startswith("The dog")
    # Names stay in letters that English has too, and are left out in others.
    assert found.translate(["Zzyyqx uyuyor"], "tr", "en")[0].startswith("Zzyyqx")
    assert found.translate(["ظظظظظظ"], "ar", "en") == [""]
    assert {found.covers(language, "en") for language in ("ar", "es", "tr")} == {True}
    assert not found.covers("en", "es")
    with pytest.raises(ValueError, match="dictionary must be one of ar, es, tr, got 'fr'"):
        found.translate(["chien"], "fr", "en")


def small_dictionary(entries, language):
    words, text = pack_words(entries)
    english = np.frombuffer("\n".join(entries[word] for word in words).encode(), dtype=np.uint8)
    return Dictionary(text, english, language)


def test_how_a_word_is_looked_up():
    turkish = small_dictionary({"kitap": "book", "#masa": "table", "ve": "", "kitaplık": "bookcase"}, "tr")
    # Itself; its stem; the longest part; nothing at all; none in English; too short a part.
    words = ["kitap", "masalar", "kitaplığımızda", "kedi", "ve", "kit"]
    assert [turkish.english(word) for word in words] == ["book", "table", "bookcase", "kedi", "", "kit"]
    assert sorted(turkish.entries()) == [("kitap", "book"), ("kitaplık", "bookcase")]
    arabic = small_dictionary({"الكلب": "dog", "بيت": "house", "تسلق": "climb", "#لعب": "play"}, "ar")
    words = ["والكلب", "للكلب", "البيت", "وبيت", "يتسلق", "سيلعب"]  # with article, conjunction, person, future
    assert [arabic.english(word) for word in words] == ["dog", "dog", "house", "house", "climb", "play"]
    arabic = small_dictionary({"رجل": "man", "فتاه": "girl", "يقف": "stand", "اسود": "black", "قميص": "shirt"}, "ar")
    words = ["رجلان", "فتاتين", "يقفون", "سوداء", "قميصا"]  # duals, a plural of a verb, a colour's feminine, a case
    assert [arabic.english(word) for word in words] == ["man", "girl", "stand", "black", "shirt"]
    with pytest.raises(ValueError, match="must have an English word for each word, got 1 for 2"):
        Dictionary(pack_words(["a", "b"])[1], np.frombuffer(b"x", dtype=np.uint8), "es")


def test_the_first_that_knows_a_language():
    first, second = Counting(), find_translator("dictionary")
    first.covers = lambda source, target: source == "es"
    both = FirstThatCovers([first, second])
    assert both.translate(["el perro"], "es", "en") == ["es el perro"]
    assert both.translate(["köpek"], "tr", "en") == second.translate(["köpek"], "tr", "en")
    assert not both.covers("fr", "en")
    with pytest.raises(ValueError, match="cannot translate from fr to en"):
        both.translate(["chien"], "fr", "en")
    assert find_translator("dictionary,none").covers("tr", "en")


def test_names():
    assert find_translator("none") is None
    with pytest.raises(
        ValueError, match="one of none, apertium, dictionary, or module:function for yours, got 'babelfish'"
    ):
        find_translator("babelfish")


class Counting:
    name = "counting"

    def __init__(self):
        self.asked = []

    def covers(self, source, target):
        return True

    def translate(self, texts, source, target):
        self.asked += texts
        return [f"{source} {text}" for text in texts]


def test_what_was_translated_is_remembered():
    memory, translator = SentenceCache(), Counting()
    assert translated(translator, ["a", "b", "a"], "es", "en", memory) == {"a": "es a", "b": "es b"}
    assert translated(translator, ["b", "c"], "es", "en", memory) == {"b": "es b", "c": "es c"}
    assert translated(translator, ["b"], "tr", "en", memory) == {"b": "tr b"}
    assert translator.asked == ["a", "b", "c", "b"]
