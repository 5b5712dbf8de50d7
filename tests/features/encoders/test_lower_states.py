"""States after the first layers of an encoder, which its later layers and those of other networks read."""

import numpy as np
import pytest
from samewise.features.encoders.contextual_words import encodings, lower_states
from samewise.features.encoders.onnx_transformer import LowerStates, read_tokenizer
from samewise.features.encoders.sentence_encoder import SentenceEncoder, shipped_encoder

from ...conftest import HOSTILE, PAIRS, analysed
from ..made_up_encoders import LookUp, made_up_encoder, tokenizer_json

TEXTS = [text for pair in PAIRS + HOSTILE for text in pair]

# Three texts of 2, 3 and 2 pieces, and one of 1; the state of piece k is (k, 10 k).
STATES = LowerStates(np.arange(8)[:, None] * np.asarray([[1.0, 10.0]]), np.asarray([0, 2, 5, 7, 8]))


class Later:
    """In place of later layers: states that are half as large and look at the mean of their text."""

    name = "later layers"

    def __call__(self, lower_states):
        return lower_states / 2 + lower_states.mean(axis=1, keepdims=True)


class Counted(LookUp):
    """A table in place of the first layers, which keeps count of the texts that it reads."""

    def __init__(self, table):
        super().__init__(table)
        self.texts = 0

    def __call__(self, input_ids, **others):
        self.texts += len(input_ids)
        return super().__call__(input_ids, **others)


def made(later=None):
    """An encoder of two made-up parts."""
    first = Counted(made_up_encoder()._network.table)
    return SentenceEncoder(first, read_tokenizer(tokenizer_json(), 32), digest="of two parts", later=later or Later())


def assert_same(one, other):
    for name in ("vectors", "codes", "scales", "pieces", "spans", "offsets"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def test_lengths_and_states_of_texts():
    assert STATES.lengths.tolist() == [2, 3, 2, 1]
    assert STATES.of(np.asarray([2, 0])).tolist() == [[[5, 50], [6, 60]], [[0, 0], [1, 10]]]
    assert STATES.of(np.asarray([1])).tolist() == [[[2, 20], [3, 30], [4, 40]]]
    assert STATES.of(np.asarray([0, 0, 2]))[:, :, 0].tolist() == [[0, 1], [0, 1], [5, 6]]


def test_the_encoding_is_that_of_the_lower_states():
    encoder = shipped_encoder()
    assert_same(encoder.encode(TEXTS, encoder.lower_states(TEXTS)), encoder.encode(TEXTS))


@pytest.mark.slow
def test_lower_states_do_not_depend_on_the_batch():
    encoder = shipped_encoder()
    together = encoder.lower_states(TEXTS)
    assert together.values.dtype == np.float32
    assert together.values.shape == (together.offsets[-1], 384)
    assert together.lengths.tolist() == [len(token) for token in encoder.tokens(TEXTS)]
    for row, text in enumerate(TEXTS):
        alone = encoder.lower_states([text])
        np.testing.assert_array_equal(alone.values, together.values[slice(*together.offsets[row : row + 2])])
    many = encoder.lower_states(TEXTS[:1] * 100)
    np.testing.assert_array_equal(many.of(np.arange(100)), together.of(np.zeros(100, dtype=np.int64)))


def test_no_text_has_no_states():
    found = shipped_encoder().lower_states([])
    assert found.values.shape == (0, 384)
    assert found.offsets.tolist() == [0]
    assert shipped_encoder().encode([], found).vectors.shape == (0, 384)


def test_an_encoder_of_two_parts_runs_one_after_the_other():
    encoder, table = made(), made_up_encoder()._network.table
    [token] = encoder.tokens(["the cats"])
    rows = table[token.ids]
    first = np.stack([sum(rows[j] * (1 if j == k else 0.25) for j in range(5) if abs(j - k) < 2) for k in range(5)])
    lower = encoder.lower_states(["the cats"])
    np.testing.assert_allclose(lower.values, first, atol=1e-6)
    last = first / 2 + first.mean(axis=0)
    total = last.sum(axis=0)
    for found in (encoder.encode(["the cats"]), encoder.encode(["the cats"], lower)):
        np.testing.assert_allclose(found.vectors[0], total / np.linalg.norm(total), atol=1e-6)
        assert np.all(np.abs(found.states - last[1:-1]) <= found.scales[:, None] * 0.5001)
    np.testing.assert_array_equal(encoder.vectors(["the cats"]), found.vectors)


def test_first_layers_read_a_sentence_once():
    encoder = made()
    assert encoder.dimension == 12
    before = encoder._network.texts
    pairs = analysed(PAIRS, "tokens")
    states = lower_states(pairs, encoder)
    assert encoder._network.texts - before == len(pairs.sentences) == len(states.lengths)
    encoded = encodings(pairs, encoder)
    assert lower_states(pairs, encoder) is states
    assert encoder._network.texts - before == len(pairs.sentences)
    assert_same(encoded, made().encode([sentence.text for sentence in pairs.sentences]))


def test_states_of_another_shape_are_refused():
    class Narrow(Later):
        def __call__(self, lower_states):
            return super().__call__(lower_states)[:, : 4 if len(lower_states) > 1 else None]

    with pytest.raises(ValueError, match=r"later layers must give float32 of shape \(2, 5, 12\), got float32 of shape"):
        made(Narrow()).encode(["the cats", "a dog s"])
    encoder = made()
    assert encoder.dimension == 12
    encoder._network.table = encoder._network.table[:, :6]
    with pytest.raises(ValueError, match=r"a table must give float32 of shape \(1, 5, 12\), got .* shape \(1, 5, 6\)"):
        encoder.lower_states(["the cats"])
