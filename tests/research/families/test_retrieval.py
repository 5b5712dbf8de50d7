import numpy as np
import pytest
from samewise.features.alignment.coverage import coverage
from samewise.features.analysis.analysis import analyse
from samewise.features.arrays.ragged import Ragged
from samewise.features.base.token_sequences import text_hash
from samewise.research.families import retrieval
from samewise.research.lexicon.glosses import Found, documents_found, gloss_index

PAIRS = [
    ("The cook cuts up some ripe tomatoes.", "A chef is slicing a tomato, a tomato and an onion."),
    ("Parliament voted on the bill", "The bill was rejected by parliament"),
    ("volcano", "Parliament voted on the bill"),
    ("volcano", "volcanoes"),
    ("", "volcano"),
    ("the of", "..."),
]


def ranked(found, sentence):
    start, stop = found.documents.offsets[sentence : sentence + 2]
    scores = dict(zip(found.documents.values[start:stop].tolist(), found.plain[start:stop].tolist(), strict=True))
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[: retrieval.DEPTH]


def overlap(a, b):
    # Webber et al. (2010), equation 4, to the depth of the lists, before it is divided by its maximum.
    p, a, b = retrieval.PERSISTENCE, [document for document, _ in a], [document for document, _ in b]
    return sum(p ** (d - 1) * len(set(a[:d]) & set(b[:d])) / d for d in range(1, retrieval.DEPTH + 1))


def test_by_lists():
    batch = analyse(PAIRS)
    lists = [ranked(documents_found(batch, gloss_index()), i) for i in range(len(batch.sentences))]
    for row, i, j in zip(retrieval.glosses(batch), batch.left, batch.right, strict=True):
        a, b = lists[i], lists[j]
        u, v = dict(a), dict(b)
        both = u.keys() & v.keys()
        if not both:
            assert (row == 0).all()
            continue
        norms = np.sqrt(float(sum(x * x for x in u.values())) * sum(x * x for x in v.values()))
        best = overlap(a[: len(b)], a[: len(b)]) if len(b) < len(a) else overlap(a, a)
        expected = [sum(u[k] * v[k] for k in both) / norms, overlap(a, b) / best, 2 * len(both) / (len(a) + len(b))]
        np.testing.assert_allclose(row, expected, rtol=1e-5)


def test_the_same_stems_retrieve_the_same():
    assert (retrieval.glosses(analyse([("The volcano", "volcanoes")])) == 1).all()


def test_a_long_query_retrieves_no_more_than_the_depth():
    words = "dog cat house river mountain bread wine paper doctor school garden music"
    batch = analyse([(words, words + " volcano")])
    found = retrieval._retrieve(batch)
    assert (found.documents.lengths == retrieval.DEPTH).all()
    for scores in np.split(found.scores, found.documents.offsets[1:-1]):
        assert (np.diff(scores) <= 0).all()


def test_among_equal_scores_the_first_document_is_the_best(monkeypatch):
    found = Found(Ragged(np.asarray([2, 5, 9, 1]), np.asarray([0, 3, 4])), np.asarray([4, 7, 4, 1]), np.zeros(4))
    monkeypatch.setattr(retrieval, "documents_found", lambda pairs, index: found)
    best = retrieval._retrieve(analyse([("a", "b")]))
    assert best.documents.values.tolist() == [5, 2, 9, 1]
    assert best.ranks.tolist() == [0, 1, 2, 0]


def test_rank_biased_overlap_by_hand(monkeypatch):
    # Lists 5 2 9 and 2: nothing in common at depth 1, one document from 2. Lists of 3 and 1 reach at most one from 1.
    found = Found(Ragged(np.asarray([2, 5, 9, 2]), np.asarray([0, 3, 4])), np.asarray([4, 7, 4, 1]), np.zeros(4))
    monkeypatch.setattr(retrieval, "documents_found", lambda pairs, index: found)
    depth = np.arange(1, retrieval.DEPTH + 1)
    terms = retrieval.PERSISTENCE ** (depth - 1) / depth
    values = retrieval.glosses(analyse([("a", "b")]))
    assert values[0, 1] == pytest.approx(terms[1:].sum() / terms.sum(), rel=1e-6)
    assert values[0, 2] == pytest.approx(2 / 4)


def test_words_of_an_alignment_weigh_what_they_do_for_retrieval():
    batch = analyse(PAIRS, "parsed")
    index = gloss_index()
    found = documents_found(batch, index)
    postings = Ragged(index.postings, index.offsets)
    importance = []
    for i, sentence in enumerate(batch.sentences):
        documents = {document for document, _ in ranked(found, i)}
        for stem in sentence.stems:
            (place,) = index.find(np.asarray([text_hash(stem)], dtype=np.uint64))
            listed = postings.take(np.asarray([place])).values.tolist() if place >= 0 else []
            importance.append(sum(one & 255 for one in listed if one >> 8 in documents))
    expected = coverage(batch, np.asarray(importance, dtype=np.float64))
    values = retrieval.aligned(batch)
    np.testing.assert_allclose(values[:, 0], expected.both, rtol=1e-6)
    np.testing.assert_allclose(values[:, 1:], np.sort(np.stack(expected.sides, axis=1), axis=1), rtol=1e-6)
    # The one word of a sentence does all for its retrieval.
    assert values[3].tolist() == [1, 1, 1]
    assert not values[4:].any()
    assert 0 < values[1, 0] < 1
