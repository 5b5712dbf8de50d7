import math

import numpy as np
import pytest
from samewise.features.base.sentences import PairBatch
from samewise.features.families import soft_alignment
from samewise.features.statistics.counts import LemmaIdf

from ..golden import check
from ..sentences import sentence

FLAT = LemmaIdf.fit([])  # every lemma weighs 1


def side(text, lemmas, tags):
    """Make a sentence whose tokens hang from the last."""
    return sentence(text, lemmas, tags, heads=[len(text.split()) - 1] * len(text.split()))


def pair(*sides):
    """Make a batch of one pair from (tokens, lemmas, tags)."""
    return PairBatch([side(*one) for one in sides], np.asarray([0]), np.asarray([1]))


POODLE = ("The poodle slept .", "the poodle sleep .", "DT NN VBD .")
DOG = ("A dog slept .", "a dog sleep .", "DT NN VBD .")
ANIMALS = ("animals teach guitar", "animal teach guitar", "NNS VBP NN")

# The lemma of one sentence in two weighs ln(3 / 2) + 1, one that was never seen ln 3 + 1.
IDF = LemmaIdf.fit([sentence("sleep", lemmas="sleep"), sentence("x", lemmas="x")])
COMMON, RARE = math.log(3 / 2) + 1, math.log(3) + 1
VALUE = (COMMON + RARE / 2) / (COMMON + RARE)

GOLDEN = [
    # poodle and dog 1/2, slept 1; of the other pair only dog and animal 1/3.
    (soft_alignment.relatedness, POODLE, DOG, FLAT, [0.75] * 3),
    (soft_alignment.relatedness, DOG, ANIMALS, FLAT, [1 / 9, 1 / 6, 5 / 36]),
    (soft_alignment.relatedness, POODLE, DOG, IDF, [VALUE] * 3),
    (soft_alignment.aligned, POODLE, DOG, FLAT, [0.75] * 2),
    (soft_alignment.aligned, POODLE, DOG, IDF, [0.75, VALUE]),
    # 1/3 is below the threshold.
    (soft_alignment.aligned, DOG, ANIMALS, FLAT, [0, 0]),
]


@pytest.mark.parametrize(("value", "a", "b", "idf", "expected"), GOLDEN)
def test_golden(value, a, b, idf, expected):
    check(value, side(*a), side(*b), expected, lemma_idf=idf)


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
