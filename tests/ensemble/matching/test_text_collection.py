"""Distinct texts, in an order of their own, and their codes in batches."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.matching import texts
from samewise.ensemble.matching.texts import TextCollection, codes_by_view, codes_of, text_views

TEXTS = [f"The {thing} of room {number} is {state}." for number in (7, 12) for thing in ("lamp", "door") for state in
         ("broken", "new", "missing")]  # fmt: skip


class OneProcess:
    """Processes that are none: tasks are done here, one after the other."""

    def __init__(self):
        self.sizes = []

    def map(self, task, join, batches):
        for batch in batches:
            self.sizes.append(batch.num_rows)
            yield task(batch, model=None)


def test_texts_by_hand():
    texts = TextCollection.of(["pear", "apple ", "pear"], ["fig", "apple"])
    assert texts.texts == ["apple", "fig", "pear"]
    assert [rows.tolist() for rows in texts.rows] == [[2, 0, 2], [1, 0]]
    assert texts.arrow().to_pylist() == texts.texts


@given(st.lists(st.text("ab \t", max_size=4), max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_only_the_rows(table, random):
    turned = random.sample(table, len(table))
    one, other = TextCollection.of(table), TextCollection.of(turned)
    assert one.texts == other.texts == sorted({" ".join(text.split()) for text in table})
    assert [one.texts[place] for place in one.rows[0]] == [" ".join(text.split()) for text in table]
    assert [other.texts[place] for place in other.rows[0]] == [" ".join(text.split()) for text in turned]


def test_half_a_letter_becomes_a_text_that_can_be_written():
    texts = TextCollection.of(["\ud800 lone"])
    assert len(texts.arrow()) == 1


@pytest.mark.parametrize("name", ["words", "characters"])
def test_batches_change_no_code(monkeypatch, name):
    view = text_views()[name]
    expected = view.codes(TEXTS)
    monkeypatch.setattr(texts, "BATCH", 5)
    np.testing.assert_array_equal(codes_of(TEXTS, view, None), expected)
    pool = OneProcess()
    np.testing.assert_array_equal(codes_of(TEXTS, view, pool), expected)
    assert pool.sizes == []  # fast enough alone
    np.testing.assert_array_equal(codes_of(TEXTS, replace(view, slow=True), pool), expected)
    assert pool.sizes == [5, 5, 2]


def test_no_texts_have_no_codes():
    for view in (text_views()["words"], replace(text_views()["words"], slow=True)):
        codes = codes_of([], view, OneProcess())
        assert (len(codes), codes.dtype) == (0, np.int8)


def test_rare_words_have_no_codes():
    assert list(codes_by_view(TEXTS[:2], ["characters", "rare_words", "words"], None)) == ["characters", "words"]
