import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.analysis.analysis import analyse
from samewise.features.arrays.ragged import Ragged, offsets_of
from samewise.features.base.token_sequences import vocabulary
from samewise.features.lexicon.word_frequencies import Frequencies
from samewise.features.lexicon.word_vectors import Embedded, shipped_vectors
from samewise.features.pipeline.registry import RESOURCES
from samewise.features.word_similarity import vector_pooling as pooling
from samewise.features.word_similarity.vector_pooling import COUNT, Directions, RelationalDirections
from sklearn.decomposition import TruncatedSVD

CODES = np.random.default_rng(3).integers(-9, 10, size=(7, 5)).astype(np.float32)
rows_of_items = st.lists(st.lists(st.integers(0, 6), max_size=6), max_size=9)


def ragged(rows):
    return Ragged(np.array([i for row in rows for i in row], dtype=np.int64), offsets_of(np.array([*map(len, rows)])))


def weights_of(rows, k):
    size = sum(map(len, rows))
    return [np.random.default_rng(seed).random(size) for seed in range(k)]


@given(rows_of_items, st.integers(1, 3))
def test_sums_row_by_row(rows, k):
    items, weights = ragged(rows), weights_of(rows, k)
    found = pooling.weighted_sums(CODES, items, weights)
    assert found.shape == (k, len(rows), 5)
    for weight, sums in zip(weights, found, strict=True):
        parts = np.split(weight, items.offsets[1:-1]) if rows else []
        for row, part, got in zip(rows, parts, sums, strict=True):
            np.testing.assert_allclose(got, (CODES[row] * part[:, None]).sum(axis=0), atol=1e-4)


@given(rows_of_items)
def test_pools_row_by_row(rows):
    items, (weight,) = ragged(rows), weights_of(rows, 1)
    found = pooling.pooled(CODES, items, weight)
    assert found.shape == (len(rows), 15)
    parts = np.split(weight, items.offsets[1:-1]) if rows else []
    for row, part, got in zip(rows, parts, found, strict=True):
        vectors = CODES[row] * part[:, None]
        pools = [vectors.mean(axis=0), vectors.min(axis=0), vectors.max(axis=0)] if row else [np.zeros(15)]
        np.testing.assert_allclose(got, np.concatenate(pools), atol=1e-5)


def test_rows_are_the_same_bits_whatever_stands_beside_them(monkeypatch):
    rng = np.random.default_rng(1)
    rows = [rng.integers(0, 7, size=rng.integers(0, 30)).tolist() for _ in range(40)]
    items, (weight,) = ragged(rows), weights_of(rows, 1)
    sums, pools = pooling.weighted_sums(CODES, items, [weight])[0], pooling.pooled(CODES, items, weight)
    monkeypatch.setattr(pooling, "_ROWS_AT_A_TIME", 3)
    np.testing.assert_array_equal(pooling.weighted_sums(CODES, items, [weight])[0], sums)
    np.testing.assert_array_equal(pooling.pooled(CODES, items, weight), pools)
    for i, row in enumerate(rows):
        one, part = ragged([row]), weight[items.offsets[i] : items.offsets[i + 1]]
        np.testing.assert_array_equal(pooling.weighted_sums(CODES, one, [part])[0, 0], sums[i])
        np.testing.assert_array_equal(pooling.pooled(CODES, one, part)[0], pools[i])


def test_lengths_of_vectors():
    found = Embedded(np.array([[3.0, 4.0], [0, 0]]), np.array([0.5, 0.0]), np.array([5.0, 0.0]))
    for length, expected in ((pooling.stored, 2.5 * 7), (pooling.unit, 7)):
        vectors = found.codes * length(found, np.array([7.0, 7.0]))[:, None]
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [expected, 0])


def test_cosine_by_hand():
    u, v = np.array([[1.0, 0], [3, 4], [0, 0], [1, 0]]), np.array([[1.0, 1], [6, 8], [1, 1], [-2, 0]])
    np.testing.assert_allclose(pooling.cosines(u, v), [0.5**0.5, 1, 0, -1])


