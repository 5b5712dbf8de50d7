import numpy as np
import pytest
from samewise.ensemble.evaluation.aggregates import TRACKS, aggregates, fitted_line, primary, track_of
from samewise.ensemble.evaluation.metrics import pearson


def test_aggregates_by_hand():
    """Each set is on a line, the second one upside down and shifted: fitted, both are gold itself."""
    gold = [0.0, 1.0, 2.0, 1.0, 3.0]
    score = [10.0, 11.0, 12.0, 4.0, 2.0]
    found = aggregates(gold, score, ["a", "a", "a", "b", "b"])
    assert found.all == pytest.approx(np.corrcoef(gold, score)[0, 1])
    assert found.all_normalised == pytest.approx(1.0)
    assert found.mean == pytest.approx((3 * 1 + 2 * -1) / 5)
    assert found.plain_mean == pytest.approx(0.0)


def test_normalised_equals_polynomials_of_first_degree():
    rng = np.random.default_rng(0)
    sets = rng.integers(0, 4, 300)
    gold = rng.uniform(0, 5, 300)
    score = gold * np.array([1, 0.5, 2, -1])[sets] + sets + rng.normal(size=300)
    fitted = np.empty(300)
    for name in range(4):
        mask = sets == name
        fitted[mask] = np.polyval(np.polyfit(score[mask], gold[mask], 1), score[mask])
    found = aggregates(gold, score, sets)
    assert found.all_normalised == pytest.approx(np.corrcoef(gold, fitted)[0, 1])
    assert found.all_normalised > found.all
    by_set = [(np.sum(sets == k), np.corrcoef(gold[sets == k], score[sets == k])[0, 1]) for k in range(4)]
    assert found.mean == pytest.approx(sum(n * r for n, r in by_set) / 300)
    assert found.plain_mean == pytest.approx(np.mean([r for _, r in by_set]))


def test_one_set_is_as_it_stands():
    gold, score = [0.0, 2.0, 3.0, 5.0], [1.0, 1.5, 4.0, 3.0]
    found = aggregates(gold, score, ["only"] * 4)
    assert list(found.as_dict().values()) == pytest.approx([pearson(gold, score)] * 4)


def test_sets_of_one_pair_are_fitted_but_have_no_mean():
    found = aggregates([0.0, 2.0, 5.0], [3.0, 1.0, 2.0], ["a", "b", "c"])
    assert found.all_normalised == pytest.approx(1.0)
    assert (found.mean, found.plain_mean) == (None, None)
    assert aggregates([0, 2, 5], [3, 1, 2], ["a", "a", "c"]).mean == pytest.approx(-1.0)


def test_a_constant_set_is_fitted_by_its_mean():
    np.testing.assert_allclose(fitted_line(np.array([1.0, 4.0]), np.array([2.0, 2.0])), 2.5)


def test_aggregates_need_one_of_each():
    with pytest.raises(ValueError, match="must be of one length from 1, got 2, 2 and 1; give"):
        aggregates([1, 2], [1, 2], ["a"])


@pytest.mark.parametrize(
    ("name", "track"),
    [
        ("1", "1"),
        ("4a", "4a"),
        ("4B", "4b"),
        ("3.0", "3"),
        ("track5.en-en", "5"),
        ("Track 6", "6"),
        ("STS.input.track4a.es-en.txt", "4a"),
        ("STS2017/STS.gs.track1.ar-ar.txt", "1"),
    ],
)
def test_tracks_by_name(name, track):
    assert track_of(name) == track


@pytest.mark.parametrize("name", ["", "MSRvid", "7", "4", "1a", "2017", "track50", "en-en", "2.75", "2.05"])
def test_no_track_by_name(name):
    with pytest.raises(ValueError, match="a track of SemEval-2017 must be one of 1, 2, 3, 4a, 4b, 5, 6, got "):
        track_of(name)


def test_the_primary_scores_of_2017():
    """Cer et al. (2017), table of results: the cosine baseline's row, whose printed Primary is 53.70."""
    row = dict(zip(TRACKS, (60.45, 51.55, 71.17, 62.20, 3.20, 72.78, 54.56), strict=True))
    found = primary(row)
    assert found["primary7"] == pytest.approx(53.70, abs=0.005)
    assert found["primary6"] == pytest.approx((60.45 + 51.55 + 71.17 + 62.20 + 3.20 + 72.78) / 6)
    assert found["missing"] == []


def test_a_missing_track_leaves_an_average_out():
    row = dict.fromkeys(TRACKS[:-1], 0.5)
    assert primary(row) == {"primary6": 0.5, "primary7": None, "missing": ["6"]}
    assert primary({}) == {"primary6": None, "primary7": None, "missing": list(TRACKS)}
    with pytest.raises(ValueError, match="must be one of 1, 2, 3, 4a, 4b, 5, 6, got '4'"):
        primary({"4": 0.5})
