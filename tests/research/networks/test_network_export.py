"""What ONNX Runtime computes is what PyTorch computed, and what the formulas say."""

import numpy as np
import pytest
from samewise.features.encoders.onnx_transformer import Network

torch = pytest.importorskip("torch", reason="PyTorch fits the networks")
pytest.importorskip("onnx", reason="onnx writes the networks")

from samewise.research.networks.architectures import Sentences, build  # noqa: E402
from samewise.research.networks.network_export import export  # noqa: E402
from samewise.research.networks.pair_network import declared_inputs  # noqa: E402
from samewise.research.networks.pair_network_training import _LOSSES, _line  # noqa: E402

D = 12
NAMES = ["dl_word", "dl_proj", "dl_dan", "dl_lstm", "cnn", "esim"]


pytestmark = pytest.mark.slow  # they need torch


@pytest.fixture(scope="module", params=NAMES)
def network(request):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        found = build(request.param, D, units=7, hidden=5, dropout=0.5).eval()
        with torch.no_grad():
            for name, parameter in found.named_parameters():
                # The first biases are zeros, which would hide a lost one.
                if "bias" in name and "lstm" not in name:
                    parameter += torch.rand_like(parameter)
    found.name = request.param
    return found


def sentences(lengths, seed=0):
    vectors = np.random.default_rng(seed).normal(size=(len(lengths), max(lengths), D)).astype(np.float32)
    for row, length in zip(vectors, lengths, strict=True):
        row[length:] = 0
    return Sentences(torch.from_numpy(vectors), torch.tensor(lengths))


def by_torch(network, left, right):
    with torch.no_grad():
        return network(left, right).exp().numpy()


def by_runtime(network, left, right):
    declared = declared_inputs(network.name, D)
    files = {use: Network(data, use, declared[use]) for use, data in export(network, D).items()}
    if network.name == "esim":
        lengths = {
            f"{side}_lengths": value.lengths.numpy().astype(np.int32)
            for side, value in zip(("left", "right"), (left, right), strict=True)
        }
        return files["scorer"](left=left.vectors.numpy(), right=right.vectors.numpy(), **lengths)
    encodings = []
    for side in (left, right):
        rows = []
        for vectors, length in zip(side.vectors.numpy(), side.lengths.tolist(), strict=True):
            words = vectors[None, :length]
            mean = words.mean(axis=1)
            encoder = files.get("encoder")
            rows.append(mean if encoder is None else encoder(words=words, mean=mean))
        encodings.append(np.concatenate(rows))
    return files["scorer"](left=encodings[0], right=encodings[1])


def test_onnx_runtime_computes_what_pytorch_does(network):
    left, right = sentences([1, 4, 6, 2, 9]), sentences([3, 4, 1, 8, 2], seed=1)
    np.testing.assert_allclose(by_runtime(network, left, right), by_torch(network, left, right), atol=1e-5)


def test_padding_changes_nothing(network):
    left, right = sentences([1, 4, 6]), sentences([3, 4, 1], seed=1)
    longer = [Sentences(torch.nn.functional.pad(side.vectors, (0, 0, 0, 5)), side.lengths) for side in (left, right)]
    np.testing.assert_allclose(by_torch(network, *longer), by_torch(network, left, right), atol=1e-6)


def test_the_two_sides_are_alike(network):
    left, right = sentences([1, 4, 6]), sentences([3, 4, 1], seed=1)
    np.testing.assert_allclose(by_torch(network, right, left), by_torch(network, left, right), atol=1e-6)


def test_it_learns_from_every_weight(network):
    left, right = sentences([1, 4, 6]), sentences([3, 4, 1], seed=1)
    network(left, right)[:, 2].sum().backward()
    assert all(np.abs(value.grad.numpy()).max() > 0 for value in network.parameters())
    network.zero_grad()


def head(network, u, v):
    """The regression head as systems describe it: [u * v; |u - v|], a hidden layer, a softmax."""
    weights = {name: value.detach().numpy() for name, value in network.named_parameters()}
    joint = np.concatenate([u * v, np.abs(u - v)], axis=1)
    hidden = joint @ weights["hidden.weight"].T + weights["hidden.bias"]
    hidden = np.tanh(hidden) if network.name == "cnn" else 1 / (1 + np.exp(-hidden))
    grades = np.exp(hidden @ weights["output.weight"].T + weights["output.bias"])
    return grades / grades.sum(axis=1, keepdims=True)


def encode(network, side):
    weights = {name: value.detach().numpy() for name, value in network.named_parameters()}
    rows = [vectors[:length] for vectors, length in zip(side.vectors.numpy(), side.lengths.tolist(), strict=True)]
    if network.name == "dl_word":
        return np.stack([row.mean(axis=0) for row in rows])
    if network.name == "cnn":
        filters, bias = weights["encoder.filters.weight"], weights["encoder.filters.bias"]
        return np.stack([np.maximum(row @ filters.T + bias, 0).max(axis=0) for row in rows])
    return np.stack([last_state(row, weights) for row in rows])


def last_state(words, weights):
    """An LSTM without output gate: c = f * c + i * tanh(g), h = tanh(c)."""
    units = weights["encoder.lstm.weight_hh_l0"].shape[1]
    h = c = np.zeros(units)
    for word in words:
        gates = sum(
            weights[f"encoder.lstm.weight_{part}_l0"] @ value + weights[f"encoder.lstm.bias_{part}_l0"]
            for part, value in (("ih", word), ("hh", h))
        )
        i, f, g, _ = gates.reshape(4, units)
        c = c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
        h = np.tanh(c)
    return h


@pytest.mark.parametrize("network", ["dl_word", "dl_lstm", "cnn"], indirect=True)
def test_the_formulas_by_hand(network):
    left, right = sentences([1, 4, 6, 2, 9]), sentences([3, 4, 1, 8, 2], seed=1)
    expected = head(network, encode(network, left), encode(network, right))
    np.testing.assert_allclose(by_runtime(network, left, right), expected, atol=1e-5)


def test_the_divergence_by_hand():
    found, target = np.array([[0.1, 0.2, 0.3, 0.2, 0.1, 0.1]]), np.array([[0, 0, 0.75, 0.25, 0, 0]])
    smooth = target + 1e-6
    expected = (smooth * np.log(smooth / found)).sum() / 6
    assert float(_LOSSES["kl"](torch.tensor(found).log(), torch.tensor(target))) == pytest.approx(expected, abs=1e-7)


def test_negative_pearson_is_that_of_the_mean_grades():
    rng = np.random.default_rng(0)
    found, target = rng.dirichlet(np.ones(6), size=9), rng.dirichlet(np.ones(6), size=9)
    expected = -np.corrcoef(found @ np.arange(6), target @ np.arange(6))[0, 1]
    given = [torch.tensor(array, dtype=torch.float32) for array in (np.log(found), target)]
    assert float(_LOSSES["pearson"](*given)) == pytest.approx(expected, abs=1e-5)


def test_the_least_squares_line():
    rng = np.random.default_rng(0)
    found = rng.random(20)
    scores = 2 + 3 * found + rng.normal(size=20)
    slope, intercept = np.polyfit(found, scores, 1)
    np.testing.assert_allclose(_line(found, scores, np.arange(6.0)), intercept + slope * np.arange(6.0))
    np.testing.assert_allclose(_line(np.ones(3), np.array([1.0, 2, 6]), np.arange(6.0)), 2 + np.arange(6.0))
