"""Encoders of other languages whose vectors share the space of the shipped English encoder.

The network is the English one, unchanged. In place of the vectors of English word pieces it reads those of the words
of the language, one a word, which were learned so that a sentence is close to its translation (Artetxe et al., 2020;
Reimers and Gurevych, 2020). The vector of a word is the sum of its own, if it is listed, the mean of those of its
character n-grams (Bojanowski et al., 2017), and the mean of those of its stems. Numbers, marks and unlisted words in
Latin script without known n-grams are read as by the English encoder.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..lexicon.mapped_arrays import map_arrays
from ..linguistics.languages import languages_folder
from ..linguistics.normalisation import split_text
from ..linguistics.stems import stems
from ..token_sequences import text_hash
from ..word_cache import cached_by_word
from .sentence_encoder import MOST_PIECES, SentenceEncoder, shipped_encoder

ENCODERS_HERE = languages_folder() / "encoders"

NGRAMS = (3, 4, 5)
"""Lengths of the character n-grams of a word between ``<`` and ``>``."""

_KNOWN_SHARE = 0.5
"""Least share of listed n-grams of an unlisted word in Latin script; below it the word is read as English."""
_CACHED_WORDS = 16_384


class WordParts(NamedTuple):
    """The keys of a word in a `SubwordTable`: the word itself, its n-grams and its stems."""

    word: str
    grams: list[str]
    stems: list[str]


def word_parts(word: str, language: str) -> WordParts:
    """Return the keys of a word: n-grams begin with ``#`` and stems with ``~``.

    Examples
    --------
    >>> word_parts("sol", "es")
    WordParts(word='sol', grams=['#<so', '#sol', '#ol>', '#<sol', '#sol>', '#<sol>'], stems=['~sol'])
    """
    marked = f"<{word}>"
    grams = [f"#{marked[i : i + n]}" for n in NGRAMS for i in range(len(marked) - n + 1)]
    return WordParts(word, grams, [f"~{stem}" for stem in stems(word, language)])


def packed_codes(codes: np.ndarray) -> np.ndarray:
    """Return whole numbers from -8 to 7, shape (n, d), two a byte: the even coordinate is the lower half."""
    halves = (codes + 8).astype(np.uint8)
    return halves[..., 0::2] | halves[..., 1::2] << 4


def unpacked_codes(packed: np.ndarray) -> np.ndarray:
    """Return the numbers that `packed_codes` packed, int8.

    Examples
    --------
    >>> unpacked_codes(packed_codes(np.array([-7, 0, 3, 7]))).tolist()
    [-7, 0, 3, 7]
    """
    return np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:-1], -1).astype(np.int8) - 8


class SubwordTable:
    """Vectors of words and character n-grams: whole numbers from -7 to 7 times a scale of each row.

    Parameters
    ----------
    hashes
        `text_hash` of each key (see `word_parts`), ascending.
    codes
        Shape (n, d / 2), uint8: two coordinates a byte, see `packed_codes`.
    scales
        Shape (n,), float32.
    language
        ISO 639-1 code of the language, by whose rules words are stemmed.

    Raises
    ------
    ValueError
        If their shapes or types do not match.
    """

    def __init__(self, hashes: np.ndarray, codes: np.ndarray, scales: np.ndarray, language: str) -> None:
        sizes = {len(hashes), len(codes), len(scales)}
        if codes.dtype != np.uint8 or codes.ndim != 2 or len(sizes) > 1:
            raise ValueError(
                f"a table of words must have a scale and a row of uint8 codes for each hash, got {len(hashes)} hashes, "
                f"{len(scales)} scales and {codes.dtype} codes of shape {codes.shape}; make it again"
            )
        self._codes, self._scales, self.language = codes, scales, language
        self._rows = {value: row for row, value in enumerate(hashes.tolist())}

    def __len__(self) -> int:
        """Return the number of words and n-grams."""
        return len(self._codes)

    @property
    def dimension(self) -> int:
        """Number of coordinates."""
        return 2 * int(self._codes.shape[1])

    def vector(self, word: str, share: float = 0.0) -> np.ndarray | None:
        """Return the vector of a word, shape (d,), float32, or None for an unknown word.

        Parameters
        ----------
        word
            As returned by `split_text`.
        share
            Least share of listed n-grams of an unlisted word; below it the word is unknown.
        """
        parts = word_parts(word, self.language)
        word_row = self._rows.get(text_hash(parts.word))
        gram_rows, stem_rows = self._listed(parts.grams), self._listed(parts.stems)
        if word_row is None and not stem_rows and (not gram_rows or len(gram_rows) < share * len(parts.grams)):
            return None
        vector = np.zeros(self.dimension, dtype=np.float32)
        for rows in (gram_rows, stem_rows):
            total = np.zeros(self.dimension, dtype=np.float32)
            for row in rows:
                total += self._vector_of(row)
            vector += total / np.float32(max(len(rows), 1))
        return vector if word_row is None else vector + self._vector_of(word_row)

    def _listed(self, keys: Sequence[str]) -> list[int]:
        rows = (self._rows.get(text_hash(key)) for key in keys)
        return [row for row in rows if row is not None]

    def _vector_of(self, row: int) -> np.ndarray:
        return unpacked_codes(self._codes[row]) * self._scales[row]


@dataclass(frozen=True, slots=True)
class _Read:
    # A text as the network reads it, with the attributes of the library's encodings that `SentenceEncoder` reads.
    rows: np.ndarray
    ids: list[int]
    special_tokens_mask: list[int]
    offsets: list[tuple[int, int]]

    def __len__(self) -> int:
        return len(self.ids)


class SharedSpaceEncoder(SentenceEncoder):
    """Encoder of texts of another language into the space of an English encoder, each alone.

    It has the methods of `SentenceEncoder`: `vectors` of texts, and `encode` for the states of their words in context.
    ``Encoded.pieces`` is -1 for a word and the number of the English piece for anything else.

    Parameters
    ----------
    table
        The vectors of words and n-grams, with as many coordinates as those of the English pieces.
    english
        Encoder that reads the vectors of its pieces.
    digest
        Hex digest of the table.

    Raises
    ------
    ValueError
        If table and encoder have different numbers of coordinates.
    """

    def __init__(self, table: SubwordTable, english: SentenceEncoder, digest: str = "") -> None:
        if english.words is None or english.words.dimension != table.dimension:
            raise ValueError(
                f"vectors of words must have as many coordinates as the pieces of the encoder, got {table.dimension} "
                f"and {english.words.dimension if english.words else 'no table of pieces'}; make them for that encoder"
            )
        super().__init__(
            english._network,
            english._tokenizer,
            english.words,
            digest=f"{english.digest} {table.language} {digest}",
            later=english._later,
        )
        self.table, self.language, self._english = table, table.language, english
        self._special_rows = english.words.rows(np.asarray(english.special, dtype=np.int64))
        self._read_word = cached_by_word(_CACHED_WORDS)(self._rows_of_word)

    def __reduce__(self) -> tuple[type["SharedSpaceEncoder"], tuple[object, ...]]:
        # The cache of words cannot be pickled.
        return SharedSpaceEncoder, (self.table, self._english, self.digest.rpartition(" ")[2])

    @property
    def dimension(self) -> int:
        """Number of coordinates."""
        return self._english.dimension

    def _rows_of_word(self, word: str) -> tuple[np.ndarray, list[int]]:
        # Vectors that the network reads for a token, and their numbers among the English pieces or -1.
        if any(map(str.isalpha, word)) and not any(map(str.isdigit, word)):
            vector = self.table.vector(word, _KNOWN_SHARE if word.isascii() else 0.0)
            if vector is not None:
                return vector[None], [-1]
            if not word.isascii():
                return np.zeros((0, self.table.dimension), dtype=np.float32), []
        assert self.words is not None
        ids = self._english.tokens([word])[0].ids[1:-1]
        return self.words.rows(np.asarray(ids, dtype=np.int64)), ids

    def _read(self, text: str | Sequence[str]) -> _Read:
        first, last = self._special_rows[:1], self._special_rows[1:]
        rows, ids, special, spans = [first], [self._english.special[0]], [1], [(0, 0)]
        for token, span in split_text(text if isinstance(text, str) else " ".join(text), self.language):
            vectors, pieces = self._read_word(token)
            if len(ids) + len(pieces) >= MOST_PIECES:
                break
            rows.append(vectors)
            ids += pieces
            special += [0] * len(pieces)
            spans += [span] * len(pieces)
        return _Read(np.concatenate([*rows, last]), [*ids, self._english.special[1]], [*special, 1], [*spans, (0, 0)])

    def tokens(self, texts: Sequence[str | Sequence[str]]) -> list[_Read]:  # type: ignore[override]
        """Return texts, or lists of their words, as the network reads them."""
        return [self._read(text) for text in texts]

    def _first_states(self, tokens: Sequence[_Read]) -> np.ndarray:  # type: ignore[override]
        return self._network(word_embeddings=np.stack([token.rows for token in tokens]))

    def word_vectors(self, words: Sequence[str]) -> np.ndarray:
        """Return a unit vector for each word out of context, shape (k, d), float32; zeros for unknown words.

        They share the space of the English encoder's vectors of single words.
        """
        vectors = self.vectors(words)
        is_known = [len(token) > 2 for token in self.tokens(words)]
        return vectors * np.asarray(is_known, dtype=np.float32).reshape(-1, 1)


def load_table(folder: Path) -> tuple[SubwordTable, str]:
    """Return the table of a folder that ``scripts/make_shared_space.py`` made, and its digest.

    Raises
    ------
    ValueError
        If a file is missing, cut or changed.
    """
    mapped = map_arrays(folder, "install samewise again, or make it again")
    language = str(json.loads((folder / "manifest.json").read_bytes())["language"])
    try:
        hashes, codes, scales = (mapped.arrays[name] for name in ("hashes", "codes", "scales"))
        return SubwordTable(hashes, codes, scales, language), mapped.digest
    except KeyError as error:
        raise ValueError(f"the manifest of {str(folder)!r} must list {error.args[0]}.npy; make it again") from None


def shipped_languages() -> tuple[str, ...]:
    """Return the codes of the languages whose encoders are installed, sorted."""
    return tuple(sorted(path.parent.name for path in ENCODERS_HERE.glob("*/manifest.json")))


@cache
def shared_space_encoder(language: str) -> SharedSpaceEncoder:
    """Return the installed encoder of a language, checked against its manifest, once a process.

    Parameters
    ----------
    language
        One of `shipped_languages`.

    Raises
    ------
    ValueError
        If no encoder of the language is installed, or a file is missing, cut or changed.
    """
    if language not in shipped_languages():
        here = ", ".join(shipped_languages()) or "none"
        raise ValueError(
            f"the language must have an encoder, got {language!r} (installed: {here}); install samewise-languages, or "
            "make an encoder with scripts/make_shared_space.py"
        )
    return load_encoder_of(ENCODERS_HERE / language)


def load_encoder_of(folder: Path) -> SharedSpaceEncoder:
    """Return the encoder of a folder that ``scripts/make_shared_space.py`` made, beside the shipped English one.

    Raises
    ------
    ValueError
        If a file is missing, cut or changed.
    """
    table, digest = load_table(folder)
    return SharedSpaceEncoder(table, shipped_encoder(), digest)
