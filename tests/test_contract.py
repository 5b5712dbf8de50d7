"""What every feature promises, asked of the whole catalogue; of the features that profiles read also by `make test`."""

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samewise.features.analysis.analysis import analyse
from samewise.features.pipeline.catalogue import all_features
from samewise.features.pipeline.matrix import extract
from samewise.models.profiles import ALL_PROFILES, is_installed, profile_folder

from .conftest import HOSTILE, PAIRS, analysed, every_resource, fitted

FEATURES = all_features()


def _read_by_profiles():
    manifests = [profile_folder(name) / "manifest.json" for name in ALL_PROFILES if is_installed(name)]
    columns = {column for path in manifests for column in json.loads(path.read_text("utf-8"))["columns"]}
    return {column.rpartition(".")[0] for column in columns}


SHIPPED = _read_by_profiles()
every_feature = pytest.mark.parametrize(
    "value",
    [
        pytest.param(value, id=value.full_name, marks=() if value.full_name in SHIPPED else pytest.mark.slow)
        for value in FEATURES
    ],
)


@cache
def _together(value):
    return value(analysed(PAIRS + HOSTILE, value.level), **fitted())


@every_feature
def test_declares_its_facts(value):
    assert value.source, "say which publication the feature implements"
    assert value.__doc__, "say in one line what the columns are"
    assert value.low < value.high


@every_feature
def test_shape_and_range_on_ordinary_and_hostile_pairs(value):
    values = _together(value)
    assert values.shape == (len(PAIRS) + len(HOSTILE), len(value.names))
    assert np.isfinite(values).all()
    assert values.min() >= value.low
    assert values.max() <= value.high


@every_feature
def test_is_symmetric_to_the_last_bit(value):
    back = value(analysed([(b, a) for a, b in PAIRS + HOSTILE], value.level), **fitted())
    np.testing.assert_array_equal(_together(value), back)


@every_feature
def test_a_row_does_not_depend_on_its_batch(value):
    alone = np.concatenate([value(analysed([pair], value.level), **fitted()) for pair in PAIRS + HOSTILE])
    np.testing.assert_array_equal(_together(value), alone)


@pytest.fixture(scope="module")
def other_resources():
    return every_resource(analysed(PAIRS).sentences[:4], seed=1)


@every_feature
def test_values_follow_the_resources_given(value, training, other_resources):
    batch, resources = analysed(PAIRS), training[1]
    value(batch, **resources)  # what the batch remembers of it must not be used below
    np.testing.assert_array_equal(value(batch, **other_resources), value(analysed(PAIRS), **other_resources))


@every_feature
def test_an_empty_batch_has_no_rows(value):
    assert value(analysed([], value.level), **fitted()).shape == (0, len(value.names))


def test_names_are_unique_and_the_catalogue_is_stable():
    columns = [column for value in FEATURES for column in value.columns]
    assert len(set(columns)) == len(columns)
    assert [value.full_name for value in all_features()] == [value.full_name for value in FEATURES]


words = st.sampled_from("a the dog dogs cat sees see not n't 3 3.0 $ , . Berlin über «x» ''".split())
texts = st.one_of(st.lists(words, max_size=12).map(" ".join), st.text(max_size=40))


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_whole_matrix_on_generated_text(training, pairs):
    _, resources = training
    there = extract(analyse(pairs, level="parsed"), FEATURES, resources)
    back = extract(analyse([(b, a) for a, b in reversed(pairs)], level="parsed"), FEATURES, resources)
    assert np.isfinite(there.values).all()
    np.testing.assert_array_equal(there.values, back.values[::-1])
