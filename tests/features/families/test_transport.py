import math

import numpy as np
import pytest
from samewise.features.base.sentences import PairBatch
from samewise.features.families import transport
from samewise.features.statistics.counts import Idf
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
    together = transport.distilled(analysed(pairs, "tokens"), idf=resources["idf"])
    for k, (a, b) in enumerate(PAIRS):
        alone = transport.distilled(analysed([(b, a)], "tokens"), idf=resources["idf"])
        np.testing.assert_array_equal(alone[0], together[k])


def scaled(cost, u, v):
    """Return the cost of the plan of Cuturi (2013), 30 rounds at 0.05, made to fit as in Altschuler et al. (2017)."""
    plan = np.exp(-cost / 0.05)
    for _ in range(30):
        plan = plan * (u / plan.sum(axis=1))[:, None]
        plan = plan * (v / plan.sum(axis=0))
    plan = plan * np.minimum(u / plan.sum(axis=1), 1)[:, None]
    plan = plan * np.minimum(v / plan.sum(axis=0), 1)
    short_u, short_v = u - plan.sum(axis=1), v - plan.sum(axis=0)
    if short_u.sum() > 1e-12:
        plan = plan + np.outer(short_u, short_v) / short_u.sum()
    return (plan * cost).sum()


def made_up(monkeypatch, words, seed):
    rng = np.random.default_rng(seed)
    table = {word: tuple(rng.integers(-90, 91, 4).tolist()) for word in words}
    made = vectors(table)
    monkeypatch.setattr(transport, "shipped_vectors", lambda name: made)
    return table


def plain_cost(table, a, b):
    unit = {word: np.asarray(code) / np.linalg.norm(code) for word, code in table.items()}
    return np.asarray([[1 - max(float(unit[x] @ unit[y]), 0) if x != y else 0 for y in b] for x in a])


def test_mover_is_the_scaled_plan(monkeypatch):
    words = [f"w{k}" for k in range(24)]
    idf = Idf.fit([sentence(" ".join(words[: 2 * k + 1])) for k in range(10)])
    weight = dict(zip(words, idf.smooth("words", words).tolist(), strict=True))
    pairs = [("w0 w1 w2 w3 w3", "w4 w5 w6"), ("w7 w8 w9 w10 w11", "w7 w12 w13 w14 w15 w16 w8"), ("w17 w18", "w19 w20")]
    moved = []
    for seed in range(4):
        table = made_up(monkeypatch, words, seed)
        found = transport.distilled(batch(*pairs), idf=idf)
        for row, (a, b) in zip(found, pairs, strict=True):
            a, b = (sorted(set(side.split())) for side in (a, b))
            u = np.asarray([weight[word] * (2 if word == "w3" else 1) for word in a])
            v = np.asarray([weight[word] for word in b])
            u, v, cost = u / u.sum(), v / v.sum(), plain_cost(table, a, b)
            # Either side may come first.
            ways = scaled(cost, u, v), scaled(cost.T, v, u)
            assert min(abs(row[0] - way) for way in ways) < 1e-6
            moved.append(abs(ways[0] - ways[1]))
            relaxed = sorted(((cost.min(axis=1) * u).sum(), (cost.min(axis=0) * v).sum()))
            np.testing.assert_allclose(row[1:], relaxed, atol=1e-6)
    assert max(moved) > 1e-5  # so that the number of rounds matters


@pytest.mark.parametrize(("m", "n", "plan"), [(64, 64, True), (17, 241, False)])
def test_pairs_of_up_to_4096_ways_get_a_plan(monkeypatch, m, n, plan):
    words = [f"w{k}" for k in range(m + n)]
    made_up(monkeypatch, words, 0)
    mover, _, most = transport.distilled(batch((" ".join(words[:m]), " ".join(words[m:]))), idf=Idf.fit([]))[0]
    assert (mover > most) == plan
    assert mover >= most
