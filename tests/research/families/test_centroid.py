import numpy as np
import pytest
from samewise.features.lexicon.word_vectors import shipped_vectors
from samewise.research.families import centroid

from ...features.families.test_soft_alignment import pair

A = ("The dogs were sleeping", "the dog be sleep", "DT NNS VBD VBG")
B = ("A red boat sails", "a red boat sail", "DT JJ NN VBZ")


def cosine(name, a, b):
    vectors = [shipped_vectors(name).embed(side.split()).values.astype(np.float64).mean(axis=0) for side in (a, b)]
    return vectors[0] @ vectors[1] / np.sqrt((vectors[0] @ vectors[0]) * (vectors[1] @ vectors[1]))


def test_each_column_averages_its_words():
    # Of the lemmas the, be and a are stop words by their tokens.
    views = ("dogs sleeping", "red boat sails"), ("the dog be sleep", "a red boat sail"), ("dog sleep", "red boat sail")
    expected = [cosine("distilled", *view) for view in views]
    assert centroid.distilled(pair(A, B))[0].tolist() == pytest.approx(expected, abs=1e-5)


def test_content_words_have_a_word_class():
    # Beyond is no stop word, but none of the four classes either.
    batch = pair(("beyond boats", "beyond boat", "IN NNS"), ("boat", "boat", "NN"))
    removed, _, content = centroid.distilled(batch)[0]
    assert content == pytest.approx(1)
    assert removed < 0.99


def test_sentences_without_words():
    batch = pair(("the of", "the of", "DT IN"), ("a in", "a in", "DT IN"))
    removed, lemmas, content = centroid.distilled(batch)[0]
    assert content == 0
    assert removed == pytest.approx(cosine("distilled", "the of", "a in"), abs=1e-5)
    assert lemmas == pytest.approx(removed)
