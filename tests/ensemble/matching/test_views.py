"""Codes of texts: exact, and the same whatever stands beside a text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.matching.search import WordBags, row_similarities, text_codes
from samewise.ensemble.matching.texts import chosen_views, text_views, view_names
from samewise.features.analysis.analysis import cut

TEXTS = [
    "The kettle in the kitchen leaks.",
    "Why does my kettle leak?",
    "Invoice 4711 is from 3 May.",
    "Köşedeki dükkân açık mı?",
    "zzqx-9000 qqv",
    "Hello, hello, HELLO!",
]


@pytest.mark.parametrize("name", ["words", "characters", "sentences"])
def test_codes_do_not_depend_on_other_texts(name):
    view = text_views()[name]
    together = view.codes(TEXTS)
    assert together.dtype == np.int8
    for row, text in enumerate(TEXTS):
        np.testing.assert_array_equal(view.codes([text])[0], together[row])
    np.testing.assert_array_equal(view.codes(TEXTS[::-1]), together[::-1])


@pytest.mark.parametrize("name", ["words", "characters"])
@given(texts=st.lists(st.text(max_size=40), min_size=1, max_size=6))
def test_any_text_has_codes_of_its_own(name, texts):
    view = text_views()[name]
    together = view.codes(texts)
    np.testing.assert_array_equal(view.codes(texts[:1])[0], together[0])


@pytest.mark.parametrize("name", ["words", "characters"])
def test_a_text_without_words_is_close_to_none(name):
    codes = text_views()[name].codes(["", "   ", "The kettle leaks."])
    assert not codes[:2].any()
    assert codes[2].any()


@pytest.mark.parametrize("name", ["words", "characters", "sentences"])
def test_a_long_text_is_cut_as_for_a_score(name):
    view = text_views()[name]
    ends = "The kettle leaks. " * 120, "q7" * 1_500
    np.testing.assert_array_equal(view.codes([f"{text}tail" for text in ends]), view.codes(list(map(cut, ends))))


def test_similarity_is_near_the_cosine():
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 200, 64))
    second = 0.7 * first + 0.3 * second
    cosines = (first * second).sum(1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)
    np.testing.assert_allclose(row_similarities(text_codes(first), text_codes(second)), cosines, atol=0.01)


def test_similarity_by_hand():
    # Unit vectors become 256 times as long; (0.6, 0.8) is cut at 127 of 153.6 and of 204.8.
    codes = text_codes(np.array([[0.1, -0.2, 0.0], [0.0, 0.0, 0.0]]))
    np.testing.assert_array_equal(codes, [[114, -127, 0], [0, 0, 0]])


def test_close_words_are_close():
    codes = text_views()["words"].codes(["The kettle leaks.", "The pot drips.", "Taxes rise again."])
    near, far = row_similarities(codes[[0, 0]], codes[[1, 2]])
    assert near > far + 0.1


def test_words_and_marks_are_counted():
    bags = WordBags.of(["No, no!", "", "It's 3 o'clock"])
    assert bags.words == ["no", ",", "!", "it", "'", "s", "3", "o", "clock"]
    np.testing.assert_array_equal(
        bags.counts.toarray(), [[2, 1, 1, 0, 0, 0, 0, 0, 0], [0] * 9, [0, 0, 0, 1, 2, 1, 1, 1, 1]]
    )


def test_views_are_chosen_once_and_in_order():
    assert chosen_views(["words", "rare_words", "words"]) == ("rare_words", "words")
    assert set(view_names()) == {"words", "characters", "sentences", "rare_words"}


@pytest.mark.parametrize(("names", "got"), [([], "none"), (["words", "letters"], "letters")])
def test_a_view_that_is_none(names, got):
    with pytest.raises(ValueError, match=f"views must be among .*words, got {got}"):
        chosen_views(names)
