"""Rows of golden tables: a feature, the two sides of a pair, and what its columns must be."""

import pytest
from samewise.features.analysis.analysis import analyse


def row(value, a, b, **resources):
    """Return the columns of one pair of texts or sentences by name; either side may come first."""
    pairs = [(a, b), (b, a)]
    there, back = value(analyse(pairs) if isinstance(a, str) else pairs, **resources).tolist()
    assert there == back
    return dict(zip(value.names, there, strict=True))


def check(value, a, b, expected, **resources):
    """Compare the columns of one pair with all values in their order, or with some of them by name."""
    found = row(value, a, b, **resources)
    found = {name: found[name] for name in expected} if isinstance(expected, dict) else list(found.values())
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-7)
