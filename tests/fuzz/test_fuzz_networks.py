"""Networks and numbers that are crafted: they are refused with one sentence, or every score keeps its promise."""

import math
import os
import random
import struct
import warnings
from contextlib import suppress
from dataclasses import replace

import numpy as np
import onnx
import pytest
from hypothesis import strategies as st
from onnx import AttributeProto, TensorProto, helper, numpy_helper
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.core.explanation import contributions_to
from samewise.ensemble.core.predictive_distribution import PredictiveDistribution
from samewise.ensemble.loading import load
from samewise.features.pipeline.matrix import extract
from samewise.models.member import load_member, scores_of_member
from samewise.models.tree_ensembles.tree_arrays import TreeEnsemble

from ..conftest import analysed
from .fuzzing import fuzzed

PAIRS = [("a dog runs", "the dog is running"), ("", "rain"), ("two", "three words here")]
SECRET = 3.0303030
PLACES = ["secret.bin", "../x/secret.bin", "./secret.bin", "x/../secret.bin", "/etc/hostname", ""]
OPERATORS = (
    "Loop If Scan ConstantOfShape Expand Tile Range Constant RandomNormal NonZero Resize Pad MatMul Mul Concat Gather "
    "Reshape Softmax LSTM ReduceMax Split Transpose Cast Identity Div Sub Less Not Shape Slice Squeeze Unsqueeze "
    "QuantizeLinear LayerNormalization LpNormalization Einsum Where Compress TopK Conv SequenceAt StringNormalizer"
).split()
FUSED = "MultiHeadAttention MatMulIntegerToFloat SkipLayerNormalization Gelu Attention Sampling BeamSearch".split()
ODD = [0, 1, -1, 2, 7, 2**31 - 1, 2**31, -(2**31), 2**62, -(2**63), 10**9, 384]
FLOATS = [math.nan, math.inf, -math.inf, 1e38, -3e38, 1e-45, 0.0, -0.0, 1e9, 1e30]


