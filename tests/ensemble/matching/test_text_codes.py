"""Codes of vectors: whole numbers whose products are exact, and whose cosines are nearly those of the vectors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from samewise.ensemble.matching.search import row_similarities, similarity_of, sums_of_words, text_codes
from scipy.sparse import csr_array

VECTORS = arrays(np.float64, st.tuples(st.integers(0, 5), st.integers(1, 8)), elements=st.integers(-50, 50))


def test_codes_by_hand():
    # (3, 4) has the length 5: 3/5 of 256 is 153.6, which is cut at 127; sixteen equal coordinates are a quarter each.
    assert text_codes(np.array([[3.0, 4.0], [0.0, -2.0]])).tolist() == [[127, 127], [0, -127]]
    assert text_codes(np.full((1, 16), 7.0)).tolist() == [[64] * 16]
    # (1, 2, 2, 4) and three others of length 5 make the length 10: 25.6, 51.2, 102.4.
    assert text_codes(np.array([[1.0, 2.0, 2.0, 4.0, 5.0, 5.0, 5.0]])).tolist() == [[26, 51, 51, 102, 127, 127, 127]]


@given(VECTORS, st.sampled_from([1e-6, 0.25, 1.0, 1024.0]))
def test_the_length_of_a_vector_does_not_matter(vectors, factor):
    codes = text_codes(vectors)
    assert codes.dtype == np.int8
    assert codes.shape == vectors.shape
    assert not codes[~vectors.any(axis=1)].any()
    np.testing.assert_array_equal(text_codes(-vectors), -codes)
    # Another length may move a half up or down, by one.
    assert np.abs(text_codes(vectors * factor).astype(int) - codes).max(initial=0) <= 1


@given(st.data())
def test_products_are_exact(data):
    shape = data.draw(st.tuples(st.integers(1, 4), st.integers(1, 400)))
    codes = arrays(np.int8, shape, elements=st.integers(-127, 127))
    first, second = data.draw(codes), data.draw(codes)
    rows = zip(first.tolist(), second.tolist(), strict=True)
    expected = [sum(a * b for a, b in zip(*pair, strict=True)) for pair in rows]
    assert (row_similarities(first, second).astype(float) * 65_536).tolist() == expected


def test_cosines_move_by_little():
    rng = np.random.default_rng(7)
    first, second = rng.normal(size=(2, 2_000, 256))
    second += np.linspace(0, 3, 2_000)[:, None] * first
    cosines = (first * second).sum(axis=1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)
    moved = np.abs(row_similarities(text_codes(first), text_codes(second)) - cosines)
    assert moved.max() < 0.0075
    assert (moved < 0.005).mean() > 0.99
    assert moved.mean() < 0.002


def test_similarity_is_the_share_of_the_square_of_256():
    found = similarity_of(np.array([65_536, -32_768, 1, 0]))
    assert found.dtype == np.float32
    assert found.tolist() == [1.0, -0.5, 2.0**-16, 0.0]


def test_sums_by_hand():
    counts = csr_array(np.array([[2, 1, 0], [0, 0, 0]], dtype=np.float32))
    vectors = np.array([[0.5, -1.0], [0.25, 3.0], [9.0, 9.0]])
    assert (sums_of_words(counts, vectors) / 2**20).tolist() == [[1.25, 1.0], [0.0, 0.0]]


@pytest.mark.parametrize("seed", range(5))
def test_no_order_of_words_changes_a_sum(seed):
    rng = np.random.default_rng(seed)
    counts, vectors = (
        rng.integers(0, 3, size=(6, 300)),
        rng.normal(size=(300, 5)) * 10.0 ** rng.integers(-4, 3, 300)[:, None],
    )
    order = rng.permutation(300)
    one, other = (sums_of_words(csr_array(counts[:, to]), vectors[to]) for to in (np.arange(300), order))
    np.testing.assert_array_equal(one, other)
