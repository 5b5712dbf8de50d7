"""Checks of networks before they are run, on a network of two nodes that is changed in one place."""

import os
import sys
import threading

import numpy as np
import onnx
import pytest
from onnx import AttributeProto, TensorProto, helper, numpy_helper
from samewise.features.encoders import networks
from samewise.features.encoders.encoder_folders import EncoderError, load_encoder
from samewise.features.encoders.network_checks import OPERATORS, Declared, Value, checked
from samewise.features.encoders.networks import MESSAGES, read_model
from samewise.features.encoders.onnx_transformer import Network, check_shape
from samewise.features.encoders.sentence_encoder import HERE

from .test_sentence_encoder import made_folder

DECLARED = Declared({"x": Value("float32", 2, 3)}, "y")
X = np.asarray([[1.0, 2.0, 3.0], [0.5, 0.5, 0.5]], dtype=np.float32)


def network(nodes=None, tensors=None):
    """y = x @ w, with the column w = (1, 10, 100)."""
    w = np.asarray([[1], [10], [100]], dtype=np.float32)
    graph = helper.make_graph(
        nodes or [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Identity", ["h"], ["y"])],
        "two nodes",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(w, "w"), *(tensors or [])],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9, producer_name="t")


def opened(model):
    data = model if isinstance(model, bytes) else model.SerializeToString()
    return Network(data, "the thing", DECLARED)


def test_a_network_of_ours_is_run():
    np.testing.assert_array_equal(opened(network())(x=X, z=X), [[321.0], [55.5]])


def external(model, location="secret.bin"):
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)


def attribute_outside(model):
    made = model.graph.node[0].attribute.add(name="value", type=AttributeProto.TENSOR)
    made.t.data_location = TensorProto.EXTERNAL


def subgraph(model):
    model.graph.node[0].attribute.add(name="body", type=AttributeProto.GRAPH).g.name = "inner"


def sparse(model):
    model.graph.sparse_initializer.add(dims=[3])


def repeated(model):
    model.graph.initializer.append(numpy_helper.from_array(np.ones((3, 200_000), np.float32), "large"))
    for k in range(9):
        model.graph.node.append(helper.make_node("MatMul", ["x", "large"], [f"l{k}"]))


CASES = {
    "hold all its tensors in its own bytes": [
        external,
        lambda m: external(m, "../x/secret.bin"),
        lambda m: setattr(m.graph.initializer[0], "data_location", TensorProto.EXTERNAL),
    ],
    "store its tensors in its list of tensors": [attribute_outside, sparse],
    "be a single graph, got": [subgraph, lambda m: m.functions.add(name="f"), lambda m: m.training_info.add()],
    "have only operators that the shipped networks have, got 'Loop'": [
        lambda m: setattr(m.graph.node[0], "op_type", "Loop")
    ],
    "have only operators that the shipped networks have, got 'mine.MatMul'": [
        lambda m: setattr(m.graph.node[0], "domain", "mine")
    ],
    "have only attributes of MatMul that the shipped networks have, got 'axis'": [
        lambda m: m.graph.node[0].attribute.append(helper.make_attribute("axis", 1))
    ],
    "have only fields that the shipped networks have, got metadata_props": [
        lambda m: m.metadata_props.add(key="ort_config")
    ],
    "have only fields that the shipped networks have, got value_info": [lambda m: m.graph.value_info.add(name="h")],
    "tensors of their declared shape, got 12 bytes": [
        lambda m: m.graph.initializer[0].dims.append(10**9),
        lambda m: m.graph.initializer[0].dims.extend([-1, -1]),
    ],
    "have only types of numbers that the shipped networks have": [
        lambda m: setattr(m.graph.initializer[0], "data_type", 8)
    ],
    "have finite numbers, got NaN or infinity in 'w'": [
        lambda m: m.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.full((3, 1), np.nan, np.float32), "w"))
    ],
    "one tensor for each name": [lambda m: m.graph.initializer.append(m.graph.initializer[0])],
    "read at most 4 times the bytes of its tensors": [repeated],
    "have 1 to 2000 operators": [
        lambda m: m.graph.node.extend([m.graph.node[0]] * 2_000),
        lambda m: m.graph.ClearField("node"),
    ],
    "read x, got": [
        lambda m: setattr(m.graph.input[0], "name", "other\n"),
        lambda m: m.graph.input.append(m.graph.input[0]),
    ],
    "read 'x' as float32 of 2 dimensions, the last 3": [
        lambda m: setattr(m.graph.input[0].type.tensor_type, "elem_type", 11),
        lambda m: m.graph.input[0].type.tensor_type.shape.dim.add(dim_value=3),
        lambda m: setattr(m.graph.input[0].type.tensor_type.shape.dim[1], "dim_value", 4),
        lambda m: setattr(m.graph.input[0].type.tensor_type.shape.dim[0], "dim_value", 2),
        lambda m: setattr(m.graph.input[0].type.tensor_type.shape.dim[1], "dim_param", "k"),
    ],
    "give 'y' as float32": [
        lambda m: setattr(m.graph.output[0], "name", "h"),
        lambda m: setattr(m.graph.output[0].type.tensor_type, "elem_type", 7),
        lambda m: m.graph.output.append(m.graph.output[0]),
    ],
    "be an ONNX file of format 8 or 9": [
        lambda m: setattr(m, "ir_version", 3),
        lambda m: setattr(m.opset_import[0], "version", 7),
    ],
}


