import math

import numpy as np
import pytest
from samewise.features.families import embedding_match
from samewise.features.lexicon.word_frequencies import Frequencies
from samewise.features.statistics.counts import Idf

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
    value = embedding_match.distilled
    same, half, none = (
        dict(zip(value.names, row.tolist(), strict=True)) for row in value(pairs, idf=idf, frequencies=frequencies)
    )
    assert all(same[name] == (0 if name in ("far", "near") else 1) for name in value.names)
    assert all(half[name] == (1 if name in ("far", "near") else 0) for name in value.names)
    assert not any(none.values())


@pytest.mark.parametrize(
    ("codes", "far", "near"),
    [((34, 94), 1, 1), ((36, 93), 0, 1), ((49, 87), 0, 1), ((51, 86), 0, 0)],  # cosines 0.340, 0.361, 0.491 and 0.510
)
def test_limits_of_far_and_near(monkeypatch, codes, far, near):
    made = vectors({"cat": (100, 0), "dog": codes})
    monkeypatch.setattr(embedding_match, "shipped_vectors", lambda name: made)
    pairs, idf = batch(("cat", "dog")), Idf.fit([])
    row = embedding_match.distilled(pairs, idf=idf, frequencies=Frequencies.fit([]))[0]
    values = dict(zip(embedding_match.distilled.names, row.tolist(), strict=True))
    assert (values["far"], values["near"]) == (far, near)
    # Unseen words weigh ln 1 + 1 = 1 each.
    assert embedding_match.distilled_loss(pairs, idf=idf)[0, 3] == 2 * far


def test_the_rarest_word_and_the_rarest_without_a_partner(monkeypatch):
    # Cosines to cat: cat 1, dog 0.6, fox 0.28, elk 0. dog is in one sentence of three, elk in two, cat in none.
    made = vectors({"cat": (100, 0), "dog": (60, 80), "fox": (28, 96), "elk": (0, 100)})
    monkeypatch.setattr(embedding_match, "shipped_vectors", lambda name: made)
    idf = Idf.fit([sentence("dog elk fox"), sentence("elk fox"), sentence("x")])
    pairs = batch(("dog cat elk", "cat"), ("dog elk fox", "cat cat"), ("elk the fox fox", "cat"))
    rows = embedding_match.distilled(pairs, idf=idf, frequencies=Frequencies.fit([])).tolist()
    first, second, third = (dict(zip(embedding_match.distilled.names, row, strict=True)) for row in rows)
    # cat is the rarest word and has a partner; the rarest without one is dog.
    assert (first["rarest_min"], first["rarest_max"], first["alone"]) == (1, 1, pytest.approx(0.6))
    assert (first["lowest_min"], first["lowest_max"]) == (0, 1)
    # dog is the rarest of the first side and dog its best partner: 0.6 both ways.
    assert [second[name] for name in ("rarest_min", "rarest_max", "alone", "lowest_min", "lowest_max")] == (
        pytest.approx([0.6, 0.6, 0.6, 0, 0.6])
    )
    # elk and fox are as rare: the lesser cosine counts. A repeated word counts twice.
    dog, two, unseen = math.log(4 / 2) + 1, math.log(4 / 3) + 1, math.log(4) + 1
    assert [third[name] for name in ("rarest_min", "alone")] == [0, 0]
    assert third["content_min"] == pytest.approx(2 * 0.28 * two / (3 * two))
    assert third["content_max"] == pytest.approx(0.28)
    assert third["plain"] == pytest.approx((2 * 0.28 / 3 + 0.28) / 2)
    assert third["far"] == third["near"] == pytest.approx(1)
    assert second["far"] == pytest.approx(2 * two / (dog + 2 * two + 2 * unseen))
    lost = embedding_match.distilled_loss(pairs, idf=idf)[1].tolist()
    sides = sorted((0.4 * dog + two + 0.72 * two, 0.4 * 2 * unseen))
    assert lost == pytest.approx([*sides, sum(sides), 2 * two])


def test_a_side_without_words():
    value = embedding_match.distilled
    for row in value(batch(("", "dog"), ("dog", "")), idf=Idf.fit([]), frequencies=Frequencies.fit([])).tolist():
        found = dict(zip(value.names, row, strict=True))
        assert (found["lowest_max"], found["alone"], found["far"], found["mean"]) == (0, 0, 1, 0)


def test_a_cosine_at_the_limit_is_not_below_it(monkeypatch):
    # (1, 0, 0, 0) and (1, 1, 1, 1) / 2 have the cosine 1/2.
    made = vectors({"cat": (1, 0, 0, 0), "dog": (1, 1, 1, 1)})
    monkeypatch.setattr(embedding_match, "shipped_vectors", lambda name: made)
    row = embedding_match.distilled(batch(("cat", "dog")), idf=Idf.fit([]), frequencies=Frequencies.fit([]))[0]
    assert dict(zip(embedding_match.distilled.names, row.tolist(), strict=True))["near"] == 0
