"""Input of a cross-encoder: the word pieces of a pair, their order, and the length at which they are cut."""

import numpy as np
import pytest
from samewise.features.encoders.pair_reading import canonical_order, joined, piece_ids
from samewise.features.encoders.sentence_encoder import shipped_encoder
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import BertProcessing, RobertaProcessing


def test_the_shorter_text_is_read_first_and_ties_by_text():
    lengths, texts = np.asarray([5, 3, 3, 4]), ["some long text", "bee", "ant", "a wasp"]
    left, right = np.asarray([0, 1, 1, 2, 2, 3, 0, 1]), np.asarray([1, 0, 2, 1, 3, 2, 0, 3])
    expected = [[1, 0], [1, 0], [2, 1], [2, 1], [2, 3], [2, 3], [0, 0], [1, 3]]
    assert canonical_order(lengths, texts, left, right).tolist() == expected
    assert canonical_order(lengths, texts, right, left).tolist() == expected
    # What else is in the batch does not matter, nor in which order.
    assert canonical_order(lengths[[2, 1]], ["ant", "bee"], np.asarray([1]), np.asarray([0])).tolist() == [[0, 1]]
    none = np.zeros(0, dtype=np.int64)
    assert canonical_order(none, [], none, none).shape == (0, 2)


def test_inputs_are_those_of_a_bert():
    [dog, cat] = piece_ids(shipped_encoder(), ["A dog.", "the CAT"])
    ids, segments = joined(shipped_encoder().special, dog, cat)
    assert (ids[0], ids[len(dog) + 1], ids[-1]) == (101, 102, 102)
    assert ids[1 : len(dog) + 1] == dog == [1037, 3899, 1012]
    assert segments == [0] * (len(dog) + 2) + [1] * (len(cat) + 1)


@pytest.mark.parametrize(("between", "template"), [(1, BertProcessing), (2, RobertaProcessing)])
def test_pieces_stand_as_the_tokenizer_of_the_model_joins_them(between, template):
    tokenizer = Tokenizer(WordLevel({piece: row for row, piece in enumerate(["<s>", "</s>", "a", "dog", "cat"])}, "a"))
    tokenizer.pre_tokenizer = Whitespace()
    first, second = (tokenizer.encode(text).ids for text in ("a dog", "a cat a"))
    tokenizer.post_processor = template(("</s>", 1), ("<s>", 0))
    ids, segments = joined((0, 1), first, second, between)
    assert ids == tokenizer.encode("a dog", "a cat a").ids
    assert [piece for piece, kind in zip(ids, segments, strict=True) if kind == 0] == [0, 2, 3, 1]


def test_long_texts_are_cut_and_empty_ones_have_no_pieces():
    assert [len(ids) for ids in piece_ids(shipped_encoder(), ["word " * 1_000, ""])] == [120, 0]
