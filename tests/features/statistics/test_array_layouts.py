"""Layouts of the arrays of resources."""

import numpy as np
import pytest
from samewise.features.encoders.sentence_encoder import DIMENSION, shipped_encoder
from samewise.features.lexicon.word_vectors import DIMENSIONS, SETS, shipped_vectors
from samewise.features.statistics.counts import Idf, NgramCounts
from samewise.features.statistics.fitted import Numbers, Words, check_arrays

LAYOUT = {
    "total": Numbers(np.int64),
    "words": Words("words"),
    "counts": Numbers(np.int32, ("words",), 1, "total"),
    "keys": Numbers(np.uint64, ("keys",), ascending=True, longest=4),
    "table": Numbers(np.float32, ("words", 2), -1, 1),
}
SOUND = {
    "total": np.asarray(9),
    "words": np.frombuffer("ab\nc\né".encode(), np.uint8),
    "counts": np.asarray([1, 9, 2], np.int32),
    "keys": np.asarray([0, 5, 2**64 - 1], np.uint64),
    "table": np.asarray([[0, 1], [-1, 0.5], [0, 0]], np.float32),
}


def text(line):
    return np.frombuffer(line, np.uint8)


def test_a_sound_resource():
    check_arrays(SOUND, LAYOUT, "it")
    check_arrays({**SOUND, "more": np.zeros(1)}, LAYOUT, "it")
    empty = {"words": text(b""), "counts": SOUND["counts"][:0], "table": SOUND["table"][:0], "keys": SOUND["keys"][:0]}
    check_arrays({**SOUND, **empty}, LAYOUT, "it")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"total": np.asarray([9])}, r"'total' of it must have the shape \(\), got \(1,\)"),
        ({"total": np.asarray(9, np.int32)}, "'total' of it must hold int64, got int32"),
        ({"total": np.asarray(-1)}, "'total' of it must hold numbers from 0 to"),
        ({"total": np.asarray(8)}, "'counts' of it must hold numbers from 1 to 8, got 1 to 9"),
        ({"counts": np.asarray([1, 0, 2], np.int32)}, "'counts' of it must hold numbers from 1 to 9, got 0 to 2"),
        ({"counts": np.asarray([1, 2], np.int32)}, r"'counts' of it must have the shape \(3\), got \(2,\)"),
        ({"counts": np.asarray(1, np.int32)}, r"'counts' of it must have the shape \(3\), got \(\)"),
        ({"keys": np.asarray([5, 4], np.uint64)}, "'keys' of it must be in ascending order"),
        ({"keys": np.zeros(5, np.uint64)}, r"'keys' of it must have lengths up to 4, got \(5,\)"),
        ({"table": np.full((3, 2), np.nan, np.float32)}, "'table' of it must hold numbers from -1 to 1, got nan"),
        ({"table": np.full((3, 2), np.inf, np.float32)}, "'table' of it must hold numbers from -1 to 1, got inf"),
        ({"table": np.zeros((3, 3), np.float32)}, r"'table' of it must have the shape \(3, 2\), got \(3, 3\)"),
        ({"words": text(b"ab\nc")}, r"'counts' of it must have the shape \(2\), got \(3,\)"),
        ({"words": text(b"c\nab\nd")}, "'words' of it must hold distinct words in the order of their bytes"),
        ({"words": text(b"ab\nab\nd")}, "'words' of it must hold distinct words"),
        ({"words": text(b"\nab\nd")}, "'words' of it must hold distinct words"),
        ({"words": text(b"ab\nc\n\xff")}, r"'words' of it must be UTF-8, got b'\\xff' at byte 5"),
        ({"words": text(b"a" * (1 << 23) + b"b")}, "'words' of it must have up to 8388608 bytes"),
        ({"words": text(b"\n" * (1 << 20))}, "'words' of it must hold up to 1048576 words"),
        ({"words": SOUND["counts"]}, r"'words' of it must be a row of bytes, got int32 of shape \(3,\)"),
    ],
)
def test_what_is_not_as_declared_is_named(changes, message):
    with pytest.raises(ValueError, match=message):
        check_arrays({**SOUND, **changes}, LAYOUT, "it")


def test_a_missing_array_is_named():
    with pytest.raises(
        ValueError, match="the resource 'ngram_counts' must have the array 'hashes', got none; fit it again"
    ):
        NgramCounts({"tokens": np.asarray(3)})


def test_frequencies_above_the_number_of_sentences_are_refused():
    arrays = {"sentences": np.asarray(2)}
    for field in ("words", "stems"):
        arrays |= {
            field: text(b"a"),
            f"{field}_df": np.asarray([3], np.int32),
            f"{field}_tf": np.asarray([3], np.int32),
        }
    with pytest.raises(ValueError, match="'words_df' of the resource 'idf' must hold numbers from 1 to 2, got 3 to 3"):
        Idf(arrays)


def test_declared_dimensions_are_those_of_the_shipped_tables():
    assert {name: shipped_vectors(name).dimension for name in SETS} == DIMENSIONS
    assert shipped_encoder().dimension == DIMENSION
