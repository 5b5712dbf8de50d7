import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samewise.features.analysis.analysis import analyse
from samewise.features.base.sentences import AnalysedPair, Sentence
from samewise.features.base.word_tables import stop_words
from samewise.features.families import cardinality
from samewise.features.statistics.counts import Idf, LemmaIdf


def grams(word):
    marked = ["begin", *word, "end"]
    return {tuple(marked[i : i + q]) for q in (2, 3) for i in range(len(marked) - q + 1)}


def alike(x, y):
    x, y = grams(x), grams(y)
    return 2 * len(x & y) / (len(x) + len(y))


def soft(words, weight, similarity=alike):
    return sum(weight[x] / sum(similarity(x, y) ** 2 for y in words) for x in words)


def slow(a, b, weight):
    a_, b_, both = (soft(side, weight) for side in (a, b, a | b))
    shared = max(a_ + b_ - both, 0)
    return [2 * shared / (a_ + b_) if a_ + b_ else 0, shared / min(a_, b_) if min(a_, b_) else 0]


def test_qgrams_by_hand():
    found = cardinality.qgrams(("", "o", "oo", "ox"))
    rows = [found.values[i:j].tolist() for i, j in zip(found.offsets[:-1], found.offsets[1:], strict=True)]
    expected = ["^$", "^o o$ ^o$", "^o oo o$ ^oo oo$", "^o ox x$ ^ox ox$"]
    # Shorter ones first, then by code point; both marks come behind all characters.
    order = "oo ox o$ x$ ^o ^$ oo$ ox$ ^oo ^ox ^o$".split()
    assert rows == [sorted(map(order.index, row.split())) for row in expected]
    assert len(rows[2]) == len(rows[3]) == 5 == len(grams("oo"))
    assert len(cardinality.qgrams(("banana",)).values) == len(grams("banana"))


def test_by_hand():
    # "ab" and "abc" share ^a, ab, ^ab of 5 and 7 q-grams: similarity 6 / 12. All words are unseen: weight w.
    idf = Idf.fit([])
    w = idf.smooth("words", ["ab"])[0]
    crowd = 1 + 0.5**2
    shared = w + w - 2 * w / crowd
    expected = [2 * shared / (2 * w), shared / w]
    np.testing.assert_allclose(cardinality.words(analyse([("ab", "abc")]), idf=idf)[0], expected * 2, rtol=1e-6)


def test_unlike_words_count_as_in_a_set():
    # Words without a common letter: soft cardinality is that of the set, and repeats count once.
    batch = analyse([("dog dog fir", "fir dog dog dog wet"), ("dog", "dog dog"), ("dog", "fir"), ("", "dog")])
    idf = Idf.fit(batch.sentences)
    dog, fir, wet = idf.smooth("words", ["dog", "fir", "wet"])
    first = [2 * (dog + fir) / (2 * (dog + fir) + wet), 1]
    expected = [first * 2, [1] * 4, [0] * 4, [0] * 4]
    np.testing.assert_allclose(cardinality.words(batch, idf=idf), expected, rtol=1e-6)


words = st.sampled_from("a the cat cats cut dog dogs dogged do not note , . über Über 12 121 on".split())
texts = st.lists(words, max_size=9).map(" ".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_equals_the_definition(training, pairs):
    idf, batch = training[1]["idf"], analyse(pairs)
    found = cardinality.words(batch, idf=idf)
    np.testing.assert_array_equal(found, cardinality.words(analyse([(b, a) for a, b in pairs]), idf=idf))
    listed = stop_words("ecnu")
    for row, pair in zip(found, batch, strict=True):
        kept = [set(side.words) for side in pair]
        removed = [side - listed for side in kept]
        weight = {word: idf.smooth("words", [word])[0] for word in kept[0] | kept[1]}
        expected = slow(*kept, weight) + slow(*(removed if all(removed) else kept), weight)
        np.testing.assert_allclose(row, np.minimum(expected, 1), atol=1e-5)


def test_lemmas_count_as_words_do():
    def read(text, lemmas):
        tokens = tuple(text.split())
        return Sentence(text, tokens, tokens, tokens, lemmas=tuple(lemmas.split()), tags=("NN",) * len(tokens))

    a, b = read("cats were there", "cat be there"), read("a cat was", "a cat be")
    idf = LemmaIdf.fit([a, b])
    found = cardinality.lemmas([AnalysedPair(a, b)], lemma_idf=idf)[0]
    weight = {lemma: idf.smooth("lemmas", [lemma])[0] for lemma in (*a.lemmas, *b.lemmas)}
    removed = [{"cat"}, {"cat"}]
    expected = slow(set(a.lemmas), set(b.lemmas), weight) + slow(*removed, weight)
    assert found == pytest.approx(expected, abs=1e-6)


def test_many_like_words_stay_affordable():
    # All words of both sides begin alike: every pair of them has to be compared.
    letters = [chr(0x4E00 + i) for i in range(1_000)]
    texts = [" ".join(f"ab{letter}" for letter in side) for side in (letters[:500], letters[500:])]
    batch = analyse([tuple(texts)] * 3)
    found = cardinality.words(batch, idf=Idf.fit([]))
    assert (found[0] == found[1]).all() and 0 < found[0, 0] < 1
