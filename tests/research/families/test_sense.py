import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.arrays.ragged import Ragged, offsets_of
from samewise.features.lexicon.wordnet import wordnet
from samewise.features.statistics.counts import LemmaIdf
from samewise.features.word_similarity.word_grids import terms
from samewise.research.families import sense
from samewise.research.families.sense import subsequence_kernel
from samewise.research.lexicon.shared_synsets import sense_similarity

from ...features.families.test_soft_alignment import pair
from ...features.sentences import sentence

FLAT = LemmaIdf.fit([])  # every lemma weighs 1

CAR = ("car", "car", "NN")
AUTO = ("automobile", "automobile", "NN")
# Counted in WordNet: car 71, 2, 0, 0, 0 in its five senses, automobile in its only one, the first of car.
CAR_AUTO = math.sqrt(72 / 78)


def likelihoods(lemma, kind):
    """Return how likely a word means each synset, by plain loops."""
    word = wordnet().word_ids([lemma], [kind])
    counts = wordnet().sense_counts(word).values + 1.0
    return dict(zip(wordnet().senses(word).values.tolist(), counts / counts.sum(), strict=True))


def alike(x, y, kind=0):
    if x == y:
        return 1.0
    p, q = likelihoods(x, kind), likelihoods(y, kind)
    return sum(math.sqrt(p[synset] * q[synset]) for synset in p.keys() & q.keys())


def similarity(batch):
    """Return the similarity of the first word of either side."""
    first = terms(batch).of_token[[0, len(batch.sentences[0].tokens)]]
    return sense_similarity(batch, first[:1], first[1:])[0]


def test_likelihood_of_one_sense_by_hand():
    assert similarity(pair(CAR, AUTO)) == pytest.approx(CAR_AUTO)


@pytest.mark.parametrize(("x", "y"), [("film", "movie"), ("picture", "movie"), ("film", "picture"), ("dog", "movie")])
def test_likelihood_of_one_sense_is_that_of_plain_loops(x, y):
    batch = pair((x, x, "NN"), (y, y, "NN"))
    assert similarity(batch) == pytest.approx(alike(x, y))
    assert (similarity(batch) > 0) == (x != "dog")


def test_words_that_wordnet_does_not_know_mean_themselves():
    assert similarity(pair(("xyzzy", "xyzzy", "NN"), ("xyzzies", "xyzzy", "NNS"))) == 1
    assert similarity(pair(("xyzzy", "xyzzy", "NN"), ("plugh", "plugh", "NN"))) == 0
    # Nouns and verbs have no synset in common.
    assert similarity(pair(CAR, ("film", "film", "VB"))) == 0


def test_aligned_by_hand():
    batch = pair(
        ("The car stopped", "the car stop", "DT NN VBD"),
        ("An automobile slept .", "an automobile sleep .", "DT NN VBD ."),
    )
    # car and automobile are linked, stopped and slept are not.
    np.testing.assert_allclose(sense.aligned(batch, lemma_idf=FLAT), [[1 / 2, CAR_AUTO / 2]], rtol=1e-6)
    # car is in one sentence of two and weighs ln(3 / 2) + 1, the others ln 3 + 1.
    idf = LemmaIdf.fit([sentence("car", lemmas="car"), sentence("x", lemmas="x")])
    common, rare = math.log(3 / 2) + 1, math.log(3) + 1
    expected = [1 / 2, CAR_AUTO * (common + rare) / (common + 3 * rare)]
    np.testing.assert_allclose(sense.aligned(batch, lemma_idf=idf), [expected], rtol=1e-6)


def test_a_word_is_linked_once_and_to_itself_first():
    batch = pair(("automobile car", "automobile car", "NN NN"), CAR)
    np.testing.assert_allclose(sense.aligned(batch, lemma_idf=FLAT), [[2 / 3, 2 / 3]], rtol=1e-6)


def test_subsequence_by_hand():
    # Without stop words "red car stopped" and "red automobile stopped". The stretches of two words: red car 2, car
    # stopped 2, red stopped 3 words long. Two that are 2 words long count 0.5**4, two of 3 words 0.5**6.
    batch = pair(
        ("The red car stopped", "the red car stop", "DT JJ NN VBD"),
        ("A red automobile stopped", "a red automobile stop", "DT JJ NN VBD"),
    )
    own = 2 * 0.5**4 + 0.5**6
    both = 2 * 0.5**4 * CAR_AUTO + 0.5**6
    np.testing.assert_allclose(sense.subsequence(batch), [[both / own, 0.5**6 / own]], rtol=1e-6)


def test_one_word_has_no_subsequence_of_two():
    assert sense.subsequence(pair(CAR, CAR)).tolist() == [[0, 0]]
    two = ("car film", "car film", "NN NN")
    assert sense.subsequence(pair(CAR, two)).tolist() == [[0, 0]]
    np.testing.assert_allclose(sense.subsequence(pair(two, two)), [[1, 1]])


def brute_force(x, y, matches, decay):
    """Sum over all subsequences of two symbols as Lodhi et al. (2002) define the kernel."""
    total = 0.0
    for i, k in combinations(range(len(x)), 2):
        for j, m in combinations(range(len(y)), 2):
            total += matches(x[i], y[j]) * matches(x[k], y[m]) * decay ** (k - i + 1 + m - j + 1)
    return total


def feature_map(symbols, decay):
    """Return the weight of each word of two symbols: the other way to compute the kernel of equal symbols."""
    weights = {}
    for i, k in combinations(range(len(symbols)), 2):
        word = symbols[i], symbols[k]
        weights[word] = weights.get(word, 0.0) + decay ** (k - i + 1)
    return weights


def ragged(rows):
    return Ragged(
        np.asarray([item for row in rows for item in row], dtype=np.int64), offsets_of([len(r) for r in rows])
    )


ROWS = st.lists(st.tuples(*[st.lists(st.integers(0, 4), max_size=7)] * 2), min_size=1, max_size=5)


@settings(max_examples=50)
@given(ROWS)
def test_kernel_of_equal_symbols_is_that_of_the_plain_sums(pairs):
    x, y = zip(*pairs, strict=True)
    found = subsequence_kernel(ragged(x), ragged(y), lambda u, v: (u == v) * 1.0, 0.5)
    assert found == pytest.approx([brute_force(a, b, lambda u, v: u == v, 0.5) for a, b in pairs])
    for (a, b), value in zip(pairs, found, strict=True):
        one, other = feature_map(a, 0.5), feature_map(b, 0.5)
        assert value == pytest.approx(sum(weight * other.get(word, 0.0) for word, weight in one.items()))


@settings(max_examples=30)
@given(ROWS)
def test_kernel_of_soft_matches_is_that_of_the_plain_sums(pairs):
    table = np.random.default_rng(0).random((5, 5))
    x, y = zip(*pairs, strict=True)
    found = subsequence_kernel(ragged(x), ragged(y), lambda u, v: table[u, v], 0.7)
    assert found == pytest.approx([brute_force(a, b, lambda u, v: table[u, v], 0.7) for a, b in pairs])


def test_the_example_of_the_paper():
    # Lodhi et al. (2002): cat and car share ca alone, lambda**4; cat with itself has 2 lambda**4 + lambda**6.
    rows = ragged([[ord(mark) for mark in word] for word in ("cat", "car")])
    both = subsequence_kernel(
        rows.take(np.array([0, 0])), rows.take(np.array([1, 0])), lambda u, v: (u == v) * 1.0, 0.5
    )
    assert both.tolist() == pytest.approx([0.5**4, 2 * 0.5**4 + 0.5**6])
