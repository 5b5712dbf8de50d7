import math

import numpy as np
import pytest
from samewise.features.base.sentences import PairBatch
from samewise.features.base.token_sequences import vocabulary
from samewise.features.families import embedding_alignment
from samewise.features.lexicon.word_vectors import shipped_vectors
from samewise.features.statistics.counts import LemmaIdf
from samewise.features.word_similarity.word_cosines import CosineMeasure, cosine
from samewise.features.word_similarity.word_grids import terms

from ..sentences import sentence
from ..word_similarity.test_assignment import PAIRS as ANIMALS
from ..word_similarity.test_assignment import VALUES, Table

FLAT = LemmaIdf.fit([])
HALF = {("poodle", "dog"): 0.5, ("guitar", "dog"): 0.2, ("red", "blue"): 0.6, ("walks", "runs"): 0.8}


@pytest.fixture
def by_table(monkeypatch):
    """Let words be as alike as a table says."""

    def use(values):
        monkeypatch.setattr(embedding_alignment, "SIMILARITY", Table(values))

    return use


def pair(*sides, entities=((), ())):
    """Make a batch of one pair from (tokens, tags), whose lemmas are the words."""
    made = [
        sentence(text, text.lower(), tags, entities=found) for (text, tags), found in zip(sides, entities, strict=True)
    ]
    return PairBatch(made, np.asarray([0]), np.asarray([1]))


POODLE, DOG = ("The poodle slept guitar", "DT NN VBD NN"), ("A slept dog", "DT VBD NN")


def named(value, batch, **resources):
    return dict(zip(value.names, value(batch, **resources)[0].tolist(), strict=True))


def test_scores_by_hand(by_table):
    by_table(HALF)
    # slept 1 and poodle - dog 1/2 of three and two words; guitar has no link.
    batch = pair(POODLE, DOG)
    np.testing.assert_allclose(embedding_alignment.greedy(batch, lemma_idf=FLAT), [[0.6, 0.6]], rtol=1e-6)
    np.testing.assert_allclose(embedding_alignment.penalised(batch, lemma_idf=FLAT), [[0.48, 0.48]], rtol=1e-6)
    found = named(embedding_alignment.unaligned, batch)
    expected = {"all": 1 / 5, "noun": 1 / 3, "verb": 0, "adjective": 0, "adverb": 0, "other": 0}
    assert found == pytest.approx(expected, rel=1e-6)


def test_words_weigh_their_idf(by_table):
    by_table(HALF)
    idf = LemmaIdf.fit([sentence("slept", lemmas="slept"), sentence("x", lemmas="x")])
    common, rare = math.log(3 / 2) + 1, math.log(3) + 1
    value = (2 * common + rare) / (2 * common + 3 * rare)
    np.testing.assert_allclose(embedding_alignment.greedy(pair(POODLE, DOG), lemma_idf=idf), [[0.6, value]], rtol=1e-6)


def test_optimal_links_say_more_than_greedy_ones(by_table):
    by_table(VALUES)
    batch = PairBatch(ANIMALS.sentences, ANIMALS.left, ANIMALS.right)
    greedy = embedding_alignment.greedy(batch, lemma_idf=FLAT)
    np.testing.assert_allclose(greedy[:, 0], [0.45, 0.45, 1.7 / 3, 0.725, 0], rtol=1e-6)
    best = embedding_alignment.optimal(batch, lemma_idf=FLAT)
    np.testing.assert_allclose(best[:, 0], [0.8, 0.8, 0.8, 0.725, 0], rtol=1e-6)


