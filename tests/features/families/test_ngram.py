import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samewise.features.analysis.analysis import analyse
from samewise.features.arrays.ragged import ngrams
from samewise.features.base.token_sequences import characters
from samewise.features.base.word_tables import stop_words
from samewise.features.families import ngram
from samewise.features.statistics.counts import letters
from samewise.features.strings import character_ngrams as strings
from sklearn.feature_extraction.text import CountVectorizer

words = st.sampled_from("a the dog dogs cat sees see not is 3 3.0 , . Berlin über aa aaa".split())
texts = st.lists(words, max_size=9).map(" ".join)
batches = st.lists(st.tuples(texts, texts), min_size=1, max_size=4)
quick = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def grams(items, n):
    return [tuple(items[i : i + n]) for i in range(len(items) - n + 1)]


def plain_f1(a, b, weight=lambda gram: 1.0):
    if not a or not b:
        return 1.0
    x, y = Counter(a), Counter(b)
    matched = sum(weight(gram) * count for gram, count in (x & y).items())
    total = sum(weight(gram) * count for gram, count in (x + y).items())
    return 2 * matched / total if total else 0.0


def without(pair, field, stops):
    listed = stop_words(stops)
    sides = [[item for item, word in zip(getattr(s, field), s.words, strict=True) if word not in listed] for s in pair]
    return sides if all(sides) else [list(getattr(s, field)) for s in pair]


def cosine(x, y):
    below = math.sqrt(sum(v * v for v in x.values()) * sum(v * v for v in y.values()))
    return sum(x[k] * y.get(k, 0.0) for k in x) / below if below else 0.0


def row(value, a, b, **resources):
    return value(analyse([(a, b)]), **resources)[0]


def test_golden_words_after_stop_words():
    # dog chases cat / cat chases dog: words 3 of 3; bigrams dog-chases, chases-cat / cat-chases, chases-dog: none.
    np.testing.assert_allclose(row(ngram.tokens, "A dog chases a cat", "A cat chases a dog"), [1, 0, 0])
    # small red car / small blue car: 2 of 3 words; bigrams small-red, red-car / small-blue, blue-car: none.
    np.testing.assert_allclose(row(ngram.tokens, "a small red car", "a small blue car"), [2 / 3, 0, 0], rtol=1e-6)


def test_golden_stop_words_struck_out_of_ngrams():
    # Words: dog, sees, cat / dog, cat: F1 = 2*2/(3+2) = .8.
    # Bigrams "a dog, dog sees, sees a, a cat" -> dog, dog-sees, sees, cat; "the dog, dog and, and cat" -> dog, dog,
    # cat: matched dog and cat, F1 = 2*2/(4+3).
    found = row(ngram.filtered, "a dog sees a cat", "the dog and cat")
    np.testing.assert_allclose(found[:2], [0.8, 4 / 7], rtol=1e-6)


def test_golden_characters():
    # ^ab$ / ^ac$: bigrams ^a, ab, b$ / ^a, ac, c$: one of three.
    found = row(ngram.characters_f1, "ab", "ac")
    np.testing.assert_allclose(found[:3], [1 / 3, 0, 0], rtol=1e-6)
    assert row(ngram.characters_f1, "aaaa", "aaa")[0] == pytest.approx(2 * 4 / (5 + 4))  # ^a, aa, aa, aa, a$


def test_golden_sets():
    # Words {small, red, car} and {small, car, park}: 2 of 4; containment 2/3 both ways.
    assert row(ngram.jaccard, "small red car", "small car park")[0] == 0.5
    np.testing.assert_allclose(
        row(ngram.containment, "red car car", "small red car park"), [0.5, 1, 1 / 3, 0.5], rtol=1e-6
    )
    # Stop words "the of the" / "the of": bigrams {the of, of the} and {the of}: 1 / max(2, 1).
    assert row(ngram.stop_word, "the top of the hill", "the end of days")[0] == 0.5


@pytest.mark.slow
@quick
@given(batches)
def test_word_ngrams_equal_the_counters(pairs):
    batch = analyse(pairs)
    found = {f: f(batch) for f in (ngram.tokens, ngram.words, ngram.stems, ngram.filtered, ngram.jaccard)}
    listed = stop_words("ecnu")
    for i, pair in enumerate(batch):
        for value, field, stops, shift in (
            (ngram.tokens, "tokens", "ecnu", 0),
            (ngram.words, "words", "takelab", 0),
            (ngram.stems, "stems", "ecnu", 0),
            (ngram.stems, "stems", "takelab", 3),
        ):
            a, b = without(pair, field, stops)
            expected = [plain_f1(grams(a, n), grams(b, n)) for n in (1, 2, 3)]
            np.testing.assert_allclose(found[value][i, shift : shift + 3], expected, rtol=1e-6)
        expected = []
        for field, n in (("words", 1), ("words", 2), ("words", 3), ("stems", 2), ("stems", 3)):
            sides = []
            for s in pair:
                keep = [None if word in listed else item for item, word in zip(getattr(s, field), s.words, strict=True)]
                short = [tuple(item for item in gram if item) for gram in grams(keep, n)]
                sides.append([gram for gram in short if gram])
            expected.append(plain_f1(*sides))
        np.testing.assert_allclose(found[ngram.filtered][i], expected, rtol=1e-6)
        a, b = (set(grams(s.words, 3)) for s in pair)
        assert found[ngram.jaccard][i, 1] == pytest.approx(len(a & b) / len(a | b) if a | b else 0.0)


