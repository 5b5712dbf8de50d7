"""Where pairs are points: standardised columns of features, or vectors of the sentence encoder; kept in a file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from .k_center import ROWS, blocks

if TYPE_CHECKING:
    from ....features.declaration import Feature
    from ....features.encoders.sentence_encoder import SentenceEncoder
    from ...core.predictor import Predictor

SPACES = ("features", "encoder")


class Space(Protocol):
    """What makes points of pairs.

    Attributes
    ----------
    dimension
        Coordinates of a point.
    standardised
        Whether the columns are to have mean 0 and deviation 1.
    """

    dimension: int
    standardised: bool

    def points(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """Return the points of n pairs, shape (n, dimension), float32."""
        ...


class FeatureSpace:
    """Columns of features, with what a model counted on its training texts.

    Parameters
    ----------
    model
        Whose resources are used, and whose columns unless others are named.
    features
        Other features; see `catalogue.resolve`.

    Raises
    ------
    ValueError
        If a feature needs what the model was not fitted with.
    """

    standardised = True

    def __init__(self, model: "Predictor", features: "str | Sequence[str | Feature] | None" = None) -> None:
        from ....features.catalogue import resolve
        from ....features.declaration import highest_level

        self._model = model
        self._features, self._columns = (model.features, model.columns) if features is None else resolve(features)
        for value in self._features:
            for need in value.needs:
                if need not in model.resources:
                    raise ValueError(
                        f"{value.full_name} needs the resource {need!r}, which the model was not fitted with; use "
                        f"--profile full, or a model trained with such features"
                    )
        self._level = highest_level(self._features)
        self.dimension = len(self._columns)

    def points(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """Return the columns of n pairs, as they are."""
        from ....features.matrix import extract

        batch = self._model.analyse(pairs, self._level)
        return extract(batch, self._features, self._model.resources, columns=self._columns).values


class EncoderSpace:
    """Products and absolute differences of the vectors that the sentence encoder gives to the two texts.

    Parameters
    ----------
    encoder
        The encoder; the one that ships if None.
    """

    standardised = False

    def __init__(self, encoder: "SentenceEncoder | None" = None) -> None:
        from ....features.encoders.sentence_encoder import shipped_encoder

        self._encoder = encoder or shipped_encoder()
        self.dimension = 2 * self._encoder.dimension

    def points(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """Return ``[u * v; |u - v|]`` of n pairs; the same for either order of the texts."""
        from ....features.analysis import normalise

        texts = [(normalise(a), normalise(b)) for a, b in pairs]
        place = {text: k for k, text in enumerate(dict.fromkeys(text for pair in texts for text in pair))}
        vectors = self._encoder.vectors(list(place))
        u, v = (vectors[[place[pair[side]] for pair in texts]] for side in (0, 1))
        return np.hstack([u * v, np.abs(u - v)])


class PointFile:
    """Points on disk, added in blocks; the statistics of their columns are counted on the way.

    Parameters
    ----------
    path
        The file to make: 4 bytes a coordinate.
    dimension
        Coordinates of a point.
    """

    def __init__(self, path: Path, dimension: int) -> None:
        self._path, self._dimension = path, dimension
        self._count = 0
        self._mean = np.zeros(dimension)
        self._squares = np.zeros(dimension)  # of deviations from the mean

    def add(self, points: np.ndarray) -> None:
        """Append points, shape (n, dimension)."""
        with self._path.open("ab") as file:
            np.ascontiguousarray(points, dtype=np.float32).tofile(file)
        n, values = len(points), points.astype(np.float64)
        if not n:
            return
        # Two parts' means and squares make those of the whole (Chan, Golub and LeVeque, 1983).
        mean = values.mean(axis=0)
        apart, total = mean - self._mean, self._count + n
        self._squares += ((values - mean) ** 2).sum(axis=0) + apart**2 * self._count * n / total
        self._mean += apart * n / total
        self._count = total

    def read(self, standardised: bool) -> np.ndarray:
        """Return all points, shape (n, dimension), float32, mapped into memory.

        Parameters
        ----------
        standardised
            Give every column mean 0 and deviation 1; one that is the same for all points becomes 0.
        """
        if not self._count:
            return np.empty((0, self._dimension), dtype=np.float32)
        shape = (self._count, self._dimension)
        points = np.memmap(self._path, dtype=np.float32, mode="r+", shape=shape)
        if standardised:
            deviation = np.sqrt(self._squares / self._count)
            varies = deviation > 1e-9 * np.maximum(np.abs(self._mean), 1.0)
            scale = np.where(varies, 1.0 / np.where(varies, deviation, 1.0), 0.0)
            for part in blocks(self._count, ROWS):
                points[part] = (points[part] - self._mean) * scale
        return points
