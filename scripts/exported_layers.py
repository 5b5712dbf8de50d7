"""Networks of ``models/transformers/transformer_export.py``, back in floating point, to train them on."""

from typing import NamedTuple

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from samewise.models.transformers.cross_encoder_training import PairReader
from transformers import BertConfig, BertModel

_PRODUCTS = ("attention.output.dense", "intermediate.dense", "output.dense")
_NORMS = ("attention.output.LayerNorm", "output.LayerNorm")


class _Linear(NamedTuple):
    """Weight, shape (in, out), and bias of a product."""

    weight: np.ndarray
    bias: np.ndarray


def floating_point(network: bytes, table: np.ndarray) -> BertModel:
    """Return the BERT of a network of whole layers.

    Without segments it tells two texts apart by vectors that are zero and have to be learned. Weights are as exact as
    whole numbers of 7 bits are.

    Parameters
    ----------
    network
        ONNX file that `first_layers_onnx` made of a BERT; its head is left out.
    table
        Vectors of word pieces, shape (m, d), which are not trained.

    Raises
    ------
    ValueError
        If the network is of another build.
    """
    graph, arrays = _graph(network)
    products: list[_Linear] = []
    norms: list[_Linear] = []
    segments: np.ndarray | None = None
    places, heads, epsilon, evened = np.empty((0, 0)), 0, 0.0, np.float32(1)
    for node in graph.node:
        settings = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
        if node.op_type == "Slice" and not len(places):
            places = arrays[node.input[0]]
        elif node.op_type == "Gather" and not norms and node.input[0] in arrays:
            segments = arrays[node.input[0]]
        elif node.op_type == "LayerNormalization":
            norms.append(_Linear(arrays[node.input[1]], arrays[node.input[2]]))
            epsilon = settings["epsilon"]
        elif node.op_type == "MultiHeadAttention":
            heads = settings["num_heads"]
        # Evens the channels out before a product, whose rows make up for it.
        elif node.op_type == "Mul" and np.ndim(arrays.get(node.input[1], 0)):
            evened = arrays[node.input[1]][:, None]
        elif node.op_type == "MatMulIntegerToFloat":
            weight = arrays[node.input[1]].astype(np.float32) * arrays[node.input[3]] * evened
            products.append(_Linear(weight, arrays[node.input[6]]))
            evened = np.float32(1)
    count = len(products) // 4
    if not count or len(products) != 4 * count or len(norms) != 2 * count + 1:
        raise ValueError(
            f"the network must have four products and two normalisations a layer, got {len(products)} and "
            f"{len(norms)}; give one that transformer_export made"
        )
    config = BertConfig(
        vocab_size=len(table), hidden_size=table.shape[1], num_hidden_layers=count, num_attention_heads=heads,
        intermediate_size=products[2].weight.shape[1], max_position_embeddings=len(places), layer_norm_eps=epsilon,
        pad_token_id=None,
    )  # fmt: skip
    state = {
        "embeddings.word_embeddings.weight": table,
        "embeddings.position_embeddings.weight": places,
        "embeddings.token_type_embeddings.weight": (
            np.zeros((config.type_vocab_size, table.shape[1])) if segments is None else segments
        ),
        **_named("embeddings.LayerNorm", norms[0].weight, norms[0].bias),
    }
    for layer in range(count):
        first, *others = products[4 * layer : 4 * layer + 4]
        start = f"encoder.layer.{layer}"
        for name, weight, bias in zip(
            ("query", "key", "value"), np.split(first.weight, 3, axis=1), np.split(first.bias, 3), strict=True
        ):
            state |= _named(f"{start}.attention.self.{name}", weight.T, bias)
        for name, product in zip(_PRODUCTS, others, strict=True):
            state |= _named(f"{start}.{name}", product.weight.T, product.bias)
        for name, norm in zip(_NORMS, norms[2 * layer + 1 : 2 * layer + 3], strict=True):
            state |= _named(f"{start}.{name}", *norm)
    model = BertModel(config, add_pooling_layer=False)
    model.load_state_dict({name: torch.from_numpy(np.array(value, np.float32)) for name, value in state.items()})
    model.embeddings.word_embeddings.weight.requires_grad_(False)
    return model


def pair_reader(network: bytes, table: np.ndarray) -> PairReader:
    """Return the reader of pairs, with its head, of a network of a cross-encoder; `table` is as for `floating_point`.

    Raises
    ------
    ValueError
        If the network is of another build.
    """
    model = PairReader(floating_point(network, table))
    graph, arrays = _graph(network)
    last = max(place for place, node in enumerate(graph.node) if node.op_type == "LayerNormalization")
    found = [
        (node.op_type, arrays[node.input[1]])
        for node in graph.node[last + 1 :]
        if node.op_type in ("Mul", "Add", "MatMul") and node.input[1] in arrays
    ]
    if [operation for operation, _ in found] != ["Mul", "Add", "MatMul", "Add"]:
        raise ValueError(f"the network must end in the head of a cross-encoder, got {found}; give one of a bundle")
    slope, start, weight, bias = (np.array(value) for _, value in found)
    head = {"line": np.concatenate([np.ravel(slope), np.ravel(start)]), "head.weight": weight.T, "head.bias": bias}
    state = {name: torch.from_numpy(np.array(value, np.float32)) for name, value in head.items()}
    model.load_state_dict(state, strict=False)
    return model


def _graph(network: bytes) -> tuple[onnx.GraphProto, dict[str, np.ndarray]]:
    graph = onnx.load_from_string(network).graph
    return graph, {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}


def _named(name: str, weight: np.ndarray, bias: np.ndarray) -> dict[str, np.ndarray]:
    return {f"{name}.weight": weight, f"{name}.bias": bias}
