import math

import numpy as np
import pytest
from samewise.features.analysis.analysis import analyse
from samewise.features.base.token_sequences import text_hash
from samewise.research.families import explicit_semantics
from samewise.research.lexicon.glosses import WEIGHT_BITS, GlossIndex, common_documents, documents_found, gloss_index

# Stem to (idf, {document: weight}).
TABLE = {
    "dog": (2, {0: 3, 4: 1}),
    "hound": (5, {0: 2, 7: 10}),
    "cat": (3, {4: 2, 9: 4}),
}


@pytest.fixture
def small(monkeypatch):
    stems = sorted(TABLE, key=text_hash)
    rows = [[document << WEIGHT_BITS | weight for document, weight in sorted(TABLE[s][1].items())] for s in stems]
    index = GlossIndex(
        np.asarray([text_hash(stem) for stem in stems], dtype=np.uint64),
        np.asarray([TABLE[stem][0] for stem in stems], dtype=np.uint8),
        np.cumsum([0, *map(len, rows)]),
        np.asarray(sum(rows, []), dtype=np.uint32),
        "small",
    )
    monkeypatch.setattr(explicit_semantics, "gloss_index", lambda: index)
    return index


def expected_vectors(stems, index):
    plain, by_idf = {}, {}
    for stem in stems:
        place = int(index.find(np.asarray([text_hash(stem)], dtype=np.uint64))[0])
        if place >= 0:
            for posting in index.postings[index.offsets[place] : index.offsets[place + 1]].tolist():
                document, weight = posting >> WEIGHT_BITS, posting & 255
                plain[document] = plain.get(document, 0) + weight
                by_idf[document] = by_idf.get(document, 0) + weight * int(index.idf[place])
    return plain, by_idf


def cosine(u, v):
    return sum(u[k] * v[k] for k in u.keys() & v.keys()) / math.sqrt(
        sum(x * x for x in u.values()) * sum(x * x for x in v.values())
    )


def test_by_hand(small):
    # Dog dog: {0: 6, 4: 2}, by idf twice that. Hound cat: {0: 2, 4: 2, 7: 10, 9: 4},
    # by idf {0: 10, 4: 6, 7: 50, 9: 12}.
    batch = analyse([("Dog dog", "a hound, cat"), ("dog", "xyzzy"), ("", ""), ("dogs", "dog")])
    plain = (6 * 2 + 2 * 2) / math.sqrt(40 * 124)
    by_idf = (12 * 10 + 4 * 6) / math.sqrt(160 * 2780)
    overlap = min(12 / 16, 10 / 78) + min(4 / 16, 6 / 78)
    np.testing.assert_allclose(
        explicit_semantics.concepts(batch), [[plain, by_idf, overlap], [0, 0, 0], [0, 0, 0], [1, 1, 1]], rtol=1e-6
    )


def test_by_dictionaries():
    index = gloss_index()
    pairs = [
        ("The cook cuts up some ripe tomatoes.", "A chef is slicing a tomato, a tomato and an onion."),
        ("Parliament voted on the bill", "The bill was rejected by parliament"),
        ("parliament " * 180, "A bill, parliament"),
    ]
    found = explicit_semantics.concepts(analyse(pairs))
    for row, (a, b) in zip(found, analyse(pairs), strict=True):
        (plain_a, idf_a), (plain_b, idf_b) = (expected_vectors(side.stems, index) for side in (a, b))
        shares = [{k: x / sum(v.values()) for k, x in v.items()} for v in (idf_a, idf_b)]
        overlap = sum(min(shares[0][k], shares[1][k]) for k in shares[0].keys() & shares[1].keys())
        np.testing.assert_allclose(row, [cosine(plain_a, plain_b), cosine(idf_a, idf_b), overlap], rtol=1e-5)


def test_related_words_share_concepts():
    found = explicit_semantics.concepts(
        analyse([("a chef", "a cook"), ("a chef", "a volcano"), ("the car", "an automobile")])
    )
    assert found[0, 0] > found[1, 0]
    assert found[2, 0] > 0.05


def test_found_in_parts_is_found_at_once(monkeypatch):
    texts = [(f"dog number {i} sees the cat", f"a hound of {i} sleeps") for i in range(40)] + [("", "...")]
    whole = documents_found(analyse(texts), gloss_index())
    every = common_documents(whole.documents, *np.arange(80).reshape(2, -1))
    monkeypatch.setattr("samewise.research.lexicon.glosses._AT_A_TIME", 300)
    parts = documents_found(analyse(texts), gloss_index())
    np.testing.assert_array_equal(parts.documents.values, whole.documents.values)
    np.testing.assert_array_equal(parts.documents.offsets, whole.documents.offsets)
    np.testing.assert_array_equal(parts.by_idf, whole.by_idf)
    for one, other in zip(common_documents(parts.documents, *np.arange(80).reshape(2, -1)), every, strict=True):
        np.testing.assert_array_equal(one, other)


def test_common_documents_are_those_of_both_rows():
    found = documents_found(analyse([("a dog and a cat", "the hound chased a cat"), ("cat", "dog")]), gloss_index())
    rows = np.split(found.documents.values, found.documents.offsets[1:-1])
    left, right = np.asarray([0, 2, 1]), np.asarray([1, 3, 1])
    common = common_documents(found.documents, left, right)
    for i, (a, b) in enumerate(zip(left, right, strict=True)):
        expected = np.intersect1d(rows[a], rows[b])
        here = common.row == i
        np.testing.assert_array_equal(found.documents.values[common.a[here]], expected)
        np.testing.assert_array_equal(found.documents.values[common.b[here]], expected)


def test_the_index_has_the_best_postings_of_each_stem():
    index = gloss_index()
    lengths = np.diff(index.offsets)
    assert lengths.max() == 32
    assert (np.diff(index.hashes.astype(object)) > 0).all()
    inside = np.ones(len(index.postings) - 1, dtype=bool)
    inside[index.offsets[1:-1] - 1] = False
    assert (np.diff(index.postings.astype(np.int64) >> WEIGHT_BITS)[inside] > 0).all()
    assert (index.find(index.hashes[:3] + np.uint64(1)) == -1).all()
