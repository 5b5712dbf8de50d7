"""How pair networks read words, and how they encode scores."""

from dataclasses import replace

import numpy as np
import pytest
from samewise.features.base.sentences import PairBatch
from samewise.features.base.token_sequences import text_hash, vocabulary
from samewise.features.lexicon.word_vectors import shipped_vectors
from samewise.features.statistics.counts import Idf
from samewise.research.networks.grade_distributions import expected_score, grade_distribution
from samewise.research.networks.word_vector_inputs import UNKNOWN, WordTable

from tests.conftest import HOSTILE, PAIRS, analysed


def vectors_of(words, batch):
    """Return the vector of each word of a batch by its text."""
    return dict(zip(vocabulary(batch, "words").items, words.vectors[1:], strict=True))


def start_of(*words):
    return shipped_vectors("distilled").embed(words).values


@pytest.mark.parametrize(
    "score, expected",
    [
        (0, [1, 0, 0, 0, 0, 0]),
        (0.25, [0.75, 0.25, 0, 0, 0, 0]),
        (2, [0, 0, 1, 0, 0, 0]),
        (3.6, [0, 0, 0, 0.4, 0.6, 0]),
        (4.5, [0, 0, 0, 0, 0.5, 0.5]),
        (5, [0, 0, 0, 0, 0, 1]),
    ],
)
def test_a_score_is_shared_by_the_two_grades_next_to_it(score, expected):
    np.testing.assert_allclose(grade_distribution(np.array([score])), [expected], atol=1e-12)


def test_the_mean_grade_is_the_score():
    scores = np.linspace(0, 5, 101)
    found = grade_distribution(scores)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    np.testing.assert_allclose(expected_score(found), scores, atol=1e-12)
    np.testing.assert_allclose(expected_score(found, 1 + 2 * np.arange(6.0)), 1 + 2 * scores, atol=1e-12)


def test_words_have_the_shipped_vectors_times_the_scale():
    batch = analysed([("The dog barks.", "A dog")], "tokens")
    words = WordTable.fit(batch, "distilled", 2.0, idf=False).read(batch, 64)
    found = vectors_of(words, batch)
    for word in ("the", "dog", "barks", "."):
        np.testing.assert_array_equal(found[word], 2 * start_of(word)[0])
    assert not words.vectors[0].any()


def test_words_are_weighted_by_their_rarity_in_the_training_text():
    batch = analysed(PAIRS, "tokens")
    words = vocabulary(batch, "words").items
    table = WordTable.fit(batch, "distilled", 3.0, idf=True)
    idf = Idf.fit(batch.sentences).ecnu("words", words)
    np.testing.assert_allclose(table.read(batch, 64).vectors[1:], 3 * idf[:, None] * start_of(*words), rtol=1e-5)
    other = analysed([("Hippopotamus", "The dog")], "tokens")
    found = vectors_of(table.read(other, 64), other)
    rarest = 3 * np.log10(len(batch.sentences))
    np.testing.assert_allclose(found["hippopotamus"], rarest * start_of("hippopotamus")[0], rtol=1e-5)


def test_trained_words_keep_their_vectors_and_others_do_not_have_them():
    batch = analysed([("The dog barks.", "A dog")], "tokens")
    table = WordTable.fit(batch, "distilled", 1.0, idf=False)
    vectors = np.random.default_rng(0).normal(size=(2, shipped_vectors("distilled").dimension))
    hashes = np.array([text_hash("dog"), text_hash("the")], dtype=np.uint64)
    found = vectors_of(table.train(hashes, vectors).read(batch, 64), batch)
    step = np.abs(vectors).max(axis=1) / 127
    assert np.abs(found["dog"] - vectors[0]).max() <= 0.51 * step[0]
    assert np.abs(found["the"] - vectors[1]).max() <= 0.51 * step[1]
    np.testing.assert_array_equal(found["barks"], start_of("barks")[0])


def test_a_word_without_a_vector_gets_one_of_its_own_that_is_always_the_same():
    batch = analysed([("ᚠᚢᚦ dog", "ᛗᛚ")], "tokens")
    assert not start_of("ᚠᚢᚦ").any()
    table = WordTable.fit(batch, "distilled", 1.0, idf=False)
    found = vectors_of(table.read(batch, 64), batch)
    assert 0.2 < np.abs(found["ᚠᚢᚦ"]).max() <= UNKNOWN and np.abs(found["ᚠᚢᚦ"].mean()) < 0.05
    assert (found["ᚠᚢᚦ"] != found["ᛗᛚ"]).all()
    other = analysed([("some ᚠᚢᚦ", "")], "tokens")
    np.testing.assert_array_equal(vectors_of(table.read(other, 64), other)["ᚠᚢᚦ"], found["ᚠᚢᚦ"])


def test_sentences_are_cut_and_filled_up():
    batch = analysed([("one two three", ""), ("two", "one two three four")], "tokens")
    words = WordTable.fit(batch, "distilled", 1.0, idf=False).read(batch, 3)
    assert words.lengths.tolist() == [3, 1, 1, 3]
    one, two, three = (1 + vocabulary(batch, "words").items.index(word) for word in ("one", "two", "three"))
    expected = [[one, two, three, 0], [0, 0, 0, 0], [two, 0, 0, 0], [one, two, three, 0]]
    assert words.padded(np.arange(4), 4).tolist() == expected
    assert words.padded(np.array([2, 1]), 1).tolist() == [[two], [0]]


def test_a_batch_of_nothing_but_empty_texts_can_be_read():
    batch = analysed([("", "")], "tokens")
    words = WordTable.fit(batch, "distilled", 1.0, idf=True).read(batch, 3)
    assert words.padded(np.zeros(1, np.int64), 2).tolist() == [[0, 0]]


def test_the_table_returns_from_its_arrays():
    batch = analysed(PAIRS + HOSTILE, "tokens")
    hashes = vocabulary(batch, "words").hashes[:5]
    table = WordTable.fit(batch, "relational", 1.5, idf=True)
    table = table.train(hashes, np.random.default_rng(0).normal(size=(5, shipped_vectors("relational").dimension)))
    again = WordTable.from_arrays("relational", table.to_arrays())
    np.testing.assert_array_equal(again.read(batch, 9).vectors, table.read(batch, 9).vectors)
    assert again.weight == table.weight


def test_what_does_not_fit_is_refused():
    table = WordTable.fit(analysed(PAIRS, "tokens"), "distilled", 1.0, idf=True)
    arrays = table.to_arrays()
    with pytest.raises(ValueError, match="it has no codes"):
        WordTable.from_arrays("distilled", {key: value for key, value in arrays.items() if key != "codes"})
    with pytest.raises(ValueError, match="'relational' vectors of"):
        WordTable.from_arrays("relational", arrays)
    with pytest.raises(ValueError, match="have the types"):
        WordTable.from_arrays("distilled", {**arrays, "weights": arrays["weights"].astype(np.float64)})
    with pytest.raises(ValueError, match="not in order"):
        replace(table, hashes=table.hashes[::-1])
    with pytest.raises(ValueError, match="not finite"):
        replace(table, weight=float("nan"))
    with pytest.raises(ValueError, match="vectors must be one of distilled, relational, got 'made up'"):
        WordTable.fit(PairBatch([], np.empty(0, int), np.empty(0, int)), "made up", 1.0, idf=False)
