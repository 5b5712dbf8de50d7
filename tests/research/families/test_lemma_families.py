"""Families of lemmas: golden rows, synonyms, and the values of their twins of stems where lemmas are stems."""

from math import e, hypot, log, log2, log10, sqrt, tanh

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.analysis.analysis import analyse
from samewise.features.base.feature import _as_batch
from samewise.features.base.sentences import PairBatch
from samewise.features.families import bow, ngram, sequence, translation
from samewise.features.pipeline.registry import Resources
from samewise.features.statistics.counts import Idf, LemmaIdf, NgramCounts
from samewise.research.families import lemma_bow, lemma_ngram, lemma_sequence, lemma_translation
from samewise.research.families.lemma_translation import LemmaNgramCounts
from samewise.research.lexicon import shared_synsets as synonyms

from ...features.golden import check, row
from ...features.sentences import sentence


def idf_of(*texts):
    return {"lemma_idf": LemmaIdf.fit([sentence(text, lemmas=text) for text in texts])}


def counts_of(*texts):
    made = [sentence(f"x{i} " * len(text.split()), text) for i, text in enumerate(texts)]
    return {"lemma_ngram_counts": Resources.fit(["lemma_ngram_counts"], made)["lemma_ngram_counts"]}


def tagged(text):
    tags = {"buy": "VB", "purchase": "VB", "the": "DT", "of": "IN", ",": ","}
    return sentence(text, tags=" ".join(tags.get(word, "NN") for word in text.split()))


THE, A_MOUSE = sentence("the", "the"), sentence("a mouse", "a mouse")
# Of 5 sentences mouse is in 1, the others in 2: their idf is log10 of 5 and of 2.5. Seven lemmas are in the table.
FIVE = idf_of("mouse run the", "cat run", "cat sleep", "dog sleep", "dog dream")
RARE, COMMON = log10(5), log10(2.5)
LONG = hypot(RARE, COMMON)
DOT = COMMON / LONG / sqrt(2)
APART = [RARE / LONG, sqrt(0.5), abs(COMMON / LONG - sqrt(0.5))]
THE_MICE, A_MICE = sentence("the mice", "the mouse"), sentence("mouse", "mouse")
# Of 4 sentences mouse is in 1, run and cat in 2: ECNU gives log10 4, log10 2, log10 2, that is 2, 1, 1 parts.
FOUR = idf_of("mouse run", "cat run", "cat sleep", "dog sleep")
MOUSE_SMOOTH, OTHER_SMOOTH = log(5 / 2) + 1, log(5 / 3) + 1

MICE = sentence("The mice chased my cats", lemmas="the mouse chase my cat")
MOUSE = sentence("A mouse chases cats", lemmas="a mouse chase cat")
AN_OX, OX = sentence("an oxen", "an ox"), sentence("oxen", "ox")
# Without stop words: old mouse eat green cheese, old mouse eat cheese slow.
GREEN = sentence("The old mice ate green cheese", "the old mouse eat green cheese")
SLOW = sentence("An old mouse eats cheese slowly", "an old mouse eat cheese slow")
# Nouns: mouse cheese, mouse night cheese; none; two others.
EAT = sentence("Mice eat cheese", "mouse eat cheese", tags="NNS VBP NN")
NIGHT = sentence("A mouse ate the night 's cheese", "a mouse eat the night 's cheese", tags="DT NN VBD DT NN POS NN")
VERB, NOUNS = sentence("Run", tags="VB"), sentence("cats dogs", tags="NNS NNS")
# buy red car, purchase automobile: the first and the last words share a synset.
BUY, PURCHASE = tagged("buy the red car"), tagged("purchase the automobile")
# Nothing alike in the surface forms but "the", everything but two lemmas alike.
SHIPS = sentence("mice chased the ships", lemmas="mouse chase the ship")
SHIP = sentence("a mouse chases the big ship", lemmas="a mouse chase the big ship")
# 5 lemmas: mouse twice, chase twice, "mouse chase" once, so it counts as once as everything unseen does.
COUNTS = counts_of("mouse chase", "mouse run", "chase")
CHASED, CHASES = sentence("mice chased", "mouse chase"), sentence("the mouse chases", "the mouse chase")
UNIGRAMS = 2 * log2(5 / 2)