def test_cosine_without_directions():
    rng = np.random.default_rng(2)
    sums = rng.normal(size=(6, 8)).astype(np.float32)
    directions = np.linalg.qr(rng.normal(size=(8, 4)))[0].T
    left, right = np.array([0, 1, 2, 3]), np.array([5, 1, 4, 0])
    found = pooling.cosines_without(sums, directions, (0, 1, 3, 9), left, right)
    for got, count in zip(found, (0, 1, 3, 4), strict=True):
        rest = sums - sums @ directions[:count].T @ directions[:count]
        np.testing.assert_allclose(got, pooling.cosines(rest[left], rest[right]), atol=1e-5)
    assert (found[:, 1] == 1).all()


def test_nothing_is_left_of_what_lies_in_the_directions():
    sums = np.array([[3, 4, 0], [3, 4, 1e-4], [3, 4, 2]], dtype=np.float32)
    directions = np.array([[0.6, 0.8, 0]], dtype=np.float32)
    found = pooling.cosines_without(sums, directions, (1,), np.array([0, 1, 2]), np.array([2, 2, 2]))
    np.testing.assert_array_equal(found, [[0, 0, 1]])


def test_rows_without_stop_words():
    batch = analyse([("the dog", "a cat"), ("the dog", "the of"), ("the dog", "a cat")])
    items = vocabulary(batch, "words").items
    rows = pooling.rows_without(batch, "words", "ecnu")
    texts = [
        " ".join(items[i] for i in rows.items.values[start:stop])
        for start, stop in zip(rows.items.offsets[:-1], rows.items.offsets[1:], strict=True)
    ]
    # Without the stop words nothing is left of "the of", so that pair keeps them on both sides.
    assert sorted(texts) == ["cat", "dog", "the dog", "the of"]
    assert [(texts[i], texts[j]) for i, j in zip(rows.left, rows.right, strict=True)] == [
        *(("dog", "cat"), ("the dog", "the of"), ("dog", "cat")),
    ]
    dogs = np.array([items[i] == "dog" for i in vocabulary(batch, "words").ids.values])
    assert pooling.rows_without(batch, "words", "ecnu", dogs).items.lengths.sum() == 2


@pytest.mark.slow
def test_directions_are_those_of_a_truncated_singular_value_decomposition(training):
    batch, resources = training
    frequencies = Frequencies.fit(())
    for kind in (Directions, RelationalDirections):
        assert RESOURCES[kind.name] is kind
        name = kind.vectors
        means, units = [], []
        for sentence in batch.sentences:
            found = shipped_vectors(name).embed(sentence.words)
            weight = frequencies.sif(sentence.words)[:, None]
            lengths = np.linalg.norm(found.values, axis=1, keepdims=True)
            means.append((weight * found.values).mean(axis=0))
            units.append((weight * found.values / np.where(lengths > 0, lengths, 1)).mean(axis=0))
        for rows, unit in ((means, False), (units, True)):
            directions = resources[kind.name].of(unit)
            assert directions.shape == (COUNT, shipped_vectors(name).dimension)
            assert directions.dtype == np.float32
            np.testing.assert_allclose(directions @ directions.T, np.eye(COUNT), atol=1e-5)
            expected = TruncatedSVD(COUNT, algorithm="arpack", random_state=0).fit(np.asarray(rows)).components_
            np.testing.assert_allclose(np.abs((directions * expected).sum(axis=1)), 1, atol=1e-4)
            assert (directions[np.arange(COUNT), np.abs(directions).argmax(axis=1)] > 0).all()


@pytest.mark.parametrize("count", [0, 1, 3])
def test_few_sentences_span_few_directions(training, count):
    sentences = training[0].sentences[:count]
    fitted = Directions.fit(sentences)
    assert {len(array) for array in fitted.arrays.values()} == {count}
    assert fitted.digest == Directions.fit(sentences).digest
