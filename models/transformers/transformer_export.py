"""Export of the layers of a transformer from torch to an int8 ONNX network.

The network is put together here, node by node, with fused operations of ONNX Runtime: whole-number products whose
activations have scales fixed in advance, and attention. Normalisation with the residual is a sum and a normalisation:
the fused operation takes six times as long on a CPU, a fifth of a network's time (ONNX Runtime 1.32). What a published
tool makes of the exported graph of all-MiniLM-L6-v2 was measured first, on 1,500 pairs of STS Benchmark dev and one
core:

* ``onnxruntime.quantization.quantize_static`` is as fast, but its vectors have a cosine of only 0.983 to those in
  floating point. Some channels of the activations are a hundred times as large as others, and one scale serves all.
  Here each channel is divided by a factor that its row of the weights is multiplied with (Xiao et al., 2023,
  "SmoothQuant"), which makes it 0.997;
* ``quantize_dynamic`` takes the scale from the batch, so that a text's vector would depend on the texts beside it;
* the graph in floating point takes 1.9 times as long.

There is no attention mask: the rows of one run have the same length (``features/encoders/onnx_transformer.py``).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

try:
    import onnx
    import torch
    from onnx import TensorProto, helper, numpy_helper
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"writing a network needs {error.name}; pip install 'samewise[train]'", name=error.name
    ) from None

PLACES = 256
"""So many positions are kept; a longer input is refused."""

ALPHA = 0.8
"""How much of the unevenness of the activations goes into the weights. The mean cosine to the vectors in floating
point, on sentences of STS Benchmark dev, is 0.986 with 0.5, 0.996 with 0.65, 0.997 with 0.8 and 0.995 with 1."""

_LEVELS = 64
"""Weights are whole numbers up to this. With up to 127 the cosine is 0.998, but processors without VNNI instructions
add two products in 16 bits, which then saturate, or take half as long again to avoid it: 2 * 255 * 64 fits."""

_TABLE_LEVELS = 127
_FUSED = "com.microsoft"
_SMALL = 1e-6

Head = Callable[["FusedGraph", str], str]
"""Given the graph so far and the name of the states, adds nodes and returns the name of what the network puts out."""


class Layer(NamedTuple):
    """The parts of a layer of a BERT or an MPNet."""

    query: torch.nn.Linear
    key: torch.nn.Linear
    value: torch.nn.Linear
    attended: torch.nn.Linear
    attended_norm: torch.nn.LayerNorm
    widen: torch.nn.Linear
    narrow: torch.nn.Linear
    narrow_norm: torch.nn.LayerNorm

    @classmethod
    def of(cls, layer: Any) -> "Layer":
        """Return the parts of a layer of ``transformers``."""
        feed = layer.intermediate.dense, layer.output.dense, layer.output.LayerNorm
        if hasattr(layer.attention, "attn"):  # MPNet
            parts = layer.attention.attn
            return cls(parts.q, parts.k, parts.v, parts.o, layer.attention.LayerNorm, *feed)
        parts, after = layer.attention.self, layer.attention.output
        return cls(parts.query, parts.key, parts.value, after.dense, after.LayerNorm, *feed)


class Reach(NamedTuple):
    """Least and greatest value of every channel of an activation, shape (d,), float32."""

    low: np.ndarray
    high: np.ndarray

    @property
    def greatest(self) -> np.ndarray:
        """Greatest absolute value of each channel."""
        return np.maximum(np.maximum(np.abs(self.low), np.abs(self.high)), _SMALL)


class FusedGraph:
    """An ONNX graph under construction, which may hold the fused operations of ONNX Runtime; it names its values."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def constant(self, value: Any) -> str:
        """Add an array and return its name; torch parameters become float32."""
        if isinstance(value, torch.Tensor):
            value = value.detach().to(torch.float32).numpy()
        name = f"c{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, operation: str, *inputs: str, outputs: int = 1, fused: bool = False, **attributes: Any) -> Any:
        """Add a node and return the name of its output, or those of its `outputs`; ``""`` leaves an input out.

        `fused` operations are those that ONNX Runtime adds to the standard ones.
        """
        names = [f"n{len(self._nodes)}" + (f"_{k}" if outputs > 1 else "") for k in range(outputs)]
        self._nodes.append(
            helper.make_node(operation, list(inputs), names, domain=_FUSED if fused else "", **attributes)
        )
        return names[0] if outputs == 1 else names

    def linear(self, x: str, layer: torch.nn.Linear) -> str:
        """Add a linear layer in floating point, as heads need it, and return the name of its output."""
        product = self.add("MatMul", x, self.constant(layer.weight.T))
        return product if layer.bias is None else self.add("Add", product, self.constant(layer.bias))

    def to_bytes(self, inputs: Sequence[onnx.ValueInfoProto], output: str, name: str) -> bytes:
        """Return the file of the network whose one output is named; the same bytes for the same graph."""
        nodes = [*self._nodes, helper.make_node("Identity", [output], [name])]
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None)]
        graph = helper.make_graph(nodes, "transformer", list(inputs), outputs, self._constants)
        versions = [helper.make_opsetid("", 18), helper.make_opsetid(_FUSED, 1)]
        model = helper.make_model(graph, opset_imports=versions, ir_version=9, producer_name="samewise")
        return model.SerializeToString(deterministic=True)