@pytest.mark.parametrize(("rule", "change"), [(rule, change) for rule, changes in CASES.items() for change in changes])
def test_what_no_network_of_ours_holds_is_refused(rule, change):
    model = network()
    change(model)
    with pytest.raises(ValueError, match="the thing must .*; get a complete copy") as refused:
        opened(model).session  # noqa: B018
    assert rule in str(refused.value) and str(refused.value).isprintable()


@pytest.mark.parametrize("data", [b"", b"nothing", b"\x3a\x05\x0a", b"PK\x03\x04"])
def test_what_is_no_network_is_refused(data):
    with pytest.raises(ValueError, match="the thing must be an ONNX file, got other bytes"):
        opened(data).session  # noqa: B018


def test_reasons_of_onnx_runtime_are_one_short_line():
    model = network()
    model.graph.node[0].input[:] = ["\x1b[31mred\x07"] * 1_000
    with pytest.raises(ValueError, match="the thing cannot be run by ONNX Runtime") as refused:
        opened(model).session  # noqa: B018
    assert str(refused.value).isprintable() and len(str(refused.value)) < 600


def test_an_unknown_field_is_refused():
    with pytest.raises(ValueError, match="have no unknown field, got field 99 of ModelProto"):
        opened(network().SerializeToString() + b"\x9a\x06\x03abc").session  # noqa: B018


def test_what_is_run_is_what_was_checked():
    # The graph twice: protobuf reads both as one. ONNX Runtime is given one, and not the name of a producer, which at
    # this place would make it take the file for one of its own format.
    model = network()
    model.producer_name = "ORTM is not the format"
    data = model.SerializeToString()
    assert data[4:8] == b"ORTM"
    written = checked(data, DECLARED)
    assert b"ORTM" not in written and onnx.load_from_string(written).graph == model.graph
    assert opened(data)(x=X).shape == (2, 1)
    part = onnx.ModelProto()
    external(part if part.graph.initializer.add(name="w") else part)
    with pytest.raises(ValueError, match="hold all its tensors in its own bytes"):
        opened(data + part.SerializeToString()).session  # noqa: B018


def test_more_memory_than_there_may_be_is_refused():
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["h"]),
        helper.make_node("Mul", ["h", "wide"], ["row"]),
        helper.make_node("Unsqueeze", ["row", "last"], ["column"]),
        helper.make_node("MatMul", ["column", "wide"], ["grid"]),
        helper.make_node("ReduceMax", ["grid"], ["y"], keepdims=0),
    ]
    tensors = [
        numpy_helper.from_array(np.ones((1, 40_000), np.float32), "wide"),
        numpy_helper.from_array(np.asarray([2]), "last"),
    ]
    with pytest.raises(ValueError, match="the thing must need at most 512 MB of memory .*; use another network"):
        opened(network(nodes, tensors))(x=X)


def test_constants_are_not_computed_before_a_run():
    # 6.4 GB that depend on no input.
    nodes = [
        helper.make_node("MatMul", ["tall", "wide"], ["grid"]),
        helper.make_node("ReduceMax", ["grid"], ["top"], keepdims=0),
        helper.make_node("MatMul", ["x", "w"], ["h"]),
        helper.make_node("Add", ["h", "top"], ["y"]),
    ]
    long = np.ones((40_000, 1), np.float32)
    tensors = [numpy_helper.from_array(long, "tall"), numpy_helper.from_array(long.T, "wide")]
    found = opened(network(nodes, tensors))
    assert found.inputs == ("x",)
    with pytest.raises(ValueError, match="must need at most 512 MB of memory"):
        found(x=X)


@pytest.mark.skipif(sys.platform == "win32", reason="the clock of a thread")
def test_a_run_that_takes_long_is_stopped(monkeypatch):
    monkeypatch.setattr(networks, "SECONDS", 0.05)
    nodes = [helper.make_node("MatMul", ["x", "wide"], ["h0"])]
    nodes += [helper.make_node("MatMul", [f"h{k}", "square"], [f"h{k + 1}"]) for k in range(300)]
    nodes += [helper.make_node("Identity", ["h300"], ["y"])]
    square = np.eye(512, dtype=np.float32)
    tensors = [numpy_helper.from_array(square[:3], "wide"), numpy_helper.from_array(square, "square")]
    monkeypatch.setattr("samewise.features.encoders.network_checks.MOST_READ", 1_000)
    found = opened(network(nodes, tensors))
    with pytest.raises(ValueError, match="must finish within .* s of processor time, and did not"):
        found(x=np.ones((2_048, 3), np.float32))
    monkeypatch.setattr(networks, "SECONDS", 60.0)
    assert found(x=X).shape == (2, 512)


