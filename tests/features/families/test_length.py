import math

import numpy as np
from samewise.features.analysis import analyse
from samewise.features.families import length

BATCH = [("the old dog sleeps", "dog dog")]


def test_size():
    # Tokens 4 and 2; without "the" 3 and 2; characters 18 and 7.
    expected = []
    for low, high in ((2, 4), (2, 3), (7, 18)):
        logs = math.log(1 + low), math.log(1 + high)
        expected += [low, high, high - low, *logs, logs[1] - logs[0]]
    np.testing.assert_allclose(length.size(analyse(BATCH))[0], expected, rtol=1e-6)
    assert not length.size(analyse([("", "")])).any()


def test_relative_difference():
    np.testing.assert_allclose(length.relative_difference(analyse(BATCH))[0], [2 / 4, 1 / 3, 11 / 18], rtol=1e-6)
    assert length.relative_difference(analyse([("", "dog"), ("", "")])).tolist() == [[1, 1, 1], [0, 0, 0]]


def test_variety():
    # All 4 words differ: 1; one of two: .5.
    assert length.variety(analyse([*BATCH, ("", "dog")])).tolist() == [[0.5, 0.5], [0, 1]]
