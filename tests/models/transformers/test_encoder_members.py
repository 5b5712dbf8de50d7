"""Properties that the bi-encoder and the cross-encoder share: their files, symmetry, seeds and checkpoints."""

import sys
from importlib import import_module

import numpy as np
import pytest
from samewise.features.encoders import onnx_transformer as transformer
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.models.member import load_member, make_member

from ...conftest import HOSTILE, PAIRS
from .networks_by_hand import COUNT, GOLD, ONE_EPOCH, SETTINGS, UNIT, matrix, network

FILES = {"bi_encoder": network(UNIT, reads=("lower_states",)), "cross_encoder": network(COUNT)}
STEPS = {
    "bi_encoder": "samewise.research.networks.bi_encoder_training",
    "cross_encoder": "samewise.models.transformers.transformer_training",
}
"""The modules that take the steps of a fit."""
NUMBERS_ALONE = FeatureMatrix(np.zeros((2, 0), np.float32), ())


@pytest.fixture(scope="module", params=FILES)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def made(name):
    return load_member(name, FILES[name], ())


def test_an_unfitted_one_says_so(name):
    for use in (lambda member: member.predict(matrix(PAIRS)), lambda member: member.to_bytes()):
        with pytest.raises(ValueError, match=f"{name} is not fitted; call `fit` first"):
            use(make_member(name))


def test_a_matrix_without_its_pairs_is_refused(made):
    with pytest.raises(ValueError, match="got numbers alone; extract it from pairs"):
        made.predict(NUMBERS_ALONE)


@pytest.mark.parametrize("data", [b"", b"not a network", b"\x08\x07" * 50])
def test_a_damaged_file_is_refused(name, data):
    with pytest.raises(ValueError, match=f"file of member '{name}' must be an ONNX file, got other bytes"):
        load_member(name, data, ())


def test_a_cut_file_is_refused(name):
    with pytest.raises(ValueError, match=f"file of member '{name}' must .*; get a complete copy"):
        load_member(name, FILES[name][:-40], ())


def test_the_extra_is_named_where_torch_is_absent(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for module in [each for each in sys.modules if each.startswith("samewise.") and each.endswith("_training")]:
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(ModuleNotFoundError, match=r"fitting a network needs torch; pip install 'samewise\[train\]'"):
        make_member(name).fit(matrix(PAIRS), GOLD)


def test_no_pair_has_no_score(made):
    assert made.predict(matrix([])).shape == (0,)


def test_a_network_has_no_contributions(made):
    assert made.contributions(matrix(PAIRS)) is None


@pytest.fixture(scope="module")
def fitted(name, fitted_member):
    return fitted_member(name)


class TestFitted:
    def test_both_orders_and_any_batch_give_the_same_bits(self, fitted):
        pairs = [*PAIRS, *HOSTILE, ("", ""), ("word " * 500, "word")]
        found = fitted.predict(matrix(pairs))
        assert found.dtype == np.float64 and np.isfinite(found).all()
        turned = fitted.predict(matrix([(b, a) for a, b in pairs[::-1]]))[::-1]
        np.testing.assert_array_equal(turned, found)
        assert [fitted.predict(matrix([pair]))[0] for pair in pairs] == found.tolist()

    def test_a_run_of_one_row_gives_the_same_bits(self, fitted, monkeypatch):
        pairs = [(f"{a} {i}", b) for i in range(6) for a, b in PAIRS]
        found = fitted.predict(matrix(pairs))
        monkeypatch.setattr(transformer, "by_length", lambda lengths, most: np.arange(len(lengths))[:, None])
        np.testing.assert_array_equal(fitted.predict(matrix(pairs)), found)

    def test_the_file_gives_the_same_scores(self, name, fitted):
        read = load_member(name, fitted.to_bytes(), (), fitted.params)
        np.testing.assert_array_equal(read.predict(matrix(PAIRS)), fitted.predict(matrix(PAIRS)))
        assert read.params == fitted.params and read.to_bytes() == fitted.to_bytes()

    def test_the_same_seed_gives_the_same_bytes(self, name, fitted):
        def fit(pairs, **seed):
            return make_member(name, ONE_EPOCH, **seed).fit(matrix(pairs), GOLD).to_bytes()

        first = fit(PAIRS)
        assert fit(PAIRS) == first
        assert fit(PAIRS, random_state=1) != first
        if name == "cross_encoder":
            assert fit([(b, a) for a, b in PAIRS]) == first

    def test_a_matrix_without_its_pairs_is_refused(self, name, fitted):
        with pytest.raises(ValueError, match="got numbers alone; extract it from pairs"):
            make_member(name).fit(NUMBERS_ALONE, np.zeros(2))


class Stop:
    """In place of `mixed_precision`, which every step calls once: counts the steps and ends the run after some."""

    def __init__(self, name, monkeypatch, after=None):
        training = import_module(STEPS[name])
        self.steps, self.after, self.inner = 0, after, training.mixed_precision
        monkeypatch.setattr(training, "mixed_precision", self)

    def __call__(self, device):
        if self.steps == self.after:
            raise KeyboardInterrupt
        self.steps += 1
        return self.inner(device)


@pytest.mark.slow
class TestCheckpoints:
    def test_a_fit_that_was_stopped_goes_on(self, name, fitted, tmp_path, monkeypatch):
        monkeypatch.setattr("samewise.models.transformers.transformer_training._STEPS_A_CHECKPOINT", 4)
        member = make_member(name, {**SETTINGS, "checkpoints": str(tmp_path)})
        stopped = Stop(name, monkeypatch, after=6)  # of 15
        with pytest.raises(KeyboardInterrupt):
            member.fit(matrix(PAIRS), GOLD)
        assert [path.suffix for path in tmp_path.iterdir()] == [".pt"]
        stopped.steps, stopped.after = 0, None
        again = member.fit(matrix(PAIRS), GOLD)
        assert stopped.steps == 11
        assert again.to_bytes() == fitted.to_bytes()
        assert again.params["checkpoints"] is None
        assert member.params["checkpoints"] == str(tmp_path)

    def test_a_fit_that_is_done_is_not_done_again(self, name, fitted, tmp_path, monkeypatch):
        settings = {**ONE_EPOCH, "checkpoints": str(tmp_path)}
        first = make_member(name, settings).fit(matrix(PAIRS), GOLD)
        [path] = tmp_path.iterdir()
        assert path.read_bytes() == first.to_bytes()
        steps = Stop(name, monkeypatch)
        assert make_member(name, settings).fit(matrix(PAIRS), GOLD).to_bytes() == first.to_bytes()
        assert steps.steps == 0
        # Other scores are another fit, and another member's file in the same folder too.
        assert make_member(name, settings).fit(matrix(PAIRS), 5 - GOLD).to_bytes() != first.to_bytes()
        assert steps.steps == 3
        (other,) = FILES.keys() - {name}
        assert make_member(other, settings).fit(matrix(PAIRS), GOLD).to_bytes() != first.to_bytes()
        assert len(list(tmp_path.iterdir())) == 3
