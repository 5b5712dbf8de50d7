"""Edges that families of published systems share: pairs without content words, and work that is done in parts."""

import pytest
from samewise.research.families import event_embedding, retrieval, sense, string_metrics
from samewise.research.strings import string_similarity

from ...features.families.test_shared_edges import NO_CONTENT, assert_empty, assert_same_in_parts


@pytest.mark.parametrize("value", [sense.aligned, sense.subsequence], ids=lambda value: value.full_name)
def test_no_content_words(value, training):
    assert_empty(value, NO_CONTENT, training)


@pytest.mark.parametrize(
    ("value", "module", "limits"),
    [
        (sense.subsequence, sense, {"_KERNEL_CELLS": 10}),
        (event_embedding.relational, event_embedding, {"_COMPARED_AT_A_TIME": 2}),
        (string_metrics.words, string_similarity, {"_CELLS_AT_A_TIME": 2}),
        (retrieval.aligned, retrieval, {"_POSTINGS_AT_A_TIME": 2}),
    ],
    ids=lambda part: getattr(part, "full_name", ""),
)
def test_small_parts_are_the_same(value, module, limits, training, monkeypatch):
    assert_same_in_parts(value, module, limits, training, monkeypatch)
