from collections import Counter
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import JaroWinkler
from samewise.features.analysis.analysis import analyse
from samewise.features.pipeline.catalogue import resolve
from samewise.research.families import string_metrics
from samewise.research.strings.string_similarity import METRICS
from samewise.research.strings.string_views import cased_lemma, each_view

from ...features.families.test_soft_alignment import pair

WORDS = st.lists(st.sampled_from("red green blue boat house the of 7 .".split()), max_size=8)


def row(value, a, b, variant="kept_lower", batch=None):
    values = value(analyse([(a, b)]) if batch is None else batch)[0]
    found = dict(zip(value.names, values.tolist(), strict=True))
    return {metric: found[f"{variant}_{metric}"] for metric in METRICS}


def seen(batch, unit):
    """Return both sides of the first pair in every variant, as the words that are compared."""
    views = []

    def look(view):
        views.append([[view.words[i] for i in side.values] for side in (view.words_a, view.words_b)])
        return np.zeros((len(view.a), 1))

    each_view(batch, unit, look)
    return dict(zip(("kept_cased", "removed_cased", "kept_lower", "removed_lower"), views, strict=True))


def test_there_are_352_columns():
    features, columns = resolve("string_metrics")
    assert len(columns) == len(set(columns)) == 352 == len(features) * 4 * 22


def test_words_by_hand():
    # Three words and five.
    found = row(string_metrics.words, "blue boat sails", "boat blue boat sails fast")
    expected = {
        "levenshtein": 1 - 2 / 5, "damerau": 1 - 2 / 5,  # a word before and a word after
        "indel": 1 - 2 / 8, "subsequence": 3 / 5,
        # All three match within a window of 5 // 2 - 1 = 1, blue with the second word and boat with the first.
        "jaro": (1 + 3 / 5 + 2 / 3) / 3, "jaro_winkler": (1 + 3 / 5 + 2 / 3) / 3,  # no prefix
        "hamming": 0, "prefix": 0, "suffix": 0,
        "partial": 1,  # blue boat sails is a window
        "substring": 1,
        "tiling": 6 / 8,
        "jaccard": 3 / 4, "dice": 6 / 7, "cosine": 3 / sqrt(12), "containment_min": 3 / 4, "containment_max": 1,
        "bigrams": 4 / 6, "trigrams": 2 / 4,
        # "blue boat sails" (15) against "blue boat boat fast sails" (25): ten characters more.
        "token_sort": 1 - 10 / 40,
        "token_set": 1,
        # The best for fast is boat, of which a and t match in a window of one letter: 2 of 4 each, in order.
        "monge_elkan": (1 + (4 + 2 / 3) / 5) / 2,
    }  # fmt: skip
    assert set(expected) == set(METRICS)
    assert found == pytest.approx(expected, abs=1e-6)


def test_characters_by_hand():
    # The textbook pair: Jaro 0.9444, Jaro-Winkler 0.9611 with three letters of common prefix.
    found = row(string_metrics.characters, "MARTHA", "marhta")
    assert found["jaro"] == pytest.approx(17 / 18)
    assert found["jaro_winkler"] == found["monge_elkan"] == pytest.approx(17 / 18 + 3 * 0.1 / 18)
    # Two letters change places: two substitutions, or one transposition.
    assert found["levenshtein"] == pytest.approx(4 / 6)
    assert found["damerau"] == pytest.approx(5 / 6)
    assert found["hamming"] == pytest.approx(4 / 6)
    assert found["prefix"] == pytest.approx(3 / 6)
    assert found["suffix"] == pytest.approx(1 / 6)
    assert found["jaccard"] == 1  # m, a, r, t, h
    # ma ar rt th ha and ma ar rh ht ta; of three letters mar alone.
    assert found["bigrams"] == pytest.approx(2 / 5)
    assert found["trigrams"] == pytest.approx(1 / 4)
    assert found["substring"] == found["tiling"] == pytest.approx(1 / 2)
    assert row(string_metrics.characters, "MARTHA", "marhta", "kept_cased")["levenshtein"] == 0


