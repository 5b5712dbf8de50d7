import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.ensemble.evaluation.label_curves import LEVELS, label_curves, label_errors
from sklearn.metrics import average_precision_score, roc_auc_score


def test_curves_worked_out_by_hand():
    # From the highest: yes, no, yes, no. Half of the yes before any no, all of them after half of the no.
    found = label_curves([True, False, True, False], [4.0, 3.0, 2.0, 1.0])
    points = list(zip(found.false_positives.tolist(), found.true_positives.tolist(), strict=True))
    assert points == [(0.0, 0.0), (0.0, 0.5), (0.5, 0.5), (0.5, 1.0), (1.0, 1.0)]
    assert dict(zip(found.recall.tolist(), found.precision.tolist(), strict=True))[0.0] == 1.0
    assert (1.0, pytest.approx(2 / 3)) in zip(found.recall.tolist(), found.precision.tolist(), strict=True)


def test_scores_that_separate_the_labels_have_no_doubt():
    found = label_curves([True] * 30 + [False] * 30, [*range(30, 60), *range(30)])
    assert found.auc_ends == pytest.approx((1.0, 1.0)) and found.average_precision_ends == pytest.approx((1.0, 1.0))
    assert found.true_positive_ends[:, 1:].min() == pytest.approx(1.0) == found.precision_ends.min()


@pytest.mark.parametrize("n", [150, 3_000])
def test_intervals_hold_the_figures_and_shrink_as_the_root_of_the_pairs(n):
    random = np.random.default_rng(1)
    yes = random.random(n) < 0.4
    score = yes + random.normal(0, 1.2, n)
    found = label_curves(yes, score)
    for (low, high), value in (
        (found.auc_ends, roc_auc_score(yes, score)),
        (found.average_precision_ends, average_precision_score(yes, score)),
    ):
        assert low < value < high
        assert 0.5 < (high - low) * np.sqrt(n) < 3.0
    assert found.true_positive_ends.shape == found.precision_ends.shape == (2, len(LEVELS))
    assert (found.true_positive_ends[0] <= found.true_positive_ends[1]).all()


def test_the_interval_of_the_area_is_that_of_hanley_and_mcneil():
    # Their formula (1982) of the standard error, for scores that are normal in both kinds.
    random = np.random.default_rng(2)
    yes = np.repeat([True, False], 400)
    score = yes * 1.0 + random.normal(0, 1, 800)
    area = roc_auc_score(yes, score)
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    error = np.sqrt((area * (1 - area) + 399 * (q1 - area**2) + 399 * (q2 - area**2)) / 400**2)
    low, high = label_curves(yes, score).auc_ends
    assert (high - low) / (2 * 1.96) == pytest.approx(error, rel=0.15)


@pytest.mark.parametrize("labels", [[True, True], [False, False], [True]])
def test_labels_without_both_kinds_are_refused(labels):
    with pytest.raises(ValueError, match="must be of both kinds|must have one shape"):
        label_curves(labels, [1.0, 2.0])


def test_errors_are_counted_by_call_and_label():
    yes = [True, True, True, False, False, True, False]
    calls = ["same", "same", "different", "same", "different", "unsure", "unsure"]
    found = label_errors(yes, calls)
    assert found.counts == {"same": (2, 1), "unsure": (1, 1), "different": (1, 1)}
    assert (found.precision.value, found.recall.value) == (2 / 3, 0.5)
    assert found.f1.value == pytest.approx(2 * (2 / 3) * 0.5 / (2 / 3 + 0.5))
    for share in (found.precision, found.recall, found.f1):
        assert share.low <= share.value <= share.high


def test_no_pair_called_same_has_no_precision():
    found = label_errors([True, False], ["different", "different"])
    assert found.precision.value is None and found.recall.value == 0.0
    with pytest.raises(ValueError, match="must be same, unsure, different, got 'maybe'"):
        label_errors([True], ["maybe"])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=40))
def test_curves_rise_and_intervals_are_shares(rows):
    yes, score = map(list, zip(*rows, strict=True))
    if len(set(yes)) == 1:
        return
    found = label_curves(yes, score)
    assert (np.diff(found.false_positives) >= 0).all() and (np.diff(found.true_positives) >= 0).all()
    for ends in (found.true_positive_ends, found.precision_ends):
        assert (ends >= 0).all() and (ends <= 1 + 1e-12).all() and (ends[0] <= ends[1]).all()
