import numpy as np
from samewise.features.analysis.lemmas import (
    FOREIGN,
    HASH_BITS,
    OWN,
    SHARED,
    UNLISTED,
    EnglishWords,
    english_words,
    short_hashes,
)
from samewise.features.base.token_sequences import text_hash


def kinds_of(*words: str) -> list[int]:
    hashes = np.asarray([text_hash(word) for word in words], dtype=np.uint64)
    return english_words().kinds(hashes).tolist()


def test_words_of_each_kind():
    assert kinds_of("the", "king", "forgave", "overslept", "rewrote", "n't", "'s") == [OWN] * 7
    assert kinds_of("a", "no", "dog") == [SHARED] * 3
    assert kinds_of("de", "la", "die", "met") == [FOREIGN] * 4
    assert kinds_of("asdf", "zxcv", "foo", "perro", "köpek", "The", "", "42") == [UNLISTED] * 8


def test_a_made_up_table():
    hashes = np.asarray([text_hash(word) for word in ("one", "two")], dtype=np.uint64)
    order = np.argsort(hashes)
    table = EnglishWords(short_hashes(hashes[order]), np.asarray([OWN, FOREIGN], dtype=np.uint8)[order])
    assert table.kinds(hashes[::-1]).tolist() == [FOREIGN, OWN]
    assert table.kinds(hashes + np.uint64(1 << 40)).tolist() == [UNLISTED] * 2
    assert table.kinds(hashes[:0]).tolist() == []


def test_the_upper_half_of_a_hash():
    assert short_hashes(np.asarray([0x0123456789ABCDEF], dtype=np.uint64)).tolist() == [0x01234567]


def test_the_table_is_sorted_and_small():
    table = english_words()
    assert (np.diff(table.hashes.astype(np.int64)) > 0).all()
    assert set(np.unique(table.codes).tolist()) == {OWN, SHARED, FOREIGN}
    # As the docstring says: chance that a word which is not listed has the hash of one that is.
    assert 1 / 45_000 < len(table.hashes) / 2**HASH_BITS < 1 / 43_000
