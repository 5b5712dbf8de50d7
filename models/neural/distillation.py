"""Scores by which a small network learns from a larger one (Hinton et al., 2015), fold by fold."""

import csv
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
    """Return m pairs to learn from, and the score of each, shape (m,).

    The teacher is fitted on the same n pairs as the network that learns from it, so that neither has seen the scores of
    pairs that are held out.

    Parameters
    ----------
    params
        Settings of the network that learns: ``lessons``, a table without a header whose rows are two texts and a score
        or nothing; ``teacher``, the setting ``start`` of the larger cross-encoder that scores the rows without one; and
        ``checkpoints``.
    pairs, y
        The pairs that are fitted on, and their scores, shape (n,), 0..5.
    seed, n_jobs
        As for the network that learns.

    Raises
    ------
    ValueError
        If a row of the table has other cells.
    """
    path = Path(params["lessons"])
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    for place, row in enumerate(rows, 1):
        if len(row) != 3:
            raise ValueError(
                f"each row of lessons must be two texts and a score or nothing, got {len(row)} cells in row {place} of "
                f"{path.name}; separate them by tabs"
            )
    texts = [(a, b) for a, b, _ in rows]
    open_rows = [place for place, row in enumerate(rows) if not row[2]]
    scores = np.asarray([float(row[2] or 0.0) for row in rows])
    if open_rows:
        settings = SETTINGS | {"start": params["teacher"], "checkpoints": params["checkpoints"]}
        network = Network(fitted_network(pairs, y, settings, seed, n_jobs), "the teacher", BaseCrossEncoder.declared())
        distinct = Texts.of([texts[place] for place in open_rows])
        scores[open_rows] = outputs_of(network, distinct.texts, *distinct.pairs.T)
    return texts, scores
