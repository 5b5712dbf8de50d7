"""Rule of pairs: thresholds, and kinds of differences."""

import numpy as np
import pytest
from samewise.ensemble.core.scale import POINTS, Scale
from samewise.ensemble.matching.pair_rule import PairRule, least_similarity, pair_rule

from samewise import load


def test_verdicts():
    rule = PairRule(4.0, 3.0)
    assert rule.verdicts(np.array([2.9, 3.0, 3.99, 4.0])).tolist() == ["different", "unsure", "unsure", "same"]


def test_four_of_five_is_the_same():
    rule = pair_rule(load("surface"))
    assert (rule.same_from, rule.unsure_from) == (4.0, 4.0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"at_least": 6.0}, "in order from 0 to 5, got 6 and 6"),
        ({"at_least": 3.0, "review_from": 4.0}, "in order from 0 to 5, got 4 and 3"),
        ({"apart": ["colour"]}, "a kind of difference must be one of date, .*, got 'colour'"),
        ({"decide": True, "at_least": 3.0}, "must be those of the decision or be given, got both"),
        ({"decide": True}, "surface must have a decision, got none"),
    ],
)
def test_settings_that_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        pair_rule(load("surface"), **settings)


def test_least_similarity_by_hand():
    assert [least_similarity(score, POINTS) for score in (5.0, 4.0, 3.0, 0.5)] == pytest.approx([0.6, 0.6, 0.4, 0.0])
    assert least_similarity(0.7, Scale(0.0, 1.0)) == pytest.approx(0.5)
