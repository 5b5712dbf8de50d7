"""Transformers as ONNX networks, run so that the output for a text does not depend on the other texts.

A network of ours (``models/transformers/transformer_export.py`` makes them) reads vectors of word pieces, or the states
that another one made of them, not their numbers: the table of these vectors takes as much room as all the rest, and
several networks share one. To run one::

    tokenizer = read_tokenizer(data, most=128)             # of tokenizer.json
    ids = [tokenizer.encode(text).ids for text in texts]
    network = Network(onnx_bytes, "the encoder", declared)   # opened when it is first run
    read = lambda rows: {"word_embeddings": words.rows(np.asarray([ids[row] for row in rows]))}
    for rows, output in run(network, lengths, read):       # lengths of `ids`
        result[rows] = output                              # shape (len(rows), ...)

`run` groups texts by their exact number of pieces, so that nothing is ever padded and a mask is not needed:
the effect of padding on the last bits of a sum would depend on the batch.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .network_checks import Declared, check_place, checked, tensor_files
from .networks import MEMORY, SECONDS, open_session, run_bounded

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer


class LowerStates(NamedTuple):
    """States of all word pieces of n texts, special ones too.

    Attributes
    ----------
    values
        Shape (m, d), float32, text by text.
    offsets
        Shape (n + 1,), int64: the pieces of text i are ``offsets[i]`` to before ``offsets[i + 1]``.
    """

    values: np.ndarray
    offsets: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """Number of pieces of each text, shape (n,)."""
        return np.diff(self.offsets)

    def of(self, rows: np.ndarray) -> np.ndarray:
        """Return the states of texts of one length, shape (rows, length, d)."""
        return self.values[self.offsets[rows][:, None] + np.arange(self.lengths[rows[0]])]


TOKENS_AT_A_TIME = 512
"""Greatest number of tokens read at once, unless one text has more.

More tokens take more memory and no less time: with 4,096 the profile `full` scores 148 pairs a second in 1,377 MB, with
512 163 in 917 MB.
"""

LARGEST = 1e9
"""Greatest number that a network may give; sums and squares of such numbers stay finite."""

_LONGEST_REASON = 400


def read_tokenizer(data: bytes, most: int) -> "Tokenizer":
    """Return the tokenizer of a ``tokenizer.json``: without padding, texts cut after `most` pieces, special ones too.

    Raises
    ------
    ValueError
        If the data are not a tokenizer.
    """
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(data.decode("utf-8"))
    except Exception as error:  # the library raises plain exceptions
        raise ValueError(f"tokenizer.json cannot be read by tokenizers ({error}); get a complete copy") from None
    tokenizer.no_padding()
    tokenizer.enable_truncation(most)
    return tokenizer


def readable(text: str) -> str:
    """Return the text with `?` for lone surrogates, which tokenizers refuse."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


class WordPieces:
    """The vectors of word pieces: whole numbers from -127 to 127 times a scale of each row.

    Parameters
    ----------
    codes
        Shape (m, d), int8.
    scales
        Shape (m,), float32.

    Raises
    ------
    ValueError
        If they do not fit together.
    """

    def __init__(self, codes: np.ndarray, scales: np.ndarray) -> None:
        if codes.dtype != np.int8 or codes.ndim != 2 or scales.shape != codes.shape[:1]:
            raise ValueError(
                f"a table of word pieces must have a scale for each row of int8 codes, got {codes.dtype} codes "
                f"{codes.shape} and scales {scales.shape}; make it again"
            )
        self.codes, self.scales = codes, scales

    def __len__(self) -> int:
        """Return the number of pieces."""
        return len(self.codes)

    @property
    def dimension(self) -> int:
        """Number of coordinates."""
        return int(self.codes.shape[1])

    def rows(self, ids: np.ndarray) -> np.ndarray:
        """Return the vector of each piece, shape ``(*ids.shape, d)``, float32."""
        return self.codes[ids] * self.scales[ids][..., None]


