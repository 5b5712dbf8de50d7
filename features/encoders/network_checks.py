"""Checks of a network before a run: it is self-contained, of known operators, and has the declared inputs.

`checked` writes the network again from its checked parts, so that ONNX Runtime cannot read anything else.

Operators are left out on purpose if they run a graph inside a node (``Loop``, ``If``, ``Scan``), make large arrays from
small ones (``ConstantOfShape``, ``Expand``, ``Tile``, ``Pad``, ``Resize``), draw random numbers, handle text, or are
constants in an attribute.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .networks import kind_of, read_model

_STANDARD = {
    # Arithmetic, element by element.
    "Abs": "",
    "Add": "",
    "Div": "",
    "Mul": "",
    "Sub": "",
    # Activations.
    "Relu": "",
    "Sigmoid": "",
    "Softmax": "axis",
    "Tanh": "",
    # Layers.
    "LayerNormalization": "axis epsilon stash_type",
    "LpNormalization": "axis p",
    "LSTM": "direction hidden_size",
    "MatMul": "",
    # Pooling of words or pieces.
    "ReduceMax": "axes keepdims",
    "ReduceSum": "keepdims",
    # Masks of the words of padded sentences (ESIM).
    "Less": "",
    "Not": "",
    "Range": "",
    # Types and shapes.
    "Cast": "to",
    "Concat": "axis",
    "Gather": "axis",
    "Identity": "",
    "QuantizeLinear": "axis",
    "Reshape": "",
    "Shape": "start end",
    "Slice": "",
    "Split": "axis num_outputs",
    "Squeeze": "",
    "Transpose": "perm",
    "Unsqueeze": "",
}

_FUSED = {
    # A transformer in whole numbers, as `models.transformers.transformer_export` writes it.
    "Gelu": "",
    "MatMulIntegerToFloat": "",
    "MultiHeadAttention": "num_heads",
    "SkipLayerNormalization": "epsilon",
}

OPERATORS: dict[tuple[str, str], frozenset[str]] = {
    (domain, name): frozenset(attributes.split())
    for domain, operators in (("", _STANDARD), ("com.microsoft", _FUSED))
    for name, attributes in operators.items()
}
"""Attributes of each operator by its domain and name."""

VERSIONS = {"": (17, 18), "com.microsoft": (1,)}
"""Versions of each domain that networks of ours are written in."""

FORMATS = (8, 9)
"""Versions of the format that go with them."""


MOST_NODES = 2_000
"""Most operators of a network; a transformer of 24 layers has 500."""

MOST_READ = 4
"""Most bytes of tensors that operators read, in multiples of the size of all tensors. ONNX Runtime prepares a tensor
anew for each operator that reads it; ESIM reads its weights for both sides."""

PRODUCER = b"samewise"
"""Name of the producer in networks of ours; another is left out."""

_FREE = 1 << 20  # bytes of small tensors that any number of nodes may read

TYPES: dict[int, np.dtype[Any]] = {
    1: np.dtype("<f4"),
    2: np.dtype("u1"),
    3: np.dtype("i1"),
    6: np.dtype("<i4"),
    7: np.dtype("<i8"),
}
"""Types of tensors by their numbers in ONNX; networks of ours have no others."""

_FIELDS = {
    "ModelProto": {"ir_version", "producer_name", "graph", "opset_import"},
    "OperatorSetIdProto": {"domain", "version"},
    "GraphProto": {"node", "name", "initializer", "input", "output"},
    "NodeProto": {"input", "output", "name", "op_type", "attribute", "domain"},
    "AttributeProto": {"name", "f", "i", "s", "ints", "type"},
    "TensorProto": {"dims", "data_type", "name", "raw_data"},
    "ValueInfoProto": {"name", "type"},
    "TypeProto": {"tensor_type"},
    "Tensor": {"elem_type", "shape"},
    "TensorShapeProto": {"dim"},
    "Dimension": {"dim_value", "dim_param"},
}
_OUTSIDE = "hold all its tensors in its own bytes, got one stored in another file"
_INNER = "be a single graph, got one with another graph or function inside"
_ATTRIBUTE = "store its tensors in its list of tensors, got one elsewhere"
_REFUSED = {
    ("TensorProto", "external_data"): _OUTSIDE,
    ("TensorProto", "data_location"): _OUTSIDE,
    ("AttributeProto", "g"): _INNER,
    ("AttributeProto", "graphs"): _INNER,
    ("ModelProto", "functions"): _INNER,
    ("ModelProto", "training_info"): _INNER,
    ("AttributeProto", "t"): _ATTRIBUTE,
    ("AttributeProto", "tensors"): _ATTRIBUTE,
    ("AttributeProto", "sparse_tensor"): _ATTRIBUTE,
    ("AttributeProto", "sparse_tensors"): _ATTRIBUTE,
    ("GraphProto", "sparse_initializer"): _ATTRIBUTE,
}
_VALUE_FIELD = {1: "f", 2: "i", 3: "s", 7: "ints"}  # where an attribute of a type has its value


class Value(NamedTuple):
    """An input of a network.

    Attributes
    ----------
    kind
        Type of its numbers: ``float32``, ``int32`` or ``int64``.
    rank
        Number of its dimensions; all but the last are free.
    last
        The last dimension; 0 if it is free, None if it is any fixed number.
    """

    kind: str
    rank: int
    last: int | None = 0


class Declared(NamedTuple):
    """Inputs of a network by name, and the name of its one output, which is float32."""

    inputs: Mapping[str, Value]
    output: str


def checked(data: bytes, declared: Declared) -> bytes:
    """Return a network as ONNX, with checked parts alone: `data` itself if that is all it holds, not a copy."""
    model = _read(data)
    _check_fields(model)
    versions = {_text(each.domain): each.version for each in model.opset_import}
    if model.ir_version not in FORMATS or any(version not in VERSIONS.get(d, ()) for d, version in versions.items()):
        raise ValueError(
            f"be an ONNX file of format {' or '.join(map(str, FORMATS))} and operators of "
            f"version {' or '.join(map(str, VERSIONS['']))}, got format {model.ir_version} and "
            f"{versions!r:.80}"
        )
    if model.producer_name != PRODUCER:
        model.ClearField("producer_name")
    graph = model.graph
    _check_nodes(graph)
    _check_tensors(graph)
    _check_inputs(graph, declared)
    written: bytes = model.SerializeToString()
    return data if written == data else written


def tensor_files(data: bytes) -> set[str]:
    """Return the names of the files in which tensors of a network are stored, wherever they stand in it."""
    model = _read(data)
    names = set()
    for message in _messages(model):
        if kind_of(message) == "TensorProto" and (message.data_location or len(message.external_data)):
            places = [_text(entry.value) for entry in message.external_data if entry.key == b"location"]
            if not places:
                raise ValueError(
                    "name the file of each tensor that it does not hold itself, got a tensor without a file"
                )
            names.update(places)
    return names


def check_place(name: str, network: Path, folder: Path) -> None:
    """Raise ValueError unless a file of tensors lies beside a network, bears its name, and is in a folder."""
    place = network.parent / name
    inside = [folder.resolve()]
    if inside[0].parent.name == "snapshots":
        inside.append(inside[0].parents[1] / "blobs")
    beside = Path(name).name == name and name.startswith(network.name) and place.is_file()
    if not beside or not any(place.resolve().is_relative_to(parent) for parent in inside):
        raise ValueError(
            f"have its tensors in itself or in files beside it whose names begin with {network.name!r}, got a "
            f"tensor in {name!r:.80}"
        )


def _read(data: bytes) -> Any:
    try:
        model = read_model(data)
    except ValueError:
        model = None
    if model is None or not model.HasField("graph"):
        raise ValueError("be an ONNX file, got other bytes")
    return model


def _messages(message: Any) -> Iterator[Any]:
    # A message and all inside it; protobuf reads no deeper than 100.
    yield message
    for field, value in message.ListFields():
        if field.message_type is not None:
            for part in value if hasattr(value, "append") or hasattr(value, "add") else [value]:
                yield from _messages(part)


def _check_fields(model: Any) -> None:
    from google.protobuf.unknown_fields import UnknownFieldSet

    for message in _messages(model):
        kind = kind_of(message)
        for field, _ in message.ListFields():
            if field.name not in _FIELDS.get(kind, ()):
                what = f"have only fields that the shipped networks have, got {field.name} of {kind}"
                raise ValueError(_REFUSED.get((kind, field.name), what))
        unknown = UnknownFieldSet(message)
        if len(unknown):
            raise ValueError(f"have no unknown field, got field {unknown[0].field_number} of {kind}")


def _check_nodes(graph: Any) -> None:
    if not 0 < len(graph.node) <= MOST_NODES:
        raise ValueError(f"have 1 to {MOST_NODES} operators, got {len(graph.node)}")
    for node in graph.node:
        operator = _text(node.domain), _text(node.op_type)
        if operator not in OPERATORS:
            raise ValueError(
                f"have only operators that the shipped networks have, got {'.'.join(filter(None, operator))!r:.80}"
            )
        names = [_text(attribute.name) for attribute in node.attribute]
        unknown = [name for name in names if name not in OPERATORS[operator]]
        if unknown or len(set(names)) < len(names):
            wrong = unknown[0] if unknown else "the same name twice"
            raise ValueError(f"have only attributes of {operator[1]} that the shipped networks have, got {wrong!r:.80}")
        for attribute in node.attribute:
            held = {field.name for field, _ in attribute.ListFields()} - {"name", "type"}
            if not held <= {_VALUE_FIELD.get(attribute.type)}:
                raise ValueError(f"have one type for each attribute, got several for {_text(attribute.name)!r:.80}")
            if not math.isfinite(attribute.f):
                raise ValueError(f"have finite attributes, got {attribute.f} for {_text(attribute.name)!r:.80}")


def _check_tensors(graph: Any) -> None:
    size = {}
    for tensor in graph.initializer:
        name, kind = _text(tensor.name), TYPES.get(tensor.data_type)
        if kind is None:
            raise ValueError(
                f"have only types of numbers that the shipped networks have, got type {tensor.data_type} in "
                f"{name!r:.80}"
            )
        if name in size:
            raise ValueError(f"have one tensor for each name, got two called {name!r:.80}")
        size[name] = len(tensor.raw_data)
        dims = list(tensor.dims)
        if min(dims, default=0) < 0 or math.prod(dims) * kind.itemsize != size[name]:
            raise ValueError(f"have tensors of their declared shape, got {size[name]} bytes for {dims} in {name!r:.80}")
        if kind.kind == "f" and not np.isfinite(np.frombuffer(tensor.raw_data, kind)).all():
            raise ValueError(f"have finite numbers, got NaN or infinity in {name!r:.80}")
    read = sum(size.get(_text(name), 0) for node in graph.node for name in node.input)
    if read > MOST_READ * sum(size.values()) + _FREE:
        raise ValueError(
            f"read at most {MOST_READ} times the bytes of its tensors, got {read} bytes read and "
            f"{sum(size.values())} held"
        )


def _check_inputs(graph: Any, declared: Declared) -> None:
    inputs = {_text(value.name): value.type.tensor_type for value in graph.input}
    if list(inputs) != [_text(value.name) for value in graph.input] or set(inputs) != set(declared.inputs):
        read = ", ".join(_text(value.name) for value in graph.input)
        raise ValueError(f"read {', '.join(declared.inputs)}, got a network that reads {read!r:.80}")
    for name, wanted in declared.inputs.items():
        kind = TYPES.get(inputs[name].elem_type)
        shape = [_size(dim) for dim in inputs[name].shape.dim]
        *free, last = shape or [-1]
        fits = last > 0 if wanted.last is None else last == wanted.last
        if kind != np.dtype(wanted.kind) or len(shape) != wanted.rank or any(free) or not fits:
            ends = f", the last {wanted.last or 'fixed'}" if wanted.last != 0 else ""
            raise ValueError(
                f"read {name!r} as {wanted.kind} of {wanted.rank} dimensions{ends}, got {kind} of "
                f"{[size or 'any' for size in shape]!r:.80}"
            )
    outputs = [(_text(value.name), value.type.tensor_type.elem_type) for value in graph.output]
    if outputs != [(declared.output, 1)]:
        raise ValueError(f"give {declared.output!r} as float32, got {outputs!r:.80}")


def _size(dimension: Any) -> int:
    # 0 for a free dimension, which has a name or nothing; -1 for an invalid one.
    if not dimension.HasField("dim_value"):
        return 0
    return -1 if dimension.HasField("dim_param") or dimension.dim_value <= 0 else int(dimension.dim_value)


def _text(value: bytes) -> str:
    return value.decode("utf-8", "backslashreplace")