def reaches(
    model: torch.nn.Module, layers: Iterable[torch.nn.Module], inputs: Iterable[dict[str, torch.Tensor]]
) -> dict[str, Reach]:
    """Return the range of the input of every matrix product of some layers while a model reads some texts.

    Parameters
    ----------
    model
        Model that is called.
    layers
        Layers in it, in their order: of ``transformers.BertModel`` or ``MPNetModel``.
    inputs
        Keyword arguments of one call each, such as ``input_ids``, shape (1, length).
    """
    reach: dict[str, Reach] = {}

    def watch(name: str, layer: torch.nn.Linear) -> Any:
        def see(_: torch.nn.Module, values: tuple[torch.Tensor, ...]) -> None:
            flat = values[0].reshape(-1, values[0].shape[-1]).to(torch.float32)
            low, high = flat.amin(dim=0).numpy(), flat.amax(dim=0).numpy()
            if name in reach:
                low, high = np.minimum(low, reach[name].low), np.maximum(high, reach[name].high)
            reach[name] = Reach(low, high)

        return layer.register_forward_pre_hook(see)

    hooks = []
    for k, layer in enumerate(map(Layer.of, layers)):
        hooks.append(watch(f"{k}.attend", layer.query))
        hooks.append(watch(f"{k}.attended", layer.attended))
        hooks.append(watch(f"{k}.widen", layer.widen))
        hooks.append(watch(f"{k}.narrow", layer.narrow))
    was = model.training
    model.eval()
    try:
        with torch.inference_mode():
            for keywords in inputs:
                model(**keywords)
    finally:
        model.train(was)
        for hook in hooks:
            hook.remove()
    return reach


