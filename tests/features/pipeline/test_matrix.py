import numpy as np
import pytest
from samewise.features import FeatureMatrix, extract, feature, resolve
from samewise.features.analysis.analysis import analyse
from samewise.features.pipeline import matrix
from samewise.features.pipeline.registry import RESOURCES, Resources

from ...conftest import PAIRS

CALLS = []


@feature("length", high=float("inf"), source="test")
def counted(pairs):
    """Sum of lengths; remembers how many pairs it saw."""
    CALLS.append(len(pairs))
    return [[len(a.text) + len(b.text)] for a, b in pairs]


@pytest.fixture
def small():
    return FeatureMatrix(np.arange(6, dtype=np.float32).reshape(2, 3), ("x.f.a", "x.f.b", "y.g.a"))


def test_selection_by_group_and_name(small):
    assert small.groups == {"x": ("x.f.a", "x.f.b"), "y": ("y.g.a",)}
    assert small.select("y").values.tolist() == [[2.0], [5.0]]
    assert small.drop("x.f.a").columns == ("x.f.b", "y.g.a")
    assert small.select("x.*", "y.g.a").columns == small.columns
    assert small.take(np.array([1])).values.tolist() == [[3.0, 4.0, 5.0]]
    assert small.reorder(["y.g.a", "x.f.a"]).tolist() == [[2.0, 0.0], [5.0, 3.0]]


def test_unknown_columns_are_named(small):
    with pytest.raises(ValueError, match="no column matches 'z'; the families here are x, y"):
        small.drop("z")
    with pytest.raises(ValueError, match=r"the matrix has no column 'z\.f\.a'"):
        small.reorder(["z.f.a"])
    with pytest.raises(ValueError, match=r"the values of 1 columns must have the shape \(n, 1\), got \(2, 3\)"):
        FeatureMatrix(small.values, ("one",))


def test_parquet_round_trip(small, tmp_path):
    small.to_parquet(tmp_path / "m.parquet")
    again = FeatureMatrix.from_parquet(tmp_path / "m.parquet")
    assert again.columns == small.columns
    np.testing.assert_array_equal(again.values, small.values)
    assert again.values.dtype == np.float32


def test_dropping_equals_extracting_without(training):
    batch, resources = training
    features, columns = resolve("surface")
    whole = extract(batch, features, resources, columns=columns)
    without, kept = resolve(["surface", "-negation.*"])
    np.testing.assert_array_equal(
        whole.drop("negation").values, extract(batch, without, resources, columns=kept).values
    )


def test_batches_do_not_change_a_value(training, monkeypatch):
    batch, resources = training
    features, _ = resolve("surface")
    whole = extract(batch, features, resources)
    monkeypatch.setattr(matrix, "BATCH", 4)
    np.testing.assert_array_equal(extract(batch, features, resources).values, whole.values)
    np.testing.assert_array_equal(extract(list(batch), features, resources).values, whole.values)


def test_cache_is_keyed_by_content(tmp_path):
    CALLS.clear()
    batch = analyse(PAIRS[:3])
    first = extract(batch, [counted], cache=tmp_path)
    again = extract(analyse(PAIRS[:3]), [counted], cache=tmp_path)
    assert CALLS == [3]
    np.testing.assert_array_equal(first.values, again.values)
    other = extract(analyse([(a, b + "!") for a, b in PAIRS[:3]]), [counted], cache=tmp_path)
    assert CALLS == [3, 3]
    np.testing.assert_array_equal(other.values, first.values + 1)


def test_cache_knows_where_a_sentence_ends(tmp_path):
    one = extract(analyse([("ab", "c")]), [counted], cache=tmp_path)
    two = extract(analyse([("a", "bc")]), [counted], cache=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    np.testing.assert_array_equal(one.values, two.values)


@pytest.mark.slow
def test_cache_depends_on_the_resources(tmp_path, training):
    batch, resources = training
    value = next(value for value in resolve("surface")[0] if value.needs)
    extract(batch, [value], resources, cache=tmp_path)
    other = Resources.fit(list(RESOURCES), batch.sentences[:5])
    extract(batch, [value], other, cache=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