# fmt: off
GOLDEN = [
    (lemma_bow.kept, sentence("mice ran", "mouse run"), sentence("cats run", "cat run"), FIVE, {
        "cosine_distance": 1 - DOT, "euclidean": sqrt(2 - 2 * DOT), "manhattan": sum(APART), "chebyshev": max(APART),
        "polynomial": (DOT / 7 + 1) ** 3, "sigmoid": tanh(DOT / 7 + 1)}),
    # Both lemmas are seen in one sentence, so they weigh the same.
    (lemma_bow.kept, THE_MICE, A_MICE, FIVE, {"cosine_distance": 1 - sqrt(0.5)}),
    (lemma_bow.smooth, THE_MICE, A_MICE, FIVE, {"kept": sqrt(0.5), "removed": 1}),
    # ECNU strikes "the", "my" and "a": mouse chase cat on both sides. TakeLab keeps "my": 3 of 4 and 3 lemmas, 1 of 3
    # and 2 bigrams, no trigram.
    (lemma_ngram.lemmas, MICE, MOUSE, {}, {
        "n1": 1, "n2": 1, "n3": 1, "takelab_n1": 6 / 7, "takelab_n2": 2 / 5, "takelab_n3": 0}),
    # Single: mouse chase cat on both sides. Of two: mouse, mouse-chase, chase, cat against mouse, mouse-chase,
    # chase-cat: 2 of 4 and 3. Of three: mouse-chase twice and chase-cat against mouse-chase and mouse-chase-cat.
    (lemma_ngram.filtered, MICE, MOUSE, {}, {"n1": 1, "n2": 4 / 7, "n3": 2 / 5}),
    # Of stop words alone nothing is left, and their bigrams go too.
    (lemma_ngram.filtered, THE, A_MOUSE, {}, {"n1": 1}),
    (lemma_ngram.lemmas, THE, A_MOUSE, {}, {"n1": 0}),
    (lemma_ngram.idf_weighted, sentence("mice ran", "mouse run"), sentence("cat runs", "cat run"), FOUR, {
        "ecnu_n1": 2 / 5, "smooth_n1": 2 * OTHER_SMOOTH / (MOUSE_SMOOTH + 3 * OTHER_SMOOTH), "ecnu_n2": 0,
        "smooth_n2": 0, "ecnu_n3": 1, "smooth_n3": 1}),  # neither side has three
    # ^an#ox$ and ^ox$: bigrams ^a an n# #o ox x$ against ^o ox x$; ox$ of 5 and 2. Without the stop word both are ^ox$.
    (lemma_ngram.characters_f1, AN_OX, OX, {}, {
        "kept_n2": 4 / 9, "kept_n3": 2 / 7, "removed_n2": 1, "removed_n3": 1, "removed_n4": 1, "removed_n5": 1}),
    (lemma_sequence.lemmas, GREEN, SLOW, {}, {
        "prefix": 3 / 5, "suffix": 0, "substring": 3 / 5, "subsequence": 4 / 5, "similarity": 1 - 2 / 5}),
    (lemma_sequence.lemma_distance, GREEN, SLOW, {}, {"distance": 2 / 5}),
    (lemma_sequence.nouns, EAT, NIGHT, {}, {
        "prefix": 1 / 2, "suffix": 1 / 2, "substring": 1 / 2, "subsequence": 1, "similarity": 2 / 3}),
    (lemma_sequence.noun_distance, EAT, NIGHT, {}, {"distance": 1 / 2}),
    (lemma_sequence.nouns, VERB, NOUNS, {}, [0, 0, 0, 0, 0]),
    (lemma_sequence.nouns, VERB, VERB, {}, [0, 0, 0, 0, 1]),
    (lemma_sequence.noun_distance, VERB, NOUNS, {}, {"distance": 2}),
    (lemma_sequence.unified_overlap, BUY, PURCHASE, {}, {
        "jaccard": 2 / 3, "dice": 4 / 5, "overlap_min": 2 / 3, "overlap_max": 1, "f1": 4 / 5}),
    # An automobile and a railcar share no synset, but each shares one with a car.
    (lemma_sequence.unified_overlap, tagged("automobile railcar"), tagged("car"), {}, {
        "jaccard": 1, "dice": 1, "overlap_min": 1, "overlap_max": 1, "f1": 2 / 3}),
    (lemma_sequence.unified_overlap, tagged("automobile"), tagged("railcar"), {}, {"dice": 0}),
    # As nouns a buy and a purchase share no synset with each other's verb.
    (lemma_sequence.unified_overlap, sentence("purchase", tags="NN"), tagged("buy"), {}, {"dice": 0}),
    (lemma_sequence.unified_overlap, tagged("purchase"), tagged("buy"), {}, {"dice": 1}),
    # Runs of 3 and 1 of 4 and 6 lemmas: the cube root of 28. Two insertions; nothing to shift.
    (lemma_translation.gtm, SHIPS, SHIP, {}, [28 ** (1 / 3) / 6, 28 ** (1 / 3) / 4]),
    *((value, SHIPS, SHIP, {}, [-2 / 4, -2 / 6])
      for value in (lemma_translation.wer, lemma_translation.per, lemma_translation.ter)),
    (lemma_translation.overlap, SHIPS, SHIP, {}, [4 / 6, 4 / 4]),
    (lemma_translation.rouge_l, SHIPS, SHIP, {}, [4 / 6, 4 / 4]),
    # Two chunks of four matches: 1 - 0.5 (2/4)^3. 10 m / (h + 9 r) for 4 and 6 lemmas and for 6 and 4.
    (lemma_translation.meteor, SHIPS, SHIP, {}, [40 / 58 * 0.9375, 40 / 42 * 0.9375]),
    # Shared: 4, 2, 1 and 0 n-grams. Hypothesis of 6: 4/6 * 3/6 * 2/5 * 1/4; of 4: 4/4 * 3/4 * 2/3 * 1/2 * e^(1 - 6/4).
    (lemma_translation.bleu, SHIPS, SHIP, {}, sorted([(1 / 30) ** 0.25, (1 / 4) ** 0.25 * e**-0.5])),
    # Hypothesis of two lemmas for three: one half.
    (lemma_translation.nist, CHASED, CHASES, COUNTS, sorted([(UNIGRAMS / 2 + 1) / 2, UNIGRAMS / 3 + 1 / 2])),
]
# fmt: on


