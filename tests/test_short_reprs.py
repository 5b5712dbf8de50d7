import numpy as np
import pytest
from samewise._messages import short_repr
from samewise.features.pipeline.matrix import FeatureMatrix


class Thing:
    pass


@pytest.mark.parametrize(
    ("fact", "shown"),
    [
        (3, "3"),
        (0.123456789, "0.1235"),
        (1234567.0, "1.235e+06"),
        (float("nan"), "nan"),
        ("it's", '"it\'s"'),
        ([1, 2, 3, 4, 5], "[1, 2, 3, 4, ...]"),
        ((1,), "(1,)"),
        ({"z": 0.12345, "a": 1.0}, "{'z': 0.1235, 'a': 1}"),
        (dict.fromkeys("edcba", 0), "{'e': 0, 'd': 0, 'c': 0, 'b': 0, ...}"),
        ({}, "{}"),
        (np.array([0.5, 1.0]), "[0.5, 1]"),
        (np.arange(9), "[0, 1, 2, ..., 6, 7, 8]"),
        (np.array([]), "[]"),
    ],
)
def test_a_fact_is_shown_shortly(fact, shown):
    assert short_repr(Thing(), fact=fact) == f"Thing(fact={shown})"


def test_facts_stand_in_order_and_none_is_left_out():
    assert short_repr(Thing(), b=1, a=None, c=False) == "Thing(b=1, c=False)"
    assert short_repr(Thing()) == "Thing()"


@pytest.mark.parametrize(
    "fact", ["word " * 1_000, ["x" * 900] * 900, np.zeros((90, 90)), {f"{k}": ["y"] * k for k in range(90)}]
)
def test_large_facts_are_cut(fact):
    assert len(short_repr(Thing(), fact=fact)) < 1_000


def test_a_signature_is_shown_whole():
    signature = "|".join(["samewise:0.1.0", "members:" + "+".join(["cross_encoder"] * 8), "model:0123456789ab"])
    assert signature in short_repr(Thing(), signature=signature)


def test_a_matrix_shows_its_shape_and_families():
    matrix = FeatureMatrix(np.zeros((7, 3), np.float32), ("bow.one_hot.cosine", "bow.smooth.kept", "length.size.words"))
    assert repr(matrix) == "FeatureMatrix(shape=(7, 3), families={'bow': 2, 'length': 1})"
