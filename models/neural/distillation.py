"""Scores by which a small network learns from a larger one (Hinton et al., 2015), fold by fold."""

import csv
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...features.encoders.onnx_transformer import Network
from .base_cross_encoder import SETTINGS, BaseCrossEncoder, outputs_of
from .base_cross_encoder_training import fitted_network
from .transformer_training import Texts

Pair = tuple[str, str]


def lessons_of(
    params: Mapping[str, Any], pairs: Sequence[Pair], y: np.ndarray, seed: int, n_jobs: int | None
) -> tuple[list[Pair], np.ndarray]:
    """Return m pairs to learn from, and the score of each, shape (m,)."""
    texts, scores = _read(Path(params["lessons"]))
    unscored = np.flatnonzero(np.isnan(scores))
    if len(unscored):
        settings = SETTINGS | {"start": params["teacher"], "checkpoints": params["checkpoints"]}
        teacher = fitted_network(pairs, y, settings, seed, n_jobs)
        scores[unscored] = _scores_of(teacher, [texts[row] for row in unscored.tolist()], params["checkpoints"])
    return texts, scores


def _read(path: Path) -> tuple[list[Pair], np.ndarray]:
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
    network = Network(teacher, "the teacher", BaseCrossEncoder.declared())
    scores = outputs_of(network, distinct.texts, *distinct.pairs.T)
    if kept is not None:
        np.save(kept, scores)
    return scores
