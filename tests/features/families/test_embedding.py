import math
from types import SimpleNamespace

import numpy as np
import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.arrays.dense_kernels import k11
from samewise.features.base.sentences import PairBatch
from samewise.features.base.token_sequences import text_hash
from samewise.features.base.word_tables import stop_words
from samewise.features.families import embedding
from samewise.features.lexicon.word_frequencies import Frequencies
from samewise.features.lexicon.word_vectors import SETS, WordVectors, shipped_vectors
from samewise.features.statistics.counts import Idf

from ...conftest import PAIRS, analysed
from ..sentences import sentence

EDGES = [("", "A dog."), ("", ""), ("the of", "a dog"), ("Dog", "cat"), ("a dog sees it", "it sees a dog"), *PAIRS]
FREQUENCIES = Frequencies.fit(())
FLAT = Idf.fit([sentence("moon")])  # every word weighs 0

CODES = {"dog": (10, 0), "poodle": (3, 4), "cat": (0, 10), "sleeps": (0, -10), "a": (10, 10)}
SCALE = 0.5


@pytest.fixture
def tiny(monkeypatch):
    """Two coordinates: dog (5, 0), poodle (1.5, 2), cat (0, 5), sleeps (0, -5) and a (5, 5)."""
    words = sorted(CODES, key=text_hash)
    hashes = np.array([text_hash(word) for word in words], dtype=np.uint64)
    codes = np.array([CODES[word] for word in words], dtype=np.int8)
    vectors = WordVectors(hashes, codes, np.full(len(words), SCALE), "tiny")
    monkeypatch.setattr(embedding, "shipped_vectors", lambda name: vectors)


def pair(*sides):
    return PairBatch([sentence(*side) for side in sides], np.array([0]), np.array([1]))


def cosine(u, v):
    size = math.sqrt((u * u).sum() * (v * v).sum())
    return (u * v).sum() / size if size > 1e-12 else 0.0


def unit_rows(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)


def pooled(side, field, name, idf, kept):
    items = [item for item, keep in zip(getattr(side, field), kept, strict=True) if keep]
    found = shipped_vectors(name).embed(items)
    rows = (found.values * idf.ecnu(field, items).astype(np.float32)[:, None])[found.known]
    if not len(rows):
        return np.zeros(3 * found.codes.shape[1])
    return np.concatenate([rows.mean(axis=0), rows.min(axis=0), rows.max(axis=0)])


@pytest.mark.parametrize(
    ("value", "field", "name"),
    [
        (embedding.pooled_distilled, "words", "distilled"),
        (embedding.pooled_relational, "words", "relational"),
        (embedding.pooled_distilled_lemmas, "lemmas", "distilled"),
        (embedding.pooled_relational_lemmas, "lemmas", "relational"),
        (embedding.nouns, "words", "distilled"),
    ],
)
def test_pooled_pair_by_pair(training, value, field, name):
    batch, listed = analysed(EDGES, "lexical"), stop_words("ecnu")
    idf = training[1][value.needs[0]]
    found = value(batch, idf=idf, lemma_idf=idf)
    for sides, got in zip(batch, found, strict=True):
        kept = [[word not in listed for word in side.words] for side in sides]
        if not all(map(any, kept)):
            kept = [[True] * len(side.words) for side in sides]
        if value is embedding.nouns:
            kept = [
                [keep and tag.startswith("NN") for keep, tag in zip(mask, side.tags, strict=True)]
                for mask, side in zip(kept, sides, strict=True)
            ]
        u, v = (pooled(side, field, name, idf, mask)[None] for side, mask in zip(sides, kept, strict=True))
        np.testing.assert_allclose(got, k11(u, v)[0], rtol=1e-4, atol=1e-4)


