"""The int8 networks of models/neural/transformer_export.py, from a tiny BERT with random weights."""

import numpy as np
import pytest
from samewise.features.encoders.network_checks import Declared, Value
from samewise.features.encoders.onnx_transformer import Network, WordPieces, run

torch = pytest.importorskip("torch", reason="networks are built with torch, of the extra train")
transformers = pytest.importorskip("transformers", reason="networks are built with transformers, of the extra train")
pytest.importorskip("onnx", reason="networks are built with onnx, of the extra train")

from samewise.models.neural.transformer_export import PLACES, reaches, transformer_onnx, word_pieces  # noqa: E402


def opened(data, name="the network", output="states"):
    """The network of a file, with the inputs that the tiny BERT has."""
    inputs = {"word_embeddings": Value("float32", 3, 48)}
    if b"token_type_ids" in data:
        inputs["token_type_ids"] = Value("int64", 2)
    return Network(data, name, Declared(inputs, output))


LENGTHS = (2, 7, 7, 7, 19, 19, 64)


@pytest.fixture(scope="module")
def bert():
    torch.manual_seed(0)
    settings = transformers.BertConfig(
        vocab_size=90, hidden_size=48, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96,
        max_position_embeddings=300, initializer_range=0.12, attn_implementation="eager",
    )  # fmt: skip
    model = transformers.BertModel(settings, add_pooling_layer=False).eval()
    with torch.no_grad():  # as in trained ones, some channels are far larger than others, and nothing is 0
        for name, value in model.named_parameters():
            if name.endswith("bias"):
                value.normal_(std=0.1)
            if name.endswith("LayerNorm.weight"):
                value[:2] *= 5
    return model


@pytest.fixture(scope="module")
def texts():
    chance = np.random.default_rng(0)
    return [chance.integers(0, 90, size).tolist() for size in LENGTHS]


@pytest.fixture(scope="module")
def reach(bert, texts):
    return reaches(bert, [{"input_ids": torch.tensor([ids])} for ids in texts])


@torch.inference_mode()
def exact(model, ids, segments=None):
    kinds = None if segments is None else torch.tensor([segments])
    return model(input_ids=torch.tensor([ids]), token_type_ids=kinds).last_hidden_state[0].numpy()


def cosines(u, v):
    return (u * v).sum(axis=-1) / np.linalg.norm(u, axis=-1) / np.linalg.norm(v, axis=-1)


def test_states_are_near_those_in_floating_point(bert, texts, reach):
    words, network = WordPieces(*word_pieces(bert)), opened(transformer_onnx(bert, reach))
    assert network.inputs == ("word_embeddings",) and network.outputs == ("states",)
    done = []
    for rows, states in run(network, words, texts):
        for row, state in zip(rows.tolist(), states, strict=True):
            expected = exact(bert, texts[row])
            assert state.shape == expected.shape
            # Weights have 7 bits and activations 8: vectors of texts turn by less than 3 degrees.
            assert cosines(state, expected).min() > 0.98
            assert cosines(state, expected).mean() > 0.999
            assert cosines(state.mean(axis=0), expected.mean(axis=0)) > 0.999
            done.append(row)
    assert sorted(done) == list(range(len(texts)))


def test_segments_are_read(bert, texts, reach):
    ids, kinds = texts[4], [0] * 9 + [1] * 10
    seen = reaches(bert, [{"input_ids": torch.tensor([ids]), "token_type_ids": torch.tensor([kinds])}])
    words, network = WordPieces(*word_pieces(bert)), opened(transformer_onnx(bert, seen, segments=True))
    assert network.inputs == ("word_embeddings", "token_type_ids")
    [(_, states)] = run(network, words, [ids], [kinds])
    near = cosines(states[0].ravel(), exact(bert, ids, kinds).ravel())
    assert near > 0.98
    assert near > cosines(states[0].ravel(), exact(bert, ids).ravel()) + 0.01
    [(_, plain)] = run(opened(transformer_onnx(bert, reach)), words, [ids])
    [(_, zeros)] = run(opened(transformer_onnx(bert, reach, segments=True)), words, [ids], [[0] * 19])
    np.testing.assert_allclose(plain, zeros, atol=0.1)


def test_a_text_has_the_same_bits_in_every_batch(bert, texts, reach):
    words, network = WordPieces(*word_pieces(bert)), opened(transformer_onnx(bert, reach))
    for ids in (texts[1], texts[4]):
        [(_, alone)] = run(network, words, [ids])
        for size in (7, 64):
            others = [list(reversed(ids)) for _ in range(size - 1)]
            [(_, together)] = run(network, words, [*others[:3], ids, *others[3:]], most=1 << 12)
            np.testing.assert_array_equal(together[3], alone[0])


def test_the_same_weights_give_the_same_bytes(bert, texts, reach):
    first = transformer_onnx(bert, reach)
    again = reaches(bert, [{"input_ids": torch.tensor([ids])} for ids in reversed(texts)])
    assert transformer_onnx(bert, again) == first
    fewer = reaches(bert, [{"input_ids": torch.tensor([texts[0]])}])
    assert transformer_onnx(bert, fewer) != first


def test_weights_keep_to_seven_bits(bert, reach):
    import onnx

    model = onnx.load_from_string(transformer_onnx(bert, reach))
    weights = [onnx.numpy_helper.to_array(value) for value in model.graph.initializer]
    weights = [value for value in weights if value.dtype == np.int8]
    assert len(weights) == 4 * 2
    assert {int(np.abs(value).max()) for value in weights} == {64}


def test_a_head_follows_the_states(bert, texts, reach):
    layer = torch.nn.Linear(48, 3)

    def head(graph, states):
        axis = graph.constant(np.asarray([1], dtype=np.int64))
        return graph.linear(graph.add("ReduceSum", states, axis, keepdims=0), layer)

    words = WordPieces(*word_pieces(bert))
    network = opened(transformer_onnx(bert, reach, head=head), output="output")
    assert network.outputs == ("output",)
    [(_, states)] = run(opened(transformer_onnx(bert, reach)), words, [texts[1]])
    [(_, found)] = run(network, words, [texts[1]])
    expected = layer(torch.from_numpy(states.sum(axis=1))).detach().numpy()
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_more_places_than_there_are_are_refused(bert, reach):
    words, network = WordPieces(*word_pieces(bert)), opened(transformer_onnx(bert, reach), "the tiny network")
    [(_, states)] = run(network, words, [[1] * PLACES])
    assert states.shape == (1, PLACES, 48)
    with pytest.raises(ValueError, match="the tiny network cannot read its input"):
        list(run(network, words, [[1] * (PLACES + 1)]))


def test_a_bert_of_another_build_is_refused(bert, reach):
    settings = transformers.BertConfig(**{**bert.config.to_dict(), "hidden_act": "relu"})
    with pytest.raises(ValueError, match="a BERT with 'relu' is not known here"):
        transformer_onnx(transformers.BertModel(settings), reach)