def small_network():
    """A cross-encoder of a few nodes: the sum of the pieces times a weight, between 0 and 5."""
    node, tensor = helper.make_node, numpy_helper.from_array
    rng = np.random.default_rng(0)
    nodes = [
        node("Cast", ["token_type_ids"], ["kinds"], to=1),
        node("Unsqueeze", ["kinds", "two"], ["second"]),
        node("Mul", ["word_embeddings", "second"], ["part"]),
        node("Add", ["word_embeddings", "part"], ["both"]),
        node("ReduceSum", ["both", "one"], ["sum"], keepdims=0),
        node("MatMul", ["sum", "weights"], ["product"]),
        node("Tanh", ["product"], ["bent"]),
        node("Shape", ["both"], ["length"], start=1, end=2),
        node("Cast", ["length"], ["count"], to=1),
        node("Div", ["bent", "count"], ["mean"]),
        node("Squeeze", ["mean", "one"], ["score"]),
        node("Identity", ["score"], ["output"]),
    ]
    inputs = [
        helper.make_tensor_value_info("word_embeddings", TensorProto.FLOAT, ["batch", "length", 384]),
        helper.make_tensor_value_info("token_type_ids", TensorProto.INT64, ["batch", "length"]),
    ]
    constants = [
        tensor(np.asarray([1]), "one"),
        tensor(np.asarray([2]), "two"),
        tensor(rng.normal(size=(384, 1)).astype(np.float32), "weights"),
    ]
    output = helper.make_tensor_value_info("output", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "small", inputs, [output], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def outside(chance, tensor):
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", chance.choice(PLACES)), ("offset", "0"), ("length", "4")):
        tensor.external_data.add(key=key, value=value)


def external(chance, model):
    place = chance.randrange(4)
    if place == 0:
        outside(chance, chance.choice(model.graph.initializer))
    elif place == 1:
        attribute = chance.choice(model.graph.node).attribute.add(name="value", type=AttributeProto.TENSOR)
        attribute.t.CopyFrom(numpy_helper.from_array(np.zeros(1, np.float32)))
        outside(chance, attribute.t)
    elif place == 2:
        sparse = model.graph.sparse_initializer.add(dims=[1])
        sparse.values.CopyFrom(TensorProto(name="weights", data_type=1, dims=[1]))
        outside(chance, sparse.values)
    else:
        chance.choice(model.graph.initializer).data_location = TensorProto.EXTERNAL


def operator(chance, model):
    node = chance.choice(model.graph.node)
    node.op_type = chance.choice(OPERATORS + FUSED)
    if node.op_type in FUSED:
        node.domain = "com.microsoft"
        model.opset_import.add(domain="com.microsoft", version=1)
    elif chance.random() < 0.2:
        node.domain = chance.choice(["ai.onnx", "ai.onnx.ml", "evil", "com.microsoft"])
    if chance.random() < 0.3:
        node.ClearField("attribute")


def subgraph(chance, model):
    attribute = chance.choice(model.graph.node).attribute.add(name="body", type=AttributeProto.GRAPH)
    for _ in range(chance.choice([1, 1, 3, 40])):
        attribute.g.name = "inner"
        attribute = attribute.g.node.add(op_type="If").attribute.add(name="then_branch", type=AttributeProto.GRAPH)


def function(chance, model):
    made = model.functions.add(name=chance.choice(["Tanh", "Mine"]), domain=chance.choice(["", "mine"]))
    made.node.add(op_type="Identity", input=["a"], output=["b"])


def shape(chance, model):
    tensor = chance.choice(model.graph.initializer)
    if chance.random() < 0.5 and tensor.dims:
        tensor.dims[chance.randrange(len(tensor.dims))] = chance.choice(ODD)
    else:
        tensor.dims.append(chance.choice(ODD))


def kind(chance, model):
    chance.choice(model.graph.initializer).data_type = chance.choice([*range(24), -1, 1000])


def values(chance, model):
    tensor = chance.choice(model.graph.initializer)
    data = numpy_helper.to_array(tensor).copy()
    flat = data.reshape(-1)
    flat[chance.randrange(flat.size) :] = chance.choice(FLOATS if data.dtype.kind == "f" else ODD)
    tensor.raw_data = data.tobytes()


def growth(chance, model):
    """More and more numbers from few, by operators of ours."""
    graph, node = model.graph, helper.make_node
    size = chance.choice([10, 3_000, 100_000])
    graph.initializer.append(numpy_helper.from_array(np.ones((size, 1), np.float32), "tall"))
    graph.initializer.append(numpy_helper.from_array(np.ones((1, size), np.float32), "wide"))
    graph.initializer.append(numpy_helper.from_array(np.asarray(chance.choice(ODD)), "many"))
    graph.initializer.append(numpy_helper.from_array(np.asarray(0), "zero"))
    graph.initializer.append(numpy_helper.from_array(np.asarray(1), "step"))
    grown = chance.choice(
        [
            [node("MatMul", ["tall", "wide"], ["grid"])],
            [node("Mul", ["tall", "count"], ["t"]), node("Add", ["t", "wide"], ["grid"])],
            [node("Range", ["zero", "many", "step"], ["r"]), node("Cast", ["r"], ["grid"], to=1)],
            [node("Mul", ["length", "many"], ["l"]), node("Squeeze", ["l"], ["q"])]
            + [node("Range", ["zero", "q", "step"], ["r"]), node("Cast", ["r"], ["grid"], to=1)],
            [node("Concat", ["count"] * 400, ["c"], axis=0), node("Concat", ["c"] * 400, ["grid"], axis=0)],
        ]
    )
    for made in [*grown, node("ReduceMax", ["grid"], ["top"], keepdims=0), node("Add", ["score", "top"], ["output"])]:
        graph.node.append(made)
    del graph.node[[each.op_type for each in graph.node].index("Identity")]


def wiring(chance, model):
    nodes = model.graph.node
    names = [name for node in nodes for name in node.output] + ["word_embeddings", "token_type_ids", "one", "none", ""]
    node = chance.choice(nodes)
    if chance.random() < 0.5 and node.input:
        node.input[chance.randrange(len(node.input))] = chance.choice(names)
    elif chance.random() < 0.5:
        node.input.append(chance.choice(names))
    else:
        node.output[0] = chance.choice(names)


def ends(chance, model):
    value = chance.choice([*model.graph.input, *model.graph.output])
    choice = chance.randrange(5)
    if choice == 0:
        value.name = chance.choice(["word_embeddings", "output", "more", "a\x1b[31m\n"])
    elif choice == 1:
        value.type.tensor_type.elem_type = chance.choice(range(24))
    elif choice == 2:
        value.type.tensor_type.shape.dim.add(dim_value=chance.choice(ODD))
    elif choice == 3:
        model.graph.input.append(value)
    else:
        model.graph.output.append(value)


def attribute(chance, model):
    node = chance.choice(model.graph.node)
    name = chance.choice(["axis", "to", "perm", "keepdims", "start", "end", "axes", "p", "hidden_size", "x"])
    value = chance.choice([chance.choice(ODD), [chance.choice(ODD)] * 3, chance.choice(FLOATS), "text"])
    if chance.random() < 0.7:
        node.ClearField("attribute")
    node.attribute.append(helper.make_attribute(name, value))


def many(chance, model):
    for _ in range(chance.choice([50, 1_500, 3_000])):
        model.graph.node.append(helper.make_node("Identity", ["score"], [f"m{len(model.graph.node)}"]))


def deep(chance, model):
    last = chance.choice([300, 1_500])
    made = [helper.make_node("Tanh", [f"d{k}" if k else "mean"], [f"d{k + 1}"]) for k in range(last)]
    model.graph.node.extend([*made, helper.make_node("Squeeze", [f"d{last}", "one"], ["deep"])])


def metadata(chance, model):
    model.metadata_props.add(key="ort_config", value='{"session_options": {"intra_op_num_threads": 64}}')
    model.producer_name = chance.choice(["", "ORTM", "x" * 10_000])


CHANGES = [
    external, operator, subgraph, function, shape, kind, values, growth, wiring, ends, attribute, many, deep, metadata,
]  # fmt: skip


def field(number, data):
    """A field of protobuf that holds bytes."""
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value):
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def damaged(chance, data):
    """The bytes of a network after a change that knows no ONNX."""
    choice = chance.randrange(6)
    if choice == 0:
        return data[: chance.randrange(len(data))]
    if choice == 1:
        start = chance.randrange(len(data))
        return data + data[start : start + chance.randrange(2_000)]
    if choice == 2:
        return data + field(chance.choice([1, 7, 15, 20, 25, 26, 100, 2**28]), data[: chance.randrange(300)])
    if choice == 3:
        changed = bytearray(data)
        for _ in range(chance.choice([1, 3, 30])):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        return bytes(changed)
    if choice == 4:
        inner = b""
        for _ in range(chance.choice([20, 90, 120, 5_000])):
            inner = field(6, field(1, field(5, inner)))
        return data + field(7, field(1, field(5, inner)))
    return data + field(7, field(5, field(13, field(1, b"location") + field(2, b"secret.bin"))))  # graph read again


