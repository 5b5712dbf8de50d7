"""Coverage of a pool by greedy k-center, in a space of standardised feature columns or of sentence vectors."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pyarrow as pa

from .k_center import ROWS, blocks, k_center_greedy
from .selection_methods import Choice

if TYPE_CHECKING:
    from ....ensemble.core.predictor import Predictor
    from ....features.base.feature import Feature
    from ....features.encoders.sentence_encoder import SentenceEncoder

SPACES = ("features", "encoder")


class Coverage:
    """Coverage by k-center: every pair is near a chosen or labelled one (Sener and Savarese, 2018)."""

    def __init__(self, space: "Space", folder: Path, labelled: Sequence[tuple[str, str]] = (), seed: int = 0) -> None:
        self._space, self._seed, self._labelled = space, seed, len(labelled)
        self._file = PointFile(folder / "points.f32", space.dimension)
        # Labelled pairs are points of the same space, so they count in its statistics.
        for start in range(0, len(labelled), 2_048):
            self._file.add(space.points(labelled[start : start + 2_048]))

    def see(self, pairs: Sequence[tuple[str, str]], batch: pa.RecordBatch) -> None:
        """Make points of the pairs."""
        self._file.add(self._space.points(pairs))

    def choose(self, k: int, n: int) -> Choice:
        """Choose k points; the column ``distance`` holds the distance of each to the nearest earlier one."""
        whole = self._file.read(self._space.standardised)
        points, labelled = whole[self._labelled :], whole[: self._labelled]
        centres = k_center_greedy(points, k, labelled, self._seed)
        facts = {"dimension": self._space.dimension, "start": centres.start, "radius": centres.radius}
        # The first choice has no distance: null.
        distance = pa.array(centres.distances, pa.float64(), mask=np.isnan(centres.distances))
        return Choice(centres.rows, {"distance": distance}, facts)


class Space(Protocol):
    """Function from pairs to points.

    Attributes
    ----------
    dimension
        Number of coordinates of a point.
    standardised
        True if columns are scaled to mean 0 and deviation 1.
    """

    dimension: int
    standardised: bool

    def points(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """Return the points of n pairs, shape (n, dimension), float32."""
        ...


class FeatureSpace:
    """Columns of features, computed with the resources of a model."""

    standardised = True

    def __init__(self, model: "Predictor", features: "str | Sequence[str | Feature] | None" = None) -> None:
        from ....features.base.feature import highest_level
        from ....features.pipeline.catalogue import resolve

        self._model = model
        self._features, self._columns = (model.features, model.columns) if features is None else resolve(features)
        for value in self._features:
            for need in value.needs:
                if need not in model.resources:
                    raise ValueError(
                        f"the model must have the resource {need!r} for {value.full_name}, got a model without it; use "
                        "--model full, or a model trained with such features"
                    )
        self._level = highest_level(self._features)
        self.dimension = len(self._columns)

    def points(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """Return the columns of n pairs, not standardised."""
        from ....features.pipeline.matrix import extract

        batch = self._model.analyse(pairs, self._level)
        return extract(batch, self._features, self._model.resources, columns=self._columns).values


class EncoderSpace:
    """Products and absolute differences of the sentence vectors of the two texts."""

    standardised = False

    def __init__(self, encoder: "SentenceEncoder | None" = None) -> None:
        from ....features.encoders.sentence_encoder import shipped_encoder

        self._encoder = encoder or shipped_encoder()
        self.dimension = 2 * self._encoder.dimension

    def points(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """Return ``[u * v; |u - v|]`` of n pairs; the same for either order of the texts."""
        from ....features.analysis.analysis import HEAD_CHARACTERS, cut, normalise

        texts = [(cut(normalise(a), HEAD_CHARACTERS), cut(normalise(b), HEAD_CHARACTERS)) for a, b in pairs]
        place = {text: k for k, text in enumerate(dict.fromkeys(text for pair in texts for text in pair))}
        vectors = self._encoder.vectors(list(place))
        u, v = (vectors[[place[pair[side]] for pair in texts]] for side in (0, 1))
        return np.hstack([u * v, np.abs(u - v)])


class PointFile:
    """File of points, added in blocks, with running statistics of its columns."""

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
        """Return all points, shape (n, dimension), float32, mapped into memory."""
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
