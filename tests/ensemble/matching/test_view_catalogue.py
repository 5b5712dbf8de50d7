"""Catalogue of views: what each of them promises."""

import re

import numpy as np
import pytest
from samewise.ensemble.matching.view_catalogue import chosen_views, text_views, view_names


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
