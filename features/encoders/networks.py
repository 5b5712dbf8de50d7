"""Networks as files of ONNX: their format, and the sessions that run them.

Networks from bundles are untrusted data: a run ends with an error of one sentence once it takes more than `MEMORY` or
`SECONDS`. The profile ``full`` needs 30 MB and a fifth of a second at most.

The format of ONNX: written here, although the package onnx has the same, for a measured reason: ``import onnx`` takes
0.11 to 0.14 s and 11 MB in each process that scores, and 31 MB on disk, while ``google.protobuf``, which ONNX Runtime
installs in any case, takes 0.04 s and 3 MB. A test compares the table with that of onnx. Text is read as bytes, because
a file may hold any bytes.
"""

import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


_PACKAGE = "samewise.onnx"

MESSAGES = {
    "ModelProto": "int64 ir_version 1, bytes producer_name 2, bytes producer_version 3, bytes domain 4, "
    "int64 model_version 5, bytes doc_string 6, GraphProto graph 7, *OperatorSetIdProto opset_import 8, "
    "*StringStringEntryProto metadata_props 14, *TrainingInfoProto training_info 20, *FunctionProto functions 25",
    "OperatorSetIdProto": "bytes domain 1, int64 version 2",
    "StringStringEntryProto": "bytes key 1, bytes value 2",
    "TrainingInfoProto": "GraphProto initialization 1, GraphProto algorithm 2, "
    "*StringStringEntryProto initialization_binding 3, *StringStringEntryProto update_binding 4",
    "FunctionProto": "bytes name 1, *bytes input 4, *bytes output 5, *bytes attribute 6, *NodeProto node 7, "
    "bytes doc_string 8, *OperatorSetIdProto opset_import 9, bytes domain 10, *AttributeProto attribute_proto 11, "
    "*ValueInfoProto value_info 12, bytes overload 13, *StringStringEntryProto metadata_props 14",
    "GraphProto": "*NodeProto node 1, bytes name 2, *TensorProto initializer 5, bytes doc_string 10, "
    "*ValueInfoProto input 11, *ValueInfoProto output 12, *ValueInfoProto value_info 13, "
    "*TensorAnnotation quantization_annotation 14, *SparseTensorProto sparse_initializer 15, "
    "*StringStringEntryProto metadata_props 16",
    "NodeProto": "*bytes input 1, *bytes output 2, bytes name 3, bytes op_type 4, *AttributeProto attribute 5, "
    "bytes doc_string 6, bytes domain 7, bytes overload 8, *StringStringEntryProto metadata_props 9",
    "AttributeProto": "bytes name 1, float f 2, int64 i 3, bytes s 4, TensorProto t 5, GraphProto g 6, "
    "*float floats 7, *int64 ints 8, *bytes strings 9, *TensorProto tensors 10, *GraphProto graphs 11, "
    "bytes doc_string 13, TypeProto tp 14, *TypeProto type_protos 15, int32 type 20, bytes ref_attr_name 21, "
    "SparseTensorProto sparse_tensor 22, *SparseTensorProto sparse_tensors 23",
    "TensorProto": "*int64 dims 1, int32 data_type 2, Segment segment 3, *float float_data 4, *int32 int32_data 5, "
    "*bytes string_data 6, *int64 int64_data 7, bytes name 8, bytes raw_data 9, *double double_data 10, "
    "*uint64 uint64_data 11, bytes doc_string 12, *StringStringEntryProto external_data 13, int32 data_location 14, "
    "*StringStringEntryProto metadata_props 16",
    "Segment": "int64 begin 1, int64 end 2",
    "SparseTensorProto": "TensorProto values 1, TensorProto indices 2, *int64 dims 3",
    "TensorAnnotation": "bytes tensor_name 1, *StringStringEntryProto quant_parameter_tensor_names 2",
    "ValueInfoProto": "bytes name 1, TypeProto type 2, bytes doc_string 3, *StringStringEntryProto metadata_props 4",
    "TypeProto": "Tensor tensor_type 1, Sequence sequence_type 4, Map map_type 5, bytes denotation 6, "
    "Opaque opaque_type 7, SparseTensor sparse_tensor_type 8, Optional optional_type 9",
    "Tensor": "int32 elem_type 1, TensorShapeProto shape 2",
    "SparseTensor": "int32 elem_type 1, TensorShapeProto shape 2",
    "Sequence": "TypeProto elem_type 1",
    "Optional": "TypeProto elem_type 1",
    "Map": "int32 key_type 1, TypeProto value_type 2",
    "Opaque": "bytes domain 1, bytes name 2",
    "TensorShapeProto": "*Dimension dim 1",
    "Dimension": "int64 dim_value 1, bytes dim_param 2, bytes denotation 3",
}
"""Fields of each message: type, name and number; a star marks a field that repeats."""