def test_the_views_of_a_pair():
    sentence = ("The Dogs were barking 7 times", "the dog be bark 7 time", "DT NNS VBD VBG CD NNS")
    batch = pair(sentence, sentence)
    assert seen(batch, "words") == {
        "kept_cased": [["The", "Dogs", "were", "barking", "7", "times"]] * 2,
        "kept_lower": [["the", "dogs", "were", "barking", "7", "times"]] * 2,
        "removed_cased": [["Dogs", "barking", "7", "times"]] * 2,
        "removed_lower": [["dogs", "barking", "7", "times"]] * 2,
    }
    assert seen(batch, "lemmas")["kept_cased"][0] == ["The", "Dog", "be", "bark", "7", "time"]
    assert seen(batch, "content")["kept_lower"][0] == ["dogs", "were", "barking", "7", "times"]
    assert seen(batch, "content")["removed_cased"][0] == ["Dogs", "barking", "7", "times"]


def test_stop_words_of_the_text_are_known_with_punctuation_and_kept_where_nothing_else_is_left():
    batch = analyse([("Stop, the dog is (the) winner.", "A dog")])
    assert sorted(seen(batch, "characters")["removed_lower"]) == [["dog"], ["stop,", "dog", "winner."]]
    assert sorted(seen(analyse([("of the", "red boat")]), "words")["removed_lower"]) == [["of", "the"], ["red", "boat"]]


@pytest.mark.parametrize(
    ("lemma", "token", "expected"),
    [("run", "Running", "Run"), ("good", "BETTER", "GOOD"), ("usa", "USA", "USA"), ("be", "'m", "be"), ("i", "I", "I")],
)
def test_lemmas_keep_the_capitals_of_their_tokens(lemma, token, expected):
    assert cased_lemma(lemma, token) == expected
    assert cased_lemma("understand", "UN") == "UNderstand"


@pytest.mark.parametrize("value", resolve("string_metrics")[0], ids=lambda value: value.name)
def test_empty_and_equal_texts(value):
    assert value(analyse([("", "")], "lexical")).tolist() == [[1.0] * 88]
    assert value(analyse([("", "red boats")], "lexical")).tolist() == [[0.0] * 88]
    found = value(analyse([("The red boats sail home.", "The red boats sail home.")], "lexical"))
    np.testing.assert_allclose(found, 1)


@settings(max_examples=40)
@given(WORDS, WORDS)
def test_sets_and_monge_elkan_are_those_of_plain_loops(a, b):
    found = row(string_metrics.words, " ".join(a), " ".join(b))
    if not a or not b:
        assert set(found.values()) == {float(a == b)}
        return
    x, y = set(a), set(b)
    assert found["jaccard"] == pytest.approx(len(x & y) / len(x | y))
    assert found["cosine"] == pytest.approx(len(x & y) / sqrt(len(x) * len(y)))
    assert found["containment_max"] == pytest.approx(len(x & y) / min(len(x), len(y)))
    grams = [Counter(zip(side, side[1:], strict=False)) for side in (a, b)]
    size = sum(map(Counter.total, grams))
    assert found["bigrams"] == pytest.approx(2 * (grams[0] & grams[1]).total() / size if size else 0)
    ways = [np.mean([max(JaroWinkler.similarity(v, w) for w in ys) for v in xs]) for xs, ys in ((a, b), (b, a))]
    assert found["monge_elkan"] == pytest.approx(np.mean(ways), abs=1e-6)


def test_partial_compares_the_beginnings_of_long_texts():
    # Only what stands after the first 500 characters is alike.
    a, b = "x" * 500 + "red boat", "y" * 500 + "red boat"
    assert row(string_metrics.characters, a, b)["partial"] == 0
    assert row(string_metrics.characters, a[400:], b[400:])["partial"] > 0