def test_shape_by_hand(by_table):
    by_table(HALF)
    # Links slept (place 2 of 4 and 1 of 3) of 1 and poodle - dog (1 of 4 and 2 of 3) of 1/2; guitar has none.
    slept, dog = abs(2.5 / 4 - 1.5 / 3), abs(1.5 / 4 - 2.5 / 3)
    bests = [0.5, 1, 0.2, 1, 0.5]
    expected = {
        "links": 2, "share": 4 / 5, "near": 2 * ((1 - slept) + 0.5 * (1 - dog)) / 5, "mean": 0.75, "least": 0.5,
        "deviation": 0.25, "unaligned_min": 0, "unaligned_max": 1, "best_min": 1.7 / 3, "best_max": 0.75,
        "lowest": 0.2, "quartile": 0.5, "median": 0.5, "best_deviation": np.std(bests), "crossing": 1,
        "drift": (slept + dog) / 2,
    }  # fmt: skip
    assert named(embedding_alignment.shape, pair(POODLE, DOG)) == pytest.approx(expected, rel=1e-5)


def test_chunks_by_hand(by_table):
    by_table(HALF)
    # The red poodle - a blue dog: (1/2 + 3/5) / 2; walks - runs 4/5; home - home 1; garden stands alone.
    batch = pair(
        ("The red poodle walks home in gardens", "DT JJ NN VBZ NN IN NNS"), ("A blue dog runs home", "DT JJ NN VBZ NN")
    )
    found = named(embedding_alignment.chunks, batch)
    scores, sizes = [0.55, 0.8, 1], [4, 2, 2]
    assert found["plain"] == pytest.approx(2 * sum(scores) / 7, rel=1e-6)
    assert found["words"] == pytest.approx(np.dot(scores, sizes) / 9, rel=1e-6)


def test_a_chunk_is_linked_once(by_table):
    by_table({("red", "blue"): 0.6})
    # The phrase of red cats is most like red cats, 1; what is left for blue birds is birds alone, 0.
    batch = pair(("red cats and blue birds", "JJ NNS CC JJ NNS"), ("red cats and cats", "JJ NNS CC NNS"))
    assert named(embedding_alignment.chunks, batch)["plain"] == pytest.approx(2 / 4)


def test_the_most_similar_chunks_are_linked_first(by_table):
    by_table({})
    # The phrase of the red dog is like the first of the other side by 1/2, and equal to the second, which is farther.
    batch = pair(("red dog", "JJ NN"), ("blue dog and red dog", "JJ NN CC JJ NN"))
    assert named(embedding_alignment.chunks, batch) == pytest.approx({"plain": 2 / 3, "words": 4 / 6})


def test_classes_by_hand(by_table):
    by_table({("dog", "poodle"): 0.5, ("and", "or"): 0.4, ("that", "if"): 0.7, ("in", "on"): 0.3})
    batch = pair(("that dog and that in", "IN NN CC DT IN"), ("if poodle or that on", "IN NN CC DT IN"))
    found = named(embedding_alignment.part_of_speech, batch)
    expected = {"all": 0.5, "noun": 0.5, "coordinator": 0.4, "subordinator": 0.7, "adposition": 0.3, "determiner": 1}
    assert len(found) == 18
    assert {name: value for name, value in found.items() if value} == pytest.approx(expected)


def test_entities_by_hand(by_table):
    by_table({("paris", "london"): 0.6})
    batch = pair(
        ("Ann sees Paris", "NNP VBZ NNP"), ("Ann sees London", "NNP VBZ NNP"),
        entities=([(0, 1, "PERSON"), (2, 3, "GPE")], [(0, 1, "ORG"), (2, 3, "GPE")]),
    )  # fmt: skip
    found = named(embedding_alignment.entity, batch)
    assert len(found) == 11
    assert {name: value for name, value in found.items() if value} == pytest.approx({"state": 0.6})


def test_similarity_is_the_cosine_but_for_what_is_known():
    batch = pair(("buy hot car", "VB JJ NN"), ("purchase cold guitar", "VB JJ NN"))
    items = vocabulary(batch, "words").items
    place = {items[word]: k for k, word in enumerate(terms(batch).words.tolist())}
    words = ["buy", "hot", "car"], ["purchase", "cold", "guitar"]
    x, y = (np.asarray([place[word] for word in side]) for side in words)
    i, j = (np.asarray([items.index(word) for word in side]) for side in words)
    expected = np.maximum(cosine(batch, shipped_vectors("distilled"), "words", i, j), 0)
    np.testing.assert_allclose(CosineMeasure("distilled")(batch, x, y), expected)
    found = embedding_alignment.SIMILARITY(batch, x, y)
    assert found.tolist() == [1, 0, pytest.approx(expected[2])]


