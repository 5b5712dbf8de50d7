import numpy as np
import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.base.token_sequences import text_hash, vocabulary
from samewise.features.lexicon import word_vectors as vectors
from samewise.features.lexicon.word_vectors import MOST_COORDINATES, WordVectors, quantised, shipped_vectors
from samewise.features.word_similarity.vector_pooling import embedded

TABLE = {
    "red": [4.0, 0.0, 2.0],
    "boat": [0.0, 1.0, -0.5],
    "play": [1.0, 1.0, 0.0],
    "##ing": [0.0, 0.5, 0.5],
    "##s": [0.1, 0.0, 0.0],
}


def made(table=TABLE, pieces=False, dtype=np.int8, digest="x"):
    hashes = np.asarray([text_hash(word) for word in table], dtype=np.uint64)
    order = np.argsort(hashes)
    values = np.asarray(list(table.values()))[order]
    if dtype == np.float16:
        return WordVectors(hashes[order], values.astype(np.float16), None, digest, pieces)
    codes, scales = quantised(values)
    return WordVectors(hashes[order], codes.astype(np.int8), scales.astype(np.float32), digest, pieces)


def test_quantised_rows_are_whole_numbers_and_near():
    values = np.random.default_rng(0).normal(size=(50, 7)) * 10.0 ** np.arange(-25, 25)[:, None]
    codes, scales = quantised(values)
    np.testing.assert_array_equal(codes, np.rint(codes))
    np.testing.assert_array_equal(np.abs(codes).max(axis=1), 127)
    assert (np.abs(codes * scales[:, None] - values) <= 0.5001 * scales[:, None]).all()
    zeros, none = quantised(np.zeros(3))
    assert zeros.tolist() == [0, 0, 0]
    assert none == 0


@pytest.mark.parametrize("dtype", [np.int8, np.float16])
def test_a_listed_word_has_its_vector(dtype):
    found = made(dtype=dtype).embed(["red", "boat", "moon"])
    np.testing.assert_allclose(found.values, [[4, 0, 2], [0, 1, -0.5], [0, 0, 0]], atol=0.02)
    np.testing.assert_array_equal(found.codes[0], [127, 0, 64])  # 2 / 4 * 127 = 63.5, to even
    assert found.known.tolist() == [True, True, False]
    assert found.norms[0] == np.sqrt(127**2 + 64**2)


def test_both_storages_of_small_numbers_give_the_same_codes():
    one, two = (made(dtype=dtype).embed(list(TABLE)) for dtype in (np.int8, np.float16))
    np.testing.assert_array_equal(one.codes, two.codes)
    np.testing.assert_allclose(one.scales, two.scales, rtol=1e-3)


@pytest.mark.parametrize("dtype", [np.int8, np.float16])
def test_unknown_words_fall_back_to_lower_case_then_parts_then_pieces(dtype):
    plain, cut = made(dtype=dtype), made(pieces=True, dtype=dtype)
    np.testing.assert_array_equal(plain.embed(["RED"]).codes, plain.embed(["red"]).codes)
    expected = (np.asarray(TABLE["red"]) + TABLE["boat"]) / 2
    for item in ("red-boat", "Red/Boat", "-red-boat-"):
        np.testing.assert_allclose(plain.embed([item]).values[0], expected, atol=0.03)
    assert not plain.embed(["playing"]).known[0]
    expected = np.sum([TABLE["play"], TABLE["##ing"], TABLE["##s"]], axis=0)
    np.testing.assert_allclose(cut.embed(["playings"]).values[0], expected, atol=0.05)
    assert not cut.embed(["playx"]).known[0]  # what no piece continues has no vector
    assert not cut.embed(["ing"]).known[0]  # a continuation begins no word


def test_an_item_does_not_depend_on_its_neighbours():
    table = made(pieces=True)
    items = ["red", "RED", "red-boat", "playing", "moon", ""]
    together = table.embed(items)
    for k, item in enumerate(items):
        alone = table.embed([item])
        np.testing.assert_array_equal(alone.codes[0], together.codes[k])
        assert alone.scales[0] == together.scales[k]
        assert alone.norms[0] == together.norms[k]


def test_the_words_of_a_batch_are_embedded_in_the_order_of_its_vocabulary():
    batch = analyse([("Red boat", "a boat"), ("", "red")])
    table = made()
    found = embedded(batch, table)
    np.testing.assert_array_equal(found.codes, table.embed(vocabulary(batch, "words").items).codes)
    assert embedded(batch, table) is found
    assert embedded(batch, made({**TABLE, "red": [1.0, 1.0, 1.0]}, digest="y")) is not found
    assert len(embedded(analyse([]), table).codes) == 0


@pytest.mark.parametrize(
    ("codes", "scales", "message"),
    [
        (np.zeros((2, 3), np.int8), np.ones(1), "1 hashes, 1 scales and int8 codes of shape"),
        (np.zeros((1, 3), np.int8), np.ones(2), "1 hashes, 2 scales"),
        (np.zeros((1, 3), np.float32), None, "no scales and float32 codes"),
        (np.zeros((1, MOST_COORDINATES + 1), np.int8), np.ones(1), "must have at most 1040 coordinates, got 1041"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(codes, scales, message):
    with pytest.raises(ValueError, match=message):
        WordVectors(np.ones(1, dtype=np.uint64), codes, scales)


def test_the_longest_inner_product_is_exact():
    row = np.full((1, MOST_COORDINATES), 127, dtype=np.float32)
    assert (row @ row.T).item() == MOST_COORDINATES * 127**2 < 2**24


def test_sets_that_ship_are_named():
    with pytest.raises(ValueError, match="vectors must be one of distilled, relational, got 'moon'"):
        shipped_vectors("moon")
    for name in vectors.SETS:
        found = shipped_vectors(name)
        assert shipped_vectors(name) is found
        assert found.digest
        assert found.embed(["the"]).known[0]