def word_pieces(model: torch.nn.Module) -> tuple[np.ndarray, np.ndarray]:
    """Return the table of the vectors of word pieces as `features.encoders.onnx_transformer.WordPieces` has it."""
    table = _array(model.embeddings.word_embeddings.weight)
    scales = np.maximum(np.abs(table).max(axis=1), _SMALL) / _TABLE_LEVELS
    return np.rint(table / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def first_layers_onnx(
    model: torch.nn.Module,
    count: int,
    reach: dict[str, Reach],
    *,
    segments: bool = False,
    head: Head | None = None,
) -> bytes:
    """Return the int8 network of the first layers of a transformer; the same bytes for the same weights and reaches."""
    settings, embeddings, relative = model.config, model.embeddings, relative_bias(model)
    if settings.hidden_act != "gelu" or getattr(settings, "position_embedding_type", "absolute") != "absolute":
        raise ValueError(f"a model must have absolute places and gelu, got {settings.hidden_act!r}; give another one")
    graph, epsilon = FusedGraph(), settings.layer_norm_eps
    inputs = [_input("word_embeddings", settings.hidden_size)]
    places = _array(embeddings.position_embeddings.weight)
    if relative is not None:
        places = places[embeddings.padding_idx + 1 :]
    places = places[:PLACES]
    if hasattr(embeddings, "token_type_embeddings") and not segments:
        places = places + _array(embeddings.token_type_embeddings.weight)[0]
    length, zero = _length(graph, "word_embeddings"), graph.constant(np.zeros(1, dtype=np.int64))
    x = graph.add("Add", "word_embeddings", graph.add("Slice", graph.constant(places), zero, length, zero))
    if segments:
        inputs.append(_segments())
        x = graph.add(
            "Add", x, graph.add("Gather", graph.constant(embeddings.token_type_embeddings.weight), inputs[1].name)
        )
    norm = embeddings.LayerNorm
    weights = graph.constant(norm.weight), graph.constant(norm.bias)
    x = graph.add("LayerNormalization", x, *weights, axis=-1, epsilon=epsilon)
    x = _layers(graph, x, list(model.encoder.layer)[:count], settings, reach, relative)
    return graph.to_bytes(inputs, x, "states") if head is None else graph.to_bytes(inputs, head(graph, x), "output")


def later_layers_onnx(
    layers: Sequence[torch.nn.Module],
    settings: Any,
    reach: dict[str, Reach],
    *,
    relative: np.ndarray | None = None,
    segments: bool = False,
    head: Head | None = None,
) -> bytes:
    """Return the int8 network of later layers, which reads the states that the first ones put out.

    Its input is ``lower_states``, float32 of shape (batch, length, d), and with `segments` ``token_type_ids`` for
    `head`, int64 of shape (batch, length). Its output is ``states``, of the same shape, or
    what `head` makes of them, which is then called ``output``.

    Parameters
    ----------
    layers
        Of a ``BertModel`` or ``MPNetModel``.
    settings
        The configuration of that model.
    reach
        Of `reaches`, of these layers, on texts such as it will read.
    relative
        What attention adds for each distance of two places, of an MPNet: shape (heads, 2 * `PLACES` - 1).
    segments
        Whether `head` distinguishes two texts.
    head
        Adds what follows the states.
    """
    graph = FusedGraph()
    inputs, x = [_input("lower_states", settings.hidden_size)], "lower_states"
    inputs += [_segments()] if segments else []
    x = _layers(graph, x, layers, settings, reach, relative)
    return graph.to_bytes(inputs, x, "states") if head is None else graph.to_bytes(inputs, head(graph, x), "output")


def relative_bias(model: torch.nn.Module) -> np.ndarray | None:
    """Return the bias of attention by distance of places, shape (heads, 2 * `PLACES` - 1); None for a BERT."""
    if not hasattr(model.encoder, "relative_attention_bias"):
        return None
    with torch.inference_mode():
        bias = _array(model.encoder.compute_position_bias(torch.zeros(1, PLACES, 1)))[0]
    # By the distance from the place that looks to the place looked at, from -(PLACES - 1) on.
    return np.concatenate([bias[:, ::-1, 0], bias[:, 0, 1:]], axis=1)


def _input(name: str, dimension: int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", "length", dimension])


def _segments() -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info("token_type_ids", TensorProto.INT64, ["batch", "length"])


def _length(graph: FusedGraph, x: str) -> str:
    return str(graph.add("Shape", x, start=1, end=2))


def _bias(graph: FusedGraph, x: str, relative: np.ndarray) -> str:
    # Row i, column j holds the bias of the distance j - i, shape (1, heads, length, length).
    none, one = np.asarray(0, dtype=np.int64), np.asarray(1, dtype=np.int64)
    length = graph.add("Squeeze", _length(graph, x), graph.constant(np.zeros(1, dtype=np.int64)))
    places = graph.add("Range", graph.constant(none), length, graph.constant(one))
    column = graph.add("Unsqueeze", places, graph.constant(np.ones(1, dtype=np.int64)))
    distance = graph.add("Sub", places, column)
    at = graph.add("Add", distance, graph.constant(np.asarray(PLACES - 1, dtype=np.int64)))
    return str(graph.add("Gather", graph.constant(relative[None]), at, axis=2))


def _layers(
    graph: FusedGraph,
    x: str,
    layers: Iterable[torch.nn.Module],
    settings: Any,
    reach: dict[str, Reach],
    relative: np.ndarray | None,
) -> str:
    heads, epsilon = settings.num_attention_heads, settings.layer_norm_eps
    bias = None if relative is None else _bias(graph, x, relative)

    def normalised(residual: str, change: str, norm: torch.nn.LayerNorm) -> str:
        weights = graph.constant(norm.weight), graph.constant(norm.bias)
        both = graph.add("Add", residual, change)
        return str(graph.add("LayerNormalization", both, *weights, axis=-1, epsilon=epsilon))

    for k, layer in enumerate(map(Layer.of, layers)):
        parts = [layer.query, layer.key, layer.value]
        weights, biases = [_weight(part) for part in parts], [_array(part.bias) for part in parts]
        # What attention puts out is a mean of values, so its channels are evened out by dividing those of the values.
        evened = _evening(reach[f"{k}.attended"], _weight(layer.attended))
        weights[2], biases[2] = weights[2] / evened, biases[2] / evened
        joined = np.concatenate(weights, axis=1), np.concatenate(biases)
        even = _evening(reach[f"{k}.attend"], joined[0])
        three = _product(graph, x, *joined, reach[f"{k}.attend"], even)
        split = graph.add("Split", three, outputs=3, axis=-1, num_outputs=3)
        more = [] if bias is None else ["", "", bias]
        mixed = graph.add("MultiHeadAttention", *split, *more, fused=True, num_heads=heads)
        dense = layer.attended
        change = _product(graph, mixed, _weight(dense), _array(dense.bias), reach[f"{k}.attended"], evened, done=True)
        x = normalised(x, change, layer.attended_norm)
        wide = graph.add("Gelu", _dense(graph, x, layer.widen, reach[f"{k}.widen"]), fused=True)
        x = normalised(x, _dense(graph, wide, layer.narrow, reach[f"{k}.narrow"]), layer.narrow_norm)
    return x


def _array(value: torch.Tensor) -> np.ndarray:
    return value.detach().to(torch.float32).numpy()


def _weight(layer: torch.nn.Linear) -> np.ndarray:
    return _array(layer.weight).T


def _evening(reach: Reach, weight: np.ndarray) -> np.ndarray:
    # Divisor of each channel, with the geometric mean 1.
    of_weight = np.maximum(np.abs(weight).max(axis=1), _SMALL)
    factor = reach.greatest**ALPHA / of_weight ** (1 - ALPHA)
    return (factor / np.exp(np.log(factor).mean())).astype(np.float32)


def _dense(graph: FusedGraph, x: str, layer: torch.nn.Linear, reach: Reach) -> str:
    weight = _weight(layer)
    return _product(graph, x, weight, _array(layer.bias), reach, _evening(reach, weight))


def _product(
    graph: FusedGraph, x: str, weight: np.ndarray, bias: np.ndarray, reach: Reach, even: np.ndarray, done: bool = False
) -> str:
    # x @ weight + bias in whole numbers, the channels of x divided by `even` unless that is done already.
    low = min(float((reach.low / even).min()), 0.0)
    high = max(float((reach.high / even).max()), low + _SMALL, 0.0)
    scale = (high - low) / 255
    x = x if done else graph.add("Mul", x, graph.constant((1 / even).astype(np.float32)))
    step, zero = graph.constant(np.float32(scale)), graph.constant(np.uint8(round(-low / scale)))
    weight = weight * even[:, None]
    steps = (np.maximum(np.abs(weight).max(axis=0), _SMALL) / _LEVELS).astype(np.float32)
    codes = np.clip(np.rint(weight / steps), -_LEVELS, _LEVELS).astype(np.int8)
    whole = graph.add("QuantizeLinear", x, step, zero)
    factors = graph.constant(codes), step, graph.constant(steps), zero, "", graph.constant(bias)
    return graph.add("MatMulIntegerToFloat", whole, *factors, fused=True)
