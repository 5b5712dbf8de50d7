import math

import numpy as np
import pytest
from samewise.features.families import embedding_match
from samewise.features.lexicon.word_frequencies import Frequencies
from samewise.features.resources.term_frequencies import Idf
from samewise.features.word_similarity.word_cosines import best_cosines, word_grid

from ..sentences import sentence
from ..word_similarity.test_word_cosines import batch, vectors

COMMON, RARE = math.log(3 / 2) + 1, math.log(3) + 1  # seen in one sentence of two, and never
HALF = math.sqrt(0.5)
PAIR = batch(("the cat sees a dog", "car , cat"))


@pytest.fixture
def found(monkeypatch):
    """The columns of a pair by small vectors, with cat and the in one sentence of two."""
    made = vectors()
    monkeypatch.setattr(embedding_match, "shipped_vectors", lambda name: made)
    idf, frequencies = Idf.fit([sentence("the cat"), sentence("x")]), Frequencies.fit([])
    first = embedding_match.distilled(PAIR, idf=idf, frequencies=frequencies)[0]
    loss = embedding_match.distilled_loss(PAIR, idf=idf)[0]
    names = embedding_match.distilled.names, embedding_match.distilled_loss.names
    return [dict(zip(keys, map(float, values), strict=True)) for keys, values in zip(names, (first, loss), strict=True)]


def test_match_by_hand(found):
    # Best cosines: the 0, cat 1, sees 0, a 0, dog 0.71; car 0.71, cat 1. Content: cat, sees, dog; car, cat.
    a = (COMMON + RARE * HALF) / (COMMON + 2 * RARE)
    b = (COMMON + RARE * HALF) / (COMMON + RARE)
    match, loss = found
    assert match["content_min"] == pytest.approx(a)
    assert match["content_max"] == pytest.approx(b)
    assert match["content_mean"] == pytest.approx((a + b) / 2)
    assert match["plain"] == pytest.approx(((1 + HALF) / 3 + (1 + HALF) / 2) / 2)
    assert match["far"] == match["near"] == pytest.approx(RARE / (2 * COMMON + 3 * RARE))
    assert (match["lowest_min"], match["lowest_max"]) == (0, pytest.approx(HALF))
    # The rarest of the first are sees and dog, and the lesser cosine counts; of the second it is car.
    assert (match["rarest_min"], match["rarest_max"]) == (0, pytest.approx(HALF))
    assert match["alone"] == 0
    lost = RARE * (2 - HALF), RARE * (1 - HALF)
    assert loss == pytest.approx({"min": lost[1], "max": lost[0], "total": sum(lost), "far": RARE}, rel=1e-6)


def test_frequent_words_weigh_less(found):
    frequencies = Frequencies.fit([])
    words = ["the", "cat", "sees", "a", "dog", "car", "cat"]
    best = np.asarray([0, 1, 0, 0, HALF, HALF, 1])
    sif, content = frequencies.sif(words), frequencies.information(words)
    sides = slice(0, 5), slice(5, 7)
    means = [float((sif * best)[side].sum() / sif[side].sum()) for side in sides]
    assert found[0]["min"] == pytest.approx(min(means))
    assert found[0]["max"] == pytest.approx(max(means))
    content[[0, 3]] = 0  # stop words
    informed = [float((content * best)[side].sum() / content[side].sum()) for side in sides]
    assert found[0]["information"] == pytest.approx(sum(informed) / 2)


def test_equal_sentences_and_no_words():
    idf, frequencies = Idf.fit([]), Frequencies.fit([])
    pairs = batch(("a dog sees cats", "cats , a dog sees !"), ("...", "a dog"), ("?", "!"))
    for value in (embedding_match.distilled, embedding_match.relational):
        same, half, none = (
            dict(zip(value.names, row.tolist(), strict=True)) for row in value(pairs, idf=idf, frequencies=frequencies)
        )
        assert all(same[name] == (0 if name in ("far", "near") else 1) for name in value.names)
        assert all(half[name] == (1 if name in ("far", "near") else 0) for name in value.names)
        assert not any(none.values())


def test_the_two_sets_are_told_apart():
    idf = Idf.fit([])
    pairs = batch(("a small dog runs", "the puppy is running"))
    assert (embedding_match.distilled_loss(pairs, idf=idf) != embedding_match.relational_loss(pairs, idf=idf)).any()
    assert best_cosines(pairs, vectors())[0].shape == word_grid(pairs).a.times.shape
