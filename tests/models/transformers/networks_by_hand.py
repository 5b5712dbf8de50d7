"""Networks made by hand in place of fitted ones, and pairs with scores to fit members on."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from samewise.features.pipeline.matrix import extract

from ...conftest import analysed

GOLD = np.asarray([4.2, 0.2, 4.7, 1.4, 1.2, 1.0, 4.4, 2.5, 4.0, 3.4, 4.6, 4.8, 0.6, 2.4, 0.1])
"""Scores of `PAIRS` by the writer of these tests."""

SETTINGS = {"epochs": 5, "batch_size": 5, "learning_rate": 3e-4}
ONE_EPOCH = {**SETTINGS, "epochs": 1}


def matrix(pairs):
    return extract(analysed(pairs, "tokens"), ())


def network(nodes, reads=("word_embeddings", "token_type_ids")):
    """A network as a file; its numbers are called one, two and half."""
    inputs = {
        **{
            name: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", "length", 384])
            for name in ("word_embeddings", "lower_states")
        },
        "token_type_ids": helper.make_tensor_value_info("token_type_ids", TensorProto.INT64, ["n", "length"]),
    }
    output = helper.make_tensor_value_info("output", TensorProto.FLOAT, None)
    numbers = {"one": np.asarray([1]), "two": np.asarray([2]), "half": np.float32(0.5)}
    constants = [numpy_helper.from_array(np.asarray(value), name) for name, value in numbers.items()]
    made = [helper.make_node(kind, *ends, **more) for kind, *ends, more in nodes]
    graph = helper.make_graph(made, "by hand", [inputs[name] for name in reads], [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    return model.SerializeToString()


COUNT = [
    ("Cast", ["token_type_ids"], ["kinds"], {"to": 1}),
    ("ReduceSum", ["kinds", "one"], ["output"], {"keepdims": 0}),
]
"""The number of pieces of the second text."""

UNIT = [
    ("ReduceSum", ["lower_states", "one"], ["sum"], {"keepdims": 0}),
    ("LpNormalization", ["sum"], ["output"], {"axis": 1, "p": 2}),
]
"""The mean of the states of a text, as a vector of length 1."""
