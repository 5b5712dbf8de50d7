"""The int8 networks of `transformer_export`, from a tiny BERT and a tiny MPNet with random weights."""

import numpy as np
import pytest
from samewise.features.encoders.network_checks import Declared, Value
from samewise.features.encoders.onnx_transformer import Network, WordPieces, run

torch = pytest.importorskip("torch", reason="networks are built with torch, of the extra train")
transformers = pytest.importorskip("transformers", reason="networks are built with transformers, of the extra train")
pytest.importorskip("onnx", reason="networks are built with onnx, of the extra train")

from samewise.models.transformers.transformer_export import (  # noqa: E402
    first_layers_onnx,
    later_layers_onnx,
    reaches,
    relative_bias,
    word_pieces,
)

LENGTHS = (2, 3, 7, 7, 7, 19, 19, 64)
FIRST = 1
"""Of the two layers of the tiny transformers, so many are the first ones."""

SIZES = {
    "vocab_size": 90,
    "hidden_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 96,
    "max_position_embeddings": 300,
    "initializer_range": 0.12,
}


pytestmark = pytest.mark.slow  # they need torch


def opened(data, name="the network", output="states"):
    """The network of a file, with the inputs that the tiny transformers have."""
    read = "lower_states" if b"lower_states" in data else "word_embeddings"
    inputs = {read: Value("float32", 3, 48)}
    if b"token_type_ids" in data:
        inputs["token_type_ids"] = Value("int64", 2)
    return Network(data, name, Declared(inputs, output))


def grown(model):
    """As in trained ones, some channels are far larger than others, and nothing is 0."""
    with torch.no_grad():
        for name, value in model.named_parameters():
            if name.endswith("bias"):
                value.normal_(std=0.1)
            if name.endswith("LayerNorm.weight"):
                value[:2] *= 5
            if "relative_attention_bias" in name:
                value.normal_(std=4.0)
    return model.eval()


@pytest.fixture(scope="module")
def bert():
    torch.manual_seed(0)
    return grown(transformers.BertModel(transformers.BertConfig(**SIZES), add_pooling_layer=False))


@pytest.fixture(scope="module")
def mpnet():
    torch.manual_seed(0)
    return grown(transformers.MPNetModel(transformers.MPNetConfig(**SIZES), add_pooling_layer=False))


@pytest.fixture(scope="module")
def texts():
    chance = np.random.default_rng(0)
    # The pieces 0 and 1 stand for no text in the published ones.
    return [chance.integers(2, 90, size).tolist() for size in LENGTHS]


def calls(texts):
    return [{"input_ids": torch.tensor([ids])} for ids in texts]


class Split:
    """The first layers of a transformer and its later ones, each as a network."""

    def __init__(self, model, texts):
        layers = list(model.encoder.layer)
        self.model, self.later_layers, self.words = model, layers[FIRST:], WordPieces(*word_pieces(model))
        self.first_reach = reaches(model, layers[:FIRST], calls(texts))
        self.later_reach = reaches(model, self.later_layers, calls(texts))
        self.first = opened(first_layers_onnx(model, FIRST, self.first_reach))
        self.later = opened(self.later_onnx(relative=relative_bias(model)))

    def later_onnx(self, **more):
        return later_layers_onnx(self.later_layers, self.model.config, self.later_reach, **more)

    def states(self, texts, most=512, first_only=False):
        """The states of texts, each an array of shape (length, d)."""
        lengths, found = np.asarray(list(map(len, texts))), [None] * len(texts)

        def inputs(rows):
            return {"word_embeddings": self.words.rows(np.asarray([texts[row] for row in rows]))}

        for rows, states in run(self.first, lengths, inputs, most):
            for row, state in zip(rows.tolist(), states, strict=True):
                found[row] = state
        if first_only:
            return found
        lower = found[:]
        for rows, states in run(self.later, lengths, lambda rows: {"lower_states": stacked(lower, rows)}, most):
            for row, state in zip(rows.tolist(), states, strict=True):
                found[row] = state
        return found


def stacked(states, rows):
    return np.stack([states[row] for row in rows.tolist()])


@pytest.fixture(scope="module")
def split(bert, texts):
    return Split(bert, texts)


@pytest.fixture(scope="module")
def split_mpnet(mpnet, texts):
    return Split(mpnet, texts)


@torch.inference_mode()
def exact(model, ids, layer=None):
    """The states of a text in floating point, after all layers or so many."""
    found = model(input_ids=torch.tensor([ids]), output_hidden_states=True)
    return (found.last_hidden_state if layer is None else found.hidden_states[layer])[0].numpy()


@torch.inference_mode()
def through(layers, states):
    """Output of layers of a BERT for states of shape (rows, length, d)."""
    states = torch.from_numpy(states)
    for layer in layers:
        states = layer(states)
        states = states[0] if isinstance(states, tuple) else states
    return states.numpy()


def cosines(u, v):
    return (u * v).sum(axis=-1) / np.linalg.norm(u, axis=-1) / np.linalg.norm(v, axis=-1)