def test_no_thread_is_left_behind():
    found = opened(network())
    found(x=X)
    for thread in threading.enumerate():
        if thread.name.endswith("(watch)"):
            thread.join(10)
            assert not thread.is_alive()


@pytest.mark.parametrize(("value", "seen"), [(1e38, "inf"), (4e9, "240000008192.0")])
def test_numbers_that_are_too_large_are_refused(value, seen):
    model = network()
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.full((3, 1), value, np.float32), "w"))
    with pytest.raises(ValueError, match=rf"the thing must give finite numbers up to 1e\+09, got .*{seen}"):
        opened(model)(x=X * 10)


def test_an_output_of_another_shape_is_refused():
    found = opened(network())
    output = found(x=X)
    assert check_shape(found, output, 2, 1) is output
    with pytest.raises(ValueError, match=r"must give float32 of shape \(2,\), got float32 of shape \(2, 1\)"):
        check_shape(found, output, 2)
    with pytest.raises(ValueError, match="must give float32 of shape .*, got float64"):
        check_shape(found, output.astype(np.float64), 2, 1)


def test_shipped_networks_hold_what_the_list_says():
    # The operators of the encoder that ships, read by the package onnx; the list of operators is longer.
    for name in ("lower.onnx", "upper.onnx"):
        model = onnx.load_from_string((HERE / name).read_bytes())
        used = {(node.domain, node.op_type) for node in model.graph.node}
        assert ("com.microsoft", "MultiHeadAttention") in used and used <= set(OPERATORS)
    assert not {"Loop", "If", "Scan", "ConstantOfShape", "Expand", "Tile", "Constant"} & {op for _, op in OPERATORS}


def test_the_format_is_that_of_onnx():
    theirs = {}

    def add(message):
        theirs[message.name] = {field.name: field for field in message.fields}
        for inner in message.nested_types:
            add(inner)

    for message in onnx.ModelProto.DESCRIPTOR.file.message_types_by_name.values():
        add(message)
    for name, fields in MESSAGES.items():
        read = {}
        for field in fields.split(", "):
            kind, field_name, number = field.split()
            read[field_name] = int(number)
            message = theirs[name][field_name].message_type
            assert message is None or message.name == kind.lstrip("*")
            assert theirs[name][field_name].is_repeated == kind.startswith("*")
        assert read.items() <= {key: field.number for key, field in theirs[name].items()}.items(), name
        # None that could lead to a tensor is missing.
        missing = {key for key in theirs[name] if key not in read}
        assert missing <= {"configuration", "device_configurations"}, (name, missing)
    data = network().SerializeToString()
    assert read_model(data).SerializeToString(deterministic=True) == data


def outside_of_encoder(folder, location):
    """Store the table of a made-up encoder in another file."""
    path = folder / "onnx" / "model.onnx"
    model = onnx.load(path)
    tensor = max(model.graph.initializer, key=lambda tensor: len(tensor.raw_data))
    weights = tensor.raw_data
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    path.write_bytes(model.SerializeToString())
    return weights


def test_an_encoder_of_the_user_may_have_its_weights_beside_it(tmp_path):
    folder = made_folder(tmp_path)
    expected = load_encoder(folder).vectors(["the cat"])
    weights = outside_of_encoder(folder, "model.onnx_data")
    with pytest.raises(
        EncoderError, match=r"files beside it whose names begin with 'model.onnx', got a tensor in 'model.onnx_data'"
    ):
        load_encoder(folder)
    (folder / "onnx" / "model.onnx_data").write_bytes(weights)
    np.testing.assert_array_equal(load_encoder(folder).vectors(["the cat"]), expected)


@pytest.mark.parametrize("location", ["../../secret.bin", "secret.bin", "/etc/hostname", "../onnx/model.onnx_data", ""])
def test_weights_elsewhere_are_refused(location, tmp_path, monkeypatch):
    folder = made_folder(tmp_path)
    weights = outside_of_encoder(folder, location)
    for place in (tmp_path / "secret.bin", folder / "secret.bin", folder / "onnx" / "model.onnx_data"):
        place.write_bytes(weights)
    monkeypatch.chdir(folder)
    with pytest.raises(EncoderError, match="must have its tensors in itself or in files beside it"):
        load_encoder(folder)


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="links")
def test_a_link_out_of_the_folder_is_refused(tmp_path):
    folder = made_folder(tmp_path)
    weights = outside_of_encoder(folder, "model.onnx_data")
    (tmp_path / "secret.bin").write_bytes(weights)
    (folder / "onnx" / "model.onnx_data").symlink_to(tmp_path / "secret.bin")
    with pytest.raises(EncoderError, match="must have its tensors in itself or in files beside it"):
        load_encoder(folder)
