import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from rapidfuzz.distance import Levenshtein
from samewise.apps.labels.selection import (
    bands,
    candidates,
    character_similarity,
    k_center,
    k_center_greedy,
    medoid,
    sim_l,
    sim_v,
)
from samewise.apps.labels.selection.candidate_pairs import sum_vectors, top_by_overlap, top_by_vectors, top_pairs
from samewise.apps.labels.selection.pair_coverage import EncoderSpace, PointFile
from samewise.features.lexicon.word_vectors import shipped_vectors

from ....conftest import PAIRS

SENTENCES = list(dict.fromkeys(text for pair in PAIRS for text in pair))


def apart(points, others):
    return np.sqrt(((points[:, None].astype(float) - others[None].astype(float)) ** 2).sum(axis=2))


def plain_greedy(points, k, labelled):
    """The algorithm as it is printed: every distance to every centre."""
    gaps = apart(points, labelled).min(axis=1)
    rows, found = [], []
    for _ in range(k):
        row = int(np.argmax(gaps))
        rows.append(row)
        found.append(gaps[row])
        gaps = np.minimum(gaps, apart(points, points[[row]])[:, 0])
        gaps[rows] = -1
    return rows, found, max(gaps.max(), 0)


def least_radius(points, k, labelled=None):
    """The radius of the best of all choices."""
    known = np.full(len(points), np.inf) if labelled is None else apart(points, labelled).min(axis=1)
    distance = apart(points, points)
    radii = []
    for rows in itertools.combinations(range(len(points)), k):
        radii.append(np.minimum(known, distance[:, rows].min(axis=1)).max())
    return min(radii)


# Whole numbers make ties and equal points; quarters are exact in float32.
GRID = st.integers(2, 8).flatmap(
    lambda n: arrays(np.float32, (n, 2), elements=st.integers(0, 12).map(lambda value: value / 4))
)


@settings(max_examples=60)
@given(GRID, st.data())
def test_greedy_is_within_twice_the_least_radius(points, data):
    k = data.draw(st.integers(1, len(points)))
    found = k_center_greedy(points, k)
    assert len(set(found.rows.tolist())) == k
    assert found.radius <= 2 * least_radius(points, k) + 1e-9
    assert found.radius == pytest.approx(apart(points, points[found.rows]).min(axis=1).max())
    known = points[:1] + 1
    assert k_center_greedy(points, k, known).radius <= 2 * least_radius(points, k, known) + 1e-9


@settings(max_examples=60)
@given(GRID, st.data())
def test_greedy_chooses_what_the_plain_algorithm_chooses(points, data):
    k = data.draw(st.integers(1, len(points)))
    rows, found, radius = plain_greedy(points, k, points[:1] - 1)
    mine = k_center_greedy(points, k, points[:1] - 1)
    assert mine.rows.tolist() == rows
    assert mine.distances == pytest.approx(found)
    assert mine.radius == pytest.approx(radius)


@pytest.mark.parametrize("seed", range(3))
def test_greedy_on_more_points_is_plain_greedy(seed):
    rng = np.random.default_rng(seed)
    points = rng.standard_t(3, size=(600, 5)).astype(np.float32)
    labelled = rng.normal(size=(20, 5)).astype(np.float32)
    rows, found, radius = plain_greedy(points, 150, labelled)
    mine = k_center_greedy(points, 150, labelled)
    assert mine.rows.tolist() == rows
    assert mine.distances == pytest.approx(found, abs=1e-6)
    assert mine.radius == pytest.approx(radius)
    assert (np.diff(mine.distances) <= 1e-12).all()


def test_greedy_takes_the_first_of_equally_far_points():
    points = np.array([[0, 0], [3, 0], [-3, 0], [0, 3], [0, -3]], dtype=np.float32)
    found = k_center_greedy(points, 5)
    assert found.start == "medoid"
    assert found.rows.tolist() == [0, 1, 2, 3, 4]
    assert np.isnan(found.distances[0]) and found.distances[1:].tolist() == [3, 3, 3, 3]
    assert found.radius == 0
    same = k_center_greedy(np.ones((4, 3), dtype=np.float32), 3)
    assert same.rows.tolist() == [0, 1, 2] and same.distances[1:].tolist() == [0, 0]


def test_greedy_goes_on_from_labelled_points():
    points = np.array([[0.0], [1], [9], [10]], dtype=np.float32)
    assert k_center_greedy(points, 1, np.array([[10.0]], dtype=np.float32)).rows.tolist() == [0]
    assert k_center_greedy(points, 1, np.array([[0.0]], dtype=np.float32)).rows.tolist() == [3]
    # Choosing 2 and then 2 more is choosing 4.
    rng = np.random.default_rng(0)
    points = rng.normal(size=(50, 3)).astype(np.float32)
    four = k_center_greedy(points, 4).rows
    rest = np.delete(np.arange(50), four[:2])
    assert rest[k_center_greedy(points[rest], 2, points[four[:2]]).rows].tolist() == four[2:].tolist()


