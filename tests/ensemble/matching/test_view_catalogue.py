"""Catalogue of views: what each of them promises."""

import re

import numpy as np
import pytest
from samewise.ensemble.core.scale import POINTS, Scale
from samewise.ensemble.matching.texts import chosen_views, deciding_view, least_similarity, text_views, view_names


def test_views_stand_in_alphabetical_order_and_cannot_be_changed():
    views = text_views()
    assert list(views) == ["characters", "sentences", "words"]
    assert [view.name for view in views.values()] == list(views)
    with pytest.raises(TypeError):
        views["words"] = views["characters"]


def test_names_are_those_of_the_folder_and_rare_words():
    assert view_names() == ("characters", "sentences", "words", "rare_words")
    assert chosen_views(view_names()) == ("characters", "rare_words", "sentences", "words")


def test_only_the_network_is_slow():
    assert [name for name, view in text_views().items() if view.slow] == ["sentences"]


def test_tables_have_digests():
    digests = {name: view.digest() for name, view in text_views().items()}
    assert all(re.fullmatch("[0-9a-f]{16,}", digest) for digest in digests.values())
    assert digests["words"] == digests["characters"] != digests["sentences"]


@pytest.mark.parametrize("name", ["words", "characters", "sentences"])
def test_no_texts_have_codes_as_wide_as_those_of_some(name):
    codes, nothing = (text_views()[name].codes(texts) for texts in (["The kettle leaks."], []))
    assert (codes.dtype, nothing.dtype) == (np.int8, np.int8)
    assert nothing.shape == (0, codes.shape[1])


def test_characters_see_a_misspelt_word_and_words_do_not():
    texts = ["The restaurant is closed.", "The restaraunt is closed.", "The parliament is closed."]
    codes = text_views()["characters"].codes(texts).astype(int)
    assert codes[0] @ codes[1] > codes[0] @ codes[2]


def test_the_view_that_decides_is_the_one_that_follows_scores_best():
    assert deciding_view(("characters", "rare_words", "sentences", "words")) == "sentences"
    assert deciding_view(("characters", "rare_words", "words")) == "words"
    assert deciding_view(("characters", "rare_words")) == "characters"
    assert deciding_view(("rare_words",)) is None


@pytest.mark.parametrize(
    ("views", "expected"),
    [
        (("rare_words", "words"), [0.6, 0.6, 0.4, 0.0]),
        (("rare_words", "sentences", "words"), [0.65, 0.65, 0.48, 0.0]),
        (("characters", "rare_words"), [0.4, 0.38, 0.18, 0.0]),
        (("rare_words",), [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_least_similarity_by_hand(views, expected):
    assert [least_similarity(score, POINTS, views) for score in (5.0, 4.0, 3.0, 0.5)] == pytest.approx(expected)


def test_least_similarity_on_another_scale():
    assert least_similarity(0.7, Scale(0.0, 1.0), ("words",)) == pytest.approx(0.5)
