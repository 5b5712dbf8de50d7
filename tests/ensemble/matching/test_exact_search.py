"""Exact search: the closest texts, and of equally close ones the first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from samewise.ensemble.matching import search
from samewise.ensemble.matching.search import best_neighbours, exact_neighbours, text_codes
from sklearn.neighbors import NearestNeighbors


def by_sorting(queries, texts, most, least):
    found = []
    for row, query in enumerate(queries.astype(int)):
        products = texts.astype(int) @ query
        order = sorted(range(len(texts)), key=lambda place: (-products[place], place))
        found += [(row, place, products[place] / 65536) for place in order[:most] if products[place] / 65536 >= least]
    return found


@pytest.mark.parametrize(("most", "least"), [(1, -1.0), (3, 0.0), (7, 0.5), (50, 0.2)])
def test_against_sorting_with_many_ties(most, least):
    rng = np.random.default_rng(1)
    texts = text_codes(rng.integers(-1, 2, size=(60, 4)).astype(float))
    queries = text_codes(rng.integers(-1, 2, size=(25, 4)).astype(float))
    found = exact_neighbours(queries, texts, most, least)
    assert list(zip(*(column.tolist() for column in found), strict=True)) == by_sorting(queries, texts, most, least)


@pytest.mark.slow
def test_more_than_a_block_of_queries_and_of_texts():
    rng = np.random.default_rng(2)
    texts = text_codes(rng.normal(size=(9_000, 3)))
    queries = text_codes(rng.normal(size=(2_100, 3)))
    found = exact_neighbours(queries, texts, 2, 0.0)
    rows = [0, 2_047, 2_048, 2_099]
    expected = [(rows[row], *rest) for row, *rest in by_sorting(queries[rows], texts, 2, 0.0)]
    links = [link for link in zip(*(column.tolist() for column in found), strict=True) if link[0] in rows]
    assert links == expected


def test_parity_with_scikit_learn_without_ties():
    rng = np.random.default_rng(3)
    texts = text_codes(rng.normal(size=(500, 48)))
    queries = text_codes(rng.normal(size=(40, 48)))
    found = exact_neighbours(queries, texts, 1, -1.0)
    # The largest inner product, as a nearest neighbour: one coordinate more makes all texts equally long.
    values = texts.astype(float)
    longest = (values**2).sum(1).max()
    values = np.c_[values, np.sqrt(longest - (values**2).sum(1))]
    nearest = NearestNeighbors(n_neighbors=1, algorithm="brute").fit(values)
    expected = nearest.kneighbors(np.c_[queries.astype(float), np.zeros(40)], return_distance=False)[:, 0]
    assert (found.texts == expected).mean() > 0.97  # of two equal products scikit-learn returns any


def test_nothing_to_find():
    nothing = np.empty((0, 8), np.int8)
    some = text_codes(np.eye(8))
    for queries, texts in ((nothing, some), (some, nothing), (nothing, nothing)):
        assert len(exact_neighbours(queries, texts, 3, 0.0).queries) == 0


@given(st.data())
def test_against_sorting_in_blocks_of_any_size(data):
    width = data.draw(st.integers(1, 3))
    codes = st.integers(0, 12).flatmap(
        lambda rows: arrays(np.int8, (rows, width), elements=st.integers(-4, 4).map(lambda value: 30 * value))
    )
    queries, texts = data.draw(codes), data.draw(codes)
    most, least = data.draw(st.integers(1, 14)), data.draw(st.sampled_from([-1.0, 0.0, 900 / 65_536, 0.1]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_QUERIES", data.draw(st.integers(1, 5)))
        patch.setattr(search, "_TEXTS", data.draw(st.integers(1, 5)))
        found = exact_neighbours(queries, texts, most, least)
    assert list(zip(*(column.tolist() for column in found), strict=True)) == by_sorting(queries, texts, most, least)


def test_a_text_that_is_just_close_enough():
    codes = np.array([[64, 0], [63, 0]], np.int8)
    query = np.array([[64, 0]], np.int8)  # products 4,096 and 4,032 of 65,536: cosines 1/16 and 63/1,024
    assert exact_neighbours(query, codes, 5, 1 / 16).texts.tolist() == [0]
    assert exact_neighbours(query, codes, 5, 63 / 1_024).texts.tolist() == [0, 1]


def test_the_best_of_two_searches_are_those_of_one():
    rng = np.random.default_rng(4)
    texts = text_codes(rng.integers(-1, 2, size=(80, 4)).astype(float))
    queries = text_codes(rng.integers(-1, 2, size=(9, 4)).astype(float))
    first, second = exact_neighbours(queries, texts[:30], 6, 0.2), exact_neighbours(queries, texts[30:], 6, 0.2)
    together = exact_neighbours(queries, texts, 6, 0.2)
    for parts in ((first, second._replace(texts=second.texts + 30)), (second._replace(texts=second.texts + 30), first)):
        for found, expected in zip(best_neighbours(6, *parts), together, strict=True):
            np.testing.assert_array_equal(found, expected)