class Network:
    """An ONNX network of one output on one core of the CPU; it is opened when it is first used.

    One core, because several processes score batches of pairs at once, and more threads would compete for cores.
    Products of whole numbers are exact on every processor: a user-supplied network whose products could saturate is run
    in a slower way. Ours cannot saturate: their weights have 7 bits.

    Parameters
    ----------
    data
        The content of the file.
    name
        Name of the network for messages.
    declared
        Its inputs and its output. A shipped kind of network has them, and may hold checked operators alone
        (`network_checks`). None for a user-supplied network, which may hold any operator.
    folder, path
        For a user-supplied network with weights in other files: the folder that the user named, and the place of the
        file in it.
    """

    def __init__(
        self,
        data: bytes,
        name: str,
        declared: Declared | None,
        folder: Path | None = None,
        path: Path | None = None,
    ) -> None:
        self.data, self.name, self.declared, self._folder, self._path = data, name, declared, folder, path

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # An open session cannot be pickled.
        return Network, (self.data, self.name, self.declared, self._folder, self._path)

    @cached_property
    def session(self) -> "InferenceSession":
        """The open network.

        Raises
        ------
        ValueError
            If the data are not a network, hold forbidden parts, or cannot be run by the installed version.
        """
        try:
            network: bytes | Path = self.data if self.declared is None else checked(self.data, self.declared)
            if self.declared is None and (outside := tensor_files(self.data)):
                if self._path is None or self._folder is None:
                    raise ValueError(f"hold all its tensors in its own bytes, got one in {min(outside)!r:.80}")
                for place in outside:
                    check_place(place, self._path, self._folder)
                network = self._path
        except ValueError as error:
            raise ValueError(f"{self.name} must {error}; get a complete copy from a source that you trust") from None
        try:
            return open_session(network, ours=self.declared is not None)
        except Exception as error:  # the library's own exceptions share no base class
            what = _first_line(error)
            raise ValueError(f"{self.name} cannot be run by ONNX Runtime ({what}); get a complete copy") from None

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs, in their order."""
        return tuple(value.name for value in self.session.get_inputs())

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outputs, in their order."""
        return tuple(value.name for value in self.session.get_outputs())

    def __call__(self, **inputs: np.ndarray) -> np.ndarray:
        """Return the first output for named inputs; inputs that it does not read are ignored."""
        names = self.outputs[:1]
        try:
            given = {name: inputs[name] for name in self.inputs}
            values = run_bounded(self.session, names, given) if self.declared else self.session.run(names, given)
        except ValueError:  # of `session`, or the library's for a missing input
            raise
        except KeyError as error:
            raise ValueError(
                f"{self.name} must read only inputs that samewise gives, got {error}; use another network"
            ) from None
        except TimeoutError:
            raise ValueError(
                f"{self.name} must finish within {SECONDS:.0f} s of processor time, and did not; use another network"
            ) from None
        except Exception as error:
            what = _first_line(error)
            if "smaller than requested bytes" in what:
                raise ValueError(
                    f"{self.name} must need at most {MEMORY >> 20} MB of memory for {TOKENS_AT_A_TIME} tokens, and "
                    "asks for more; use another network"
                ) from None
            raise ValueError(f"{self.name} cannot read its input ({what})") from None
        output = np.asarray(values[0])
        if output.dtype.kind == "f" and output.size and not (-LARGEST <= output.min() and output.max() <= LARGEST):
            raise ValueError(
                f"{self.name} must give finite numbers up to {LARGEST:.0e}, got {output.min()} to {output.max()}; use "
                "another network"
            )
        return output


def check_shape(network: Network, output: np.ndarray, *shape: int) -> np.ndarray:
    """Return the output of a network, or raise ValueError if it is not float32 of a shape."""
    if output.shape != shape or output.dtype != np.float32:
        raise ValueError(
            f"{network.name} must give float32 of shape {shape}, got {output.dtype} of shape {output.shape}; use "
            "another network"
        )
    return output


def _first_line(error: Exception) -> str:
    # The library quotes names of the network, which may hold anything and be of any length.
    line = str(error).partition("\n")[0][:_LONGEST_REASON]
    return "".join(character if character.isprintable() else "?" for character in line)


def by_length(lengths: np.ndarray, most: int = TOKENS_AT_A_TIME) -> Iterator[np.ndarray]:
    """Yield the rows of one length, in order, and at most `most` tokens of them at a time; short rows first."""
    order = np.argsort(lengths, kind="stable")
    ordered = lengths[order]
    for group in np.split(order, np.flatnonzero(np.diff(ordered)) + 1):
        step = max(1, most // max(int(lengths[group[0]]), 1)) if len(group) else 1
        for start in range(0, len(group), step):
            yield group[start : start + step]


def run(
    network: Network,
    lengths: np.ndarray,
    inputs: Callable[[np.ndarray], dict[str, np.ndarray]],
    most: int = TOKENS_AT_A_TIME,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Run rows of one length at a time.

    Parameters
    ----------
    network
        Network to run.
    lengths
        Number of pieces of each row, shape (n,).
    inputs
        Returns the inputs of the network for the indices of rows of one length.
    most
        Greatest number of tokens at a time, unless one row has more.

    Yields
    ------
    rows
        Indices of rows; every row once.
    output
        The network's first output for them.
    """
    for rows in by_length(lengths, most):
        # The product of a single row is computed in another way, and its last bit may differ: no run has a single row.
        run_rows = np.repeat(rows, 2) if len(rows) == 1 else rows
        yield rows, network(**inputs(run_rows))[: len(rows)]
