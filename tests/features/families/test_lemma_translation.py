from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.analysis import analyse
from samewise.features.families import lemma_translation, translation
from samewise.features.resources.ngram_counts import LemmaNgramCounts, NgramCounts
from samewise.features.resources.registry import Resources
from samewise.features.sentences import PairBatch

from ..sentences import sentence

ORDER = ("bleu", "nist", "gtm", "wer", "per", "overlap", "ter", "meteor", "rouge_l")
NONE = LemmaNgramCounts({"tokens": np.asarray(0), "hashes": np.empty(0, np.uint64), "counts": np.empty(0, np.int32)})
# Nothing alike in the surface forms but "the", everything but two lemmas alike.
SHIPS = sentence("mice chased the ships", lemmas="mouse chase the ship")
SHIP = sentence("a mouse chases the big ship", lemmas="a mouse chase the big ship")

TEXTS = st.lists(st.sampled_from("boat red hill sun fish boats running ran".split()), max_size=9).map(" ".join)


def row(value, a, b, **resources):
    return value([(a, b)], **resources)[0].tolist()


def test_columns_stand_in_the_order_of_the_system():
    found = [value for value in vars(lemma_translation).values() if hasattr(value, "columns")]
    assert [value.name for value in found] == list(ORDER)
    assert [len(value.names) for value in found] == [2] * 9


def test_lemmas_are_compared_and_not_words():
    # Runs of 3 and 1 of 4 and 6 lemmas: the cube root of 28. Two insertions; nothing to shift.
    root = 28 ** (1 / 3)
    assert row(lemma_translation.gtm, SHIPS, SHIP) == pytest.approx([root / 6, root / 4])
    for value in (lemma_translation.wer, lemma_translation.per, lemma_translation.ter):
        assert row(value, SHIPS, SHIP) == pytest.approx([-2 / 4, -2 / 6])
    assert row(lemma_translation.overlap, SHIPS, SHIP) == pytest.approx([4 / 6, 4 / 4])
    assert row(lemma_translation.rouge_l, SHIPS, SHIP) == pytest.approx([4 / 6, 4 / 4])
    # Two chunks of four matches: 1 - 0.5 (2/4)^3. 10 m / (h + 9 r) for 4 and 6 lemmas and for 6 and 4.
    assert row(lemma_translation.meteor, SHIPS, SHIP) == pytest.approx([40 / 58 * 0.9375, 40 / 42 * 0.9375])
    # Shared: 4, 2, 1 and 0 n-grams. Hypothesis of 6: 4/6 * 3/6 * 2/5 * 1/4; of 4: 4/4 * 3/4 * 2/3 * 1/2 * e^(1 - 6/4).
    expected = [(1 / 30) ** 0.25, (1 / 4) ** 0.25 * np.exp(-0.5)]
    assert row(lemma_translation.bleu, SHIPS, SHIP) == pytest.approx(sorted(expected))


def test_information_is_that_of_lemmas():
    # 5 lemmas: mouse twice, chase twice, "mouse chase" once, so it counts as once as everything unseen does.
    texts = ("mouse chase", "mouse run", "chase")
    counts = Resources.fit(
        ["lemma_ngram_counts"], [sentence(f"x{i} " * len(t.split()), t) for i, t in enumerate(texts)]
    )
    a, b = sentence("mice chased", "mouse chase"), sentence("the mouse chases", "the mouse chase")
    unigrams, bigram = 2 * log2(5 / 2), log2(2 / 1)
    # Hypothesis of two lemmas for three: one half.
    expected = [(unigrams / 2 + bigram) / 2, unigrams / 3 + bigram / 2]
    assert row(lemma_translation.nist, a, b, **counts) == pytest.approx(sorted(expected))


@settings(max_examples=40)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_lemmas_are_treated_as_stems_are(pairs):
    plain = analyse(pairs)
    sentences = [s._replace(lemmas=s.stems, tags=("NN",) * len(s.tokens)) for s in plain.sentences]
    batch = PairBatch(sentences, plain.left, plain.right)
    for name in ("bleu", "ter", "meteor"):
        found = getattr(lemma_translation, name)(batch)
        np.testing.assert_array_equal(found, getattr(translation, name)(plain))
    stems, lemmas = NgramCounts.fit(sentences), LemmaNgramCounts.fit(sentences)
    found = lemma_translation.nist(batch, lemma_ngram_counts=lemmas)
    np.testing.assert_array_equal(found, translation.nist(plain, ngram_counts=stems))
    rates = np.concatenate([lemma_translation.wer(batch), lemma_translation.per(batch)], axis=1)
    np.testing.assert_array_equal(rates, translation.error_rate(plain))
    # The F-measure of two shares m / x and m / y is 2 m / (x + y).
    precision, recall = lemma_translation.rouge_l(batch).astype(float).T
    f = np.divide(2 * precision * recall, precision + recall, out=np.zeros(len(plain)), where=recall > 0)
    np.testing.assert_allclose(f, translation.rouge(plain)[:, 2], atol=1e-6)


@pytest.mark.parametrize("name", ORDER)
def test_empty_sentences(name):
    value = getattr(lemma_translation, name)
    resources = {"lemma_ngram_counts": NONE} if value.needs else {}
    nothing, two = sentence("", ""), sentence("red boats", "red boat")
    rate = name in ("wer", "per", "ter")
    assert row(value, nothing, nothing, **resources) == [0.0 if rate or name == "nist" else 1.0] * 2
    assert row(value, nothing, two, **resources) == ([-2.0, -1.0] if rate else [0.0, 0.0])
