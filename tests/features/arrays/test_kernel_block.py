import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.arrays.dense_kernels import K11, k11
from samewise.features.arrays.sparse_kernels import k11_sparse
from scipy import stats

# Few levels, so that there are ties among the positive values too.
LEVELS = st.sampled_from([0.0, 0.0, 0.0, 0.25, 0.5, 1.0, 3.0])


def vectors(d, levels=LEVELS):
    return st.lists(levels, min_size=d, max_size=d)


two_vectors = st.integers(1, 12).flatmap(lambda d: st.tuples(vectors(d), vectors(d)))


def sparse(pairs, n=None):
    row, u, v = [], [], []
    for i, (a, b) in enumerate(pairs):
        for x, y in zip(a, b, strict=True):
            if x or y:
                row.append(i), u.append(x), v.append(y)
    d = np.array([len(a) for a, _ in pairs])
    return k11_sparse(np.array(row, dtype=np.int64), np.array(u), np.array(v), d)


def by_scipy(a, b):
    a, b = np.array(a), np.array(b)
    if len(set(a)) == 1 or len(set(b)) == 1:
        return [0.0, 0.0, 0.0]
    return [
        stats.pearsonr(a, b).statistic,
        stats.spearmanr(a, b).statistic,
        stats.kendalltau(a, b).statistic,
    ]


def test_unit_vectors_have_the_values_of_the_reference():
    expected = [1, 1.41421, 2, 1, -1, -1, -1, 1, 0.49307, 0.36788, 0.76159]
    np.testing.assert_allclose(k11(np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]]))[0], expected, atol=5e-6)
    np.testing.assert_allclose(sparse([([0, 1], [1, 0])])[0], expected, atol=5e-6)
    assert len(K11) == len(expected)


def test_zero_vectors_have_no_similarity():
    expected = [1, np.sqrt(2), 2, 1, 0, 0, 0, 0, 0, 0, 0]
    zero, one = np.zeros((1, 3)), np.ones((1, 3))
    for u, v in ((zero, zero), (zero, one), (one, zero)):
        np.testing.assert_array_equal(k11(u, v)[0], expected)
        np.testing.assert_array_equal(sparse([(u[0], v[0])])[0], expected)


@pytest.mark.slow
@given(st.lists(two_vectors, min_size=1, max_size=6))
def test_sparse_equals_dense_and_scipy(pairs):
    found = sparse(pairs)
    for got, (a, b) in zip(found, pairs, strict=True):
        np.testing.assert_allclose(got, k11(np.array([a]), np.array([b]))[0], atol=1e-12)
        if any(a) and any(b):
            np.testing.assert_allclose(got[4:7], by_scipy(a, b), atol=1e-12)
    np.testing.assert_array_equal(found, sparse([(b, a) for a, b in pairs]))
    np.testing.assert_array_equal(found, np.concatenate([sparse([pair]) for pair in pairs]))


def test_sparse_in_many_dimensions():
    rng = np.random.default_rng(5)
    a, b = np.zeros(4_000), np.zeros(4_000)
    a[:300], b[200:500] = rng.integers(1, 9, 300), rng.integers(1, 9, 300)
    np.testing.assert_allclose(sparse([(a, b)])[0, 4:7], by_scipy(a, b), atol=1e-12)


def test_sparse_compares_long_rows_in_parts(monkeypatch):
    rng = np.random.default_rng(6)
    pairs = [(rng.integers(0, 4, 30).astype(float), rng.integers(0, 4, 30).astype(float)) for _ in range(5)]
    whole = sparse(pairs)
    monkeypatch.setattr("samewise.features.arrays.sparse_kernels._COMPARED_AT_A_TIME", 7)
    np.testing.assert_array_equal(sparse(pairs), whole)


def test_dense_with_negative_values_follows_scipy_and_its_rows_stand_alone():
    rng = np.random.default_rng(7)
    u, v = rng.normal(size=(9, 50)).round(1), rng.normal(size=(9, 50)).round(1)
    found = k11(u, v)
    for i in range(9):
        np.testing.assert_allclose(found[i, 4:7], by_scipy(u[i], v[i]), atol=1e-12)
        dot, away = u[i] @ v[i], u[i] - v[i]
        rest = [(dot / 50 + 1) ** 3, np.exp(-np.linalg.norm(away) / 50), np.exp(-abs(away).sum() / 50)]
        np.testing.assert_allclose(found[i, :4], [1 - dot, np.linalg.norm(away), abs(away).sum(), abs(away).max()])
        np.testing.assert_allclose(found[i, 7:], [*rest, np.tanh(dot / 50 + 1)])
        np.testing.assert_array_equal(k11(u[i : i + 1], v[i : i + 1])[0], found[i])
    np.testing.assert_array_equal(k11(v, u), found)


@pytest.mark.parametrize("d", [1, 2, 3, 16, 17, 255, 256, 300, 768, 1_025])
@pytest.mark.parametrize("levels", [2, 9, None])
def test_dense_ranks_and_tied_pairs_follow_scipy(d, levels):
    rng = np.random.default_rng(d)
    u, v = rng.normal(size=(2, 4, d)) if levels is None else rng.integers(1, levels + 1, size=(2, 4, d)) * 1.0
    v = np.where(rng.random(size=(4, d)) < [[0.0], [0.2], [0.8], [1.0]], u, v)
    for got, a, b in zip(k11(u, v), u, v, strict=True):
        np.testing.assert_allclose(got[4:7], by_scipy(a, b), atol=1e-9)
    np.testing.assert_array_equal(k11(v, u), k11(u, v))


def test_dense_rows_so_long_that_their_ranks_take_64_bits():
    rng = np.random.default_rng(8)
    u = rng.integers(1, 9_999, size=(1, 70_000)).astype(float)
    v = u + rng.integers(1, 9_999, size=(1, 70_000))
    np.testing.assert_allclose(k11(u, v)[0, 4:7], by_scipy(u[0], v[0]), atol=1e-9)


def test_dense_rows_are_taken_in_parts(monkeypatch):
    rng = np.random.default_rng(9)
    u, v = rng.normal(size=(2, 7, 20)).astype(np.float32)
    whole = k11(u, v)
    monkeypatch.setattr("samewise.features.arrays.dense_kernels._COORDINATES_AT_A_TIME", 45)
    np.testing.assert_array_equal(k11(u, v), whole)
    assert k11(u[:0], v[:0]).shape == (0, len(K11))
