import math

import numpy as np
import pytest
from samewise.features.base.sentences import PairBatch
from samewise.features.families import wordnet_overlap
from samewise.features.lexicon.dictionaries import pack_words
from samewise.features.lexicon.sense_similarity import word_similarity
from samewise.features.lexicon.word_frequencies import Frequencies
from samewise.features.lexicon.wordnet import wordnet
from samewise.features.statistics.counts import LemmaIdf

from ..sentences import sentence

FLAT = LemmaIdf.fit([])  # every lemma weighs 1

A = sentence("a dog sleeps hot", "a dog sleep hot", "DT NN VBZ JJ")
B = sentence("the animal sleeps guitar", "the animal sleep guitar", "DT NN VBZ NN")
BATCH = PairBatch([A, B], np.asarray([0, 0]), np.asarray([1, 0]))


@pytest.fixture(scope="module")
def frequencies():
    words, text = pack_words(["dog", "animal", "sleep", "hot", "guitar"])
    shares = {"dog": 3.0, "animal": 4.0, "sleep": 4.0, "hot": 5.0, "guitar": 6.0}
    return Frequencies(
        {"words": text, "centibels": np.asarray([round(100 * shares[w]) for w in words], dtype=np.int16)}
    )


def alike(measure, x, y, information="semcor"):
    wn = wordnet()
    return word_similarity(wn, measure, wn.word_ids([x], [0]), wn.word_ids([y], [0]), information)[0]


def test_path_by_hand():
    # dog: animal 1/3, sleeps 1, hot 0; animal 1/3, sleeps 1, guitar: dog.
    dog, guitar = alike("path", "dog", "animal"), alike("path", "dog", "guitar")
    a, b = (dog + 1 + 0) / 3, (dog + 1 + guitar) / 3
    assert dog == pytest.approx(1 / 3)
    np.testing.assert_allclose(wordnet_overlap.path(BATCH)[:, 0], [2 * a * b / (a + b), 1], rtol=1e-6)


def test_mihalcea_by_hand():
    most = wordnet().information_content("words").max()
    expected = []
    for name, scale in (("res", most), ("lin", 1), ("jcn", 1)):
        dog, guitar = (min(alike(name, "dog", other, "words") / scale, 1) for other in ("animal", "guitar"))
        # hot is an adjective, compared by identity alone.
        expected.append(((max(dog, guitar) + 1 + 0) / 3 + (dog + 1 + guitar) / 3) / 2)
    found = wordnet_overlap.mihalcea(BATCH, lemma_idf=FLAT)
    np.testing.assert_allclose(found, [expected, [1, 1, 1]], rtol=1e-6)


def test_mihalcea_weighs_words():
    idf = LemmaIdf.fit([sentence("sleep", lemmas="sleep"), sentence("x", lemmas="x")])
    common, rare = math.log(3 / 2) + 1, math.log(3) + 1
    dog, guitar = (alike("lin", "dog", other, "words") for other in ("animal", "guitar"))
    a = (rare * max(dog, guitar) + common) / (2 * rare + common)
    b = (rare * dog + common + rare * guitar) / (2 * rare + common)
    assert wordnet_overlap.mihalcea(BATCH, lemma_idf=idf)[0, 1] == pytest.approx((a + b) / 2, rel=1e-6)


def li_by_hand(weight):
    # Joint words dog, sleep, hot, animal, guitar; what is most like a word of the other side, if above 0.2.
    dog, guitar = alike("li", "dog", "animal"), alike("li", "dog", "guitar")
    assert dog > 0.2
    lent = guitar if guitar > 0.2 else 0.0
    own = {word: w * w for word, w in weight.items()}
    a = [
        own["dog"],
        own["sleep"],
        own["hot"],
        dog * weight["dog"] * weight["animal"],
        lent * weight["dog"] * weight["guitar"],
    ]
    b = [max(dog, lent) * weight["dog"] * weight["animal"], own["sleep"], 0, own["animal"], own["guitar"]]
    return np.dot(a, b) / math.sqrt(np.dot(a, a) * np.dot(b, b))


def test_li_by_hand(frequencies):
    shares = {"dog": 1e-3, "animal": 1e-4, "sleep": 1e-4, "hot": 1e-5, "guitar": 1e-6}
    n = wordnet_overlap.BROWN
    weight = {word: 1 - math.log(share * n + 1) / math.log(n + 1) for word, share in shares.items()}
    expected = [li_by_hand(dict.fromkeys(shares, 1.0)), li_by_hand(weight)]
    found = wordnet_overlap.li(BATCH, frequencies=frequencies)
    np.testing.assert_allclose(found, [expected, [1, 1]], rtol=1e-6)
    assert abs(expected[0] - expected[1]) > 0.01


def test_similarities_up_to_a_fifth_count_as_none(frequencies):
    far, near = alike("li", "lizard", "dentist"), alike("li", "lizard", "sparrow")
    assert 0 < far < 0.2 < near
    sides = [sentence(word, word, "NN") for word in ("lizard", "dentist", "sparrow")]
    batch = PairBatch(sides, np.asarray([0, 0]), np.asarray([1, 2]))
    plain = wordnet_overlap.li(batch, frequencies=frequencies)[:, 0]
    np.testing.assert_allclose(plain, [0, 2 * near / (1 + near * near)], rtol=1e-6)
