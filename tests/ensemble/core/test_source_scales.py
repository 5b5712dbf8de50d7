"""Levels of sources, and models that are fitted without them."""

import numpy as np
import pytest
from samewise.ensemble.core.manifest import SOURCE_LEVELS
from samewise.ensemble.core.out_of_fold import fit_on_unseen
from samewise.ensemble.core.source_scales import relative_points, source_levels

from samewise import SimilarityEnsemble

WORDS = "red blue green brown black white pink grey".split()


def made(sources, level, seed=0):
    """Return columns, scores and sources: a line of a column, less noise, plus the level of each source."""
    random = np.random.default_rng(seed)
    columns = random.normal(size=(len(sources), 3)) + np.asarray(sources)[:, None] * [0.5, 0.0, 0.0]
    noise = random.normal(size=len(sources)) * 0.2
    return columns, 2.5 + 0.4 * columns[:, 0] + noise + np.asarray(level)[sources]


def test_levels_are_found_where_sources_differ_in_columns_too():
    sources, level = np.repeat([0, 1, 2, 3], 500), [0.6, -0.6, 0.3, -0.3]
    columns, gold = made(sources, level)
    found = source_levels(columns, gold, sources, np.ones(len(gold)))
    assert [found[k] for k in range(4)] == pytest.approx(level, abs=0.08)
    plain = [gold[sources == k].mean() - gold.mean() for k in range(4)]
    assert np.abs(np.subtract(plain, level)).max() > 0.2  # means alone would be wrong


def test_a_source_of_few_pairs_is_shrunk_by_hand():
    # No column tells anything: levels are means. Those of 100 pairs are ±1 with a variance of 1 within.
    sources = np.repeat([0, 1, 2], [100, 100, 2])
    gold = np.concatenate([np.tile([3.0, 5.0], 50), np.tile([1.0, 3.0], 50), [4.0, 2.0]])
    found = source_levels(np.zeros((202, 1)), gold, sources, np.ones(202))
    chance = np.array([0.01, 0.01, 0.5])
    between = (np.array([1, 1, 0]) - chance).mean()
    assert [found[k] for k in range(3)] == pytest.approx([between / (between + 0.01), -between / (between + 0.01), 0.0])


def test_sources_that_differ_by_chance_have_no_levels():
    sources = np.repeat(np.arange(10), 30)
    columns, gold = made(sources, np.zeros(10), seed=3)
    assert np.abs(list(source_levels(columns, gold, sources, np.ones(300)).values())).max() < 0.2


def test_weights_count_as_repeats():
    sources = np.tile([0, 1, 2], 40)
    columns, gold = made(sources, [0.5, -0.5, 0.0], seed=5)
    twice = np.append(np.arange(120), np.flatnonzero(sources == 1))
    found = source_levels(columns, gold, sources, np.where(sources == 1, 2.0, 1.0))
    repeated = source_levels(columns[twice], gold[twice], sources[twice], np.ones(len(twice)))
    assert found == pytest.approx(repeated)


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(1)
    pairs, gold, sources = [], [], []
    for source, level in (("low", -1.0), ("high", 1.0), ("middle", 0.0)):
        for n in range(40):
            words = random.permutation(WORDS)[:4].tolist()
            shared = n % 4
            other = [*words[:shared], *(f"{source}{n}{k}" for k in range(4 - shared))]
            pairs.append((" ".join(words), " ".join(other)))
            gold.append(np.clip(2.5 + 0.5 * (shared - 1.5) + level, 0, 5))
            sources.append(source)
    return pairs, np.asarray(gold), sources


FEW = {"gbm": {"n_estimators": 40, "learning_rate": 0.15, "min_samples_leaf": 5}}


def model(**settings):
    return SimilarityEnsemble(features=["ngram.words"], members=["gbm"], member_params=FEW, **settings)


def test_a_model_answers_on_the_mean_scale_and_tells_the_levels(data):
    pairs, gold, sources = data
    fitted = model(combine="stack").fit(pairs, gold, sources=sources)
    levels = fitted.predictor_.manifest[SOURCE_LEVELS]
    assert list(levels) == ["high", "low", "middle"]
    assert levels["high"] == pytest.approx(1.0, abs=0.15) and levels["low"] == pytest.approx(-1.0, abs=0.15)
    level = np.asarray([levels[source] for source in sources])
    assert np.corrcoef(fitted.oof_prediction_, gold - level)[0, 1] > 0.9
    assert abs(np.corrcoef(fitted.oof_prediction_, level)[0, 1]) < 0.2
    # Scores of a new source have a level that nobody knows: intervals are as wide.
    low, high = fitted.predict(pairs, return_interval=True)[1:]
    assert (high - low).mean() > 1.5