@pytest.mark.parametrize(("similarity", "score"), [(0.5, 0.6), (0.49, 0.4)])
def test_links_need_half_of_the_similarity(by_table, similarity, score):
    by_table({("poodle", "dog"): similarity})
    # slept 1 and, from a similarity of 1/2 on, poodle - dog: of five words 2 * (1 + 1/2) or 2 * 1 are reached.
    batch = pair(POODLE, DOG)
    for value in (embedding_alignment.greedy, embedding_alignment.optimal):
        np.testing.assert_allclose(value(batch, lemma_idf=FLAT), [[score, score]], rtol=1e-6)
    assert named(embedding_alignment.shape, batch)["links"] == (2 if score == 0.6 else 1)
    chunked = named(embedding_alignment.chunks, pair(("a poodle", "DT NN"), ("the dog", "DT NN")))
    assert chunked["plain"] == (0.5 if score == 0.6 else 0)


# The universal parts of speech of Petrov et al. (2012) and Universal Dependencies, from the tags of the Penn Treebank.
UNIVERSAL = {
    "adjective": "JJ JJR JJS", "adposition": "IN RP", "adverb": "RB RBR RBS WRB", "auxiliary": "MD",
    "coordinator": "CC", "determiner": "DT PDT WDT", "interjection": "UH", "noun": "NN NNS", "number": "CD",
    "particle": "POS TO", "pronoun": "PRP PRP$ WP WP$ EX", "proper_noun": "NNP NNPS",
    "punctuation": ". , : `` '' -LRB- -RRB- HYPH NFP", "symbol": "SYM $ #", "verb": "VB VBD VBG VBN VBP VBZ",
    "other": "FW LS ADD AFX XX UNHEARD",
}  # fmt: skip


@pytest.mark.parametrize(("name", "tags"), UNIVERSAL.items())
def test_the_part_of_speech_of_each_tag(by_table, name, tags):
    by_table({("xyzzy", "plugh"): 0.5})
    for tag in tags.split():
        found = named(embedding_alignment.part_of_speech, pair(("xyzzy", tag), ("plugh", tag)))
        assert {kind: value for kind, value in found.items() if value} == {"all": 0.5, name: 0.5}


def test_subordinating_conjunctions(by_table):
    by_table({})
    words = "although because if lest once since that though unless until whereas whether while".split()
    for word in words:
        found = named(embedding_alignment.part_of_speech, pair((word, "IN"), (word, "IN")))
        assert (found["subordinator"], found["adposition"]) == (1, 0)
        found = named(embedding_alignment.part_of_speech, pair((word, "DT"), (word, "DT")))
        assert (found["subordinator"], found["determiner"]) == (0, 1)
    found = named(embedding_alignment.part_of_speech, pair(("near", "IN"), ("near", "IN")))
    assert (found["subordinator"], found["adposition"]) == (0, 1)


LABELS = {
    "PERSON": "person", "ORG": "organisation", "GPE": "state", "NORP": "group", "FAC": "facility",
    "FACILITY": "facility", "LOC": "location", "PRODUCT": "product", "EVENT": "event", "WORK_OF_ART": "work",
    "LAW": "law", "LANGUAGE": "language", "DATE": None,
}  # fmt: skip


@pytest.mark.parametrize(("label", "name"), LABELS.items())
def test_the_class_of_each_entity(by_table, label, name):
    by_table({("xyzzy", "plugh"): 0.5})
    entities = [(1, 3, label)]
    batch = pair(
        ("so xyzzy xyzzy went", "RB NNP NNP VBD"), ("so plugh plugh went", "RB NNP NNP VBD"),
        entities=(entities, entities),
    )  # fmt: skip
    found = named(embedding_alignment.entity, batch)
    assert {kind: value for kind, value in found.items() if value} == ({name: 0.5} if name else {})
