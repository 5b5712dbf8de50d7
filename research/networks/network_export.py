"""Trained networks as ONNX.

Written node by node: PyTorch's exporter of traced modules is to be removed, and the newer one needs more packages and
unrolls operations without a name.
"""

from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from .architectures import Bidirectional, Convolution, Esim, Layers, Recurrent, Siamese

OPERATORS, FORMAT = 17, 8
"""Versions of the set of operators and of the format that goes with it; ONNX Runtime reads them since 1.12."""


class Graph:
    """An ONNX network under construction; its values get names in the order in which they are added."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[tuple[Any, ...], onnx.TensorProto] = {}

    def constant(self, value: Any, kind: type = np.float32) -> str:
        """Add an array, unless it is there, and return its name: ESIM uses the same weights for both sides."""
        array: np.ndarray = np.array(
            value.detach().numpy() if hasattr(value, "detach") else value, dtype=kind, order="C"
        )
        key = (array.dtype, array.shape, array.tobytes())
        if key not in self._constants:
            self._constants[key] = numpy_helper.from_array(array, f"c{len(self._constants)}")
        return self._constants[key].name

    def add(self, operator: str, *inputs: str, outputs: int = 1, **attributes: Any) -> str:
        """Add a node and return the name of its last output; the others have no name and are not computed."""
        names = [""] * (outputs - 1) + [f"n{len(self._nodes)}"]
        self._nodes.append(helper.make_node(operator, list(inputs), names, **attributes))
        return names[-1]

    def linear(self, x: str, layer: nn.Linear) -> str:
        """Add a dense layer and return its output."""
        return self.add("Add", self.add("MatMul", x, self.constant(layer.weight.T)), self.constant(layer.bias))

    def lstm(self, x: str, *layers: nn.LSTM, lengths: str = "", last: bool = False) -> str:
        """Add an LSTM of one or two directions; `x` and the output have the shape (length, sentences, units)."""
        units = layers[0].hidden_size
        arrays = [
            [_gates(getattr(layer, name), units) for layer in layers]
            for name in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        ]
        inputs, states, bias, more = (np.stack(array) for array in arrays)
        constants = [self.constant(array) for array in (inputs, states, np.concatenate([bias, more], axis=1))]
        given = [x, *constants, *([lengths] if lengths else [])]
        direction = "bidirectional" if len(layers) == 2 else "forward"
        states_out = self.add("LSTM", *given, outputs=2 if last else 1, hidden_size=units, direction=direction)
        if last:
            return self.add("Squeeze", states_out, self.constant([0], np.int64))
        # From (length, directions, sentences, units).
        turned = self.add("Transpose", states_out, perm=[0, 2, 1, 3])
        return self.add("Reshape", turned, self.constant([0, 0, len(layers) * units], np.int64))

    def to_bytes(self, inputs: dict[str, tuple[Any, ...]], output: str, name: str) -> bytes:
        """Return the file of the network; the same bytes for the same network."""
        nodes = [*self._nodes, helper.make_node("Identity", [output], [name])]
        kinds = {key: TensorProto.INT32 if key.endswith("lengths") else TensorProto.FLOAT for key in inputs}
        listed = [helper.make_tensor_value_info(key, kinds[key], shape) for key, shape in inputs.items()]
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None)]
        graph = helper.make_graph(nodes, "network", listed, outputs, list(self._constants.values()))
        versions = [helper.make_opsetid("", OPERATORS)]
        model = helper.make_model(graph, opset_imports=versions, ir_version=FORMAT, producer_name="samewise")
        data: bytes = model.SerializeToString(deterministic=True)
        return data


def _gates(weights: Any, units: int) -> np.ndarray:
    # PyTorch: input, forget, cell, output. ONNX: input, output, forget, cell.
    i, f, c, o = weights.detach().numpy().reshape(4, units, -1)
    reordered: np.ndarray = np.concatenate([i, o, f, c]).reshape(weights.shape)
    return reordered


def export(network: nn.Module, dimension: int) -> dict[str, bytes]:
    """Return the ONNX files of a network by their use.

    ``encoder``
        One sentence each: ``words``, shape (n, l, d), all of l words, or ``mean``, shape (n, d). DL-word has none.
    ``scorer``
        One pair each: ``left`` and ``right``, two encodings. That of ESIM, which has no encoder, reads padded words and
        ``left_lengths`` and ``right_lengths``, shape (n,), int32. Its output are the probabilities of the grades, shape
        (n, 6): a library that sums them up may do so in another order from row to row.

    Parameters
    ----------
    network
        Network of `architectures.build`.
    dimension
        Coordinates of its word vectors.
    """
    if isinstance(network, Esim):
        return {"scorer": _esim(network, dimension)}
    assert isinstance(network, Siamese)
    encoders = {Layers: _layers, Recurrent: _recurrent, Convolution: _convolution}
    encoder: Any = network.encoder
    files = {"scorer": _head(network)}
    if not isinstance(encoder, Layers) or len(encoder.layers):
        files["encoder"] = encoders[type(encoder)](encoder, dimension)
    return files


def _head(network: Siamese) -> bytes:
    graph = Graph()
    joint = graph.add(
        "Concat", graph.add("Mul", "left", "right"), graph.add("Abs", graph.add("Sub", "left", "right")), axis=1
    )
    hidden = graph.add(network.activation.capitalize(), graph.linear(joint, network.hidden))
    grades = graph.add("Softmax", graph.linear(hidden, network.output), axis=1)
    shape = ("pairs", network.encoder.outputs)
    return graph.to_bytes({"left": shape, "right": shape}, grades, "grades")


def _layers(encoder: Layers, dimension: int) -> bytes:
    graph = Graph()
    value = "mean"
    for layer in encoder.layers:
        assert isinstance(layer, nn.Linear)
        value = graph.add("Tanh", graph.linear(value, layer))
    return graph.to_bytes({"mean": ("sentences", dimension)}, value, "encoding")


def _recurrent(encoder: Recurrent, dimension: int) -> bytes:
    graph = Graph()
    state = graph.lstm(graph.add("Transpose", "words", perm=[1, 0, 2]), encoder.lstm, last=True)
    return graph.to_bytes({"words": ("sentences", "length", dimension)}, state, "encoding")


def _convolution(encoder: Convolution, dimension: int) -> bytes:
    graph = Graph()
    largest = graph.add("ReduceMax", graph.add("Relu", graph.linear("words", encoder.filters)), axes=[1], keepdims=0)
    return graph.to_bytes({"words": ("sentences", "length", dimension)}, largest, "encoding")


def _esim(network: Esim, dimension: int) -> bytes:
    graph = Graph()
    far, counts, states = {}, {}, {}
    for side in ("left", "right"):
        width = graph.add("Gather", graph.add("Shape", side), graph.constant(1, np.int64))
        zero, one = graph.constant(0, np.int64), graph.constant(1, np.int64)
        steps = graph.add("Cast", graph.add("Range", zero, width, one), to=TensorProto.INT32)
        lengths = graph.add("Unsqueeze", f"{side}_lengths", graph.constant([1], np.int64))
        outside = graph.add("Not", graph.add("Less", steps, lengths))
        far[side] = graph.add(
            "Mul", graph.add("Cast", outside, to=TensorProto.FLOAT), graph.constant(network.FAR)
        )  # (pairs, length)
        counts[side] = graph.add("Cast", lengths, to=TensorProto.FLOAT)
        states[side] = _both_ways(graph, side, network.encoder, f"{side}_lengths")
    similarity = graph.add("MatMul", states["left"], graph.add("Transpose", states["right"], perm=[0, 2, 1]))
    other_way = graph.add("Transpose", similarity, perm=[0, 2, 1])
    pooled = {}
    for side, other, grid in (("left", "right", similarity), ("right", "left", other_way)):
        share = graph.add("Add", grid, graph.add("Unsqueeze", far[other], graph.constant([1], np.int64)))
        soft = graph.add("MatMul", graph.add("Softmax", share, axis=2), states[other])
        words = states[side]
        joint = graph.add("Concat", words, soft, graph.add("Sub", words, soft), graph.add("Mul", words, soft), axis=2)
        projected = graph.add("Relu", graph.linear(joint, network.projection))
        composed = _both_ways(graph, projected, network.composition, f"{side}_lengths")
        total = graph.add("ReduceSum", composed, graph.constant([1], np.int64), keepdims=0)
        apart = graph.add("Add", composed, graph.add("Unsqueeze", far[side], graph.constant([2], np.int64)))
        largest = graph.add("ReduceMax", apart, axes=[1], keepdims=0)
        pooled[side] = graph.add("Concat", graph.add("Div", total, counts[side]), largest, axis=1)
    grades = []
    for order in (("left", "right"), ("right", "left")):
        joint = graph.add("Concat", *(pooled[side] for side in order), axis=1)
        hidden = graph.add("Tanh", graph.linear(joint, network.hidden))
        grades.append(graph.add("Softmax", graph.linear(hidden, network.output), axis=1))
    mean = graph.add("Mul", graph.add("Add", *grades), graph.constant(0.5))
    shapes: dict[str, tuple[Any, ...]] = {side: ("pairs", f"{side}_length", dimension) for side in ("left", "right")}
    shapes |= {f"{side}_lengths": ("pairs",) for side in ("left", "right")}
    return graph.to_bytes(shapes, mean, "grades")


def _both_ways(graph: Graph, x: str, layers: Bidirectional, lengths: str) -> str:
    turned = graph.add("Transpose", x, perm=[1, 0, 2])
    states = graph.lstm(turned, layers.forwards, layers.backwards, lengths=lengths)
    return graph.add("Transpose", states, perm=[1, 0, 2])
