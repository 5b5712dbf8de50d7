import math

import numpy as np
import pytest
from samewise.features.families import soft_alignment
from samewise.features.resources.term_frequencies import LemmaIdf
from samewise.features.sentences import PairBatch

from ..sentences import sentence

FLAT = LemmaIdf.fit([])  # every lemma weighs 1


def pair(*sides):
    """Make a batch of one pair from (tokens, lemmas, tags); every token hangs from the last."""
    made = [
        sentence(text, lemmas, tags, heads=[len(text.split()) - 1] * len(text.split())) for text, lemmas, tags in sides
    ]
    return PairBatch(made, np.asarray([0]), np.asarray([1]))


POODLE = ("The poodle slept .", "the poodle sleep .", "DT NN VBD .")
DOG = ("A dog slept .", "a dog sleep .", "DT NN VBD .")
ANIMALS = ("animals teach guitar", "animal teach guitar", "NNS VBP NN")


def test_relatedness_by_hand():
    # poodle and dog 1/2, slept 1; of the other pair only dog and animal 1/3.
    np.testing.assert_allclose(soft_alignment.relatedness(pair(POODLE, DOG), lemma_idf=FLAT), [[0.75] * 3], rtol=1e-6)
    found = soft_alignment.relatedness(pair(DOG, ANIMALS), lemma_idf=FLAT)[0]
    np.testing.assert_allclose(found, [1 / 9, 1 / 6, 5 / 36], rtol=1e-6)


def test_words_weigh_their_idf():
    # The lemma of one sentence in two weighs ln(3 / 2) + 1, one that was never seen ln 3 + 1.
    idf = LemmaIdf.fit([sentence("sleep", lemmas="sleep"), sentence("x", lemmas="x")])
    common, rare = math.log(3 / 2) + 1, math.log(3) + 1
    value = (common + rare / 2) / (common + rare)
    batch = pair(POODLE, DOG)
    np.testing.assert_allclose(soft_alignment.relatedness(batch, lemma_idf=idf), [[value] * 3], rtol=1e-6)
    np.testing.assert_allclose(soft_alignment.aligned(batch, lemma_idf=idf), [[0.75, value]], rtol=1e-6)
    np.testing.assert_allclose(soft_alignment.soft_coverage(batch, lemma_idf=idf), [[value] * 4], rtol=1e-6)


def test_soft_coverage_by_hand():
    # The aligner links slept; poodle and dog are left over and count 1/2.
    np.testing.assert_allclose(soft_alignment.soft_coverage(pair(POODLE, DOG), lemma_idf=FLAT), [[0.75] * 4], rtol=1e-6)
    # dog is linked, so it is no partner for poodle, whose relatedness is lost.
    both = ("dog poodle", "dog poodle", "NN NN")
    found = soft_alignment.soft_coverage(pair(both, ("dog", "dog", "NN")), lemma_idf=FLAT)[0]
    np.testing.assert_allclose(found, [2 / 3, 1 / 2, 1, 2 / 3], rtol=1e-6)


def test_aligned_by_hand():
    np.testing.assert_allclose(soft_alignment.aligned(pair(POODLE, DOG), lemma_idf=FLAT), [[0.75] * 2], rtol=1e-6)
    # 1/3 is below the threshold.
    assert soft_alignment.aligned(pair(DOG, ANIMALS), lemma_idf=FLAT).tolist() == [[0, 0]]


def test_shape_by_hand():
    # Links slept (place 2 of 4 and 1 of 3) of 1 and poodle - dog (1 of 4 and 2 of 3) of 1/2; guitar has none.
    batch = pair(
        ("The poodle slept guitar", "the poodle sleep guitar", "DT NN VBD NN"),
        ("A slept dog", "a sleep dog", "DT VBD NN"),
    )
    found = dict(zip(soft_alignment.shape.names, soft_alignment.shape(batch)[0].tolist(), strict=True))
    slept, dog = abs(2.5 / 4 - 1.5 / 3), abs(1.5 / 4 - 2.5 / 3)
    expected = {
        "links": 2, "share": 4 / 5, "near": 2 * ((1 - slept) + 0.5 * (1 - dog)) / 5, "mean": 0.75, "least": 0.5,
        "deviation": 0.25, "unaligned_min": 0, "unaligned_max": 1, "best_min": 0.5, "best_max": 0.75, "lowest": 0,
        "quartile": 0.5, "median": 0.5, "best_deviation": np.std([1, 0.5, 0, 1, 0.5]), "crossing": 1,
        "drift": (slept + dog) / 2,
    }  # fmt: skip
    assert found == pytest.approx(expected, rel=1e-5)
