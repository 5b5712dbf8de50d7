"""Similarity of two words with the evidence around them, by hand."""

import numpy as np
import pytest
from samewise.features.alignment.stages import contextual_similarity


def test_words_weigh_nine_tenths_and_their_neighbours_one():
    # Sultan et al. (2014, section 3.3): 0.9 of the relatedness of the words, 0.1 of the sum of that around them, where
    # equal words count 1 and paraphrases 0.9.
    found = contextual_similarity(np.array([1.0, 0.9, 0.9, 0.0]), np.array([0, 0, 2, 1]), np.array([0, 1, 1, 3]))
    assert found.tolist() == pytest.approx([0.9, 0.81 + 0.1, 0.81 + 0.1 * 2.8, 0.1 * 3.9])
