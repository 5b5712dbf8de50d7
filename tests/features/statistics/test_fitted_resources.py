import math

import numpy as np
import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.arrays.ragged import ngrams
from samewise.features.base.token_sequences import characters, vocabulary
from samewise.features.pipeline.registry import Resources
from samewise.features.statistics.counts import CharacterIdf, Idf, NgramCounts, letters

BATCH = analyse([("the cat", "the dog"), ("the cat", "the the mouse")])


def test_idf_by_hand():
    # Three distinct sentences: "the" in 3 of them, 4 times in all; "cat" in 1.
    idf = Idf.fit(BATCH.sentences)
    assert idf.sentences == 3
    assert idf.terms("words") == ("cat", "dog", "mouse", "the")
    assert idf.size("stems") == 4
    np.testing.assert_allclose(
        idf.smooth("words", ["the", "cat", "bird"]), [1.0, math.log(4 / 2) + 1, math.log(4 / 1) + 1]
    )
    # log10(3 / 4) is below 0 and clipped; an unknown word counts once.
    np.testing.assert_allclose(idf.ecnu("words", ["the", "cat", "bird"]), [0.0, math.log10(3), math.log10(3)])


def test_character_idf_by_hand():
    table = CharacterIdf.fit(BATCH.sentences)
    grams = ngrams(characters(["th", "at"]), 2)
    # "th" is in all three sentences; "at" in one, which counts as unseen: once.
    np.testing.assert_allclose(table.smooth(grams.values), [1.0, math.log(4 / 2) + 1])


def test_ngram_counts_by_hand():
    counts = NgramCounts.fit(BATCH.sentences)
    assert counts.tokens == 7
    stems = vocabulary(BATCH, "stems")
    the, cat = (stems.items.index(word) for word in ("the", "cat"))
    items = stems.hashes[[the, cat]]
    from samewise.features.arrays.ragged import Ragged

    one = ngrams(Ragged(items, np.array([0, 1, 2])), 1).values
    np.testing.assert_array_equal(counts.counts(one), [4.0, 1.0])


def test_digest_and_bytes_follow_the_content():
    first, again = Idf.fit(BATCH.sentences), Idf.fit(BATCH.sentences)
    assert first.digest == again.digest
    assert first.to_bytes() == again.to_bytes()
    assert first.digest != Idf.fit(BATCH.sentences[:2]).digest


def test_unknown_and_damaged_resources_are_named():
    with pytest.raises(ValueError, match="resource 'moon' is unknown; the resources are idf"):
        Resources.fit(["moon"], BATCH.sentences)
    with pytest.raises(ValueError, match="resource 'idf' must have the array 'words', got none"):
        Idf({"sentences": np.asarray(1)})


def test_resources_of_nothing_still_work():
    fitted = Resources.fit(["idf", "character_idf", "ngram_counts"], [])
    assert fitted["idf"].smooth("words", ["x"]).tolist() == [1.0]
    assert fitted["character_idf"].smooth(np.array([1], dtype=np.uint64)).tolist() == [1.0]
    assert fitted["ngram_counts"].counts(np.array([1], dtype=np.uint64)).tolist() == [1.0]


def test_letters():
    assert letters("It's  4.5% — Über!") == "it s 4 5 über"