def off(state, expected):
    """Mean error of states, without the two channels whose size hides the others."""
    return float(np.abs(state - expected)[..., 2:].mean())


def assert_near(state, expected):
    # Weights have 7 bits and activations 8: vectors of texts turn by less than 3 degrees.
    assert state.shape == expected.shape
    assert cosines(state, expected).min() > 0.98
    assert cosines(state, expected).mean() > 0.999
    assert cosines(state.mean(axis=0), expected.mean(axis=0)) > 0.999


def test_first_and_later_layers_are_near_the_whole_in_floating_point(bert, split, texts):
    assert (split.first.inputs, split.first.outputs) == (("word_embeddings",), ("states",))
    assert (split.later.inputs, split.later.outputs) == (("lower_states",), ("states",))
    for ids, lower, state in zip(texts, split.states(texts, first_only=True), split.states(texts), strict=True):
        assert_near(lower, exact(bert, ids, FIRST))
        assert_near(state, exact(bert, ids))


def test_relative_places_are_near_those_in_floating_point(mpnet, split_mpnet, texts):
    for ids, lower, state in zip(
        texts, split_mpnet.states(texts, first_only=True), split_mpnet.states(texts), strict=True
    ):
        assert_near(lower, exact(mpnet, ids, FIRST))
        assert_near(state, exact(mpnet, ids))


@pytest.mark.parametrize("size", [1, 2, 3, 16, 17, 129, 255, 256])
def test_relative_places_of_every_length(mpnet, split_mpnet, size):
    ids = np.random.default_rng(size).integers(2, 90, size).tolist()
    [state] = split_mpnet.states([ids])
    expected = exact(mpnet, ids)
    assert state.shape == expected.shape
    # The mean size of a coordinate is 0.5.
    assert np.abs(expected[:, 2:]).mean() > 0.4
    assert off(state, expected) < 0.03


def test_relative_places_are_read(mpnet, split_mpnet, texts):
    ids = texts[-1]
    [lower], [state] = split_mpnet.states([ids], first_only=True), split_mpnet.states([ids])
    without = opened(split_mpnet.later_onnx())(lower_states=lower[None])[0]
    turned = opened(split_mpnet.later_onnx(relative=relative_bias(mpnet)[:, ::-1]))(lower_states=lower[None])[0]
    expected = exact(mpnet, ids)
    assert off(state, expected) < 0.02
    assert off(without, expected) > 2 * off(state, expected)
    assert off(turned, expected) > 2 * off(state, expected)


def test_relative_bias_is_that_of_the_model(mpnet, bert):
    found, table = relative_bias(mpnet), mpnet.encoder.relative_attention_bias.weight.detach().numpy()
    assert found.shape == (4, 511) and found.dtype == np.float32
    with torch.inference_mode():
        bias = mpnet.encoder.compute_position_bias(torch.zeros(1, 200, 1))[0].numpy()
    for here, there in [(0, 0), (7, 7), (0, 1), (1, 0), (3, 12), (12, 3), (0, 199), (199, 0), (150, 20), (20, 150)]:
        np.testing.assert_array_equal(found[:, 255 + there - here], bias[:, here, there])
    # Raffel et al. (2020): half of the 32 buckets look back and half ahead, one for each distance below 8, the last
    # from 128 on.
    buckets = {0: 0, -1: 1, -7: 7, 1: 17, 7: 23, -128: 15, -255: 15, 128: 31, 255: 31}
    for distance, bucket in buckets.items():
        np.testing.assert_array_equal(found[:, 255 + distance], table[bucket])
    assert relative_bias(bert) is None


def test_segments_are_read(bert, split, texts):
    ids, kinds = texts[5], [0] * 9 + [1] * 10
    layers = list(bert.encoder.layer)
    seen = reaches(bert, layers, [{"input_ids": torch.tensor([ids]), "token_type_ids": torch.tensor([kinds])}])
    network = opened(first_layers_onnx(bert, len(layers), seen, segments=True))
    assert network.inputs == ("word_embeddings", "token_type_ids")
    rows = split.words.rows(np.asarray([ids]))
    read, of_first = (
        network(word_embeddings=rows, token_type_ids=np.asarray([each]))[0] for each in (kinds, [0] * len(ids))
    )
    with torch.inference_mode():
        both = bert(input_ids=torch.tensor([ids]), token_type_ids=torch.tensor([kinds])).last_hidden_state[0].numpy()
        first = bert(input_ids=torch.tensor([ids])).last_hidden_state[0].numpy()
    assert off(read, both) < 0.05 < off(read, first)
    assert off(of_first, first) < 0.05 < off(of_first, both)


@pytest.mark.parametrize("kind", ["split", "split_mpnet"])
def test_a_text_has_the_same_bits_in_every_batch(kind, texts, request):
    split = request.getfixturevalue(kind)
    for ids in (texts[0], texts[2], texts[5]):
        [alone] = split.states([ids])
        for size in (7, 64):
            others = [list(reversed(ids)) for _ in range(size - 1)]
            together = split.states([*others[:3], ids, *others[3:]], most=1 << 12)
            np.testing.assert_array_equal(together[3], alone)


