"""Overlap of word, stem and character n-grams (Saric et al., 2012; Bär et al., 2012; Tian et al., 2017)."""

from itertools import filterfalse

import numpy as np

from ..arrays.ragged import Ragged, ngrams, ratio, share
from ..base.feature import PairBatch, feature
from ..base.token_sequences import Field, stop_mask, vocabulary
from ..base.word_tables import stop_words
from ..statistics.counts import CharacterIdf, Idf, letters
from ..strings.character_ngrams import Strings, inner_products
from ..strings.ngram_overlap import (
    CHARACTER_ORDERS,
    WORD_ORDERS,
    character_f1s,
    fallen_back,
    filtered_f1,
    idf_f1s,
    ngram_f1s,
    shared_ngrams,
)

STOP_WORD_ORDERS = tuple(range(2, 11))

_TABLE = 1 << 20


# ---- words and stems


@feature("n1", "n2", "n3", source="Tian et al. 2017", section="NG1")
def tokens(pairs: PairBatch) -> np.ndarray:
    """F1 of the n-grams of the tokens as written, the stop words of ECNU removed first."""
    return np.stack(ngram_f1s(pairs, "tokens", "ecnu"), axis=1)


@feature("n1", "n2", "n3", source="Saric et al. 2012", section="NG1")
def words(pairs: PairBatch) -> np.ndarray:
    """F1 of the n-grams of the lower-case words, the stop words of TakeLab removed first."""
    return np.stack(ngram_f1s(pairs, "words", "takelab"), axis=1)


@feature(
    *("n1", "n2", "n3", "takelab_n1", "takelab_n2", "takelab_n3"), source="Saric et al. 2012; Tian et al. 2017",
    section="NG2",
)  # fmt: skip
def stems(pairs: PairBatch) -> np.ndarray:
    """F1 of the n-grams of the stems, the stop words of ECNU or of TakeLab removed first."""
    return np.stack(ngram_f1s(pairs, "stems", "ecnu") + ngram_f1s(pairs, "stems", "takelab"), axis=1)


@feature("words_n1", "words_n2", "words_n3", "stems_n2", "stems_n3", source="Tian et al. 2017", section="NG3")
def filtered(pairs: PairBatch) -> np.ndarray:
    """F1 of n-grams that are built first and then lose the stop words of ECNU; empty n-grams are dropped.

    Single stems are left out: they are those of `stems`.
    """
    fields: tuple[tuple[Field, int], ...] = (("words", 1), ("words", 2), ("words", 3), ("stems", 2), ("stems", 3))
    return np.stack([filtered_f1(pairs, field, n) for field, n in fields], axis=1)


_WEIGHTED = tuple(
    f"{kind}_{field}_n{n}" for field in ("words", "stems") for n in WORD_ORDERS for kind in ("ecnu", "smooth")
)