@pytest.mark.parametrize(
    ("value", "a", "b", "resources", "expected"), GOLDEN, ids=lambda part: getattr(part, "name", "")
)
def test_golden(value, a, b, resources, expected):
    check(value, a, b, expected, **resources)


ORDER = ("bleu", "nist", "gtm", "wer", "per", "overlap", "ter", "meteor", "rouge_l")


def test_columns_of_translation_stand_in_the_order_of_the_system():
    found = [value for value in vars(lemma_translation).values() if hasattr(value, "columns")]
    assert [value.name for value in found] == list(ORDER)
    assert [len(value.names) for value in found] == [2] * 9


@pytest.mark.parametrize("name", ORDER)
def test_translation_of_empty_sentences(name):
    value = getattr(lemma_translation, name)
    resources = counts_of() if value.needs else {}
    nothing, two = sentence("", ""), sentence("red boats", "red boat")
    rate = name in ("wer", "per", "ter")
    assert list(row(value, nothing, nothing, **resources).values()) == [0.0 if rate or name == "nist" else 1.0] * 2
    assert list(row(value, nothing, two, **resources).values()) == ([-2.0, -1.0] if rate else [0.0, 0.0])


def test_synonyms_of_one_sentence_are_not_linked():
    classes = synonyms.unified(_as_batch([(tagged("automobile auto"), tagged("dog"))]))
    assert len(set(classes.a.values.tolist())) == 2