def test_a_large_pool_starts_at_a_point_drawn_with_the_seed(monkeypatch):
    monkeypatch.setattr(k_center, "MEDOID_LIMIT", 20)
    points = np.random.default_rng(0).normal(size=(30, 2)).astype(np.float32)
    found = [k_center_greedy(points, 3, seed=seed) for seed in (5, 5, 6)]
    assert {one.start for one in found} == {"random"}
    assert found[0].rows.tolist() == found[1].rows.tolist() != found[2].rows.tolist()


def test_the_medoid_has_the_least_sum_of_distances():
    points = np.random.default_rng(3).normal(size=(700, 4)).astype(np.float32)
    assert medoid(points) == int(apart(points, points).sum(axis=1).argmin())
    assert medoid(np.array([[0.0], [1], [1], [50]])) == 1


@pytest.mark.parametrize("k", [0, 5])
def test_a_number_that_cannot_be_chosen(k):
    with pytest.raises(ValueError, match=f"k must be between 1 and 4, the number of points, got {k}"):
        k_center_greedy(np.zeros((4, 2), dtype=np.float32), k)


def test_labelled_points_of_another_space():
    with pytest.raises(ValueError, match="must have 2 coordinates as the others, got 3"):
        k_center_greedy(np.zeros((4, 2)), 1, np.zeros((1, 3)))


def test_character_similarity_by_hand():
    pairs = [("kitten", "sitting"), ("abc", "abc"), ("abc", ""), ("", ""), (" a  b ", "a b"), ("abcde", "abcdf")]
    assert character_similarity(pairs).tolist() == [4 / 7, 1, 0, 1, 1, 0.8]
    assert character_similarity(PAIRS) == pytest.approx([Levenshtein.normalized_similarity(*pair) for pair in PAIRS])


def test_bands_by_hand():
    sim = [0.39, 0.4, 0.5, 0.59, 0.6, 0.7, 0.8, 0.81]
    found = bands(range(8), sim, [0.4, 0.6, 0.8], 3)
    # An edge is of the band above it, and the last one of the last band; what is outside is never taken.
    by_band = {
        band: {row for row, other in zip(found.rows, found.bands, strict=True) if other == band} for band in (0, 1)
    }
    assert by_band == {0: {1, 2, 3}, 1: {4, 5, 6}}
    assert found.shortfalls == ()
    assert found.bands.tolist() == [0, 1, 0, 1, 0, 1]


def test_a_shortfall_is_told_and_not_filled():
    sim, strata = [0.45, 0.5, 0.7, 0.55, 0.75, 0.76], list("xxxyyy")
    found = bands(range(6), sim, [0.4, 0.6, 0.8], 2, strata)
    assert sorted(found.rows.tolist()) == [0, 1, 2, 3, 4, 5]
    assert found.shortfalls == (((0.4, 0.6), "y", 2, 1), ((0.6, 0.8), "x", 2, 1))
    few = bands(range(6), sim, [0.4, 0.6, 0.8], 1, strata)
    assert len(few.rows) == 4 and few.shortfalls == ()
    assert {strata[row] for row in few.rows[:2]} == {"x", "y"}


def test_bands_draw_evenly_and_repeatably():
    sim = np.full(100, 0.5)
    one, same, other = (bands(range(100), sim, [0, 1], 10, seed=seed).rows.tolist() for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (([0.5], [0.8, 0.4], 1), "edges must be two or more growing numbers, got 0.8, 0.4"),
        (([0.5], [0.4], 1), "edges must be two or more growing numbers, got 0.4"),
        (([0.5], [0.4, 0.8], 0), "n_per_band must be at least 1, got 0"),
        (([0.5, 0.6], [0.4, 0.8], 1), "one value for each of 1 pairs, got similarities of shape"),
    ],
)
def test_bands_refuse(arguments, told):
    with pytest.raises(ValueError, match=told):
        bands(["a pair"], *arguments)


def test_sim_l_by_hand():
    # 8 tokens: a 4, b 2, c 1, d 1.
    sources = ["a a b c", "A a B d"]
    log_p = {"a": math.log(4 / 8), "b": math.log(2 / 8), "c": math.log(1 / 8), "d": math.log(1 / 8)}
    expected = 2 * (log_p["a"] + log_p["b"]) / (2 * log_p["a"] + 2 * log_p["b"] + log_p["c"] + log_p["d"])
    assert sim_l(*sources, sources) == pytest.approx(expected)
    assert sim_l("a c", "b d", sources) == 0
    assert sim_l("c", "C", sources) == 1
    assert sim_l("a", "a", ["a a a"]) == 0  # P = 1 says nothing
    assert sim_l("", "a", sources) == 0


