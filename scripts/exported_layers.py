"""Networks of ``models/transformers/transformer_export.py``, back in floating point, to train them on.

Their weights are then as exact as whole numbers of 7 bits are.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from samewise.features.encoders.large_encoder import base_encoder
from samewise.models.transformers.cross_encoder_training import LaterPairReader, PairReader, read_large_start
from samewise.models.transformers.layers import PairHead
from samewise.models.transformers.transformer_export import Layer
from transformers import BertConfig, BertModel


class _Linear(NamedTuple):
    """Weight, shape (in, out), and bias of a product, or both of a normalisation."""

    weight: np.ndarray
    bias: np.ndarray


class _Network(NamedTuple):
    """Parts of an exported network, in their order; `head` has the operations after its layers that have a constant."""

    products: list[_Linear]
    norms: list[_Linear]
    places: np.ndarray
    segments: np.ndarray | None
    heads: int
    epsilon: float
    head: list[tuple[str, np.ndarray]]

    def check(self, norms_before: int) -> int:
        """Return the number of layers; ValueError for another build, with so many normalisations before the layers."""
        count = len(self.products) // 4
        if not count or len(self.products) != 4 * count or len(self.norms) != 2 * count + norms_before:
            raise ValueError(
                f"the network must have four products and two normalisations a layer, got {len(self.products)} and "
                f"{len(self.norms)}; give one that transformer_export made"
            )
        return count


def floating_point(network: bytes, table: np.ndarray) -> BertModel:
    """Return the BERT of a network of whole layers.

    Without segments it tells two texts apart by vectors that are zero and have to be learned.

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
    parts = _parts(network)
    count = parts.check(norms_before=1)
    config = BertConfig(
        vocab_size=len(table), hidden_size=table.shape[1], num_hidden_layers=count, num_attention_heads=parts.heads,
        intermediate_size=parts.products[2].weight.shape[1], max_position_embeddings=len(parts.places),
        layer_norm_eps=parts.epsilon, pad_token_id=None, attn_implementation="eager",  # trains a seventh faster
    )  # fmt: skip
    model = BertModel(config, add_pooling_layer=False)
    embeddings = model.embeddings
    segments = np.zeros((config.type_vocab_size, table.shape[1])) if parts.segments is None else parts.segments
    _copy(embeddings.word_embeddings.weight, table)
    _copy(embeddings.position_embeddings.weight, parts.places)
    _copy(embeddings.token_type_embeddings.weight, segments)
    _copy_both(embeddings.LayerNorm, parts.norms[0])
    _copy_layers(model.encoder.layer, parts.products, parts.norms[1:])
    embeddings.word_embeddings.weight.requires_grad_(False)
    return model


def pair_reader(network: bytes, table: np.ndarray) -> PairReader:
    """Return the reader of pairs, with its head, of a network of `cross_encoder`; `table` is as for `floating_point`.

    Raises
    ------
    ValueError
        If the network is of another build.
    """
    model = PairReader(floating_point(network, table))
    _copy_head(model, _parts(network).head)
    return model


def larger_pair_reader(network: bytes, start: str) -> LaterPairReader:
    """Return the reader of pairs, with its head, of a network of `base_cross_encoder`.

    Parameters
    ----------
    network
        ONNX file that `later_layers_onnx` made.
    start
        Folder of all-mpnet-base-v2, whose later layers get these weights.

    Raises
    ------
    ValueError
        If the network is of another build.
    """
    model, parts = read_large_start(start, base_encoder()), _parts(network)
    parts.check(norms_before=0)
    _copy_layers(model.layers.layers, parts.products, parts.norms)
    _copy_head(model, parts.head)
    return model


def _parts(network: bytes) -> _Network:
    graph = onnx.load_from_string(network).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    products: list[_Linear] = []
    norms: list[_Linear] = []
    head: list[tuple[str, np.ndarray]] = []
    segments: np.ndarray | None = None
    places, heads, epsilon, evened = np.empty((0, 0)), 0, 0.0, np.ones((1, 1), np.float32)
    for node in graph.node:
        settings = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
        if node.op_type == "Slice" and not len(places):
            places = arrays[node.input[0]]
        elif node.op_type == "Gather" and not norms and node.input[0] in arrays:
            segments = arrays[node.input[0]]
        elif node.op_type == "LayerNormalization":
            norms.append(_Linear(arrays[node.input[1]], arrays[node.input[2]]))
            epsilon = settings["epsilon"]
            head = []  # what follows the last one
        elif node.op_type == "MultiHeadAttention":
            heads = settings["num_heads"]
        # Evens the channels out before a product, whose rows make up for it.
        elif node.op_type == "Mul" and np.size(arrays.get(node.input[1], 0)) > 1:
            evened = arrays[node.input[1]][:, None]
        elif node.op_type == "MatMulIntegerToFloat":
            weight = arrays[node.input[1]].astype(np.float32) * arrays[node.input[3]] * evened
            products.append(_Linear(weight, arrays[node.input[6]]))
            evened = np.ones((1, 1), np.float32)
        elif node.op_type in ("Mul", "Add", "MatMul") and node.input[1] in arrays:
            head.append((node.op_type, arrays[node.input[1]]))
    return _Network(products, norms, places, segments, heads, epsilon, head)


def _copy(parameter: torch.Tensor, value: np.ndarray) -> None:
    with torch.no_grad():
        parameter.copy_(torch.from_numpy(np.array(value, np.float32)).reshape(parameter.shape))


def _copy_both(module: Any, value: _Linear) -> None:
    # The weight of a product stands in torch as (out, in).
    _copy(module.weight, value.weight.T)
    _copy(module.bias, value.bias)


def _copy_layers(layers: Iterable[torch.nn.Module], products: list[_Linear], norms: list[_Linear]) -> None:
    for number, layer in enumerate(map(Layer.of, layers)):
        first, attended, widen, narrow = products[4 * number : 4 * number + 4]
        split = np.split(first.weight, 3, axis=1), np.split(first.bias, 3)
        for module, weight, bias in zip((layer.query, layer.key, layer.value), *split, strict=True):
            _copy_both(module, _Linear(weight, bias))
        for module, value in zip((layer.attended, layer.widen, layer.narrow), (attended, widen, narrow), strict=True):
            _copy_both(module, value)
        _copy_both(layer.attended_norm, norms[2 * number])
        _copy_both(layer.narrow_norm, norms[2 * number + 1])


def _copy_head(model: PairHead, head: list[tuple[str, np.ndarray]]) -> None:
    if [operation for operation, _ in head] != ["Mul", "Add", "MatMul", "Add"]:
        raise ValueError(
            f"the network must end in the head of a cross-encoder, got {[operation for operation, _ in head]}; give "
            "one of a bundle"
        )
    slope, start, weight, bias = (value for _, value in head)
    _copy(model.line, np.append(slope, start))
    _copy(model.head.weight, weight.T)
    _copy(model.head.bias, bias)
