"""Transformers as ONNX networks, run so that a text has the same numbers whatever stands beside it.

A network of ours (``models/neural/transformer_export.py`` makes them) reads the vectors of word pieces, not their
numbers: the table of these vectors takes as much room as all the rest, and several networks share one. To run one::

    tokenizer = read_tokenizer(data, most=128)             # of tokenizer.json
    tokens = [tokenizer.encode(text) for text in texts]    # or .encode(one, other) for a network of two texts
    network = Network(onnx_bytes, "the cross-encoder")     # opened when it is first run, and after unpickling again
    for rows, output in run(network, words, [token.ids for token in tokens], [token.type_ids for token in tokens]):
        result[rows] = output                              # shape (len(rows), ...)

`run` groups texts by their exact number of pieces, so that nothing is ever padded and a mask is not needed: what
padding does to the last bits of a sum would depend on the batch.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # whoever runs no network does not wait for these
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

TOKENS_AT_A_TIME = 512
"""So many, or those of one text, are read at once. More takes more memory and no less time: with 4,096 the profile
`full` scores 148 pairs a second in 1,377 MB, with 512 163 in 917 MB."""


def read_tokenizer(data: bytes, most: int) -> "Tokenizer":
    """Return the tokenizer of a ``tokenizer.json``: without padding, texts cut after `most` pieces, special ones too.

    Raises
    ------
    ValueError
        If the data are none.
    """
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(data.decode("utf-8"))
    except Exception as error:  # the library raises plain exceptions
        raise ValueError(f"is no tokenizer that the installed tokenizers can read ({error})") from None
    tokenizer.no_padding()
    tokenizer.enable_truncation(most)
    return tokenizer


def readable(text: str) -> str:
    """Return the text with `?` for what is no character: a tokenizer refuses a lone surrogate."""
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
            raise ValueError(f"{codes.dtype} codes {codes.shape} and scales {scales.shape} are no table of word pieces")
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

    One core, because whoever wants more scores batches of pairs in several processes, and there more threads would be
    in each other's way. Products of whole numbers are exact on every processor: where those of a network of others
    could saturate, it is run in a slower way (ours cannot, whose weights keep to 7 bits).

    Parameters
    ----------
    data
        The content of the file.
    name
        What it is, for messages.
    path
        Where the file is, if it has weights in another file beside it.
    """

    def __init__(self, data: bytes, name: str = "the network", path: Path | None = None) -> None:
        self.data, self.name, self._path = data, name, path

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # An open session cannot be pickled.
        return Network, (self.data, self.name, self._path)

    @cached_property
    def session(self) -> "InferenceSession":
        """The open network.

        Raises
        ------
        ValueError
            If the data are no network, or one that the installed version cannot run.
        """
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # what goes wrong is raised
        options.add_session_config_entry("session.x64quantprecision", "1")
        try:
            return onnxruntime.InferenceSession(self._path or self.data, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the library's own exceptions share no base class
            what = str(error).partition("\n")[0]
            raise ValueError(f"{self.name} is no network that ONNX Runtime can run ({what})") from None

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs, in their order."""
        return tuple(value.name for value in self.session.get_inputs())

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outputs, in their order."""
        return tuple(value.name for value in self.session.get_outputs())

    def __call__(self, **inputs: np.ndarray) -> np.ndarray:
        """Return the first output for named inputs; those that it does not read are left out.

        Raises
        ------
        ValueError
            If an input is missing, or of another kind or shape.
        """
        try:
            found = self.session.run(self.outputs[:1], {name: inputs[name] for name in self.inputs})
        except ValueError:  # of `session`, or the library's for a missing input
            raise
        except KeyError as error:
            raise ValueError(f"{self.name} reads the unknown input {error}") from None
        except Exception as error:
            what = str(error).partition("\n")[0]
            raise ValueError(f"{self.name} cannot read its input ({what})") from None
        return np.asarray(found[0])


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
    words: WordPieces,
    ids: Sequence[Sequence[int]],
    segments: Sequence[Sequence[int]] | None = None,
    most: int = TOKENS_AT_A_TIME,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Run texts of one length at a time.

    Parameters
    ----------
    network
        It reads ``word_embeddings`` and, if it was made with segments, ``token_type_ids``.
    words
        The table that its pieces are from.
    ids
        For each of n texts its pieces.
    segments
        For each text, parallel to its pieces, 0 or 1: which of two texts a piece is from.
    most
        So many tokens at a time, or those of one text.

    Yields
    ------
    rows
        Which texts; every text once.
    output
        The network's first output, one row a text.
    """
    lengths = np.fromiter(map(len, ids), dtype=np.int64, count=len(ids))
    for rows in by_length(lengths, most):
        # A product of one row with a vector takes another path, whose last bit may differ: no run has a single row.
        some = rows.tolist() * (2 if len(rows) == 1 else 1)
        inputs = {"word_embeddings": words.rows(np.asarray([ids[row] for row in some], dtype=np.int64))}
        if segments is not None:
            inputs["token_type_ids"] = np.asarray([segments[row] for row in some], dtype=np.int64)
        yield rows, network(**inputs)[: len(rows)]
