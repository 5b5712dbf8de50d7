"""Operators that a network may hold, with their attributes: those of the networks that ship.

Operators are left out on purpose if they run a graph inside a node (``Loop``, ``If``, ``Scan``), make large arrays from
small ones (``ConstantOfShape``, ``Expand``, ``Tile``, ``Pad``, ``Resize``), draw random numbers, handle text, or are
constants in an attribute.
"""

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
    # A transformer in whole numbers, as `models.neural.transformer_export` writes it.
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