def test_pooled_by_hand(tiny):
    # Three sentences, so that "dog" and "cat" weigh log10(3 / 1) and "poodle" log10(3 / 2); "a" is a stop word.
    idf = Idf.fit(analyse([("dog cat poodle", "poodle"), ("moon", "moon")]).sentences)
    batch = analyse([("a dog, a poodle", "a cat"), ("xyzzy", "dog")])
    rare, common = math.log10(3), math.log10(1.5)
    dog, poodle, cat = rare * np.array([5, 0]), common * np.array([1.5, 2]), rare * np.array([0, 5])
    u = np.concatenate([(dog + poodle) / 2, [poodle[0], 0], [dog[0], poodle[1]]])
    v = np.concatenate([cat] * 3)
    found = embedding.pooled_distilled(batch, idf=idf)
    np.testing.assert_allclose(found[0], k11(u[None], v[None])[0], rtol=1e-5)
    np.testing.assert_allclose(found[1, :7], [1, math.sqrt(2), 2, 1, 0, 0, 0], rtol=1e-6)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("family", ["cosine", "unit"])
def test_means_pair_by_pair(training, name, family):
    resources = training[1]
    value = getattr(embedding, f"{family}_{name}")
    batch = analyse(EDGES)
    found = value(batch, **{need: resources[need] for need in value.needs})
    kind = "directions" if name == "distilled" else f"{name}_directions"
    directions = resources[kind].of(family == "unit").astype(np.float64)
    for pair, got in zip(batch, found, strict=True):
        sums = []
        for side in pair:
            vectors = shipped_vectors(name).embed(side.words).values.astype(np.float64)
            vectors = unit_rows(vectors) if family == "unit" else vectors
            weights = np.ones(len(vectors)), resources["idf"].ecnu("words", side.words), FREQUENCIES.sif(side.words)
            sums.append([weight @ vectors for weight in weights])
        expected = [cosine(u, v) for u, v in zip(*sums, strict=True)]
        u, v = (side[2] for side in sums)
        for count in (1, 15):
            u_rest, v_rest = (x - x @ directions[:count].T @ directions[:count] for x in (u, v))
            expected.append(cosine(u_rest, v_rest))
        if family == "unit":
            sizes = [np.abs(u).sum() + np.abs(v).sum(), np.linalg.norm(u) + np.linalg.norm(v)]
            apart = [np.abs(u - v).sum(), np.linalg.norm(u - v)]
            expected += [1 - x / size if size else 0.0 for x, size in zip(apart, sizes, strict=True)]
        np.testing.assert_allclose(got, expected, atol=2e-4)


def test_means_by_hand(tiny):
    # (5, 0) and (5, 0) + (1.5, 2); of unit length (1, 0) and (1.6, 0.8), weighted alike.
    batch = analyse([("dog", "poodle dog")])
    directions = SimpleNamespace(of=lambda unit=False: np.array([[0.0, 1]], dtype=np.float32), digest="tiny")
    given = {"idf": FLAT, "frequencies": FREQUENCIES, "directions": directions, "relational_directions": directions}
    dog, poodle = FREQUENCIES.sif(["dog", "poodle"])
    found = dict(zip(embedding.cosine_distilled.names, embedding.cosine_distilled(batch, **given)[0], strict=True))
    both = np.array([5 * dog + 1.5 * poodle, 2 * poodle])
    expected = {"mean": 6.5 / math.hypot(6.5, 2), "idf": 0, "sif": cosine(both, np.array([1.0, 0]))}
    assert found == pytest.approx({**expected, "sif_minus_1": 1, "sif_minus_15": 1}, rel=1e-5)
    found = dict(zip(embedding.unit_relational.names, embedding.unit_relational(batch, **given)[0], strict=True))
    assert found["mean"] == pytest.approx(1.6 / math.hypot(1.6, 0.8), rel=1e-5)
    assert found["manhattan"] == pytest.approx(1 - 1.4 * poodle / (2 * dog + 1.4 * poodle), rel=1e-5)
    both = math.hypot(dog + 0.6 * poodle, 0.8 * poodle)
    assert found["euclidean"] == pytest.approx(1 - poodle / (dog + both), rel=1e-5)