@quick
@given(pairs=batches)
def test_idf_weighted_equals_the_counters(training, pairs):
    idf = training[1]["idf"]
    batch = analyse(pairs)
    found = ngram.idf_weighted(batch, idf=idf)
    for i, (a, b) in enumerate(batch):
        expected = []
        for field in ("words", "stems"):
            x, y = getattr(a, field), getattr(b, field)
            for n in (1, 2, 3):
                for kind in (idf.ecnu, idf.smooth):
                    weight = lambda gram, kind=kind, field=field: float(kind(field, gram).sum())  # noqa: E731
                    expected.append(plain_f1(grams(x, n), grams(y, n), weight))
        np.testing.assert_allclose(found[i], expected, rtol=1e-5)


@quick
@given(batches)
def test_character_ngrams_equal_the_counters(pairs):
    batch = analyse(pairs)
    found = ngram.characters_f1(batch)
    for i, pair in enumerate(batch):
        expected = []
        for sides in ([s.stems for s in pair], without(pair, "stems", "ecnu")):
            a, b = (f"^{'#'.join(side)}$" for side in sides)
            expected += [plain_f1(grams(a, n), grams(b, n)) for n in (2, 3, 4, 5)]
        np.testing.assert_allclose(found[i], expected, rtol=1e-6)


def weighted(text, n, idf):
    counts = Counter(text[i : i + n] for i in range(len(text) - n + 1))
    return {g: c * float(idf.smooth(ngrams(characters([g]), n).values)[0]) for g, c in counts.items()}


@pytest.mark.slow
@quick
@given(pairs=batches)
def test_character_cosines_equal_the_definition(training, pairs):
    idf = training[1]["character_idf"]
    batch = analyse(pairs)
    found = ngram.characters_cosine(batch, character_idf=idf)
    for i, pair in enumerate(batch):
        a, b = (letters(s.text) for s in pair)
        expected = [cosine(weighted(a, n, idf), weighted(b, n, idf)) for n in (2, 3, 4)]
        expected.append(cosine(*(Counter(t[j : j + 3] for j in range(len(t) - 2)) for t in (a, b))))
        np.testing.assert_allclose(found[i], expected, atol=1e-6)


def test_inside_words_counts_what_sklearn_counts(training):
    idf = training[1]["character_idf"]
    count = CountVectorizer(analyzer="char_wb", ngram_range=(2, 3)).build_analyzer()
    a, b = "old farmers mow green meadows x", "farmer green meadow z"  # no stop words
    vectors = [
        {g: c * float(idf.smooth(ngrams(characters([g]), len(g)).values)[0]) for g, c in Counter(count(t)).items()}
        for t in (a, b)
    ]
    assert row(ngram.inside_words, a, b, character_idf=idf)[0] == pytest.approx(cosine(*vectors), abs=1e-6)
    with_stops = row(ngram.inside_words, f"the {a}", f"of a {b}", character_idf=idf)
    np.testing.assert_array_equal(with_stops, row(ngram.inside_words, a, b, character_idf=idf))


def test_inside_words_keeps_stop_words_where_nothing_else_is_left(training):
    # "of" alone: " o", "of", "f ", " of", "of " of the first side, against those and as many of "a" and "dog".
    idf = training[1]["character_idf"]
    count = CountVectorizer(analyzer="char_wb", ngram_range=(2, 3)).build_analyzer()
    for a, b in (("of", "a dog"), ("of", "dog of"), ("a dog", "of"), ("of", "of")):
        vectors = [
            {g: c * float(idf.smooth(ngrams(characters([g]), len(g)).values)[0]) for g, c in Counter(count(t)).items()}
            for t in (a, b)
        ]
        assert row(ngram.inside_words, a, b, character_idf=idf)[0] == pytest.approx(cosine(*vectors), abs=1e-6)


def test_ranked_keeps_the_order_in_both_ways():
    codes = np.array([7, 3, 900, 3, 7])
    for bound in (1_000, 1 << 25):
        ranks, distinct = strings._ranked(codes, bound)
        assert ranks.tolist() == [1, 0, 2, 0, 1]
        assert distinct == 3


def test_identical_sentences_score_one(training):
    _, resources = training
    batch = analyse([("Three old farmers mow the meadow, slowly.",) * 2])
    for value in (ngram.tokens, ngram.words, ngram.stems, ngram.filtered, ngram.characters_f1, ngram.containment):
        np.testing.assert_array_equal(value(batch), 1.0)
    for value in (ngram.idf_weighted, ngram.characters_cosine, ngram.inside_words):
        np.testing.assert_array_equal(value(batch, **resources), 1.0)
