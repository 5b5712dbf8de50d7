"""ONNX files as messages of protobuf: the fields of each message, by name and number.

Written here, although the package onnx has the same, for a measured reason: ``import onnx`` takes 0.11 to 0.14 s and
11 MB in each process that scores, and 31 MB on disk, while ``google.protobuf``, which ONNX Runtime installs in any
case, takes 0.04 s and 3 MB. A test compares the table with that of onnx. Text is read as bytes, because a file may
hold any bytes.
"""

from functools import cache
from typing import Any

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
    """Return the message ``ModelProto`` of an ONNX file.

    Raises
    ------
    ValueError
        If the bytes are not such a message.
    """
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
