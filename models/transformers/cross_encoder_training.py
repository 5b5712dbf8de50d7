"""Training of the cross-encoders, their export, and lessons of a larger one for a small one."""

import csv
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModel

from ...features.encoders.large_encoder import FIRST_LAYERS, BaseEncoder, base_encoder
from ...features.encoders.onnx_transformer import Network, WordPieces, by_length
from ...features.encoders.sentence_encoder import shipped_encoder
from .cross_encoder import BETWEEN, LARGE_SETTINGS, LargeCrossEncoder, outputs_of
from .layers import LaterLayers, PairHead, padded
from .transformer_export import first_layers_onnx, later_layers_onnx, reaches, word_pieces
from .transformer_member import WEIGHTS
from .transformer_training import HEAD, Plan, ReadPairs, Texts, fit_once, learn, some_of, threads


class LaterPairReader(PairHead):
    """Later layers over the states of both texts, and a score from their last states."""

    def __init__(self, layers: LaterLayers) -> None:
        super().__init__(layers.config.hidden_size)
        self.layers = layers

    def forward(self, states: torch.Tensor, mask: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the score of each row of states, shape (rows, length, d); mask and segments have one a piece."""
        return self.score(self.layers(states, mask), mask, segments)


class PairStates(ReadPairs):
    """The states of pairs after the first layers of an encoder, as later layers of a cross-encoder read them."""

    def __init__(self, pairs: Sequence[tuple[str, str]], encoder: BaseEncoder) -> None:
        super().__init__(pairs, encoder, BETWEEN)
        self._encoder, self._kept = encoder, dict[int, np.ndarray]()

    def batch(self, rows: Sequence[int], device: torch.device) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the states, shape (rows, longest, d), float32, and the mask and segments of some pairs."""
        new = [row for row in dict.fromkeys(rows) if row not in self._kept]
        lengths = np.asarray([self.lengths[row] for row in new], dtype=np.int64)
        for places in by_length(lengths):
            some = [new[place] for place in places.tolist()]
            states = self._encoder.first_states(np.asarray([self.inputs[row][0] for row in some], np.int64))
            self._kept.update(zip(some, states.astype(np.float16), strict=True))
        _, _, segments = super().batch(rows, device)
        return (*padded([self._kept[row] for row in rows], device), segments)


def read_large_start(start: str, encoder: BaseEncoder) -> LaterPairReader:
    """Return the network before it is fitted, in floating point: layers that follow the first ones and the head."""
    rule = "start must be the folder or hub name of all-mpnet-base-v2"
    try:
        encoder_of_start = AutoModel.from_pretrained(start, use_safetensors=True)
    except (OSError, ValueError) as error:
        what = str(error).strip().partition("\n")[0][:200]
        raise ValueError(f"{rule}, got {start!r} ({what}); correct the name") from None
    # The table of word pieces stands for all the weights.
    if encoder.words is None or not np.array_equal(word_pieces(encoder_of_start)[0], encoder.words.codes):
        raise ValueError(f"{rule}, got {start!r}, which has other word pieces than samewise-best; name its weights")
    model = LaterPairReader(LaterLayers(encoder_of_start, FIRST_LAYERS))
    head = Path(start) / HEAD
    if head.is_file():
        model.load_state_dict(torch.load(head, weights_only=True, map_location="cpu"), strict=False)
    return model


def to_large_network(model: LaterPairReader, read: PairStates, seed: int = 0) -> bytes:
    """Return the later layers as an ONNX file; the ranges of its activations are measured on some of the pairs."""
    model.eval()
    cpu, names = torch.device("cpu"), ("states", "mask", "segments")
    inputs = (dict(zip(names, read.batch([row], cpu), strict=True)) for row in some_of(len(read.lengths), seed))
    layers = model.layers
    reach = reaches(model, layers.layers, inputs)
    with torch.inference_mode():
        return later_layers_onnx(
            list(layers.layers), layers.config, reach, relative=layers.relative, segments=True, head=model.on_graph
        )


def fitted_large_network(
    pairs: Sequence[tuple[str, str]],
    y: np.ndarray,
    weights: np.ndarray | None,
    params: Mapping[str, Any],
    seed: int | None,
    n_jobs: int | None,
) -> bytes:
    """Return the ONNX file of a network fitted on n pairs, their scores, 0..5, and weights, both of shape (n,)."""
    encoder = base_encoder()

    def fit(seed: int, checkpoint: Path | None) -> bytes:
        torch.manual_seed(seed)
        model, read = read_large_start(params["start"], encoder), PairStates(pairs, encoder)
        plan = Plan(params["epochs"], params["batch_size"], params["learning_rate"])
        learn(model, read, y, plan, seed, checkpoint, weights=weights)
        return to_large_network(model, read, seed)

    with threads(n_jobs):
        return fit_once("base_cross_encoder", encoder.digest, pairs, y, weights, params, seed, fit)


Pair = tuple[str, str]


def lessons_of(
    params: Mapping[str, Any],
    pairs: Sequence[Pair],
    y: np.ndarray,
    weights: np.ndarray | None,
    seed: int,
    n_jobs: int | None,
) -> tuple[list[Pair], np.ndarray]:
    """Return m pairs to learn from, and the score of each, shape (m,)."""
    texts, scores = _lessons_in(Path(params["lessons"]))
    unscored = np.flatnonzero(np.isnan(scores))
    if len(unscored):
        settings = LARGE_SETTINGS | {"start": params["teacher"], "checkpoints": params["checkpoints"]}
        teacher = fitted_large_network(pairs, y, weights, settings, seed, n_jobs)
        scores[unscored] = _scores_of(teacher, [texts[row] for row in unscored.tolist()], params["checkpoints"])
    return texts, scores


def _lessons_in(path: Path) -> tuple[list[Pair], np.ndarray]:
    # Pairs, and their scores, nan where there is none.
    if not path.is_file():
        raise ValueError(f"lessons must be a file, got {path}; name a table of two texts and a score or nothing")
    texts, scores = [], []
    with path.open(encoding="utf-8", newline="") as file:
        for place, row in enumerate(csv.reader(file, delimiter="\t"), 1):
            try:
                a, b, score = row
                scores.append(float(score or np.nan))
            except ValueError:
                raise ValueError(
                    f"each row of lessons must be two texts and a number or nothing, got {row!r:.80} in row {place} of "
                    f"{path.name}; separate the three by tabs"
                ) from None
            texts.append((a, b))
    return texts, np.asarray(scores)


def _scores_of(teacher: bytes, pairs: Sequence[Pair], checkpoints: str | None) -> np.ndarray:
    # Kept beside the checkpoints: a core scores 64 pairs a second, and there are many.
    name = hashlib.sha256(teacher + json.dumps(pairs).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    kept = Path(checkpoints) / f"{name}.npy" if checkpoints else None
    if kept is not None and kept.is_file():
        return np.asarray(np.load(kept, allow_pickle=False))
    distinct = Texts.of(pairs)
    network = Network(teacher, "the teacher", LargeCrossEncoder.declared())
    scores = outputs_of(network, distinct.texts, *distinct.pairs.T)
    if kept is not None:
        np.save(kept, scores)
    return scores


LESSONS = Plan(epochs=1, batch_size=64, rate=7e-5, warm_up=0.05, last=0.02)
"""Plan of the training on lessons, which comes before that on the scores."""


class PairReader(PairHead):
    """A BERT over both texts, and a score from its last states."""

    def __init__(self, encoder: Any) -> None:
        super().__init__(encoder.config.hidden_size)
        self.encoder = encoder

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, segments: torch.Tensor) -> torch.Tensor:
        """Return the score of each row; all arguments have the shape (rows, length)."""
        read = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=segments)
        return self.score(read.last_hidden_state.float(), mask, segments)


