import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.analysis import analyse
from samewise.features.families import bow, lemma_bow
from samewise.features.resources.term_frequencies import Idf, LemmaIdf
from samewise.features.sentences import PairBatch

from ..sentences import sentence

WORDS = st.lists(st.sampled_from("a the dog dogs cat sees see not is 3 , . über tomato tomatoes".split()), max_size=9)
BATCHES = st.lists(st.tuples(WORDS.map(" ".join), WORDS.map(" ".join)), min_size=1, max_size=4)

IDF = LemmaIdf.fit(
    [sentence(text, lemmas=text) for text in ("mouse run the", "cat run", "cat sleep", "dog sleep", "dog dream")]
)


def row(value, a, b):
    return dict(zip(value.names, value([(a, b)], lemma_idf=IDF)[0].tolist(), strict=True))


def test_golden_kernels():
    # Of 5 sentences mouse is in 1, the others in 2: their idf is log10 of 5 and of 2.5.
    rare, common = math.log10(5), math.log10(2.5)
    long = math.hypot(rare, common)
    dot = common / long / math.sqrt(2)
    apart = [rare / long, math.sqrt(0.5), abs(common / long - math.sqrt(0.5))]
    found = row(lemma_bow.kept, sentence("mice ran", "mouse run"), sentence("cats run", "cat run"))
    assert found["cosine_distance"] == pytest.approx(1 - dot)
    assert found["euclidean"] == pytest.approx(math.sqrt(2 - 2 * dot))
    assert found["manhattan"] == pytest.approx(sum(apart))
    assert found["chebyshev"] == pytest.approx(max(apart))
    assert found["polynomial"] == pytest.approx((dot / 7 + 1) ** 3)  # seven lemmas are in the table
    assert found["sigmoid"] == pytest.approx(math.tanh(dot / 7 + 1))


def test_golden_stop_words_and_smooth_idf():
    a, b = sentence("the mice", "the mouse"), sentence("mouse", "mouse")
    # Both lemmas are seen in one sentence, so they weigh the same.
    assert row(lemma_bow.removed, a, b)["cosine_distance"] == pytest.approx(0, abs=1e-6)
    assert row(lemma_bow.kept, a, b)["cosine_distance"] == pytest.approx(1 - math.sqrt(0.5))
    assert row(lemma_bow.smooth, a, b) == pytest.approx({"kept": math.sqrt(0.5), "removed": 1})


@settings(max_examples=30)
@given(BATCHES)
def test_lemmas_are_treated_as_stems_are(pairs):
    plain = analyse(pairs)
    sentences = [s._replace(lemmas=s.stems, tags=("NN",) * len(s.tokens)) for s in plain.sentences]
    batch = PairBatch(sentences, plain.left, plain.right)
    idf, lemma_idf = Idf.fit(plain.sentences), LemmaIdf.fit(sentences)
    for value, twin in ((lemma_bow.kept, bow.kept), (lemma_bow.removed, bow.removed), (lemma_bow.smooth, bow.smooth)):
        np.testing.assert_array_equal(value(batch, lemma_idf=lemma_idf), twin(plain, idf=idf))
