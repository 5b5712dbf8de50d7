import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.base.sentences import AnalysedPair, Sentence
from samewise.features.families import information
from samewise.features.lexicon.dictionaries import pack_words
from samewise.features.lexicon.word_frequencies import Frequencies
from samewise.features.statistics.counts import LemmaIdf

LEMMAS = {"dogs": "dog", "barked": "bark", "ran": "run", "cats": "cat"}


def read(text):
    tokens = tuple(text.split())
    words = tuple(token.lower() for token in tokens)
    lemmas = tuple(LEMMAS.get(word, word) for word in words)
    return Sentence(text, tokens, words, words, lemmas=lemmas, tags=("NN",) * len(tokens))


def read_pairs(pairs):
    return [AnalysedPair(read(a), read(b)) for a, b in pairs]


def table(centibels):
    words, text = pack_words(centibels)
    return Frequencies({"words": text, "centibels": np.array([centibels[w] for w in words], dtype=np.int16)})


SMALL = table({"the": 100, "dog": 400, "dogs": 500, "bark": 600, "cat": 300})


def test_words_by_hand():
    # Information in units of ln(10): the 1, dog 4, dogs 5, cat 3, an unknown word 7, a comma none.
    batch = read_pairs([("The dog the cat ,", "the dog dogs"), ("xyzzy , dog", "dog")])
    overlap, low, high, sif, difference = information.words(batch, frequencies=SMALL)[0]
    assert (overlap, low, high) == pytest.approx((2 * 5 / (8 + 10), 5 / 10, 5 / 8))
    # Less the information of "the": dog 3 and cat 2; dog 3 and dogs 4.
    assert difference == pytest.approx(2 / 7)
    the, dog, dogs, cat, comma = (1e-3 / (1e-3 + p) for p in (0.1, 1e-4, 1e-5, 1e-3, 1))
    assert sif == pytest.approx(2 * (the + dog) / ((the + dog + cat + comma) + (the + dog + dogs)))
    second = information.words(batch, frequencies=SMALL)[1]
    assert second[[0, 1, 2, 4]] == pytest.approx([2 * 4 / (11 + 4), 4 / 11, 1, 6 / 9])


def test_lemmas_by_hand():
    batch = read_pairs([("the dogs barked", "dog"), ("dog dog cat", "the dogs")])
    found = information.lemmas(batch, frequencies=SMALL)
    np.testing.assert_allclose(found[:, 0], [2 * 4 / (11 + 4), 2 * 4 / (7 + 5)], rtol=1e-6)
    unmatched = information.unmatched(batch, frequencies=SMALL) / math.log(10)
    # The first: "the" and "bark" against nothing. The second: "cat" against "the".
    np.testing.assert_allclose(unmatched, [[0, 6, 0, 7], [1, 3, 1, 3]], rtol=1e-6)


def test_lemmas_idf_by_hand():
    batch = read_pairs([("the dogs barked", "the dog"), ("the cat", "the cat")])
    idf = LemmaIdf.fit([sentence for pair in batch for sentence in pair])
    the, dog, bark = idf.smooth("lemmas", ["the", "dog", "bark"])
    low = (the + dog) / (the + dog + bark)
    expected = [[2 * (the + dog) / (2 * the + 2 * dog + bark), low, 1], [1, 1, 1]]
    np.testing.assert_allclose(information.lemmas_idf(batch, lemma_idf=idf), expected, rtol=1e-6)


def test_without_information_there_is_no_overlap():
    batch = read_pairs([("", ""), ("", "dog"), (", ,", ".")])
    for value in (information.words, information.lemmas):
        np.testing.assert_allclose(value(batch, frequencies=SMALL)[:, [0, 1, 2]], 0)
        np.testing.assert_allclose(value(batch, frequencies=SMALL)[:, 4], [0, 1, 0])


def slow(a, b, weight):
    matched = sum(weight[word] for word in a & b)
    p, r = (matched / total if total else 0.0 for total in (sum(map(weight.get, side)) for side in (a, b)))
    return 2 * p * r / (p + r) if p + r else 0.0


words = st.sampled_from("the The dog dogs cat barked xyzzy , 12 1999".split())
texts = st.lists(words, max_size=9).map(" ".join)


@pytest.mark.slow
@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_is_the_harmonic_mean_of_the_coverages(pairs):
    batch = read_pairs(pairs)
    for value, field in ((information.words, "words"), (information.lemmas, "lemmas")):
        there = value(batch, frequencies=SMALL)
        back = value([AnalysedPair(b, a) for a, b in batch], frequencies=SMALL)
        np.testing.assert_array_equal(there, back)
        alone = np.concatenate([value([pair], frequencies=SMALL) for pair in batch])
        np.testing.assert_array_equal(there, alone)
        for row, (a, b) in zip(there, batch, strict=True):
            a, b = set(getattr(a, field)), set(getattr(b, field))
            known = sorted({*a, *b})
            for column, weigh in ((0, SMALL.information), (3, SMALL.sif)):
                expected = slow(a, b, dict(zip(known, weigh(known).tolist(), strict=True)))
                assert row[column] == pytest.approx(expected, rel=1e-5, abs=1e-7)
