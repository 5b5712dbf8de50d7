"""Base class of resources: named arrays that are fitted on sentences and stored with a model."""

import hashlib
import io
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..sentences import Sentence
from .array_layouts import Layout, check_arrays


class Resource:
    """Named arrays fitted on sentences of an analysis level.

    Parameters
    ----------
    arrays
        The stored arrays, laid out as in `layout`.

    Raises
    ------
    ValueError
        If one is missing or laid out in another way.

    Attributes
    ----------
    layout
        The arrays by name, each with its type, shape, range and order.
    tables
        Names of the shipped tables that it reads when it is fitted.
    """

    name: ClassVar[str]
    layout: ClassVar[Layout] = {}
    level: ClassVar[str] = "tokens"
    tables: ClassVar[tuple[str, ...]] = ()

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._keep(arrays, self.layout)

    def _keep(self, arrays: Mapping[str, np.ndarray], layout: Layout) -> None:
        check_arrays(arrays, layout, f"the resource {self.name!r}")
        self.arrays = {key: np.asarray(arrays[key]) for key in layout}

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "Resource":
        """Return the resource fitted on distinct sentences."""
        raise NotImplementedError

    def __reduce__(self) -> tuple[Any, ...]:
        # The arrays alone: derived values are larger, and quickly computed again.
        return type(self), (self.arrays,)

    @cached_property
    def digest(self) -> str:
        """Hex digest of the content."""
        digest = hashlib.sha256(self.name.encode())
        for key, array in self.arrays.items():
            digest.update(f"{key} {array.dtype.str} {array.shape}".encode() + array.tobytes())
        return digest.hexdigest()[:16]

    def to_bytes(self) -> bytes:
        """Return the arrays as a compressed npz file; the same bytes for the same content."""
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **self.arrays)  # type: ignore[arg-type]
        return buffer.getvalue()