@pytest.mark.parametrize("kind", ["split", "split_mpnet"])
def test_the_same_weights_give_the_same_bytes(kind, texts, request):
    split = request.getfixturevalue(kind)
    again = Split(split.model, texts[::-1])
    assert again.first.data == split.first.data
    assert again.later.data == split.later.data
    fewer = Split(split.model, texts[:1])
    assert fewer.first.data != split.first.data
    assert fewer.later.data != split.later.data


def test_reaches_are_those_of_the_layers_inputs(bert, split, texts):
    found = split.later_reach
    assert sorted(found) == ["0.attend", "0.attended", "0.narrow", "0.widen"]
    inputs = np.concatenate([exact(bert, ids, FIRST) for ids in texts])
    np.testing.assert_allclose(found["0.attend"].low, inputs.min(axis=0), atol=1e-5)
    np.testing.assert_allclose(found["0.attend"].high, inputs.max(axis=0), atol=1e-5)
    np.testing.assert_allclose(found["0.attend"].greatest, np.abs(inputs).max(axis=0), atol=1e-5)
    assert found["0.narrow"].low.shape == (96,)


def test_reaches_leave_the_model_as_it_was(bert, texts):
    try:
        for training in (True, False):
            bert.train(training)
            reaches(bert, bert.encoder.layer, calls(texts[:1]))
            assert bert.training is training
        with pytest.raises(IndexError):
            reaches(bert, bert.encoder.layer, [{"input_ids": torch.tensor([[90]])}])
        assert not any(module._forward_pre_hooks for module in bert.modules())
    finally:
        bert.eval()


@pytest.mark.parametrize("part", ["first", "later"])
@pytest.mark.parametrize("kind", ["split", "split_mpnet"])
def test_weights_keep_to_seven_bits(kind, part, request):
    import onnx

    model = onnx.load_from_string(getattr(request.getfixturevalue(kind), part).data)
    weights = [onnx.numpy_helper.to_array(value) for value in model.graph.initializer]
    weights = [value for value in weights if value.dtype == np.int8]
    assert sorted(value.shape for value in weights) == [(48, 48), (48, 96), (48, 144), (96, 48)]
    assert {int(np.abs(value).max()) for value in weights} == {64}


def test_a_head_follows_the_states(split, texts):
    layer = torch.nn.Linear(48, 3)

    def head(graph, states):
        axis = graph.constant(np.asarray([1], dtype=np.int64))
        return graph.linear(graph.add("ReduceSum", states, axis, keepdims=0), layer)

    network = opened(split.later_onnx(head=head), output="output")
    assert network.outputs == ("output",)
    [lower], [states] = split.states([texts[2]], first_only=True), split.states([texts[2]])
    expected = layer(torch.from_numpy(states.sum(axis=0))).detach().numpy()
    np.testing.assert_allclose(network(lower_states=lower[None])[0], expected, atol=1e-5)


def test_segments_and_a_head_together(split, texts):
    # The sum of the states of the second text, which the head tells by the input that the layers read.
    def head(graph, states):
        second = graph.add("Cast", "token_type_ids", to=1)
        second = graph.add("Unsqueeze", second, graph.constant(np.asarray([2])))
        return graph.add("ReduceSum", graph.add("Mul", states, second), graph.constant(np.asarray([1])), keepdims=0)

    ids, kinds = texts[5], np.asarray([[0] * 9 + [1] * 10])
    rows = split.words.rows(np.asarray([ids]))
    whole, summed = (
        opened(first_layers_onnx(split.model, FIRST, split.first_reach, segments=True, **more), output=output)
        for more, output in (({}, "states"), ({"head": head}, "output"))
    )
    states = whole(word_embeddings=rows, token_type_ids=kinds)
    found = summed(word_embeddings=rows, token_type_ids=kinds)
    np.testing.assert_allclose(found, states[:, 9:].sum(axis=1), atol=1e-4)


def test_more_places_than_there_are_are_refused(split, split_mpnet):
    for parts in (split, split_mpnet):
        [states] = parts.states([[2] * 256])
        assert states.shape == (256, 48)
        with pytest.raises(ValueError, match="the network cannot read its input"):
            parts.states([[2] * 257])
    with pytest.raises(ValueError, match="the network cannot read its input"):
        split_mpnet.later(lower_states=np.zeros((1, 257, 48), dtype=np.float32))


@pytest.mark.parametrize(
    ("setting", "value"), [("hidden_act", "relu"), ("hidden_act", "gelu_new"), ("position_embedding_type", "relative")]
)
def test_a_transformer_of_another_build_is_refused(bert, split, setting, value):
    settings = transformers.BertConfig(**{**bert.config.to_dict()})
    model = transformers.BertModel(settings, add_pooling_layer=False)
    setattr(model.config, setting, value)
    with pytest.raises(ValueError, match="a model must have absolute places and gelu"):
        first_layers_onnx(model, FIRST, split.first_reach)
