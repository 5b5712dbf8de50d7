"""The token and character sequences of a batch that several families look at, computed once a batch."""

import hashlib
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np

from .arrays.ragged import Ragged, offsets_of, stack
from .linguistics.stopwords import stop_words
from .sentences import PairBatch
from .word_alignment.dependency_relations import CLASS_OF_TAG

Field = Literal["tokens", "words", "stems", "lemmas"]
"""A sequence of a `Sentence`: as written, in lower case, stemmed, or as lemmas."""

WORD_CLASSES = ("noun", "verb", "adjective", "adverb", "other")
"""The coarse parts of speech of `word_classes`, in order of their codes 0 to 4."""


class Sides(NamedTuple):
    """The sequences of both sides of n pairs."""

    a: Ragged
    b: Ragged


class Vocabulary(NamedTuple):
    """The distinct items of one field of a batch.

    Attributes
    ----------
    items
        The distinct strings.
    ids
        For each distinct sentence of the batch, the indices of its items.
    hashes
        A 64-bit hash of the text of each item; the same in every process.
    """

    items: tuple[str, ...]
    ids: Ragged
    hashes: np.ndarray


def text_hash(item: str) -> int:
    """Return a 64-bit hash of a text; the same in every process."""
    data = item.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def vocabulary(pairs: PairBatch, field: Field) -> Vocabulary:
    """Return the distinct items of a field and every sentence as indices into them."""

    def compute() -> Vocabulary:
        rows = [getattr(sentence, field) for sentence in pairs.sentences]
        if field in ("tokens", "lemmas"):
            source, offsets = list(chain.from_iterable(rows)), offsets_of(np.fromiter(map(len, rows), np.int64))
            old = None
        else:
            # A word depends on its token alone, and a stem on its word: only the distinct ones are looked up.
            finer = vocabulary(pairs, "tokens" if field == "words" else "words")
            offsets, old = finer.ids.offsets, finer.ids.values
            anywhere = np.empty(len(finer.items), dtype=np.int64)
            anywhere[old] = np.arange(len(old))
            flat = list(chain.from_iterable(rows))
            source = [flat[i] for i in anywhere.tolist()]
        index: dict[str, int] = {}
        flat_ids = np.fromiter((index.setdefault(item, len(index)) for item in source), dtype=np.int64)
        ids = Ragged(flat_ids if old is None else flat_ids[old], offsets)
        hashes = np.fromiter((text_hash(item) for item in index), dtype=np.uint64, count=len(index))
        return Vocabulary(tuple(index), ids, hashes)

    return pairs.memo(("vocabulary", field), compute)


def stop_mask(pairs: PairBatch, stops: str) -> np.ndarray:
    """Return for each token of each distinct sentence, flat, whether it is a stop word by its lower-case form."""

    def compute() -> np.ndarray:
        words = vocabulary(pairs, "words")
        listed = stop_words(stops)
        return np.fromiter((item in listed for item in words.items), dtype=bool, count=len(words.items))[
            words.ids.values
        ]

    return pairs.memo(("stop mask", stops), compute)


def emptied(pairs: PairBatch, stops: str) -> np.ndarray:
    """Return for each pair, shape (n,), whether removing the stop words leaves either sentence without a token.

    Such pairs keep their stop words on both sides (Tian et al., 2017).
    """

    def compute() -> np.ndarray:
        left = vocabulary(pairs, "words").ids.where(~stop_mask(pairs, stops)).lengths == 0
        return left[pairs.left] | left[pairs.right]

    return pairs.memo(("emptied", stops), compute)


def item_ids(pairs: PairBatch, field: Field, stops: str | None = None) -> Sides:
    """Return both sides of every pair as indices into ``vocabulary(pairs, field)``.

    Parameters
    ----------
    pairs
        The batch.
    field
        Which sequence of the sentences.
    stops
        Leave out the words of this stop list, unless that empties a side.
    """

    def compute() -> Sides:
        ids = vocabulary(pairs, field).ids
        if stops is None:
            return Sides(ids.take(pairs.left), ids.take(pairs.right))
        both = stack(ids, ids.where(~stop_mask(pairs, stops)))
        shift = np.where(emptied(pairs, stops), 0, len(pairs.sentences))
        return Sides(both.take(pairs.left + shift), both.take(pairs.right + shift))

    return pairs.memo(("ids", field, stops), compute)


def item_hashes(pairs: PairBatch, field: Field, stops: str | None = None) -> Sides:
    """Return `item_ids` as text hashes, the input of `ragged.ngrams`."""

    def compute() -> Sides:
        hashes = vocabulary(pairs, field).hashes
        return Sides(*(Ragged(hashes[side.values], side.offsets) for side in item_ids(pairs, field, stops)))

    return pairs.memo(("hashes", field, stops), compute)


def encoded(pairs: PairBatch, field: Field, stops: str | None = None) -> tuple[list[str], list[str]]:
    """Return both sides as strings of one character an item, which RapidFuzz compares in compiled code."""

    def compute() -> tuple[list[str], list[str]]:
        a, b = item_ids(pairs, field, stops)
        return as_strings(a), as_strings(b)

    return pairs.memo(("encoded", field, stops), compute)


def as_strings(ids: Ragged) -> list[str]:
    """Return each row of small integers as a string of one character an integer."""
    text = ids.values.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    ends = ids.offsets.tolist()
    return [text[start:end] for start, end in zip(ends[:-1], ends[1:], strict=True)]


def characters(strings: list[str]) -> Ragged:
    """Return the code points of each string as uint64."""
    codes = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    lengths = np.fromiter((len(string) for string in strings), dtype=np.int64, count=len(strings))
    return Ragged(codes.astype(np.uint64), offsets_of(lengths))


def word_classes(pairs: PairBatch) -> np.ndarray:
    """Return for each token of each distinct sentence, flat, int8, the index of its class in `WORD_CLASSES`.

    The class follows from the first letters of the Penn Treebank tag (Tian et al., 2017).
    """

    def compute() -> np.ndarray:
        tags = chain.from_iterable(sentence.tags for sentence in pairs.sentences)
        return np.fromiter((CLASS_OF_TAG.get(tag[:2], len(CLASS_OF_TAG)) for tag in tags), dtype=np.int8)

    return pairs.memo("word classes", compute)


def content_mask(pairs: PairBatch) -> np.ndarray:
    """Return for each token of each distinct sentence, flat, whether it is a content word.

    A content word is not on the stop list ``ecnu`` and holds a letter or a digit.
    """

    def compute() -> np.ndarray:
        words = vocabulary(pairs, "words")
        holds = np.fromiter((any(map(str.isalnum, item)) for item in words.items), dtype=bool, count=len(words.items))
        return holds[words.ids.values] & ~stop_mask(pairs, "ecnu")

    return pairs.memo("content mask", compute)