def crafted(chance):
    """A network as bytes, and whether a tensor of it is said to be outside."""
    model = small_network()
    for change in chance.choices(CHANGES, k=chance.choice([0, 1, 1, 1, 2, 3])):
        with suppress(Exception):  # one that does not fit what another has changed
            change(chance, model)
    data = model.SerializeToString()
    if chance.random() < 0.25:
        data = damaged(chance, data)
    try:
        read = onnx.ModelProto.FromString(data)
    except Exception:
        return data, False
    return data, "data_location: EXTERNAL" in str(read.graph)[:200_000]


@pytest.fixture(scope="module")
def texts():
    return extract(analysed(PAIRS, "tokens"), ())


@fuzzed(inputs_per_call=4, seed=st.integers(0, 2**32))
def test_crafted_networks(seed, texts, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp() / "networks"
    for place in (folder / "cwd" / "secret.bin", folder / "x" / "secret.bin"):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(struct.pack("<4f", *[SECRET] * 4))
    before, chance = os.getcwd(), random.Random(seed)
    os.chdir(folder / "cwd")
    try:
        for _ in range(4):
            data, is_outside = crafted(chance)
            try:
                scores = scores_of_member(load_member("cross_encoder", data, ()), texts)
            except ValueError as error:
                assert "\n" not in str(error) and str(error).isprintable() and len(str(error)) < 1_000, str(error)
                continue
            assert not is_outside
            assert scores.shape == (3,) and np.isfinite(scores).all()
    finally:
        os.chdir(before)
    assert sorted(os.listdir(folder / "cwd")) == ["secret.bin"]


def test_the_small_network_itself_is_taken(texts):
    scores = load_member("cross_encoder", small_network().SerializeToString(), ()).predict(texts)
    assert np.isfinite(scores).all() and len(set(scores)) > 1


NUMBERS = [
    0, 1, -1, 5.0, 1e-300, -0.0, 5e-324, 1e6, -1e6, 1e9, 1e30, 1e154, 1e305, 1.7e308, -1.7e308, math.nan, math.inf,
    -math.inf, 10**400, True, None, "1", [], {}, 1e-9, 0.3,
]  # fmt: skip


def changed_numbers(chance, facts):
    """Facts of a manifest of which some numbers are others."""
    facts = {key: list(value) if isinstance(value, list) else value for key, value in facts.items()}
    for _ in range(chance.choice([1, 1, 2, 4])):
        key = chance.choice(list(facts))
        value = facts[key]
        if isinstance(value, list) and value and chance.random() < 0.9:
            ways = chance.randrange(4)
            if ways == 0:
                value[chance.randrange(len(value))] = chance.choice(NUMBERS)
            elif ways == 1:
                facts[key] = [chance.choice(NUMBERS)] * len(value)
            elif ways == 2:
                number = chance.choice([number for number in NUMBERS if isinstance(number, float)])
                facts[key] = [number * (1 + k) for k in range(len(value))]
            else:
                value.append(chance.choice(NUMBERS))
        else:
            facts[key] = chance.choice(NUMBERS)
    return facts


def changed_trees(chance, trees):
    """Trees whose numbers are others; their shape stays."""
    floats = [number for number in NUMBERS if isinstance(number, float)]
    arrays = {name: np.array(array) for name, array in trees.to_arrays().items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in chance.choices(["value", "threshold", "cover", "base", "divisor"], k=chance.choice([1, 2])):
            if name in ("base", "divisor"):
                arrays[name] = np.asarray(chance.choice(floats if name == "base" else ODD), arrays[name].dtype)
            else:
                size = len(arrays[name])
                arrays[name][chance.randrange(size) :: chance.choice([1, 7, size])] = chance.choice(floats)
    return TreeEnsemble.from_arrays(arrays)


@pytest.fixture(scope="module")
def model():
    """The profile `surface`, its pairs analysed and its columns computed, and its trees cut down."""
    model = load("surface")
    members = []
    for member in model.members:
        arrays = dict(member.trees.to_arrays())
        ends = [*arrays["roots"][1:].tolist(), len(arrays["feature"])]
        nodes = ends[4]
        inner = int((arrays["feature"][:nodes] >= 0).sum())
        arrays |= {"roots": arrays["roots"][:5], "feature": arrays["feature"][:nodes]}
        arrays |= {"threshold": arrays["threshold"][:inner], "value": arrays["value"][: nodes - inner]}
        arrays["cover"] = arrays["cover"][: nodes - inner]
        members.append(replace(member, trees=TreeEnsemble.from_arrays(arrays)))
    batch = model.analyse(PAIRS)
    return replace(model, members=tuple(members)), batch, model.extract(batch)


@fuzzed(inputs_per_call=4, seed=st.integers(0, 2**32))
def test_crafted_numbers(seed, model):
    fitted, batch, matrix = model
    chance, stacked = random.Random(seed), Combination("stack", (0.3, 0.3, 0.4), 0.1, (0.0, 2.0, 5.0), (0.1, 2.5, 4.9))
    for _ in range(4):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                made = fitted
                if chance.random() < 0.6:
                    facts = changed_numbers(chance, stacked.to_dict())
                    made = replace(made, combination=Combination.from_dict(facts, len(made.members)))
                if chance.random() < 0.5:
                    facts = {"softening": 0.2, **made.interval.to_dict()}
                    made = replace(made, interval=PredictiveDistribution.from_dict(changed_numbers(chance, facts)))
                if chance.random() < 0.6:
                    members = [replace(each, trees=changed_trees(chance, each.trees)) for each in made.members]
                    made = replace(made, members=tuple(members))
                scores = np.column_stack([scores_of_member(member, matrix) for member in made.members])
                found = made.combine(batch, scores)
                base, points = contributions_to(found, matrix, scores, made.members, made.combination, {})
            except ValueError as error:
                assert "\n" not in str(error) and len(str(error)) < 1_000, str(error)
                continue
        assert ((found.low >= 0) & (found.low <= found.score) & (found.score <= found.high) & (found.high <= 5)).all()
        assert math.isfinite(base) and np.isfinite(points).all()
