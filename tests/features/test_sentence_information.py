"""Sentence information content, worked by hand from the information of WordNet's concepts."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.lexicon.frequencies import Frequencies
from samewise.features.lexicon.wordnet import wordnet
from samewise.features.pairs import PairBatch, Sentence
from samewise.features.sentence_information import LEAF, _Hierarchy, amount, overlap

FREQUENCIES = Frequencies.fit([])


def sentence(text):
    """Make a sentence of ``lemma/TAG`` tokens."""
    lemmas, tags = zip(*(token.split("/") for token in text.split()), strict=True)
    return Sentence(text, lemmas, lemmas, lemmas, False, lemmas, tags)


def batch(a, b):
    return PairBatch((sentence(a), sentence(b)), np.array([0]), np.array([1]))


def information(name, kind="words"):
    net = wordnet()
    lemma, pos, number = name.rsplit(".", 2)
    senses = net.senses(net.word_ids([lemma], ["nvar".index(pos)])).values
    return float(net.information_content(kind)[senses[int(number) - 1]])


def ratios(a, b):
    return overlap(batch(a, b), frequencies=FREQUENCIES)[0].tolist()


def test_two_concepts_share_their_most_informative_hypernym():
    dog, cat, carnivore = map(information, ("dog.n.01", "cat.n.01", "carnivore.n.01"))
    assert carnivore < min(dog, cat)
    both = dog + cat - carnivore
    assert ratios("dog/NN", "cat/NN") == pytest.approx([carnivore / both, 2 * carnivore / (dog + cat)], rel=1e-6)
    found = amount(batch("dog/NN", "cat/NN"), frequencies=FREQUENCIES)[0]
    assert found == pytest.approx([carnivore, *sorted((dog - carnivore, cat - carnivore))], rel=1e-6)


def test_words_of_one_synset_are_one_concept():
    assert ratios("car/NN", "automobile/NN") == [1.0, 1.0]


def test_other_words_match_only_themselves_and_weigh_less():
    red, large = FREQUENCIES.information(["red", "large"])
    assert ratios("red/JJ", "large/JJ") == [0.0, 0.0]
    car = information("car.n.01")
    both = car + LEAF * (red + large)
    assert ratios("red/JJ car/NN", "large/JJ car/NN")[0] == pytest.approx(car / both, rel=1e-6)


def test_stop_words_and_punctuation_say_nothing():
    assert ratios("the/DT dog/NN ./.", "dog/NN !/.") == [1.0, 1.0]
    assert ratios("the/DT ./.", "a/DT") == [0.0, 0.0]


def test_a_repeated_word_counts_once():
    assert ratios("dog/NN dog/NN", "dog/NN") == [1.0, 1.0]


words = st.sampled_from("dog/NN cat/NN car/NN bank/NN run/VB walk/VB red/JJ fast/RB Berlin/NNP 7/CD the/DT".split())


@given(st.lists(words, min_size=1, max_size=6), st.lists(words, min_size=1, max_size=6))
def test_shares_are_symmetric_and_consistent(a, b):
    there, back = batch(" ".join(a), " ".join(b)), batch(" ".join(b), " ".join(a))
    ratio, dice = overlap(there, frequencies=FREQUENCIES)[0].tolist()
    assert [ratio, dice] == overlap(back, frequencies=FREQUENCIES)[0].tolist()
    assert dice == pytest.approx(2 * ratio / (1 + ratio), abs=1e-6)


@given(st.lists(st.sampled_from(["dog", "cat", "wolf", "tiger", "animal", "oak", "tree"]), min_size=1, unique=True))
def test_equals_the_exponential_sum_on_a_tree(lemmas):
    # The published form: inclusion and exclusion over all subsets, the information of their deepest common ancestor.
    net = wordnet()
    concepts = [int(net.senses(net.word_ids([lemma], [0])).values[0]) for lemma in lemmas]
    content = net.information_content("words")
    above = {one: set(net.ancestors(np.array([one])).synsets.values.tolist()) for one in concepts}
    total = 0.0
    for size in range(1, len(concepts) + 1):
        for subset in itertools.combinations(concepts, size):
            common = set.intersection(*(above[one] for one in subset))
            total += (-1) ** (size - 1) * max((content[one] for one in common), default=0.0)
    hierarchy = _Hierarchy(net, np.array(sorted(concepts)))
    assert math.isclose(hierarchy.total(frozenset(concepts)), total, rel_tol=1e-9)
