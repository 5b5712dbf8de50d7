"""Tables of word pieces in blocks of 4-bit numbers, against plain arithmetic."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from samewise.features.encoders.shipped_files import BlockWordPieces, packed_codes, unpacked_codes

NUMBERS = arrays(np.int8, st.tuples(st.integers(1, 4), st.sampled_from([32, 64])), elements=st.integers(-8, 7))


@given(NUMBERS)
def test_packing_loses_nothing(codes):
    packed = packed_codes(codes)
    assert packed.nbytes * 2 == codes.nbytes
    assert unpacked_codes(packed).tolist() == codes.tolist()


@given(NUMBERS, st.integers(0, 2**32 - 1))
def test_a_row_is_its_numbers_times_the_scale_of_their_block(codes, seed):
    scales = np.random.default_rng(seed).uniform(0.001, 1, (len(codes), codes.shape[1] // 32)).astype(np.float16)
    table = BlockWordPieces(packed_codes(codes), scales)
    assert (len(table), table.dimension) == codes.shape
    ids = np.asarray([[0, len(codes) - 1]])
    found = table.rows(ids)
    assert found.dtype == np.float32
    for place, row in enumerate(ids[0].tolist()):
        expected = [int(code) * np.float32(scales[row, k // 32]) for k, code in enumerate(codes[row])]
        assert found[0, place].tolist() == expected


@pytest.mark.parametrize(
    ("codes", "scales"),
    [
        (np.zeros((2, 16), np.int8), np.zeros((2, 1), np.float16)),
        (np.zeros((2, 16), np.uint8), np.zeros((2, 1), np.float32)),
        (np.zeros((2, 16), np.uint8), np.zeros((3, 1), np.float16)),
        (np.zeros((2, 16), np.uint8), np.zeros((2, 2), np.float16)),
        (np.zeros(16, np.uint8), np.zeros((2, 1), np.float16)),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(codes, scales):
    with pytest.raises(ValueError, match="must have a float16 scale for every 32 codes of a row"):
        BlockWordPieces(codes, scales)