def test_synonyms_do_not_depend_on_how_the_pairs_are_cut(monkeypatch):
    texts = [("buy the car", "purchase an auto"), ("dog", "railcar"), ("", "car"), ("auto railcar", "car")]
    pairs = [(tagged(a), tagged(b)) for a, b in texts]
    expected = synonyms.unified(_as_batch(pairs))
    monkeypatch.setattr(synonyms, "_SENSES_AT_A_TIME", 1)
    for side, same in zip(synonyms.unified(_as_batch(pairs)), expected, strict=True):
        np.testing.assert_array_equal(side.values, same.values)


def batches(words):
    texts = st.lists(st.sampled_from(words.split()), max_size=9).map(" ".join)
    return st.lists(st.tuples(texts, texts), min_size=1, max_size=5)


@settings(max_examples=30)
@given(batches("car automobile railcar buy purchase dog the of auto ,"))
def test_each_row_of_sequences_is_symmetric_and_stands_alone(pairs):
    pairs = [(tagged(a), tagged(b)) for a, b in pairs]
    for value in [value for value in vars(lemma_sequence).values() if hasattr(value, "full_name")]:
        together = value(pairs)
        np.testing.assert_array_equal(together, value([(b, a) for a, b in pairs]))
        np.testing.assert_array_equal(together, np.concatenate([value([pair]) for pair in pairs]))


ALL = slice(None)
TWINS = [
    (lemma_bow.kept, ALL, bow.kept, ALL),
    (lemma_bow.smooth, ALL, bow.smooth, ALL),
    (lemma_ngram.lemmas, ALL, ngram.stems, ALL),
    (lemma_ngram.filtered, slice(1, None), ngram.filtered, slice(3, None)),
    (lemma_ngram.characters_f1, ALL, ngram.characters_f1, ALL),
    (lemma_ngram.idf_weighted, ALL, ngram.idf_weighted, slice(6, None)),
    (lemma_sequence.lemmas, slice(4), sequence.stems, ALL),
    (lemma_sequence.lemmas, slice(4, None), sequence.stem_similarity, ALL),
    (lemma_sequence.lemma_distance, ALL, sequence.stem_distance, ALL),
    (lemma_translation.bleu, ALL, translation.bleu, ALL),
    (lemma_translation.ter, ALL, translation.ter, ALL),
    (lemma_translation.meteor, ALL, translation.meteor, ALL),
    (lemma_translation.nist, ALL, translation.nist, ALL),
    (lemma_translation.wer, ALL, translation.error_rate, slice(2)),
    (lemma_translation.per, ALL, translation.error_rate, slice(2, None)),
]


@pytest.mark.slow
@settings(max_examples=60)
@given(batches("a the dog dogs cat sees see not is 3 , . über aa aaa tomato tomatoes running ran"))
def test_lemmas_are_treated_as_stems_are(pairs):
    plain = analyse(pairs)
    sentences = [s._replace(lemmas=s.stems, tags=("NN",) * len(s.tokens)) for s in plain.sentences]
    batch = PairBatch(sentences, plain.left, plain.right)
    fitted = {"lemma_idf": LemmaIdf.fit(sentences), "lemma_ngram_counts": LemmaNgramCounts.fit(sentences)}
    fitted |= {"idf": Idf.fit(plain.sentences), "ngram_counts": NgramCounts.fit(sentences)}
    for value, columns, twin, same in TWINS:
        found, expected = (
            one(of, **{need: fitted[need] for need in one.needs}) for one, of in ((value, batch), (twin, plain))
        )
        np.testing.assert_array_equal(found[:, columns], expected[:, same], err_msg=value.full_name)
    # The F-measure of two shares m / x and m / y is 2 m / (x + y).
    precision, recall = lemma_translation.rouge_l(batch).astype(float).T
    f = np.divide(2 * precision * recall, precision + recall, out=np.zeros(len(plain)), where=recall > 0)
    np.testing.assert_allclose(f, translation.rouge(plain)[:, 2], atol=1e-6)
