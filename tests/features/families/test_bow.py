import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samewise.features.analysis.analysis import analyse
from samewise.features.arrays.dense_kernels import k11
from samewise.features.base.word_tables import stop_words
from samewise.features.families import bow

words = st.sampled_from("a the dog dogs cat sees see not is 3 , . Berlin über tomato tomatoes".split())
texts = st.lists(words, max_size=9).map(" ".join)
quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def dense(pair, idf, weigh, listed=frozenset()):
    sides = [[stem for stem, word in zip(s.stems, s.words, strict=True) if word not in listed] for s in pair]
    if not all(sides):
        sides = [list(s.stems) for s in pair]
    own = set(pair.a.stems) | set(pair.b.stems) if not listed else set(sides[0]) | set(sides[1])
    index = {stem: i for i, stem in enumerate(sorted(own))}
    known = idf.arrays["stems"].tobytes().decode().split("\n")
    vectors = np.zeros((2, idf.size("stems") + len(own - set(known))))
    for vector, side in zip(vectors, sides, strict=True):
        for stem, count in Counter(side).items():
            vector[index[stem]] = count * weigh("stems", [stem])[0]
        length = math.sqrt((vector * vector).sum())
        vector /= length or 1.0
    return vectors


@quick
@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=3))
def test_kernels_equal_those_of_the_whole_vectors(training, pairs):
    idf = training[1]["idf"]
    batch = analyse(pairs)
    for value, listed in ((bow.kept, frozenset()), (bow.removed, stop_words("ecnu"))):
        found = value(batch, idf=idf)
        for i, pair in enumerate(batch):
            u, v = dense(pair, idf, idf.ecnu, listed)
            np.testing.assert_allclose(found[i], k11(u[None], v[None])[0], atol=1e-5)


@quick
@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=3))
def test_smooth_is_the_cosine(training, pairs):
    idf = training[1]["idf"]
    batch = analyse(pairs)
    found = bow.smooth(batch, idf=idf)
    for i, pair in enumerate(batch):
        expected = [np.prod(dense(pair, idf, idf.smooth, s), axis=0).sum() for s in (frozenset(), stop_words("ecnu"))]
        np.testing.assert_allclose(found[i], expected, atol=1e-6)


def test_one_hot_baseline():
    # {a, dog, sees} and {the, dog, sees, a, cat}: 3 / sqrt(3 * 5); repeats and case do not count.
    batch = analyse([("a dog sees a Dog", "The dog sees a cat"), ("same", "same"), ("", "dog"), ("", "")])
    np.testing.assert_allclose(bow.one_hot(batch)[:, 0], [3 / math.sqrt(15), 1, 0, 0], rtol=1e-6)


def test_empty_flags():
    batch = analyse([("a dog", "the cat"), ("the of", "a dog"), ("", "a dog")])
    assert bow.empty(batch).tolist() == [[0, 0], [0, 1], [1, 1]]


def test_unseen_stems_widen_the_space(training):
    # Two texts of the same length on either side, equal but for one stem that the table does not know.
    idf = training[1]["idf"]
    batch = analyse([("xyzzy", "plugh")])
    d = idf.size("stems") + 2
    assert bow.kept(batch, idf=idf)[0, 4] == pytest.approx(-1 / (d - 1), rel=1e-4)
