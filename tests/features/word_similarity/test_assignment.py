import numpy as np
import pytest
from samewise.features.base.sentences import PairBatch
from samewise.features.base.token_sequences import vocabulary
from samewise.features.word_similarity import assignment
from samewise.features.word_similarity.assignment import (
    candidates,
    claimed,
    greatest_assignment,
    greedy_links,
    greedy_matching,
    optimal_links,
)
from samewise.features.word_similarity.word_grids import content_grid, terms
from scipy.optimize import linear_sum_assignment

from ..sentences import sentence


def test_greedy_matching_is_what_a_loop_finds():
    random = np.random.default_rng(1)
    for _ in range(200):
        edges = random.permutation(np.unique(random.integers(0, 7, (random.integers(0, 30), 2)), axis=0))
        left, right = set(), set()
        expected = []
        for i, j in edges.reshape(-1, 2).tolist():
            expected.append(i not in left and j not in right)
            if expected[-1]:
                left.add(i)
                right.add(j)
        assert greedy_matching(*edges.reshape(-1, 2).T).tolist() == expected


def test_greatest_assignment_is_that_of_scipy():
    random = np.random.default_rng(2)
    for _ in range(200):
        rows = int(random.integers(1, 7))
        values = random.random((rows, rows + int(random.integers(0, 4))))
        values[values < 0.5] = 0
        found = greatest_assignment(values.tolist())
        assert len(set(found)) == rows
        expected = values[linear_sum_assignment(values, maximize=True)].sum()
        assert values[np.arange(rows), found].sum() == pytest.approx(expected)
    assert greatest_assignment([]) == []


VALUES = {("cat", "dog"): 0.9, ("cat", "cow"): 0.8, ("hen", "dog"): 0.8, ("hen", "cow"): 0.0, ("pig", "cow"): 0.55}


class Table:
    """Similarities of words from a table; those not in it are equal or nothing."""

    def __init__(self, values):
        self.values = values

    def __call__(self, pairs, x, y):
        words = [vocabulary(pairs, "words").items[k] for k in terms(pairs).words.tolist()]
        both = [(words[i], words[j]) for i, j in zip(x.tolist(), y.tolist(), strict=True)]
        return np.asarray([max(self.values.get(one, one[0] == one[1]), self.values.get(one[::-1], 0)) for one in both])


MEASURE = Table(VALUES)


def batch(*pairs):
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    made = [sentence(text, lemmas=text, tags=" ".join("NN" for _ in text.split())) for text in texts]
    left, right = ([texts.index(pair[side]) for pair in pairs] for side in (0, 1))
    return PairBatch(made, np.asarray(left, dtype=int), np.asarray(right, dtype=int))


def sums(pairs, links):
    return np.bincount(links.row, weights=links.value, minlength=len(pairs)).tolist()


PAIRS = batch(
    ("cat hen", "dog cow"), ("dog cow", "cat hen"), ("cat cat hen", "dog cow cow"), ("cat pig", "dog cow"), ("cat", "x")
)


def test_links_by_hand():
    grid = content_grid(PAIRS)
    greedy = greedy_links(PAIRS, grid, MEASURE, 0.5)
    # Greedily cat goes with dog and hen has nothing; but cat - cow and hen - dog are 0.8 each.
    assert sums(PAIRS, greedy) == pytest.approx([0.9, 0.9, 0.9 + 0.8, 0.9 + 0.55, 0])
    best = optimal_links(PAIRS, grid, MEASURE, 0.5)
    assert sums(PAIRS, best) == pytest.approx([1.6, 1.6, 2.4, 0.9 + 0.55, 0])
    words = [vocabulary(PAIRS, "words").items[k] for k in terms(PAIRS).words.tolist()]
    linked = {
        (words[x], words[y])
        for x, y, row in zip(grid.a.values[best.a], grid.b.values[best.b], best.row, strict=True)
        if row == 0
    }
    assert linked == {("cat", "cow"), ("hen", "dog")}
    assert len(candidates(PAIRS, grid, MEASURE, 0.5).row) == 3 + 3 + 3 + 3


def test_optimal_links_of_random_pairs():
    random = np.random.default_rng(3)
    words = [f"w{k}" for k in range(12)]
    table = {(x, y): float(random.random()) for x in words for y in words if x < y}
    texts = [" ".join(random.choice(words, random.integers(1, 7))) for _ in range(60)]
    pairs = batch(*zip(texts[::2], texts[1::2], strict=True))
    measure = Table(table)
    found = optimal_links(pairs, content_grid(pairs), measure, 0.5)
    for row, (a, b) in enumerate(pairs):
        values = np.asarray(
            [[1.0 if x == y else table[min(x, y), max(x, y)] for y in b.words] for x in a.words], dtype=float
        )
        values[values < 0.5] = 0
        expected = values[linear_sum_assignment(values, maximize=True)].sum()
        assert found.value[found.row == row].sum() == pytest.approx(expected)


def test_long_pairs_keep_their_greedy_links(monkeypatch):
    monkeypatch.setattr(assignment, "MOST_TOKENS", 1)
    pairs = batch(("cat hen", "dog cow"))
    assert sums(pairs, optimal_links(pairs, content_grid(pairs), MEASURE, 0.5)) == pytest.approx([0.9])


def test_claimed_by_hand():
    # Sides of equal length. There cat claims dog with 0.9 and so does hen with 0.8, of which cat's stays; back dog
    # claims cat with 0.9 and cow cat with 0.8. With one word only that one looks.
    pairs = batch(("cat hen", "dog cow"), ("pig", "dog cow"), ("cat pig", "dog cow"), ("cat", "x"))
    found = claimed(pairs, content_grid(pairs), MEASURE)
    np.testing.assert_allclose(found, [0.9, 0.55, ((0.9 + 0.55) / 2 + 0.9) / 2, 0])