def read_start(start: str) -> PairReader:
    """Return the network before it is fitted; its vectors of word pieces are those that ship."""
    rule = f"start must be {WEIGHTS}, a folder or owner/name of a hub"
    if start == WEIGHTS:
        folder = str(files(WEIGHTS.replace("-", "_")).joinpath("model"))
    elif Path(start).is_dir() or start.count("/") == 1:
        folder = start
    else:
        raise ValueError(f"{rule}, got {start!r}; name one of these")
    try:
        encoder = AutoModel.from_pretrained(folder, use_safetensors=True)
    except (OSError, ValueError) as error:
        what = str(error).strip().partition("\n")[0][:200]
        raise ValueError(f"{rule}, got {start!r} ({what}); correct the name") from None
    words, table = shipped_encoder().words, encoder.embeddings.word_embeddings.weight
    assert isinstance(words, WordPieces), "the shipped encoder reads vectors of word pieces"
    if tuple(table.shape) != words.codes.shape or encoder.config.model_type != "bert":
        raise ValueError(
            f"{start!r} has {encoder.config.model_type} with word pieces {tuple(table.shape)} and the shipped encoder "
            f"bert with {words.codes.shape}; start from a model that was made from it"
        )
    with torch.no_grad():
        table.copy_(torch.from_numpy(words.rows(np.arange(len(words)))))
    table.requires_grad = False
    model = PairReader(encoder)
    head = Path(folder) / HEAD
    if head.is_file():
        model.load_state_dict(torch.load(head, weights_only=True, map_location="cpu"), strict=False)
    return model


