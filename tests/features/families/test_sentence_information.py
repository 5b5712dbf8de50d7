"""Sentence information content, worked by hand from the information of WordNet's concepts."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.base.sentences import PairBatch, Sentence
from samewise.features.families.sentence_information import _Concepts, _of_senses, amount, overlap
from samewise.features.lexicon.word_frequencies import Frequencies
from samewise.features.lexicon.wordnet import wordnet

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
    both = car + 0.5 * (red + large)
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
    ordered = np.array(sorted(concepts, key=lambda one: (net.max_depth[one], one)))
    everyone = np.ones(len(ordered), dtype=bool)
    found = _of_senses(_Concepts(np.zeros(len(ordered), dtype=np.int64), ordered, everyone, ~everyone), wordnet(), 1)
    assert math.isclose(found[0, 0], total, rel_tol=1e-9)
    assert found[0].tolist() == [found[0, 0], 0.0, found[0, 0]]


def test_a_word_of_one_sentence_takes_the_sense_that_the_other_has():
    # The first sense of "machine" is any machine; that of "auto" is a car, which "machine" can be too.
    assert information("machine.n.01") != information("car.n.01")
    assert ratios("machine/NN", "auto/NN") == [1.0, 1.0]
    shared, *alone = amount(batch("machine/NN", "oak/NN"), frequencies=FREQUENCIES)[0].tolist()
    first = sorted(map(information, ("machine.n.01", "oak.n.01")))
    assert [shared + one for one in alone] == pytest.approx(first, rel=1e-6)


def test_information_of_a_set_is_added_from_shallow_to_deep():
    # Worked one concept after the other, as the docstring of the module says, for random sets of nouns.
    net, rng = wordnet(), np.random.default_rng(5)
    content = net.information_content("words")
    nouns = np.flatnonzero(net.kinds == 0)
    for size in (1, 2, 5, 30):
        chosen = rng.choice(nouns, size, replace=False)
        ordered = sorted(chosen.tolist(), key=lambda one: (net.max_depth[one], one))
        total, told = 0.0, set()
        for one in ordered:
            above = set(net.ancestors(np.array([one])).synsets.values.tolist())
            total += max(0.0, content[one] - max((content[other] for other in above & told), default=0.0))
            told |= above
        everyone = np.ones(size, dtype=bool)
        found = _of_senses(
            _Concepts(np.zeros(size, dtype=np.int64), np.array(ordered), everyone, everyone), wordnet(), 1
        )
        assert found[0].tolist() == [total] * 3


def test_of_several_senses_that_the_other_sentence_has_the_first_counts():
    # A coach is a vehicle in the first sense, a tutor in the second and a carriage in the third.
    tutor, carriage = information("coach.n.02"), information("coach.n.03")
    assert tutor != carriage
    for b in ("tutor/NN carriage/NN", "carriage/NN tutor/NN"):
        shared, least, _ = amount(batch("coach/NN", b), frequencies=FREQUENCIES)[0].tolist()
        assert (shared, least) == (pytest.approx(tutor, rel=1e-6), 0)


def test_the_first_word_of_wordnet_is_one_of_its_words():
    net = wordnet()
    (word,), (kind,) = net.word_names(np.array([0])), net.word_classes(np.array([0])).tolist()
    assert kind == 0
    content = float(net.information_content("words")[net.senses(np.array([0])).values[0]])
    found = amount(batch(f"{word}/NN", f"{word}/NN"), frequencies=FREQUENCIES)[0].tolist()
    assert found == [pytest.approx(content, rel=1e-6), 0, 0]
