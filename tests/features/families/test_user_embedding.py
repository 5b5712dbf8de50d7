"""The family on vectors small enough to work out by hand, and by an implementation word by word."""

import math
import pickle

import numpy as np
import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.arrays.dense_kernels import k11
from samewise.features.base.token_sequences import text_hash
from samewise.features.base.word_tables import stop_words
from samewise.features.families import user_embedding
from samewise.features.lexicon.word_vectors import WordVectors, quantised
from samewise.features.pipeline.catalogue import resolve
from samewise.features.pipeline.named_sets import FEATURE_SETS
from samewise.features.pipeline.registry import RESOURCES, Resources
from samewise.features.pipeline.user_supplied import GIVEN, UserVectors

from ...conftest import PAIRS, user_vectors


def vectors_of(table, digest="by hand"):
    words = sorted(table, key=text_hash)
    codes, scales = quantised(np.asarray([table[word] for word in words], dtype=np.float64))
    hashes = np.asarray(list(map(text_hash, words)), dtype=np.uint64)
    return UserVectors(WordVectors(hashes, codes.astype(np.int8), scales, digest))


@pytest.fixture
def known(training):
    _, resources = training
    return {"idf": resources["idf"], "frequencies": resources["frequencies"]}


# Right angles and an angle of cosine 0.6; numbers that 127 levels hold exactly.
HAND = vectors_of({"red": [127, 0], "boat": [0, 127], "ship": [0, 127], "sails": [127 * 0.75, 127]})


def test_cosine_of_the_means_by_hand(known):
    batch = analyse([("red boat", "ship"), ("red", "red"), ("red", "boat"), ("red", "unheard"), ("", "red")])
    found = user_embedding.cosine(batch, **known, user_vectors=HAND)
    assert found[0, 0] == pytest.approx(1 / math.sqrt(2))
    np.testing.assert_allclose(found[1:], [[1] * 3, [0] * 3, [0] * 3, [0] * 3], atol=1e-7)
    red, boat = known["idf"].ecnu("words", ["red", "boat"])
    assert found[0, 1] == pytest.approx(boat / math.hypot(red, boat))
    red, boat = known["frequencies"].sif(["red", "boat"])
    assert found[0, 2] == pytest.approx(boat / math.hypot(red, boat))


def test_match_by_hand(known):
    batch = analyse([("red boat", "ship sails"), ("red boat", "red boat"), ("the boat", "a ship"), ("", "boat")])
    found = user_embedding.match(batch, idf=known["idf"], user_vectors=HAND)
    red, boat, ship, sails = known["idf"].smooth("words", ["red", "boat", "ship", "sails"])
    # sails lies between red and boat: cosines 0.6 and 0.8 (95 / 127 after rounding); ship equals boat.
    to_red, to_boat = 95 / math.hypot(95, 127), 127 / math.hypot(95, 127)
    a, b = (red * to_red + boat) / (red + boat), (ship + sails * to_boat) / (ship + sails)
    np.testing.assert_allclose(found[0], [min(a, b), max(a, b), (a + b) / 2], rtol=1e-6)
    assert found[1].tolist() == [1, 1, 1]
    assert found[2].tolist() == [1, 1, 1]  # stop words do not count
    assert found[3].tolist() == [0, 0, 0]


def pooled(sentence, idf, vectors, keep_stops):
    listed = frozenset() if keep_stops else stop_words("ecnu")
    rows = []
    for word in sentence.words:
        made = vectors.embed([word])
        if word not in listed and made.known[0]:
            rows.append(made.values[0] * idf.ecnu("words", [word])[0])
    if not rows:
        return np.zeros(3 * vectors.dimension)
    return np.concatenate([np.mean(rows, axis=0), np.min(rows, axis=0), np.max(rows, axis=0)])


def test_kernels_equal_those_of_vectors_pooled_word_by_word(known):
    given = user_vectors()
    batch = analyse([*PAIRS, ("the of", "a dog"), ("unheard", "dog"), ("", "")])
    found = user_embedding.kernels(batch, idf=known["idf"], user_vectors=given)
    for k, pair in enumerate(batch):
        empty = any(all(word in stop_words("ecnu") for word in sentence.words) for sentence in pair)
        u, v = (pooled(sentence, known["idf"], given.vectors, empty) for sentence in pair)
        np.testing.assert_allclose(found[k], k11(u[None], v[None])[0], rtol=1e-4, atol=1e-4)


def test_values_follow_the_vectors(training):
    batch, resources = training
    for value in (user_embedding.cosine, user_embedding.match, user_embedding.kernels):
        one = value(batch, **resources)
        assert np.abs(one - value(batch, **{**resources, "user_vectors": user_vectors(1)})).max() > 0.01
        np.testing.assert_array_equal(one, value(batch, **resources))


def test_the_family_is_in_no_set_and_needs_what_is_given():
    features, columns = resolve("user_embedding")
    assert [(value.full_name, len(value.names)) for value in features] == [
        ("user_embedding.cosine", 3),
        ("user_embedding.match", 3),
        ("user_embedding.kernels", 11),
    ]
    assert all(set(value.needs) & set(GIVEN) == {"user_vectors"} and value.level == "tokens" for value in features)
    assert not any(set(columns) & set(resolve(name)[1]) for name in FEATURE_SETS)
    assert GIVEN == {"user_vectors": "--vectors", "user_encoder": "--encoder", "user_wordnet": "--wordnet"}
    assert not GIVEN.keys() & RESOURCES.keys()


def test_what_is_given_is_not_fitted_and_not_stored(training):
    sentences = training[0].sentences
    fitted = Resources.fit(["idf", "user_vectors"], sentences, {"user_vectors": HAND})
    assert fitted["user_vectors"] is HAND
    assert list(fitted.stored) == ["idf"]
    with pytest.raises(ValueError, match="the resource 'user_vectors' is missing; pass --vectors"):
        Resources.fit(["user_vectors"], sentences)


def test_vectors_are_read_checked_and_pickled_by_where_they_are(tmp_path):
    path = tmp_path / "mine.vec"
    path.write_text("red 1 2\nboat 3 4\n")
    read = UserVectors.read(path)
    assert read.path == path
    assert read.digest == read.vectors.digest == UserVectors.read(path, read.digest).digest
    data = pickle.dumps(read)
    assert len(data) < 1_000
    assert pickle.loads(data).digest == read.digest
    path.write_text("red 1 2\nboat 3 5\n")
    with pytest.raises(ValueError, match=r"mine.vec' must have the digest \w+, got \w+; name the place of the one"):
        pickle.loads(data)
