"""Extraction: checks of user-supplied features."""

import numpy as np
import pytest
from samewise.features.base.feature import feature
from samewise.features.pipeline.extraction import Extraction

PAIRS = [("The kettle boils.", "A kettle is boiling hot."), ("Two cups.", "Three cups of tea.")] * 3
RANDOM = np.random.default_rng(0)


def own(compute, **facts):
    compute.__name__ = "own"
    return feature("value", **facts)(compute)


def lengths(pairs, step):
    return [[step(len(a.words), len(b.words))] for a, b in pairs]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (own(lambda pairs: lengths(pairs, lambda a, b: a / b)), r"same for \(a, b\) and \(b, a\), got 0.6+7 and 1.5"),
        (own(lambda pairs: RANDOM.random((len(pairs), 1))), "must be the same for the same pair, got 0"),
        (own(lambda pairs: lengths(pairs, max)), "must be from 0 to 1, got 6; correct them, or declare low and high"),
        (own(lambda pairs: lengths(pairs, min), low=4.0, high=9.0), "must be from 4 to 9, got 3"),
        (own(lambda pairs: [[np.nan]] * len(pairs)), "must be from 0 to 1, got nan"),
    ],
)
def test_user_supplied_features_are_checked(value, message):
    with pytest.raises(ValueError, match=rf"the values of test_extraction\.own .*{message}"):
        Extraction.fit(PAIRS, [value])


def test_a_sound_feature_of_a_user():
    extraction, batch = Extraction.fit(PAIRS, [own(lambda pairs: lengths(pairs, max), high=9.0)])
    assert extraction.matrix(batch).values[:2].tolist() == [[6.0], [5.0]]


def test_an_error_names_the_feature():
    with pytest.raises(ZeroDivisionError) as caught:
        Extraction.fit(PAIRS, [own(lambda pairs: 1 / 0)])
    assert caught.value.__notes__ == ["in the feature test_extraction.own"]
