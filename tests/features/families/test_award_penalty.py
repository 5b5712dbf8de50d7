import math

import numpy as np
import pytest
from samewise.features.base.token_sequences import vocabulary
from samewise.features.families import award_penalty
from samewise.features.families.award_penalty import Corrected
from samewise.features.lexicon.word_vectors import shipped_vectors
from samewise.features.lexicon.wordnet import wordnet
from samewise.features.statistics.counts import LemmaIdf
from samewise.features.word_similarity.word_grids import terms

from ..sentences import sentence
from ..word_similarity.test_assignment import Table
from .test_soft_alignment import pair

TABLE = Table(
    {("dog", "poodle"): 0.5, ("dog", "hound"): 0.9, ("dog", "car"): 0.5, ("dog", "sofa"): 0.1, ("dog", "xyzzy"): 0.3}
)


def test_corrected_by_hand():
    words = "dog poodle hound car sofa xyzzy dogs"
    batch = pair((words, "dog poodle hound car sofa xyzzy dog", "NN " * 6 + "NNS"), ("run", "run", "VB"))
    items = vocabulary(batch, "words").items
    place = {items[word]: k for k, word in enumerate(terms(batch).words.tolist())}
    others = words.split()[1:] + ["run"]
    x, y = np.full(len(others), place["dog"]), np.asarray([place[word] for word in others])
    # A hyponym; one that is more alike than 1; two unrelated nouns; an unknown word; an equal lemma; a verb.
    expected = [0.75, 1, 0.25, 0, 0.3, 1, 0]
    np.testing.assert_allclose(Corrected(TABLE)(batch, x, y), expected)
    np.testing.assert_allclose(Corrected(TABLE)(batch, y, x), expected)


def test_matched_by_hand(monkeypatch):
    monkeypatch.setattr(award_penalty, "SIMILARITY", Corrected(TABLE))
    batch = pair(("the dog slept", "the dog sleep", "DT NN VBD"), ("a poodle", "a poodle", "DT NN"))
    # dog 3/4, slept 0; poodle 3/4. The lemma dog is in one of two sentences, the others in none.
    idf = LemmaIdf.fit([sentence("dog", lemmas="dog"), sentence("x", lemmas="x")])
    common, rare = math.log(3 / 2) + 1, math.log(3) + 1
    a, b = 0.75 * common / (common + rare), 0.75
    found = award_penalty.matched(batch, lemma_idf=idf)[0]
    assert found.tolist() == pytest.approx([a, b, (a + b) / 2, (0.375 + 0.75) / 2], rel=1e-6)


def test_the_first_word_of_wordnet_is_one_of_its_words():
    (word,) = wordnet().word_names(np.array([0]))
    tag = ("NN", "VB", "JJ", "RB")[wordnet().word_classes(np.array([0]))[0]]
    batch = pair((word, word, tag), ("xyzzy", "run" if tag != "NN" else "sofa", tag))
    x, y = terms(batch).of_token[:1], terms(batch).of_token[1:]
    for one, other in ((x, y), (y, x)):
        assert Corrected(Table({(word, "xyzzy"): 0.5}))(batch, one, other).tolist() == [0.25]


def test_the_measure_is_the_cosine_by_the_distilled_vectors():
    # Nouns of one kind and its hyponym, 1/4 above their cosine; unrelated ones, 1/4 below it and at least 0.
    batch = pair(
        ("dog lion piano", "dog lion piano", "NN NN NN"), ("poodle tiger boat", "poodle tiger boat", "NN NN NN")
    )
    vectors = {word: value for word, value in zip(vocabulary(batch, "words").items, plain_vectors(batch), strict=True)}
    unit = {word: value / np.linalg.norm(value) for word, value in vectors.items()}
    sides = ("dog", "lion", "piano"), ("poodle", "tiger", "boat")
    cosine = {(a, b): max(float(unit[a] @ unit[b]), 0) for a in sides[0] for b in sides[1]}
    value = {at: min(max(plain + (0.25 if at == ("dog", "poodle") else -0.25), 0), 1) for at, plain in cosine.items()}
    ways = [
        np.mean([max(value[a, b] for b in sides[1]) for a in sides[0]]),
        np.mean([max(value[a, b] for a in sides[0]) for b in sides[1]]),
    ]
    found = award_penalty.matched(batch, lemma_idf=LemmaIdf.fit([]))[0].tolist()
    assert found == pytest.approx([min(ways), max(ways), np.mean(ways), np.mean(ways)], abs=1e-5)


def plain_vectors(batch):
    """Return the distilled vectors of the distinct words of a batch."""
    return shipped_vectors("distilled").embed(vocabulary(batch, "words").items).values
