"""Parts of speech: lemmas, counts, tag n-grams and proper nouns (Tian et al., 2017; Maharjan et al., 2017)."""

from itertools import chain

import numpy as np

from ..arrays.joins import meet
from ..arrays.ragged import Ragged, Shared, ngrams, ratio, share
from ..base.feature import PairBatch, feature
from ..base.token_sequences import WORD_CLASSES, Sides, item_hashes, text_hash, vocabulary, word_classes
from ..strings.ngram_overlap import places

TAG_ORDERS = (1, 2, 3, 4)
COUNTED = ("all", "adjective", "adverb", "noun", "verb")
PROPER = frozenset({"NNP", "NNPS"})

_CLASSES = len(WORD_CLASSES)


# ---- lemmas of each class


def _class_overlaps(pairs: PairBatch, stops: str | None) -> list[np.ndarray]:
    """Return Jaccard and Dice index of the lemmas of each class, each of shape (n,)."""
    item = vocabulary(pairs, "lemmas").ids.values * _CLASSES + word_classes(pairs)
    a, b = (Ragged(item[side.values], side.offsets) for side in places(pairs, stops))
    met = meet(a, b)
    cell = met.row * _CLASSES + met.item % _CLASSES
    in_a, in_b = met.count_a > 0, met.count_b > 0
    counts = (np.bincount(cell[mask], minlength=len(pairs) * _CLASSES) for mask in (in_a & in_b, in_a, in_b))
    both, left, right = (count.reshape(-1, _CLASSES).T for count in counts)
    jaccard, dice = ratio(both, left + right - both), ratio(2 * both, left + right)
    return [values for pair in zip(jaccard, dice, strict=True) for values in pair]


@feature(
    *(
        f"{kind}_{name}_{index}"
        for kind in ("kept", "removed")
        for name in WORD_CLASSES
        for index in ("jaccard", "dice")
    ),
    level="lexical",
    source="Tian et al. 2017",
    section="POS1",
)
def lemmas(pairs: PairBatch) -> np.ndarray:
    """Jaccard and Dice index of the sets of lemmas of each part of speech, stop words of ECNU kept or removed.

    0 where neither side has any. The stop words are kept if a side would be empty without them.
    """
    return np.stack(_class_overlaps(pairs, None) + _class_overlaps(pairs, "ecnu"), axis=1)


# ---- counts


def _counts(pairs: PairBatch) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of tokens of each kind of `COUNTED` on either side, shape (n, 5)."""

    def compute() -> tuple[np.ndarray, np.ndarray]:
        ids = vocabulary(pairs, "lemmas").ids
        n = len(pairs.sentences)
        table = np.bincount(ids.rows * _CLASSES + word_classes(pairs), minlength=n * _CLASSES).reshape(n, _CLASSES)
        columns = [WORD_CLASSES.index(name) for name in COUNTED[1:]]
        counts = np.column_stack([ids.lengths, table[:, columns]]).astype(np.float64)
        return counts[pairs.left], counts[pairs.right]

    return pairs.memo("tag counts", compute)


@feature(*COUNTED, level="lexical", source="Maharjan et al. 2017", section="POS3")
def count_difference(pairs: PairBatch) -> np.ndarray:
    """Absolute difference of the numbers of tokens of a kind over their sum; 0 if both are 0."""
    a, b = _counts(pairs)
    return ratio(np.abs(a - b), a + b)


@feature(*COUNTED, high=float("inf"), level="lexical", source="Maharjan et al. 2017", section="POS4")
def count_ratio(pairs: PairBatch) -> np.ndarray:
    """Ratio of the number of tokens of a kind in the shorter sentence to that in the longer; 1 if both are 0.

    Above 1 where the shorter has more. A longer sentence with none counts as having 1, so that the ratio stays finite
    (the source leaves it open). Of sentences of equal length the smaller number is over the larger.
    """
    a, b = _counts(pairs)
    size_a, size_b = a[:, :1], b[:, :1]
    shorter = np.where(size_a < size_b, a, np.where(size_a > size_b, b, np.minimum(a, b)))
    longer = np.where(size_a < size_b, b, np.where(size_a > size_b, a, np.maximum(a, b)))
    return np.where((a == 0) & (b == 0), 1.0, shorter / np.maximum(longer, 1))


# ---- n-grams of tags


@feature(
    *(f"{kind}_n{n}" for n in TAG_ORDERS for kind in ("jaccard", "min", "max")),
    level="lexical",
    source="Bär et al. 2012",
    section="NG9",
)
def tag_ngrams(pairs: PairBatch) -> np.ndarray:
    """Jaccard index of the distinct n-grams of tags, and the smaller and larger share that the other side has.

    0 where a side has none.
    """
    tags = list(chain.from_iterable(sentence.tags for sentence in pairs.sentences))
    hash_of = {tag: text_hash(tag) for tag in set(tags)}
    hashes = np.fromiter((hash_of[tag] for tag in tags), dtype=np.uint64, count=len(tags))
    rows = Ragged(hashes, vocabulary(pairs, "lemmas").ids.offsets)
    columns = []
    for n in TAG_ORDERS:
        grams = ngrams(rows, n)
        shared = share(grams.take(pairs.left), grams.take(pairs.right))
        sides = ratio(shared.common, shared.types_a), ratio(shared.common, shared.types_b)
        jaccard = ratio(shared.common, shared.types_a + shared.types_b - shared.common)
        columns += [jaccard, np.minimum(*sides), np.maximum(*sides)]
    return np.stack(columns, axis=1)


# ---- proper nouns


def _proper(pairs: PairBatch) -> Sides:
    """Return the hashes of the lower-case words tagged as proper nouns."""

    def compute() -> Sides:
        tags = chain.from_iterable(sentence.tags for sentence in pairs.sentences)
        listed = vocabulary(pairs, "words")
        ids = listed.ids.where(np.fromiter((tag in PROPER for tag in tags), dtype=bool))
        named = Ragged(listed.hashes[ids.values], ids.offsets)
        return Sides(named.take(pairs.left), named.take(pairs.right))

    return pairs.memo("proper nouns", compute)


def _overlaps_with_words(pairs: PairBatch) -> list[Shared]:
    # Overlap of the proper nouns of one side with all words of the other: a tagger may take a name for another noun.
    def compute() -> list[Shared]:
        proper, words = _proper(pairs), item_hashes(pairs, "words")
        return [share(proper.a, words.b), share(proper.b, words.a)]

    return pairs.memo("proper nouns found", compute)


@feature("f1", "unmatched_min", "unmatched_max", level="lexical", source="ours", section="POS6")
def proper_nouns(pairs: PairBatch) -> np.ndarray:
    """F1 of the proper nouns in lower case; share of a side's distinct ones that the other sentence lacks.

    `f1` is 1 if neither side has any and 0 if one has; the share is 0 for a side without any.
    """
    shared = share(*_proper(pairs))
    f1 = ratio(2 * shared.matched, shared.size_a + shared.size_b, 1.0)
    shares = [ratio(overlap.types_a - overlap.common, overlap.types_a) for overlap in _overlaps_with_words(pairs)]
    return np.stack([f1, np.minimum(*shares), np.maximum(*shares)], axis=1)


@feature("min", "max", high=float("inf"), level="lexical", source="ours", section="POS6")
def unmatched_proper_nouns(pairs: PairBatch) -> np.ndarray:
    """Count the distinct proper nouns of a side that the other sentence lacks: the smaller and the larger."""
    counts = [overlap.types_a - overlap.common for overlap in _overlaps_with_words(pairs)]
    return np.stack([np.minimum(*counts), np.maximum(*counts)], axis=1)
