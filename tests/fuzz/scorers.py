"""A scorer that costs nothing, and places for files that cost little."""

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from samewise.ensemble.core.predictor import Prediction
from samewise.ensemble.core.scale import POINTS


class Lengths:
    """A model: how similar two texts are in length; long texts get a flag."""

    signature = "lengths"
    scale = POINTS

    def predict_pairs(self, pairs):
        score = np.array([5.0 / (1 + abs(len(a) - len(b))) for a, b in pairs])
        flags = [("long",) if len(a) > 5 else () for a, _ in pairs]
        return Prediction(score, score / 3, np.minimum(score * 1.1, 5.0), flags)


@contextmanager
def fresh_folder():
    """Yield an empty folder, in memory where the system has such a place."""
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        yield Path(folder)