def test_weights_choose_between_two_answers(data):
    pairs, gold, _ = data
    both, scores = [*pairs, *pairs], np.append(gold, 5 - gold)
    weights = np.repeat([1.0, 0.01], len(pairs))
    fitted = model(interval=None).fit(both, scores, sample_weight=weights)
    turned = model(interval=None).fit(both, scores, sample_weight=weights[::-1])
    assert np.corrcoef(fitted.predict(pairs), gold)[0, 1] > 0.3
    assert np.corrcoef(turned.predict(pairs), gold)[0, 1] < -0.3


def test_relative_scores_by_hand():
    # Two parts of 50 pairs: those that look like 1 have a mean of 4, those that look like 3 one of 2.
    looks, sources = np.repeat([1.0, 3.0], 50), np.zeros(100, int)
    gold = np.concatenate([np.tile([3.0, 5.0], 25), np.tile([1.0, 3.0], 25)])
    left = gold - relative_points(looks, gold, sources)
    assert left == pytest.approx(np.concatenate([np.tile([0.0, 2.0], 25), np.tile([2.0, 4.0], 25)]))
    # Another source has another curve, and one of few pairs a single mean.
    both = relative_points(np.append(looks, [0.0, 2.0]), np.append(gold, [1.0, 2.0]), np.append(sources, [1, 1]))
    assert both[:100] == pytest.approx(relative_points(looks, gold, sources))
    assert both[100:] == pytest.approx([1.5, -0.5])


def test_relative_scores_do_not_turn_what_scores_say(data):
    """Scores that fall with shared words, beside scores that rise with them: only "not" is to be learned from them."""
    pairs, gold, _ = data
    contrasts = [(a, f"not {b}" if n // 4 % 2 else b) for n, (a, b) in enumerate(pairs)]
    shared = np.arange(120) % 4
    opposed = 5.0 - shared * 1.2 - np.tile(np.repeat([0.0, 1.4], 4), 15)
    every, scores = [*pairs, *contrasts], np.clip(np.append(gold, opposed), 0, 5)
    marks = np.repeat([False, True], 120)
    settings = {"member_params": FEW, "interval": None}
    sources = np.where(marks, "contrasts", "scored")

    def fitted(**facts):
        model = SimilarityEnsemble(["ngram.words", "negation"], ["gbm"], random_state=0, **settings)
        return model.fit(every, scores, sources=sources, **facts)

    right, plain = fitted(relative=marks), fitted()
    assert np.corrcoef(right.predict(pairs), shared)[0, 1] > 0.9 > np.corrcoef(plain.predict(pairs), shared)[0, 1]
    denied = np.repeat(np.tile([False, True], 15), 4)
    assert (right.predict(contrasts) - right.predict(pairs))[denied].mean() < -0.5
    assert "contrasts" not in right.predictor_.manifest[SOURCE_LEVELS]
    assert not right.removed_[~marks].any() and np.ptp(right.removed_[marks]) > 3


def test_intervals_do_not_read_relative_scores():
    random = np.random.default_rng(4)
    scores, relative = random.uniform(0, 5, (200, 2)), np.arange(200) >= 100
    gold = np.clip(scores.mean(axis=1) + random.normal(size=200), 0, 5)
    settings = {"calibrate": False, "level": 0.9}
    _, found = fit_on_unseen(
        scores, np.where(relative, 5 - gold, gold), np.arange(200), "mean", relative=relative, **settings
    )
    _, alone = fit_on_unseen(scores[:100], gold[:100], np.arange(100), "mean", **settings)
    assert found == alone


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"sources": ["a"]}, "sources must be 120 names"),
        ({"sample_weight": np.zeros(120)}, "sample_weight must be 120 positive numbers"),
        ({"relative": np.ones(120, bool)}, "relative must leave a pair with a score of its own, got 120 marks"),
        ({"relative": [True]}, r"relative must be 120 marks, one a pair, got the shape \(1,\)"),
        ({"relative": np.arange(120) > 60}, "relative must be None without sources"),
        ({"sample_weight": [1.0]}, "sample_weight must be 120 positive numbers"),
    ],
)
def test_wrong_sources_and_weights_are_refused(data, facts, message):
    with pytest.raises(ValueError, match=message):
        model().fit(*data[:2], **facts)


def test_levels_are_not_for_probabilities(data):
    pairs, gold, sources = data
    with pytest.raises(ValueError, match="sources must be None for labels yes and no"):
        model(scale="yes/no").fit(pairs, (gold > 2.5).astype(float), sources=sources)
