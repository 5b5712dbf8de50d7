import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.features.analysis import analyse
from samewise.features.declaration import _as_batch
from samewise.features.families import lemma_sequence, sequence
from samewise.features.sentences import PairBatch
from samewise.features.word_similarity import synonym_unification as synonyms

from ..sentences import sentence

WORDS = st.lists(st.sampled_from("car automobile railcar buy purchase dog the of auto ,".split()), max_size=8)
BATCHES = st.lists(st.tuples(WORDS.map(" ".join), WORDS.map(" ".join)), min_size=1, max_size=5)
ALL = [value for value in vars(lemma_sequence).values() if hasattr(value, "full_name")]


def row(value, a, b):
    return dict(zip(value.names, value([(a, b)])[0].tolist(), strict=True))


def tagged(text):
    tags = {"buy": "VB", "purchase": "VB", "the": "DT", "of": "IN", ",": ","}
    return sentence(text, tags=" ".join(tags.get(word, "NN") for word in text.split()))


def test_golden_lemmas():
    # Without stop words: old mouse eat green cheese, old mouse eat cheese slow.
    a = sentence("The old mice ate green cheese", "the old mouse eat green cheese")
    b = sentence("An old mouse eats cheese slowly", "an old mouse eat cheese slow")
    expected = {"prefix": 3 / 5, "suffix": 0, "substring": 3 / 5, "subsequence": 4 / 5, "similarity": 1 - 2 / 5}
    assert row(lemma_sequence.lemmas, a, b) == pytest.approx(expected)
    assert row(lemma_sequence.lemma_distance, a, b) == pytest.approx({"distance": 2 / 5})


def test_golden_nouns():
    # mouse cheese, mouse night cheese
    a = sentence("Mice eat cheese", "mouse eat cheese", tags="NNS VBP NN")
    b = sentence("A mouse ate the night 's cheese", "a mouse eat the night 's cheese", tags="DT NN VBD DT NN POS NN")
    expected = {"prefix": 1 / 2, "suffix": 1 / 2, "substring": 1 / 2, "subsequence": 1, "similarity": 2 / 3}
    assert row(lemma_sequence.nouns, a, b) == pytest.approx(expected)
    assert row(lemma_sequence.noun_distance, a, b) == pytest.approx({"distance": 1 / 2})


def test_nouns_of_one_side_or_of_none():
    verb, nouns = sentence("Run", tags="VB"), sentence("cats dogs", tags="NNS NNS")
    none = {"prefix": 0, "suffix": 0, "substring": 0, "subsequence": 0}
    assert row(lemma_sequence.nouns, verb, nouns) == none | {"similarity": 0}
    assert row(lemma_sequence.nouns, verb, verb) == none | {"similarity": 1}
    assert row(lemma_sequence.noun_distance, verb, nouns) == {"distance": 2}


def test_golden_synonyms():
    # buy red car, purchase automobile: the first and the last words share a synset.
    a, b = tagged("buy the red car"), tagged("purchase the automobile")
    found = row(lemma_sequence.unified, a, b)
    assert found == pytest.approx(
        {"prefix": 1 / 2, "suffix": 1 / 2, "substring": 1 / 2, "subsequence": 1, "similarity": 2 / 3}
    )
    assert row(lemma_sequence.unified_distance, a, b) == pytest.approx({"distance": 1 / 2})
    expected = {"jaccard": 2 / 3, "dice": 4 / 5, "overlap_min": 2 / 3, "overlap_max": 1, "f1": 4 / 5}
    assert row(lemma_sequence.unified_overlap, a, b) == pytest.approx(expected)
    # Unit vectors (1, 1, 1) / sqrt 3 and (1, 0, 1) / sqrt 2.
    assert row(lemma_sequence.unified_counts, a, b)["cosine_distance"] == pytest.approx(1 - 2 / 6**0.5)


def test_synonyms_are_linked_over_several_steps():
    # An automobile and a railcar share no synset, but each shares one with a car.
    found = row(lemma_sequence.unified_overlap, tagged("automobile railcar"), tagged("car"))
    assert found == pytest.approx({"jaccard": 1, "dice": 1, "overlap_min": 1, "overlap_max": 1, "f1": 2 / 3})
    assert row(lemma_sequence.unified_overlap, tagged("automobile"), tagged("railcar"))["dice"] == 0


def test_synonyms_of_one_sentence_are_not_linked():
    classes = synonyms.unified(_as_batch([(tagged("automobile auto"), tagged("dog"))]))
    assert len(set(classes.a.values.tolist())) == 2


def test_synonyms_have_one_part_of_speech():
    # As nouns a buy and a purchase share no synset with each other's verb.
    noun, verb = sentence("purchase", tags="NN"), sentence("buy", tags="VB")
    assert row(lemma_sequence.unified_overlap, noun, verb)["dice"] == 0
    assert row(lemma_sequence.unified_overlap, sentence("purchase", tags="VB"), verb)["dice"] == 1


@settings(max_examples=30)
@given(BATCHES)
def test_each_row_is_symmetric_and_stands_alone(pairs):
    pairs = [(tagged(a), tagged(b)) for a, b in pairs]
    for value in ALL:
        together = value(pairs)
        np.testing.assert_array_equal(together, value([(b, a) for a, b in pairs]))
        np.testing.assert_array_equal(together, np.concatenate([value([pair]) for pair in pairs]))


def test_synonyms_do_not_depend_on_how_the_pairs_are_cut(monkeypatch):
    texts = [("buy the car", "purchase an auto"), ("dog", "railcar"), ("", "car"), ("auto railcar", "car")]
    pairs = [(tagged(a), tagged(b)) for a, b in texts]
    expected = synonyms.unified(_as_batch(pairs))
    monkeypatch.setattr(synonyms, "_SENSES_AT_A_TIME", 1)
    for side, same in zip(synonyms.unified(_as_batch(pairs)), expected, strict=True):
        np.testing.assert_array_equal(side.values, same.values)


@settings(max_examples=30)
@given(BATCHES)
def test_lemmas_are_treated_as_stems_are(pairs):
    plain = analyse(pairs)
    sentences = [s._replace(lemmas=s.stems, tags=("NN",) * len(s.tokens)) for s in plain.sentences]
    batch = PairBatch(sentences, plain.left, plain.right)
    found = lemma_sequence.lemmas(batch)
    np.testing.assert_array_equal(found[:, :4], sequence.stems(plain))
    np.testing.assert_array_equal(found[:, 4:], sequence.stem_similarity(plain))
    np.testing.assert_array_equal(lemma_sequence.lemma_distance(batch), sequence.stem_distance(plain))
