import math

import numpy as np
import pytest
from samewise.features.families import transport
from samewise.features.resources.term_frequencies import Idf
from samewise.features.sentences import PairBatch
from samewise.features.word_similarity.word_cosines import cosines, word_grid
from scipy.optimize import linprog

from ...conftest import PAIRS, analysed
from ..sentences import sentence
from ..word_similarity.test_word_cosines import batch, vectors

HALF = 1 - math.sqrt(0.5)


@pytest.fixture
def small(monkeypatch):
    """Let both features take small vectors."""
    made = vectors()
    monkeypatch.setattr(transport, "shipped_vectors", lambda name: made)
    return made


def exact(cost, u, v):
    """Return the optimal cost of moving u to v by linear programming."""
    m, k = cost.shape
    equal = np.concatenate([np.kron(np.eye(m), np.ones((1, k))), np.kron(np.ones((1, m)), np.eye(k))])
    return linprog(cost.ravel(), A_eq=equal, b_eq=np.concatenate([u, v]), method="highs").fun


def test_distances_by_hand(small):
    # All words weigh alike: cat stays, dog goes to car; then half of cat, and dog and cat both to dog.
    pairs = batch(
        ("the cat and a dog", "car , cat"), ("cat dog", "dog"), ("cat", "car"), ("dog", "dog ."), ("?", "dog")
    )
    found = transport.distilled(pairs, idf=Idf.fit([]))
    far = HALF / 2
    np.testing.assert_allclose(found[0], [far, far, far], atol=0.002)
    np.testing.assert_allclose(found[1], [far, 0, far], atol=1e-6)
    np.testing.assert_allclose(found[2:], [[1, 1, 1], [0, 0, 0], [1, 1, 1]], atol=1e-6)


def test_words_weigh_their_idf(small):
    # cat is in one sentence of two, dog in none: dog has more to carry.
    idf = Idf.fit([sentence("cat"), sentence("x")])
    common, rare = math.log(3 / 2) + 1, math.log(3) + 1
    found = transport.distilled(batch(("cat dog", "cat")), idf=idf)[0]
    np.testing.assert_allclose(found, [HALF * rare / (common + rare), 0, HALF * rare / (common + rare)], rtol=1e-5)


def test_mover_is_near_the_optimum(training):
    batch, resources = analysed(PAIRS, "tokens"), training[1]
    grid = word_grid(batch)
    weight = transport._shares(batch, resources["idf"])
    made = transport.shipped_vectors("distilled")
    (part,) = cosines(batch, made)
    content = grid.a.content[part.cells.i] & grid.b.content[part.cells.j]
    row = grid.a.words.rows[part.cells.i]
    found = transport.distilled(batch, idf=resources["idf"])
    for r in range(len(batch)):
        kept = np.flatnonzero(content & (row == r))
        u, v = (np.unique(part.cells[k][kept]) for k in (0, 1))
        cost = 1 - np.maximum(part.values[kept].astype(float).reshape(len(u), len(v)), 0)
        best = exact(cost, weight[u], weight[len(grid.a.words.values) + v])
        assert best - 1e-6 <= found[r, 0] <= best + 0.04
        assert found[r, 1] <= found[r, 2] <= best + 1e-6


def test_long_pairs_get_the_relaxed_distance(small, monkeypatch):
    pairs = batch(("cat dog", "car cat dog"), ("cat", "dog"))
    idf = Idf.fit([])
    whole = transport.distilled(pairs, idf=idf)
    monkeypatch.setattr(transport, "MOST_WAYS", 5)
    cut = transport.distilled(PairBatch(pairs.sentences, pairs.left, pairs.right), idf=idf)
    assert cut[0, 0] == whole[0, 2]
    np.testing.assert_array_equal(cut[1], whole[1])


def test_rows_are_the_same_alone_and_turned(training):
    resources, pairs = training[1], PAIRS * 3
    together = transport.relational(analysed(pairs, "tokens"), idf=resources["idf"])
    for k, (a, b) in enumerate(PAIRS):
        alone = transport.relational(analysed([(b, a)], "tokens"), idf=resources["idf"])
        np.testing.assert_array_equal(alone[0], together[k])
