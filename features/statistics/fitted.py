"""Base class of resources: named arrays that are fitted on sentences and stored with a model.

A resource may come from a crafted bundle. Its code relies on the layout and does not check again.
"""

import hashlib
import io
from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import ge
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from ..base.sentences import Sentence

MOST_WORDS, MOST_TEXT = 1 << 20, 1 << 23
"""Most words of an array and most bytes of their text: each word takes some 150 bytes when it is looked up."""


class Numbers(NamedTuple):
    """An array of numbers.

    Attributes
    ----------
    dtype
        Its type.
    shape
        Its lengths; a name stands for one length, the same in all arrays.
    least, most
        Its range; the name of a single number of the same resource stands for that.
    ascending
        Whether no number is smaller than the one before.
    longest
        Greatest length.
    """

    dtype: type[np.generic]
    shape: tuple[int | str, ...] = ()
    least: float = 0
    most: float | str = 2.0**53
    ascending: bool = False
    longest: int = 1 << 24


class Words(NamedTuple):
    """Distinct words as UTF-8 in one array of bytes, in the order of the bytes, separated by one byte.

    Attributes
    ----------
    size
        Name of the number of words.
    separator
        Byte between two words.
    """

    size: str
    separator: bytes = b"\n"


Layout: TypeAlias = Mapping[str, Numbers | Words]


def check_arrays(arrays: Mapping[str, np.ndarray], layout: Layout, owner: str, remedy: str = "fit it again") -> None:
    """Raise a ValueError for the first array that is missing or has another layout."""
    missing = [name for name in layout if name not in arrays]
    if missing:
        raise ValueError(f"{owner} must have the array {missing[0]!r}, got none; {remedy}")
    lengths: dict[str, int] = {}
    for name, declared in layout.items():
        fault = (
            _fault_of_words(arrays[name], declared, lengths)
            if isinstance(declared, Words)
            else _fault_of_numbers(arrays[name], declared, arrays, lengths)
        )
        if fault:
            raise ValueError(f"the array {name!r} of {owner} must {fault}; {remedy}")


def _fault_of_shape(array: np.ndarray, shape: tuple[int | str, ...], lengths: dict[str, int]) -> str:
    expected = [lengths.get(length, length) if isinstance(length, str) else length for length in shape]
    if array.ndim != len(shape) or any(
        isinstance(length, int) and length != there for length, there in zip(expected, array.shape, strict=True)
    ):
        return f"have the shape ({', '.join(map(str, expected))}), got {array.shape}"
    lengths.update((name, there) for name, there in zip(shape, array.shape, strict=True) if isinstance(name, str))
    return ""


def _fault_of_numbers(
    array: np.ndarray, declared: Numbers, arrays: Mapping[str, np.ndarray], lengths: dict[str, int]
) -> str:
    if array.dtype != declared.dtype:
        return f"hold {declared.dtype.__name__}, got {array.dtype}"
    fault = _fault_of_shape(array, declared.shape, lengths)
    if max(array.shape, default=0) > declared.longest:
        return f"have lengths up to {declared.longest}, got {array.shape}"
    if fault or not array.size:
        return fault
    # A named limit stands before in the layout, so that it is one sound number here.
    most = float(arrays[declared.most]) if isinstance(declared.most, str) else declared.most
    low, high = array.min(), array.max()
    if not (declared.least <= low and (high <= most or array.dtype.kind == "u")):  # hashes use all bits
        return f"hold numbers from {declared.least:g} to {most:g}, got {low:g} to {high:g}"
    if declared.ascending and (array[1:] < array[:-1]).any():
        return "be in ascending order"
    return ""


def _fault_of_words(array: np.ndarray, declared: Words, lengths: dict[str, int]) -> str:
    if array.dtype != np.uint8 or array.ndim != 1:
        return f"be a row of bytes, got {array.dtype} of shape {array.shape}"
    if len(array) > MOST_TEXT:
        return f"have up to {MOST_TEXT} bytes, got {len(array)}"
    data = array.tobytes()
    if data.count(declared.separator) >= MOST_WORDS:
        return f"hold up to {MOST_WORDS} words, got more"
    words = data.split(declared.separator) if data else []
    if lengths.setdefault(declared.size, len(words)) != len(words):
        return f"hold {lengths[declared.size]} words, got {len(words)}"
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        return f"be UTF-8, got {data[error.start : error.start + 8]!r} at byte {error.start}"
    if words and not words[0] or any(map(ge, words, words[1:])):
        return "hold distinct words in the order of their bytes"
    return ""


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
