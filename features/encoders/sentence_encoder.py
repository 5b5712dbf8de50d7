"""Sentence encoders (Reimers and Gurevych, 2019): vectors of texts, and states of their word pieces."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..arrays.ragged import offsets_of
from .onnx_transformer import TOKENS_AT_A_TIME, LowerStates, Network, WordPieces, by_length, check_shape, readable
from .shipped_files import BlockWordPieces, read_parts

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

HERE = Path(__file__).parents[1] / "data" / "encoder"

MOST_PIECES = 128
"""Greatest number of pieces of a text for the shipped encoder, special ones included."""

FIRST_LAYERS = 3
"""Number of layers of the shipped encoder, of six, that other networks read the states of."""

DIMENSION = 384
"""Number of coordinates of the vectors of the shipped encoder."""

POOLINGS = ("mean", "cls")
"""Vector of a text from the states of its pieces: their mean, or the state of the first."""

_LEVELS = 127
_EXACT = 2**24 - 1  # whole numbers up to it are exact in float32


class Encoded(NamedTuple):
    """Encodings of n texts.

    Attributes
    ----------
    vectors
        Shape (n, d), float32, of length 1; zeros where the network gives zeros.
    codes
        Shape (m, d), int8: the states of all pieces but the special ones, text by text, as whole numbers whose inner
        products are exact in float32. Pieces after the cut of a long text are missing.
    scales
        Shape (m,), float32: ``codes * scales[:, None]`` are the states.
    pieces
        Shape (m,), int64: the number of each piece in the vocabulary.
    spans
        Shape (m, 2), int64: start and end of the characters of the text that each piece stands for.
    offsets
        Shape (n + 1,): the pieces of text i are ``offsets[i]`` to before ``offsets[i + 1]``.
    """

    vectors: np.ndarray
    codes: np.ndarray
    scales: np.ndarray
    pieces: np.ndarray
    spans: np.ndarray
    offsets: np.ndarray

    @property
    def states(self) -> np.ndarray:
        """The states of the pieces, shape (m, d), float32."""
        return self.codes * self.scales[:, None]

    def split(self) -> list["Encoded"]:
        """Return the encoding of each text alone."""
        parts = []
        for row, (start, end) in enumerate(zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True)):
            codes, scales, pieces, spans = (array[start:end].copy() for array in self[1:5])
            vector = self.vectors[row : row + 1].copy()
            parts.append(Encoded(vector, codes, scales, pieces, spans, np.asarray([0, end - start])))
        return parts

    @classmethod
    def join(cls, parts: Sequence["Encoded"]) -> "Encoded":
        """Return the encodings of all texts of several parts, in order."""
        vectors, codes, scales, pieces, spans, lengths = (
            np.concatenate(column)
            for column in zip(*((*part[:5], np.diff(part.offsets)) for part in parts), strict=True)
        )
        return cls(vectors, codes, scales, pieces, spans, offsets_of(lengths))

    def pack(self) -> bytes:
        """Return the encoding of a single text as bytes, which `unpack` reads."""
        size = np.asarray(self.vectors.shape[1], "<i4")
        numbers = self.vectors, self.scales.astype("<f4"), self.pieces.astype("<i4"), self.spans.astype("<i4")
        return b"".join(array.tobytes() for array in (size, *numbers, self.codes))

    @classmethod
    def unpack(cls, data: bytes) -> "Encoded":
        """Return the encoding that `pack` wrote."""
        size = int(np.frombuffer(data, "<i4", 1)[0])
        count = (len(data) - 4 - 4 * size) // (16 + size)
        numbers = np.frombuffer(data, "<i4", size + 4 * count, 4)
        vector, scales, pieces, spans = np.split(numbers, np.cumsum([size, count, count]))
        codes = np.frombuffer(data, np.int8, offset=4 + 4 * len(numbers)).reshape(count, size)
        return cls(
            vector.view("<f4")[None],
            codes,
            scales.view("<f4"),
            pieces.astype(np.int64),
            spans.astype(np.int64).reshape(-1, 2),
            np.asarray([0, count]),
        )


class SentenceEncoder:
    """Encoder of texts; the encoding of a text does not depend on the other texts.

    Parameters
    ----------
    network
        A network from ``word_embeddings``, or any of ``input_ids``, ``attention_mask`` and ``token_type_ids``, to the
        states of the pieces, shape (texts, length, d); with `later`, to those after the first layers.
    tokenizer
        As returned by `onnx_transformer.read_tokenizer`.
    words
        Table of word pieces, if the network reads their vectors.
    pooling
        One of `POOLINGS`.
    prompt
        Text before every text.
    digest
        Hex digest of the content.
    alone
        Run one text at a time, which takes three times as long, for a network that takes the scale of its whole numbers
        from the batch, so that a text would depend on the others.
    later
        The later layers, from ``lower_states`` to the states, where they are a separate network.

    Raises
    ------
    ValueError
        If the network cannot be run, or its output has another type or shape.
    """

    def __init__(
        self,
        network: Network,
        tokenizer: "Tokenizer",
        words: WordPieces | BlockWordPieces | None = None,
        *,
        pooling: str = "mean",
        prompt: str = "",
        digest: str = "",
        alone: bool = False,
        later: Network | None = None,
    ) -> None:
        if pooling not in POOLINGS:
            raise ValueError(f"pooling must be {' or '.join(POOLINGS)}, got {pooling!r}")
        self._network, self._tokenizer, self.words, self._later = network, tokenizer, words, later
        self._pooling, self._prompt, self.digest = pooling, readable(prompt), digest
        self._most = 1 if alone else TOKENS_AT_A_TIME

    @cached_property
    def dimension(self) -> int:
        """Number of coordinates."""
        token = self._tokenizer.encode(f"{self._prompt}word")
        states = self._last_states(self._first_states([token]))
        if states.ndim != 3 or states.shape[:2] != (1, len(token.ids)) or states.dtype != np.float32:
            raise ValueError(
                f"the first output of {self._network.name} must be the states of the pieces, float32 of shape (texts, "
                f"pieces, coordinates), got {states.dtype} of shape {states.shape} for {len(token.ids)} pieces"
            )
        return int(states.shape[2])

    def _first_states(self, tokens: Sequence["Encoding"]) -> np.ndarray:
        # All texts have one length.
        return self.first_states(np.asarray([token.ids for token in tokens], dtype=np.int64))

    def first_states(self, ids: np.ndarray) -> np.ndarray:
        """Return the states after the first network, shape (n, length, d), of word pieces, shape (n, length), int64."""
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        if self.words is not None:
            inputs["word_embeddings"] = self.words.rows(ids)
        return self._network(**inputs)

    def _last_states(self, first: np.ndarray) -> np.ndarray:
        return first if self._later is None else self._later(lower_states=first)

    @cached_property
    def special(self) -> tuple[int, ...]:
        """Special pieces of every text, in order; for a BERT those before and after it."""
        return tuple(self._tokenizer.encode("").ids)

    def tokens(self, texts: Sequence[str]) -> list["Encoding"]:
        """Return texts cut into word pieces, special ones included, as encodings of the library."""
        # One by one is as fast as all together on one core, and starts no threads in a worker process.
        encode = self._tokenizer.encode
        return [encode(self._prompt + readable(text)) for text in texts]

    def _runs(
        self, tokens: Sequence["Encoding"], lower: LowerStates | None = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for rows in by_length(np.fromiter(map(len, tokens), np.int64, len(tokens)), self._most):
            if length := len(tokens[rows[0]]):
                first = lower.of(rows) if lower else self._first_states([tokens[row] for row in rows.tolist()])
                states = self._last_states(first)
                yield rows, check_shape(self._later or self._network, states, len(rows), length, self.dimension)

    def _pool(self, states: np.ndarray) -> np.ndarray:
        if self._pooling == "cls":
            pooled = states[:, 0].copy()
        else:
            pooled = np.zeros_like(states[:, 0])
            for place in range(states.shape[1]):  # in this order, whatever the number of texts
                pooled += states[:, place]
        length = np.sqrt(np.square(pooled, dtype=np.float64).sum(axis=1))
        return (pooled / np.where(length > 0, length, 1.0)[:, None]).astype(np.float32)

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        """Return a unit vector for each text, shape (n, d), float32."""
        tokens = self.tokens(texts)
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for rows, states in self._runs(tokens):
            vectors[rows] = self._pool(states)
        return vectors

    def lower_states(self, texts: Sequence[str]) -> LowerStates:
        """Return the states of the pieces of texts after the first network, special pieces included."""
        tokens = self.tokens(texts)
        offsets = offsets_of(np.fromiter(map(len, tokens), np.int64, len(tokens)))
        values = np.empty((offsets[-1], self.dimension), dtype=np.float32)
        for rows in by_length(np.diff(offsets), self._most):
            first = self._first_states([tokens[row] for row in rows.tolist()])
            check_shape(self._network, first, len(rows), len(tokens[rows[0]]), self.dimension)
            values[offsets[rows][:, None] + np.arange(first.shape[1])] = first
        return LowerStates(values, offsets)

    def encode(self, texts: Sequence[str], lower: LowerStates | None = None) -> Encoded:
        """Return the vectors of texts and the states of their pieces; repeated texts are encoded again.

        With their `lower_states`, only the later layers are run.
        """
        tokens, before = self.tokens(texts), len(self._prompt)
        ids = _flat([token.ids for token in tokens])
        special = _flat([token.special_tokens_mask for token in tokens]).astype(bool)
        spans = np.asarray([span for token in tokens for span in token.offsets], dtype=np.int64).reshape(-1, 2) - before
        starts = offsets_of(np.fromiter(map(len, tokens), np.int64, len(tokens)))
        kept = ~special & (spans[:, 0] >= 0)
        place = np.concatenate([[0], np.cumsum(kept)])
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        codes = np.empty((place[-1], self.dimension), dtype=np.int8)
        scales = np.empty(place[-1], dtype=np.float32)
        for rows, states in self._runs(tokens, lower):
            vectors[rows] = self._pool(states)
            at = starts[rows][:, None] + np.arange(states.shape[1])
            some = kept[at]
            target = place[at[some]]
            codes[target], scales[target] = whole(states[some])
        return Encoded(vectors, codes, scales, ids[kept], spans[kept], place[starts])


def _flat(rows: list[list[int]]) -> np.ndarray:
    return np.asarray([value for row in rows for value in row], dtype=np.int64)


def whole(states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return int8 codes and float32 scales whose products are nearest to vectors of shape (m, d), float32.

    The codes are as large as possible, up to 127, while inner products of d of them are exact in float32.
    """
    most = min(_LEVELS, int((_EXACT / max(states.shape[1], 1)) ** 0.5))
    scales = np.abs(states).max(axis=1, initial=0.0) / np.float32(most)
    codes = np.rint(states / np.where(scales > 0, scales, np.float32(1.0))[:, None])
    return codes.astype(np.int8), scales


@lru_cache(maxsize=1)
def shipped_encoder() -> SentenceEncoder:
    """Return the encoder that ships with the package, checked against its manifest, once a process.

    ``data/encoder/README.md`` describes it and its training.

    Raises
    ------
    ValueError
        If a file is missing, cut or changed.
    """
    return read_shipped(HERE)


def read_shipped(folder: Path) -> SentenceEncoder:
    """Return the encoder of a folder that ``scripts/make_encoder.py`` made; see `shipped_encoder`."""
    networks, title = ("lower.onnx", "upper.onnx"), "the shipped sentence encoder"
    parts = read_parts(folder, networks, MOST_PIECES, title, "install samewise again")
    lower, upper = parts.networks
    return SentenceEncoder(lower, parts.tokenizer, parts.words, digest=parts.digest, later=upper)