def to_network(model: PairReader, read: ReadPairs, seed: int = 0) -> bytes:
    """Return a network as an ONNX file; the ranges of its activations are measured on some of the pairs."""
    model.eval()
    cpu = torch.device("cpu")
    some = (read.batch([row], cpu) for row in some_of(len(read.lengths), seed))
    inputs = ({"input_ids": ids, "token_type_ids": segments} for ids, _, segments in some)
    layers = list(model.encoder.encoder.layer)
    reach = reaches(model.encoder, layers, inputs)
    with torch.inference_mode():
        return first_layers_onnx(model.encoder, len(layers), reach, segments=True, head=model.on_graph)


def fitted_network(
    pairs: Sequence[tuple[str, str]],
    y: np.ndarray,
    weights: np.ndarray | None,
    params: Mapping[str, Any],
    seed: int | None,
    n_jobs: int | None,
) -> bytes:
    """Return the ONNX file of a network fitted on n pairs, their scores, 0..5, and weights, both of shape (n,)."""
    if bool(params["lessons"]) != bool(params["teacher"]):
        given = "lessons" if params["lessons"] else "teacher"
        raise ValueError(f"lessons and teacher must be set together, got {given} alone; set both or neither")

    def fit(seed: int, checkpoint: Path | None) -> bytes:
        torch.manual_seed(seed)
        model, read = read_start(params["start"]), ReadPairs(pairs, shipped_encoder())
        if params["lessons"]:
            texts, target = lessons_of(params, pairs, y, weights, seed, n_jobs)
            beside = checkpoint and checkpoint.with_suffix(".lessons.pt")
            learn(model, ReadPairs(texts, shipped_encoder()), target, LESSONS, seed, beside)
        plan = Plan(params["epochs"], params["batch_size"], params["learning_rate"])
        learn(model, read, y, plan, seed, checkpoint, weights=weights)
        return to_network(model, read, seed)

    with threads(n_jobs):
        return fit_once("cross_encoder", shipped_encoder().digest, pairs, y, weights, params, seed, fit)


FITS = {"cross_encoder": fitted_network, "base_cross_encoder": fitted_large_network}
"""The function that fits each cross-encoder."""