@feature(*_WEIGHTED, needs=("idf",), source="Tian et al. 2017", section="NG4")
def idf_weighted(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """F1 of word and stem n-grams, stop words kept, each weighted by the sum of the idf of its items."""
    return np.stack(idf_f1s(pairs, "words", idf) + idf_f1s(pairs, "stems", idf), axis=1)


@feature("n1", "n3", "n4", "filtered_n2", "filtered_n4", source="Bär et al. 2012", section="NG6")
def jaccard(pairs: PairBatch) -> np.ndarray:
    """Distinct word n-grams of both sides over those of either, stop words kept or removed; 0 if there are none."""
    columns = []
    for n, stops in ((1, None), (3, None), (4, None), (2, "nltk"), (4, "nltk")):
        shared = shared_ngrams(pairs, "words", stops, n)
        columns.append(ratio(shared.common, shared.types_a + shared.types_b - shared.common))
    return np.stack(columns, axis=1)


@feature("n1_min", "n1_max", "n2_min", "n2_max", source="Bär et al. 2012", section="NG6")
def containment(pairs: PairBatch) -> np.ndarray:
    """Share of one side's distinct word n-grams, no stop words, that the other has: the smaller and the larger."""
    columns = []
    for n in (1, 2):
        shared = shared_ngrams(pairs, "words", "nltk", n)
        sides = ratio(shared.common, shared.types_a), ratio(shared.common, shared.types_b)
        columns += [np.minimum(*sides), np.maximum(*sides)]
    return np.stack(columns, axis=1)


@feature(*(f"n{n}" for n in STOP_WORD_ORDERS), source="Bär et al. 2012", section="NG8")
def stop_word(pairs: PairBatch) -> np.ndarray:
    """Distinct n-grams of both sides over those of the side with more, everything but stop words removed."""
    listed = vocabulary(pairs, "words")
    ids = listed.ids.where(stop_mask(pairs, "nltk"))
    only = Ragged(listed.hashes[ids.values], ids.offsets)
    columns = []
    for n in STOP_WORD_ORDERS:
        grams = ngrams(only, n)
        shared = share(grams.take(pairs.left), grams.take(pairs.right))
        columns.append(ratio(shared.common, np.maximum(shared.types_a, shared.types_b)))
    return np.stack(columns, axis=1)


# ---- characters


def _weights(idf: CharacterIdf, strings: Strings, n: int, numbers: np.ndarray, bound: int) -> np.ndarray:
    # Idf of each number, looked up once for every distinct n-gram.
    place: np.ndarray = np.full(bound, -1, dtype=np.int64)
    place[numbers] = np.arange(len(numbers))
    distinct = np.flatnonzero(place >= 0)
    points = strings.codes[place[distinct][:, None] + np.arange(n)].ravel()
    hashes = ngrams(Ragged(points, np.arange(len(distinct) + 1) * n), n).values
    order = np.argsort(hashes)
    weights = np.zeros(bound)
    weights[distinct[order]] = idf.smooth(hashes[order])
    return weights


@feature(
    *(f"{kind}_n{n}" for kind in ("kept", "removed") for n in CHARACTER_ORDERS), source="Tian et al. 2017",
    section="NG5",
)  # fmt: skip
def characters_f1(pairs: PairBatch) -> np.ndarray:
    """F1 of the character n-grams of ``^stem#stem#stem$``, stop words of ECNU kept or removed."""
    return np.stack(character_f1s(pairs, "stems"), axis=1)


_ASCII_LETTERS = bytes(code if chr(code).isalnum() else 32 for code in range(128)).ljust(256)


def _letters(pairs: PairBatch) -> list[str]:
    # `letters` of every distinct sentence, with a short cut for ASCII.
    def compute() -> list[str]:
        return [
            b" ".join(s.text.lower().encode().translate(_ASCII_LETTERS).split()).decode()
            if s.text.isascii()
            else letters(s.text)
            for s in pairs.sentences
        ]

    return pairs.memo("letters", compute)


def _cosine(moments: np.ndarray) -> np.ndarray:
    values: np.ndarray = np.minimum(ratio(moments[0], np.sqrt(moments[1] * moments[2])), 1.0)
    return values


@feature(
    *("n2", "n3", "n4", "counts_n3"), needs=("character_idf",), source="Bär et al. 2012; Ferrero et al. 2017",
    section="NG7 CLP1",
)  # fmt: skip
def characters_cosine(pairs: PairBatch, character_idf: CharacterIdf) -> np.ndarray:
    """Cosine of tf-idf vectors of the character n-grams of the letters and digits; of their bare counts for n = 3."""
    strings = Strings(_letters(pairs), pairs.left, pairs.right)
    columns, counted = [], []
    for n, numbers, bound in strings.numbered((2, 3, 4), _TABLE):
        keys = strings.keys(numbers, strings.remaining[: len(numbers)] >= n)
        weights = _weights(character_idf, strings, n, numbers, bound)
        moments = inner_products(keys, [weights, None] if n == 3 else [weights], len(pairs))
        columns.append(_cosine(moments[0]))
        counted += [_cosine(plain) for plain in moments[1:]]
    return np.stack(columns + counted, axis=1)


@feature("cosine", needs=("character_idf",), source="Al-Natsheh et al. 2017", section="NG7")
def inside_words(pairs: PairBatch, character_idf: CharacterIdf) -> np.ndarray:
    """Cosine of tf-idf vectors of the character 2- and 3-grams inside blank-padded words, stop words removed.

    The idf is that of `characters_cosine`: n-grams over the whole text, which hold those inside words.
    """
    stops = stop_words("nltk")
    texts = _letters(pairs)
    kept = [" ".join(filterfalse(stops.__contains__, text.split())) for text in texts]
    bare = np.fromiter((not text for text in kept), dtype=bool, count=len(kept))
    padded, filtered = ([f" {text} " for text in side] for side in (texts, kept))
    strings = fallen_back(pairs, padded, filtered, bare[pairs.left] | bare[pairs.right])
    moments = np.zeros((3, len(pairs)))
    for n, numbers, bound in strings.numbered((2, 3), _TABLE):
        keep = strings.remaining[: len(numbers)] >= n
        if n == 3:
            # With one blank between words, the n-grams across words are those with a blank inside.
            keep &= strings.codes[1 : len(numbers) + 1] != ord(" ")
        weights = _weights(character_idf, strings, n, numbers, bound)
        moments += inner_products(strings.keys(numbers, keep), [weights], len(pairs))[0]
    return _cosine(moments)[:, None]
