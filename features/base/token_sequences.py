"""Token and character sequences of a batch that several families read, computed once a batch."""

import hashlib
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np

from ..arrays.ragged import Ragged, offsets_of, stack
from .caches import cached_by_word
from .sentences import PairBatch
from .word_tables import stop_words

Field = Literal["tokens", "words", "stems", "lemmas"]
"""Name of a sequence of a `Sentence`: tokens as written, in lower case, stemmed, or as lemmas."""

WORD_CLASSES = ("noun", "verb", "adjective", "adverb", "other")
"""Coarse parts of speech of `word_classes`, in the order of their codes 0 to 4."""

NOUN, VERB, ADJECTIVE, ADVERB = range(4)

CLASS_OF_TAG = {"NN": NOUN, "VB": VERB, "JJ": ADJECTIVE, "RB": ADVERB}
"""Word class by the first two letters of a Penn Treebank tag."""


class Sides(NamedTuple):
    """Sequences of both sides of n pairs."""

    a: Ragged
    b: Ragged


class Vocabulary(NamedTuple):
    """Distinct items of one field of a batch.

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


@cached_by_word(65_536)
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
            places = None
        else:
            # A word depends on its token alone, and a stem on its word: one of each distinct token or word is enough.
            finer = vocabulary(pairs, "tokens" if field == "words" else "words")
            offsets, places = finer.ids.offsets, finer.ids.values
            example = np.empty(len(finer.items), dtype=np.int64)
            example[places] = np.arange(len(places))
            flat = list(chain.from_iterable(rows))
            source = [flat[i] for i in example.tolist()]
        index: dict[str, int] = {}
        flat_ids = np.fromiter((index.setdefault(item, len(index)) for item in source), dtype=np.int64)
        ids = Ragged(flat_ids if places is None else flat_ids[places], offsets)
        hashes = np.fromiter((text_hash(item) for item in index), dtype=np.uint64, count=len(index))
        return Vocabulary(tuple(index), ids, hashes)

    return pairs.memo(("vocabulary", field), compute)


def stop_mask(pairs: PairBatch, stops: str) -> np.ndarray:
    """Return a mask of the tokens of all distinct sentences, flat: true for stop words by their lower-case form."""

    def compute() -> np.ndarray:
        words = vocabulary(pairs, "words")
        listed = stop_words(stops)
        return np.fromiter((item in listed for item in words.items), dtype=bool, count=len(words.items))[
            words.ids.values
        ]

    return pairs.memo(("stop mask", stops), compute)


def emptied(pairs: PairBatch, stops: str) -> np.ndarray:
    """Return a mask of pairs, shape (n,): true where removing the stop words empties either sentence.

    Such pairs keep their stop words on both sides (Tian et al., 2017).
    """

    def compute() -> np.ndarray:
        empty = vocabulary(pairs, "words").ids.where(~stop_mask(pairs, stops)).lengths == 0
        return empty[pairs.left] | empty[pairs.right]

    return pairs.memo(("emptied", stops), compute)


def item_ids(pairs: PairBatch, field: Field, stops: str | None = None) -> Sides:
    """Return both sides of every pair as indices into ``vocabulary(pairs, field)``.

    Parameters
    ----------
    pairs
        The batch.
    field
        The sequence of the sentences.
    stops
        Name of a stop list whose words are left out, unless that empties a side.
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
    """Return both sides as strings of one character an item, the input of RapidFuzz."""

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
    """Return the class of each token of all distinct sentences, flat, int8, as an index of `WORD_CLASSES`.

    The class follows from the first letters of the Penn Treebank tag (Tian et al., 2017).
    """

    def compute() -> np.ndarray:
        tags = chain.from_iterable(sentence.tags for sentence in pairs.sentences)
        return np.fromiter((CLASS_OF_TAG.get(tag[:2], len(CLASS_OF_TAG)) for tag in tags), dtype=np.int8)

    return pairs.memo("word classes", compute)


def content_mask(pairs: PairBatch) -> np.ndarray:
    """Return a mask of the tokens of all distinct sentences, flat: true for content words.

    A content word is not on the stop list ``ecnu`` and holds a letter or a digit.
    """

    def compute() -> np.ndarray:
        words = vocabulary(pairs, "words")
        spelt = np.fromiter((any(map(str.isalnum, item)) for item in words.items), dtype=bool, count=len(words.items))
        return spelt[words.ids.values] & ~stop_mask(pairs, "ecnu")

    return pairs.memo("content mask", compute)


def token_ids(pairs: PairBatch) -> Sides:
    """Return both sides of every pair as places in the flat tokens of the distinct sentences."""

    def compute() -> Sides:
        offsets = offsets_of(
            np.fromiter((len(sentence.tokens) for sentence in pairs.sentences), np.int64, len(pairs.sentences))
        )
        tokens = Ragged(np.arange(offsets[-1]), offsets)
        return Sides(tokens.take(pairs.left), tokens.take(pairs.right))

    return pairs.memo("token ids", compute)