def test_sim_v_by_hand():
    vectors = shipped_vectors("distilled")
    a, b = (vectors.embed(words).values.astype(float).sum(axis=0) for words in (["two", "dogs", "two"], ["the", "cat"]))
    expected = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert sim_v("Two dogs two", "the cat") == pytest.approx(expected, abs=1e-6)
    assert sim_v("", "the cat") == 0


@pytest.mark.slow
@pytest.mark.parametrize("itself", [True, False])
def test_top_pairs_are_those_of_all_similarities(itself, monkeypatch):
    monkeypatch.setattr("samewise.apps.labels.selection.candidate_pairs.CELLS", 60)  # several blocks
    a, b = SENTENCES, SENTENCES if itself else SENTENCES[::-2]
    all_l = {(i, j): sim_l(one, two, a if itself else [*a, *b]) for i, one in enumerate(a) for j, two in enumerate(b)}
    all_v = {(i, j): sim_v(one, two) for i, one in enumerate(a) for j, two in enumerate(b)}
    for top, known in ((top_by_overlap, all_l), (top_by_vectors, all_v)):
        found = top(a, None if itself else b, 15)
        allowed = sorted((value for (i, j), value in known.items() if not itself or i < j), reverse=True)
        assert found[2] == pytest.approx(allowed[:15], abs=1e-6)
        assert len(set(zip(found[0].tolist(), found[1].tolist(), strict=True))) == 15
        for i, j, value in zip(*found, strict=True):
            assert known[i, j] == pytest.approx(value, abs=1e-6)


def test_equal_similarities_are_taken_by_row():
    found = top_pairs(lambda part: np.ones((part.stop - part.start, 4)), 4, 4, 3, True)
    assert list(zip(found[0].tolist(), found[1].tolist(), strict=True)) == [(0, 1), (0, 2), (0, 3)]
    assert len(top_pairs(lambda part: np.zeros((part.stop - part.start, 4)), 4, 4, 3, True)[0]) == 0


def test_candidates_come_from_either_heuristic_in_turn():
    found = candidates(SENTENCES, None, 20)
    assert found.counts() == {"sim_l": 10, "sim_v": 10}
    rows = found.table.to_pylist()
    assert [row["heuristic"] for row in rows] == ["sim_l", "sim_v"] * 10
    assert len({frozenset((row["sentence1"], row["sentence2"])) for row in rows}) == 20
    for row in rows:
        pair = row["sentence1"], row["sentence2"]
        assert row["similarity"] == pytest.approx(
            sim_l(*pair, SENTENCES) if row["heuristic"] == "sim_l" else sim_v(*pair), abs=1e-6
        )


def test_candidates_of_lists_that_share_sentences():
    found = candidates(SENTENCES, SENTENCES[::-1], 40)
    pairs = [frozenset((row["sentence1"], row["sentence2"])) for row in found.table.to_pylist()]
    assert len(set(pairs)) == 40 and all(len(pair) == 2 for pair in pairs)
    none = candidates(["one"], ["one"], 5)
    assert none.table.num_rows == 0 and none.wanted == 5


def test_points_are_standardised_by_what_was_counted_on_the_way(tmp_path):
    values = np.random.default_rng(0).normal(3, [1, 10, 1e-3], size=(1000, 3)).astype(np.float32)
    values = np.hstack([values, np.full((1000, 1), 7, dtype=np.float32)])
    file = PointFile(tmp_path / "points", 4)
    for start in (0, 10, 500):
        file.add(values[start : {0: 10, 10: 500, 500: 1000}[start]])
    file.add(values[:0])
    points = file.read(standardised=True)
    assert points.dtype == np.float32
    wide = values[:, :3].astype(float)
    assert points[:, :3] == pytest.approx((wide - wide.mean(axis=0)) / wide.std(axis=0), abs=1e-3)
    assert (points[:, 3] == 0).all()
    assert PointFile(tmp_path / "none", 4).read(standardised=True).shape == (0, 4)


def test_the_space_of_the_encoder_is_product_and_difference():
    space = EncoderSpace()
    points = space.points(PAIRS[:3])
    u, v = (space._encoder.vectors([pair[side] for pair in PAIRS[:3]]) for side in (0, 1))
    assert points.shape == (3, space.dimension)
    assert points == pytest.approx(np.hstack([u * v, abs(u - v)]), abs=1e-6)
    assert (space.points([pair[::-1] for pair in PAIRS[:3]]) == points).all()


def test_sums_of_vectors_have_length_one():
    found = sum_vectors([*SENTENCES[:4], ""])
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 1, 1, 1, 0], abs=1e-6)
