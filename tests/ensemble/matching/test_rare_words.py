"""Texts that share rare words."""

import math

import numpy as np
import pytest
from samewise.ensemble.matching.search import RareWords

TEXTS = ["pump xr90 hums", "pump xr90 rattles", "pump k7 hums", "a pump"]


def weights(text, among=TEXTS):
    found = {}
    for word in text.split():
        frequency = sum(word in other.split() for other in among)
        found[word] = math.log((1 + len(among)) / max(frequency, 1))
    return found


def cosine(a, b):
    one, other = weights(a), weights(b)
    dot = sum(one[word] * other[word] for word in one.keys() & other.keys())
    return dot / math.hypot(*one.values()) / math.hypot(*other.values())


def test_similarities_by_hand():
    found = RareWords(TEXTS).neighbours(["pump xr90 stops", "k7"], 10, 0.0)
    expected = {
        (query, text): cosine(words, other)
        for query, words in enumerate(["pump xr90 stops", "k7"])
        for text, other in enumerate(TEXTS)
        if set(words.split()) & set(other.split())
    }
    links = {(query, text): value for query, text, value in zip(*(part.tolist() for part in found), strict=True)}
    assert links == pytest.approx(expected, abs=2e-5)


def test_a_common_word_alone_is_no_link():
    texts = [f"lamp {number}a" for number in range(300)]
    found = RareWords(texts).neighbours(["lamp 7a", "lamp"], 10, 0.0)
    assert list(zip(found.queries.tolist(), found.texts.tolist(), strict=True)) == [(0, 7)]


def test_queries_in_any_batch_have_the_same_links():
    rare = RareWords(TEXTS)
    together = rare.neighbours(TEXTS, 3, 0.0)
    for row, text in enumerate(TEXTS):
        alone = rare.neighbours([text], 3, 0.0)
        of_row = together.queries == row
        np.testing.assert_array_equal(alone.texts, together.texts[of_row])
        np.testing.assert_array_equal(alone.similarities, together.similarities[of_row])


def test_the_best_come_first_and_no_more_than_asked_for():
    found = RareWords(TEXTS).neighbours([TEXTS[0]], 2, 0.0)
    assert found.texts.tolist() == [0, 1]
    assert len(RareWords([]).neighbours(["pump"], 2).queries) == 0


@pytest.mark.parametrize(("count", "rare"), [(200, True), (201, False)])
def test_a_word_of_more_than_200_texts_is_not_rare(count, rare):
    texts = [f"zorp {number}" for number in range(count)]
    found = RareWords(texts).neighbours(["zorp"], 1_000, 0.0)
    assert len(found.texts) == (count if rare else 0)


def test_two_texts_are_as_close_either_way():
    found = RareWords(TEXTS).neighbours(TEXTS, 10, 0.0)
    close = {(query, text): value for query, text, value in zip(*(part.tolist() for part in found), strict=True)}
    assert close == {(text, query): value for (query, text), value in close.items()}
    assert all(close[row, row] == 1.0 for row in range(len(TEXTS)))


def test_texts_without_words_are_close_to_none():
    assert len(RareWords(["", " ", "pump"]).neighbours(["", " "], 5, 0.0).queries) == 0


def test_the_least_similarity_is_that_which_is_asked_for():
    found = RareWords(TEXTS).neighbours(TEXTS[:1], 10, 0.0)
    for least in (0.2, 0.5, 0.9):
        kept = RareWords(TEXTS).neighbours(TEXTS[:1], 10, least)
        assert kept.texts.tolist() == found.texts[found.similarities >= least].tolist()
