"""Stages 6 and 9, worked by hand: content words and function words by the words around them."""

from .made_sentences import plain, stages


def test_stage_6_prefers_equal_neighbourhoods():
    # Without a parse: "red ball" and "red hat"; the second "red" stands near "hat".
    a, b = plain("red ball near red tall hat"), plain("hat red")
    found = stages(a, b)
    assert found[5, 0] == 6
    assert (3, 1) in found
    assert (0, 1) not in found


def test_stage_9_links_function_words_beside_linked_words():
    a, b = plain("cats of a kind"), plain("kinds of a stone")
    assert stages(a, b) == {(3, 0): 6}
    a, b = plain("cats sleep on an old mat"), plain("dogs rest on an older mat")
    found = stages(a, b)
    assert found[3, 3] == 9  # beside "old" and "older" ...
    assert found[2, 2] == 9  # ... and then beside "an"
