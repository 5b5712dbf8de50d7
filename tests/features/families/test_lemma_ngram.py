import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.analysis import analyse
from samewise.features.families import lemma_ngram, ngram
from samewise.features.resources.term_frequencies import Idf, LemmaIdf
from samewise.features.sentences import PairBatch

from ..sentences import sentence

WORDS = st.lists(st.sampled_from("a the dog dogs cat sees see not is 3 , . über aa aaa".split()), max_size=9)
BATCHES = st.lists(st.tuples(WORDS.map(" ".join), WORDS.map(" ".join)), min_size=1, max_size=4)

MICE = sentence("The mice chased my cats", lemmas="the mouse chase my cat")
MOUSE = sentence("A mouse chases cats", lemmas="a mouse chase cat")


def row(value, a, b, **resources):
    return dict(zip(value.names, value([(a, b)], **resources)[0].tolist(), strict=True))


def test_golden_lemmas():
    # ECNU strikes "the", "my" and "a": mouse chase cat on both sides. TakeLab keeps "my": 3 of 4 and 3 lemmas, 1 of 3
    # and 2 bigrams, no trigram.
    expected = {"n1": 1, "n2": 1, "n3": 1, "takelab_n1": 6 / 7, "takelab_n2": 2 / 5, "takelab_n3": 0}
    assert row(lemma_ngram.lemmas, MICE, MOUSE) == pytest.approx(expected)


def test_golden_stop_words_struck_out_of_ngrams():
    # Single: mouse chase cat on both sides. Of two:
    # mouse, mouse-chase, chase, cat against mouse, mouse-chase, chase-cat: 2 of 4 and 3. Of three: mouse-chase twice
    # and chase-cat against mouse-chase and mouse-chase-cat: 1 of 3 and 2.
    assert row(lemma_ngram.filtered, MICE, MOUSE) == pytest.approx({"n1": 1, "n2": 4 / 7, "n3": 2 / 5})
    # Of stop words alone nothing is left, and their bigrams go too.
    assert row(lemma_ngram.filtered, sentence("the", "the"), sentence("a mouse", "a mouse"))["n1"] == 1
    assert row(lemma_ngram.lemmas, sentence("the", "the"), sentence("a mouse", "a mouse"))["n1"] == 0


def test_golden_idf():
    # Of 4 sentences mouse is in 1, run and cat in 2: ECNU gives log10 4, log10 2, log10 2, that is 2, 1, 1 parts.
    texts = ("mouse run", "cat run", "cat sleep", "dog sleep")
    idf = LemmaIdf.fit([sentence(text.replace("mouse", "mice"), lemmas=text) for text in texts])
    found = row(
        lemma_ngram.idf_weighted, sentence("mice ran", "mouse run"), sentence("cat runs", "cat run"), lemma_idf=idf
    )
    mouse, other = np.log(5 / 2) + 1, np.log(5 / 3) + 1
    assert found["ecnu_n1"] == pytest.approx(2 / 5)
    assert found["smooth_n1"] == pytest.approx(2 * other / (mouse + 3 * other))
    assert (found["ecnu_n2"], found["smooth_n2"]) == (0, 0)
    assert (found["ecnu_n3"], found["smooth_n3"]) == (1, 1)  # neither side has three


def test_golden_characters():
    # ^an#ox$ and ^ox$: bigrams ^a an n# #o ox x$ against ^o ox x$. Without the stop word both are ^ox$.
    found = row(lemma_ngram.characters_f1, sentence("an oxen", "an ox"), sentence("oxen", "ox"))
    assert found["kept_n2"] == pytest.approx(4 / 9)
    assert found["kept_n3"] == pytest.approx(2 / 7)  # ox$ of 5 and 2
    assert [found[f"removed_n{n}"] for n in (2, 3, 4, 5)] == [1, 1, 1, 1]


@settings(max_examples=30)
@given(BATCHES)
def test_lemmas_are_treated_as_stems_are(pairs):
    plain = analyse(pairs)
    sentences = [s._replace(lemmas=s.stems, tags=("NN",) * len(s.tokens)) for s in plain.sentences]
    batch = PairBatch(sentences, plain.left, plain.right)
    idf, lemma_idf = Idf.fit(plain.sentences), LemmaIdf.fit(sentences)
    np.testing.assert_array_equal(lemma_ngram.lemmas(batch), ngram.stems(plain))
    np.testing.assert_array_equal(lemma_ngram.filtered(batch)[:, 1:], ngram.filtered(plain)[:, 3:])
    np.testing.assert_array_equal(lemma_ngram.characters_f1(batch), ngram.characters_f1(plain))
    found = lemma_ngram.idf_weighted(batch, lemma_idf=lemma_idf)
    np.testing.assert_array_equal(found, ngram.idf_weighted(plain, idf=idf)[:, 6:])
