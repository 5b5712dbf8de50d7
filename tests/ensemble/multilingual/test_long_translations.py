from samewise.ensemble.multilingual.pair_languages import translated_pairs
from samewise.features.base.caches import SentenceCache
from samewise.features.lexicon.dictionaries import dictionary


class Recorder:
    name = "recorder"

    def __init__(self):
        self.lengths = []

    def covers(self, source, target):
        return True

    def translate(self, texts, source, target):
        self.lengths += map(len, texts)
        return ["a dog"] * len(texts)


def test_the_beginning_of_a_long_text_is_translated():
    translator = Recorder()
    pairs = [("perro " * 100_000, "x" * 100_000), ("un perro", "dos")]
    found = translated_pairs(pairs, [("es", "es")] * 2, translator, SentenceCache())
    assert found == [("a dog", "a dog")] * 2
    assert sorted(translator.lengths) == [3, 8, 19_997, 20_000]  # cut at a blank where there is one


def test_a_word_of_a_million_letters_is_looked_up_by_prefixes_of_listed_length():
    words = dictionary("es")
    assert words.english("x" * 1_000_000) == "x" * 1_000_000
    assert words.english("perros" + "x" * 1_000_000) == words.english("perros" + "x" * 40)