def read_model(data: bytes) -> Any:
    """Return the message ``ModelProto`` of an ONNX file."""
    from google.protobuf.message import DecodeError

    try:
        return _model_class().FromString(data)
    except DecodeError as error:
        raise ValueError(f"not a message of protobuf: {error}") from None


def kind_of(message: Any) -> str:
    """Return the name of a message in `MESSAGES`."""
    return str(message.DESCRIPTOR.name)


@cache
def _model_class() -> Any:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    file = descriptor_pb2.FileDescriptorProto(name="samewise_onnx.proto", package=_PACKAGE, syntax="proto2")
    scalars = descriptor_pb2.FieldDescriptorProto
    for message, fields in MESSAGES.items():
        described = file.message_type.add(name=message)
        for kind, name, number in (field.split() for field in fields.split(", ")):
            label = scalars.LABEL_REPEATED if kind.startswith("*") else scalars.LABEL_OPTIONAL
            kind = kind.lstrip("*")
            field = described.field.add(name=name, number=int(number), label=label)
            if kind in MESSAGES:
                field.type, field.type_name = scalars.TYPE_MESSAGE, f".{_PACKAGE}.{kind}"
            else:
                field.type = scalars.Type.Value(f"TYPE_{kind.upper()}")
    pool = descriptor_pool.DescriptorPool()  # a pool of our own: the package onnx may be imported as well
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.ModelProto"))


MEMORY = 512 << 20
"""Bytes for all that sessions of this process compute at once, weights aside."""

AT_ONCE = 2
"""Networks from bundles that run at once in a process, so that each has enough of the memory."""

SECONDS = 5.0
"""Processor time of one run of a network from a bundle; it is stopped after the operator that it is in."""

_turns = threading.BoundedSemaphore(AT_ONCE)


@cache
def _runtime() -> Any:
    # Since 1.29 ONNX Runtime sends facts about networks and the machine to its maker, and keeps them in a file, unless
    # this variable is set before it is imported (Privacy.md of the package). A user's own value stands.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    # Sessions of others in this process do not use this allocator unless they ask for it.
    place = onnxruntime.OrtMemoryInfo(
        "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
    )
    onnxruntime.create_and_register_allocator(place, onnxruntime.OrtArenaCfg({"max_mem": MEMORY}))
    return onnxruntime


def open_session(network: bytes | Path, ours: bool) -> "InferenceSession":
    """Return a session of a network, whose products of whole numbers are exact on every processor."""
    runtime = _runtime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors are raised instead
    entries = {
        "session.x64quantprecision": "1",
        "session.use_env_allocators": "1",
        "session.use_device_allocator_for_initializers": "1",  # weights are as large as the file, not more
        "session.load_model_format": "ONNX",  # else a few bytes at the start could select another format
    }
    for key, value in entries.items():
        options.add_session_config_entry(key, value)
    # Values of constants alone would be computed while the network is opened, in unbounded memory.
    left_out = {"disabled_optimizers": ["ConstantFolding"]} if ours else {}
    session: InferenceSession = runtime.InferenceSession(
        network, options, providers=["CPUExecutionProvider"], **left_out
    )
    return session


def run_bounded(
    session: "InferenceSession", outputs: Sequence[str], inputs: Mapping[str, np.ndarray]
) -> Sequence[np.ndarray]:
    """Return outputs of a session that runs `SECONDS` at most."""
    options = _runtime().RunOptions()
    with _turns, _stopping(options):
        try:
            values: Sequence[np.ndarray] = session.run(outputs, inputs, options)
        except Exception:
            if options.terminate:
                raise TimeoutError from None
            raise
    return values


@contextmanager
def _stopping(options: Any) -> Iterator[None]:
    done, clock = threading.Event(), _clock()
    end = clock() + SECONDS

    def watch() -> None:
        # On a busy machine wall time passes faster.
        with suppress(OSError):  # the thread has ended, and its clock with it
            while not done.wait(max(end - clock(), 0.05)):
                if clock() >= end:
                    options.terminate = True
                    return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _clock() -> Any:
    # Processor time of the calling thread, read from any thread; wall time where a system has no such clock.
    if hasattr(time, "pthread_getcpuclockid"):
        number = time.pthread_getcpuclockid(threading.get_ident())
        return lambda: time.clock_gettime(number)
    return time.monotonic