def test_information_and_latent_by_hand(tiny):
    batch = analyse([("dog cat", "poodle"), ("sleeps", "cat")])
    dog, cat = FREQUENCIES.information(["dog", "cat"])
    by_information = cosine(np.array([dog, cat]), np.array([3, 4]))
    for value, expected in (
        (embedding.by_information, [[by_information], [-1]]),
        (embedding.by_information_relational, [[by_information], [-1]]),
        (embedding.latent, [[by_information], [1]]),
        (embedding.latent_relational, [[7 / (5 * math.sqrt(2)), by_information], [1, 1]]),
    ):
        np.testing.assert_allclose(value(batch, frequencies=FREQUENCIES), expected, rtol=1e-5)


def test_parts_of_speech_by_hand(tiny):
    idf = Idf.fit(analyse([("dog cat", "cat"), ("moon sleeps a", "moon")]).sentences)  # cat is seen twice in four
    sides = ("a dog sleeps", None, "DT NN VBZ"), ("cat dog", None, "NN NN")
    batch = pair(*sides)
    dog, sleeps, cat, a = np.array([5.0, 0]), np.array([0, -5.0]), np.array([0, 5.0]), np.array([5.0, 5])
    rare, common = math.log10(4), math.log10(2)
    plain = cosine(0.1 * a + dog + 0.8 * sleeps, cat + dog)
    by_idf = cosine(rare * (0.1 * a + dog + 0.8 * sleeps), common * cat + rare * dog)
    np.testing.assert_allclose(embedding.by_part_of_speech(batch, idf=idf)[0], [plain, by_idf], rtol=1e-5)
    # One class at a time; the second sentence has no verb and neither an adjective.
    nouns = cosine(rare * dog, common * cat + rare * dog)
    np.testing.assert_allclose(embedding.classes(batch, idf=idf)[0], [nouns, 0, 0], rtol=1e-5)


def test_unmatched_by_hand(tiny):
    # "cats" has no vector but the lemma of "cat", so what is left is (1, 0) against (0.6, 0.8) times information.
    batch = pair(("a dog cat", "a dog cat", "DT NN NN"), ("cats poodle", "cat poodle", "NNS NN"))
    dog, cat, poodle = FREQUENCIES.information(["dog", "cat", "poodle"])
    found = dict(
        zip(
            embedding.unmatched_distilled.names,
            embedding.unmatched_distilled(batch, frequencies=FREQUENCIES)[0],
            strict=True,
        )
    )
    whole = np.array([dog, cat])
    apart = np.array([dog - 0.6 * poodle, 0.8 * poodle])
    expected = {
        "cosine": 0.6,
        "difference": np.linalg.norm(apart) / (np.linalg.norm(whole) + poodle),
        "share_min": dog / np.linalg.norm(whole),
        "share_max": 1,
        "reach_min": min(0.6, cosine(np.array([0.6, 0.8]), whole)),
        "reach_max": max(0.6, cosine(np.array([0.6, 0.8]), whole)),
    }
    assert found == pytest.approx(expected, rel=1e-5)


def test_unmatched_of_what_is_said_in_other_words_and_of_nothing():
    batch = analysed([("The dogs sleep", "A dog sleeps."), ("", ""), ("the of", "")], "lexical")
    found = embedding.unmatched_distilled(batch, frequencies=FREQUENCIES)
    np.testing.assert_array_equal(found, [[1, 0, 0, 0, 1, 1]] * 3)
    one_sided = embedding.unmatched_distilled(
        analysed([("A dog", "A dog and a cat")], "lexical"), frequencies=FREQUENCIES
    )
    assert one_sided[0, [0, 2, 5]].tolist() == [0, 0, 1]
    assert 0 < one_sided[0, 1] < one_sided[0, 3] < 1


def test_equal_sentences_have_cosine_1(training):
    batch = analysed([(a, a) for a, _ in PAIRS], "lexical")
    for value in vars(embedding).values():
        if getattr(value, "family", "") == "embedding" and value.low == -1 and value is not embedding.classes:
            found = dict(zip(value.names, value(batch, **training[1]).T, strict=True))
            for name, column in found.items():
                expected = 0 if name in ("difference", "share_min", "share_max") else 1
                np.testing.assert_array_equal(column, expected, err_msg=f"{value.name}.{name}")
