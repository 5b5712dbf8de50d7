"""The bi-encoder: cosines of vectors that networks made here by hand give, and its fit on few pairs."""

import numpy as np
import onnx
import pytest
from samewise.features.encoders.sentence_encoder import shipped_encoder
from samewise.models.member import load_member, make_member

from ...conftest import HOSTILE, PAIRS
from ...models.transformers.networks_by_hand import GOLD, ONE_EPOCH, UNIT, matrix, network


def made(nodes=UNIT):
    return load_member("bi_encoder", network(nodes, reads=("lower_states",)), ())


def test_settings_are_checked():
    member = make_member("bi_encoder", {"epochs": 7})
    assert member.params["epochs"] == 7
    assert member.params["checkpoints"] is None
    assert list(member.params) == ["epochs", "batch_size", "learning_rate", "checkpoints", "fitted"]
    with pytest.raises(ValueError, match="bi_encoder has no setting 'start'; it has epochs, batch_size"):
        make_member("bi_encoder", {"start": "somewhere"})


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


@pytest.fixture(scope="module")
def training(fitted_member):
    from samewise.research.networks import bi_encoder_training

    return bi_encoder_training


def cosines(pairs):
    """Those of the encoder that ships."""
    left, right = (shipped_encoder().vectors(texts) for texts in zip(*pairs, strict=True))
    return (left * right).sum(axis=1)


@pytest.fixture(scope="module")
def fitted(fitted_member):
    return fitted_member("bi_encoder")


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

    def test_a_text_is_like_itself(self, fitted):
        texts = sorted({text for pair in PAIRS + HOSTILE for text in pair})
        np.testing.assert_allclose(fitted.predict(matrix([(text, text) for text in texts])), 5.0, rtol=0, atol=1e-5)
        assert np.abs(fitted.predict(matrix(PAIRS + HOSTILE))).max() < 5.00001

    def test_it_begins_as_the_encoder_that_ships(self, training):
        # Training that changes nothing: the cosines of the encoder, whose later layers are the same in whole numbers.
        settings = {**ONE_EPOCH, "learning_rate": 0.0}
        found = make_member("bi_encoder", settings).fit(matrix(PAIRS), GOLD).predict(matrix(PAIRS))
        np.testing.assert_allclose(found, 5 * cosines(PAIRS), atol=0.15)

    def test_rows_of_a_batch_are_read_as_alone(self, training):
        import torch
        from samewise.models.transformers.layers import later_layers, padded

        model = training.TextEncoder(later_layers()).eval()
        states, cpu = shipped_encoder().lower_states([text for pair in PAIRS for text in pair]), torch.device("cpu")
        parts = np.split(states.values, states.offsets[1:-1])
        with torch.inference_mode():
            alone = torch.cat([model(*padded([part], cpu)) for part in parts])
            torch.testing.assert_close(model(*padded(parts, cpu)), alone, atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(alone.norm(dim=1), torch.ones(len(parts)))
