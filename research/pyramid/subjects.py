"""Subjects of the pyramid tests: measures of the similarity of two texts."""

import importlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .pyramid_units import words_of

DEFAULT = ("random", "one-hot", "vectors:distilled", "vectors:relational", "encoder")
"""Subjects of a test without named subjects."""

KINDS = (
    "random, one-hot, vectors:NAME_OR_PATH, encoder, encoder:PATH, surface, fast, full, a model's folder, module:name"
)

Similarity = Callable[[Sequence[str], np.ndarray], np.ndarray]
"""Function from texts and pairs of places among them, shape (n, 2), to n similarities."""

_DECIMALS = 12  # equal cosines must not differ by rounding
_AT_A_TIME = 1 << 13  # pairs


@dataclass(frozen=True)
class Subject:
    """A measure of similarity to test.

    Attributes
    ----------
    name
        Name that the user gave.
    signature
        Digest of vectors or encoder, signature of a model, seed, or description of a function.
    similarity
        Similarity of two texts, on any scale: greater is more similar.
    """

    name: str
    signature: str
    similarity: Similarity


def find_subject(name: str, seed: int = 0) -> Subject:
    """Return the subject of a name.

    Parameters
    ----------
    name
        ``random``; ``one-hot``; ``vectors:`` and a shipped set, a file or a folder; ``encoder``, alone or with a colon
        and a folder; ``surface``, ``fast``, ``full`` or the folder of a model; or ``module:function``, a function that
        takes a list of pairs of texts and returns a number for each. Importing the module runs its code.
    seed
        Seed of ``random``.

    Raises
    ------
    ValueError
        If the name is unknown, or the subject cannot be loaded.
    """
    from ...models.profiles import ALL_PROFILES

    kind, _, rest = name.partition(":")
    if name == "random":
        return Subject(name, f"seed {seed}", _random(seed))
    if name == "one-hot":
        return Subject(name, "counts of lower-case words", _one_hot)
    if kind == "vectors" and rest:
        return _vectors(name, rest)
    if name == "encoder" or (kind == "encoder" and rest):
        return _encoder(name, rest)
    if name in ALL_PROFILES or Path(name).is_dir():
        return _model(name)
    if kind and rest:
        return _function(name)
    raise ValueError(f"subject must be one of {KINDS}, got {name!r}; name one of these")


def _random(seed: int) -> Similarity:
    return lambda texts, pairs: np.random.default_rng(seed).random(len(pairs))


def _one_hot(texts: Sequence[str], pairs: np.ndarray) -> np.ndarray:
    from scipy.sparse import csr_array

    columns: dict[str, int] = {}
    rows = [[columns.setdefault(word, len(columns)) for word in words_of(text).words] for text in texts]
    ends = np.cumsum([0, *map(len, rows)])
    flat = np.asarray([column for row in rows for column in row], dtype=np.int64)
    bags = csr_array((np.ones(len(flat)), flat, ends), shape=(len(rows), max(1, len(columns))))
    bags.sum_duplicates()
    square = (bags**2).sum(axis=1)
    a, b = pairs.T
    products = (bags[a] * bags[b]).sum(axis=1)
    scale = np.sqrt(square[a] * square[b])
    return np.round(products / np.where(scale > 0, scale, 1.0), _DECIMALS)


def _vectors(name: str, which: str) -> Subject:
    from ...features.arrays.ragged import Ragged, offsets_of
    from ...features.lexicon.vector_files import read_vectors
    from ...features.lexicon.word_vectors import SETS, shipped_vectors
    from ...features.word_similarity.vector_pooling import unit, weighted_sums

    vectors = shipped_vectors(which) if which in SETS else read_vectors(which)

    def similarity(texts: Sequence[str], pairs: np.ndarray) -> np.ndarray:
        # Baumel et al. (2016) scale every word vector to length 1 before the sum.
        index: dict[str, int] = {}
        rows = [[index.setdefault(word, len(index)) for word in words_of(text).words] for text in texts]
        ids = np.asarray([word for row in rows for word in row], dtype=np.int64)
        words = Ragged(ids, offsets_of(np.fromiter(map(len, rows), np.int64, len(rows))))
        embedding = vectors.embed(list(index))
        weight = unit(embedding, np.ones(len(index)))
        (sums,) = weighted_sums(embedding.codes, words, [weight[words.values]])
        return _cosines(sums, pairs)

    return Subject(name, f"vectors {vectors.digest[:16]}", similarity)


def _cosines(vectors: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    from ...features.word_similarity.vector_pooling import cosines

    parts = (pairs[start : start + _AT_A_TIME] for start in range(0, len(pairs), _AT_A_TIME))
    return np.concatenate([np.empty(0), *(cosines(vectors[part[:, 0]], vectors[part[:, 1]]) for part in parts)])


def _encoder(name: str, folder: str) -> Subject:
    from ...features.encoders.encoder_folders import load_encoder
    from ...features.encoders.sentence_encoder import shipped_encoder

    encoder = load_encoder(folder) if folder else shipped_encoder()

    def similarity(texts: Sequence[str], pairs: np.ndarray) -> np.ndarray:
        return _cosines(encoder.vectors(texts), pairs)

    return Subject(name, f"encoder {encoder.digest[:16]}", similarity)


def _model(name: str) -> Subject:
    from ...ensemble.loading import load

    model = load(name)

    def similarity(texts: Sequence[str], pairs: np.ndarray) -> np.ndarray:
        return model.predict_pairs([(texts[i], texts[j]) for i, j in pairs.tolist()]).score

    return Subject(name, model.signature, similarity)


def _imported(name: str) -> Callable[[list[tuple[str, str]]], Sequence[float]]:
    module, _, function = name.partition(":")
    try:
        target = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(
            f"subject must be one of {KINDS}, got {name!r}, which cannot be imported: {error}; correct the name"
        ) from None
    if not callable(target):
        kind = type(target).__name__
        raise ValueError(f"subject {name!r} must be a function, got {kind}; name one that takes pairs of texts")
    return target


def _function(name: str) -> Subject:
    function = _imported(name)

    def similarity(texts: Sequence[str], pairs: np.ndarray) -> np.ndarray:
        given = [(texts[i], texts[j]) for i, j in pairs.tolist()]
        try:
            values = [float(value) for value in function(given)]
        except TypeError as error:
            raise ValueError(f"subject {name!r} must return a list of numbers, got: {error}; correct it") from None
        if len(values) != len(given) or not all(map(math.isfinite, values)):
            finite = sum(map(math.isfinite, values))
            raise ValueError(
                f"subject {name!r} must return {len(given)} finite numbers, got {len(values)} values, {finite} of them "
                f"finite; return one a pair"
            )
        return np.asarray(values)

    return Subject(name, "a function of yours", similarity)
