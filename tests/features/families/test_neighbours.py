import math

import numpy as np
import pytest
from samewise.features.families import neighbours
from samewise.features.lexicon.paraphrases import paraphrases
from samewise.features.lexicon.wordnet import wordnet
from samewise.features.statistics.counts import LemmaIdf

from ..sentences import sentence
from .test_soft_alignment import pair

FLAT = LemmaIdf.fit([])


def near(lemma, kind):
    """Return what a lemma stands for, with a plain look at both tables."""
    net, table = wordnet(), paraphrases()
    word = net.word_ids([lemma], [kind])
    senses = net.senses(word).values[:1]  # the commonest sense alone
    found = {("synonym", one) for one in net.members(senses).values.tolist()}
    if table.entry(lemma).place >= 0:
        found |= {("paraphrase", one) for one in {lemma} | table.partners(lemma)}
    return found or {lemma}


def slow(a, b):
    """Return the three columns of two sentences of (lemma, class, weight)."""
    sides = [[(near(lemma, kind), weight) for lemma, kind, weight in side] for side in (a, b)]
    whole, split = [{}, {}], [{}, {}]
    for k, side in enumerate(sides):
        for items, weight in side:
            for item in items:
                whole[k][item] = max(whole[k].get(item, 0), weight)
                split[k][item] = split[k].get(item, 0) + weight / len(items)
    every = set(whole[0]) | set(whole[1])
    columns = [
        sum(min(one.get(k, 0), two.get(k, 0)) for k in every) / sum(max(one.get(k, 0), two.get(k, 0)) for k in every)
        for one, two in (whole, split)
    ]
    met = sum(weight for k in (0, 1) for items, weight in sides[k] if items & set(whole[1 - k]))
    return [*columns, met / sum(weight for side in sides for _, weight in side)]


def test_common_is_what_a_loop_finds():
    batch = pair(
        ("The film had a happy ending xyzzy", "the film have a happy ending xyzzy", "DT NN VBD DT JJ NN NN"),
        ("A movie 's glad conclusion xyzzy", "a movie 's glad conclusion xyzzy", "DT NN POS JJ NN NN"),
    )
    a = [("film", 0, 1.0), ("happy", 2, 0.6), ("ending", 0, 1.0), ("xyzzy", 0, 1.0)]
    b = [("movie", 0, 1.0), ("glad", 2, 0.6), ("conclusion", 0, 1.0), ("xyzzy", 0, 1.0)]
    expected = slow(a, b)
    assert 0 < expected[0] < 1
    np.testing.assert_allclose(neighbours.common(batch, lemma_idf=FLAT)[0], expected, rtol=1e-6)


def test_synonyms_paraphrases_and_strangers():
    car, auto = ("car", "car", "NN"), ("automobile", "automobile", "NN")
    assert neighbours.common(pair(car, car), lemma_idf=FLAT).tolist() == [[1, 1, 1]]
    jaccard, split, reached = neighbours.common(pair(car, auto), lemma_idf=FLAT)[0].tolist()
    assert 0 < jaccard < 1
    assert 0 < split < 1
    assert reached == 1
    assert neighbours.common(pair(car, ("xyzzy", "xyzzy", "NN")), lemma_idf=FLAT).tolist() == [[0, 0, 0]]


def test_words_weigh_their_idf_and_class():
    # car is in one sentence of two; ran is a verb.
    idf = LemmaIdf.fit([sentence("car", lemmas="car"), sentence("x", lemmas="x")])
    batch = pair(("car xyzzies", "car xyzzy", "NN VBZ"), ("the car", "the car", "DT NN"))
    common, rare = math.log(3 / 2) + 1, math.log(3) + 1
    found = neighbours.common(batch, lemma_idf=idf)[0]
    assert found[2] == pytest.approx(2 * common / (2 * common + 0.8 * rare))
    assert found[1] == pytest.approx(common / (common + 0.8 * rare))


@pytest.mark.parametrize(("tag", "weight"), [("NN", 1), ("VB", 0.8), ("JJ", 0.6), ("RB", 0.4), ("UH", 0.1), ("CD", 1)])
def test_weight_of_each_class(tag, weight):
    # xyzzy is shared and plugh, a noun, is alone: 2 w of 2 w + 1, and of the neighbours w of w + 1.
    batch = pair(("xyzzy plugh", "xyzzy plugh", f"{tag} NN"), ("xyzzy", "xyzzy", tag))
    expected = [weight / (weight + 1), weight / (weight + 1), 2 * weight / (2 * weight + 1)]
    assert neighbours.common(batch, lemma_idf=FLAT)[0].tolist() == pytest.approx(expected)
