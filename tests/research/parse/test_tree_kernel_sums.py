import math
import random

import numpy as np
import pytest
from samewise.research.parse.node_arrays import MOST_NODES, Forest
from samewise.research.parse.phrase_trees import Trees
from samewise.research.parse.tree_kernel_sums import Comparison


def leaf(node):
    return not node[1]


def nodes_of(tree, route=()):
    yield tree, route
    for place, child in enumerate(tree[1]):
        yield from nodes_of(child, (*route, place))


def size(tree):
    return 1 + sum(map(size, tree[1]))


def production(tree):
    return tree[0], tuple(child[0] for child in tree[1])


# ---- the definitions, one node after another; a tree is (label, (child, ...))


def subtree(a, b):
    return sum(0.95 ** size(x) for x, _ in nodes_of(a) for y, _ in nodes_of(b) if x == y)


def subset_of_nodes(x, y):
    if leaf(x) or production(x) != production(y):
        return 0.0
    return 0.8 * math.prod(1 + subset_of_nodes(c, d) for c, d in zip(x[1], y[1], strict=True))


def over_nodes(value):
    return lambda a, b: sum(value(x, y) for x, _ in nodes_of(a) for y, _ in nodes_of(b))


def routes(bonus_of_label, every):
    def kernel(a, b):
        total = 0.0
        for x, r in nodes_of(a):
            for y, s in nodes_of(b):
                if x[0] == y[0]:
                    shared = next((k for k, (m, n) in enumerate(zip(r, s, strict=False)) if m != n), None)
                    p = min(len(r), len(s)) if shared is None else shared
                    if every:
                        near = sum(0.8**k * math.exp(-0.7 * (len(r) + len(s) - 2 * k)) for k in range(p + 1))
                    else:
                        near = (1 - 0.8 ** (p + 1)) / (1 - 0.8) * math.exp(-0.7 * (len(r) + len(s) - 2 * p))
                    total += (bonus_of_label + (x == y) * 0.8 ** size(x)) * near
        return total

    return kernel


KERNELS = {
    "subtree": subtree,
    "subset_tree": over_nodes(subset_of_nodes),
    "shared_routes": routes(0.0, every=True),
    "near_labels": routes(0.8, every=False),
    "near_subtrees": routes(0.0, every=False),
}


def normalised(kernel, a, b):
    own = kernel(a, a) * kernel(b, b)
    return kernel(a, b) / math.sqrt(own) if own else 0.0


# ---- the same in our arrays


def flat(trees):
    labels, parents, lengths = [], [], []
    for tree in trees:
        own = []

        def add(node, parent, own=own):
            own.append((node[0], parent))
            here = len(own) - 1
            for child in node[1]:
                add(child, here)

        if tree is not None:
            add(tree, -1)
        labels += [label for label, _ in own]
        parents += [parent for _, parent in own]
        lengths.append(len(own))
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return Trees(labels, np.asarray(parents, dtype=np.int64), np.zeros(len(labels), dtype=bool), offsets)


def compared(trees, left, right):
    found = Comparison(Forest(flat(trees)), np.asarray(left), np.asarray(right))
    names = ("shared_routes", "near_labels", "near_subtrees")
    return {name: getattr(found, name) for name in ("subtree", "subset_tree")} | dict(
        zip(names, found.routes, strict=True)
    )


def grown(rng, depth=4):
    """A random tree of few labels, so that parts of trees recur."""
    children = rng.choice((0, 1, 2, 2, 3)) if depth else 0
    return rng.choice("ab" if children else "abc"), tuple(grown(rng, depth - 1) for _ in range(children))


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
def test_kernels_equal_their_definitions_on_random_trees(name):
    rng = random.Random(name)
    trees = [grown(rng) for _ in range(60)]
    left, right = [rng.randrange(60) for _ in range(150)], [rng.randrange(60) for _ in range(150)]
    expected = [normalised(KERNELS[name], trees[a], trees[b]) for a, b in zip(left, right, strict=True)]
    assert 0.05 < np.mean(expected) < 0.95
    np.testing.assert_allclose(compared(trees, left, right)[name], expected, rtol=1e-9, atol=1e-12)


S = ("S", (("NP", (("dogs", ()),)), ("VP", (("bark", ()),))))
T = ("S", (("NP", (("cats", ()),)), ("VP", (("bark", ()),))))


def test_subtree_kernel_by_hand():
    # Of S all five subtrees: three leaves and phrases apart; shared with T are "bark" and (VP bark).
    own = 2 * 0.95 + 2 * 0.95**2 + 0.95**5
    assert compared([S, T], [0], [1])["subtree"][0] == pytest.approx((0.95 + 0.95**2) / own, rel=1e-12)


def test_subset_tree_kernel_by_hand():
    # (VP bark): 0.8; S with the productions below it that are equal: 0.8 * (1 + 0) * (1 + 0.8).
    own = 0.8 + 0.8 + 0.8 * 1.8 * 1.8
    assert compared([S, T], [0], [1])["subset_tree"][0] == pytest.approx((0.8 + 0.8 * 1.8) / own, rel=1e-12)


def test_near_kernels_by_hand():
    # x(y) and x(z, y): the roots coincide; y stands in the first place of one and the second of the other.
    a, b = ("x", (("y", ()),)), ("x", (("z", ()), ("y", ())))
    w0, w1, away = 1.0, 1 + 0.8, math.exp(-0.7 * 2)
    found = compared([a, b], [0], [1])
    own_a, own_b = 0.8**2 * w0 + 0.8 * w1, 0.8**3 * w0 + 2 * 0.8 * w1
    assert found["near_subtrees"][0] == pytest.approx(0.8 * away / math.sqrt(own_a * own_b), rel=1e-12)
    own_a, own_b = own_a + 0.8 * (w0 + w1), own_b + 0.8 * (w0 + 2 * w1)
    assert found["near_labels"][0] == pytest.approx((0.8 * (w0 + away) + 0.8 * away) / math.sqrt(own_a * own_b))
    both = 0.8 + away
    assert found["shared_routes"][0] == pytest.approx(
        0.8 * away / math.sqrt((0.8**2 + 0.8 * both) * (0.8**3 + 2 * 0.8 * both))
    )


def test_equal_trees_have_one_and_missing_ones_zero():
    found = compared([S, T, None, S], [0, 1, 0, 2, 0], [0, 1, 2, 2, 3])
    for values in found.values():
        assert values.tolist() == [1, 1, 0, 0, 1]


def test_order_of_a_pair_and_other_pairs_change_no_bit():
    rng = random.Random(5)
    trees = [grown(rng) for _ in range(40)]
    left, right = list(range(20)), list(range(20, 40))
    there, back = compared(trees, left, right), compared(trees[::-1], [39 - i for i in right], [39 - i for i in left])
    alone = [compared([trees[a], trees[b]], [0], [1]) for a, b in zip(left, right, strict=True)]
    for name, values in there.items():
        np.testing.assert_array_equal(values, back[name])
        np.testing.assert_array_equal(values, [one[name][0] for one in alone])


def test_some_pairs_at_a_time_give_the_same(monkeypatch):
    rng = random.Random(6)
    trees = [grown(rng) for _ in range(30)]
    left, right = list(range(15)), list(range(15, 30))
    whole = compared(trees, left, right)
    monkeypatch.setattr("samewise.research.parse.tree_kernel_sums._CELLS_AT_A_TIME", 50)
    monkeypatch.setattr("samewise.research.parse.tree_kernel_sums._MOST_KEPT", 0)
    for name, values in compared(trees, left, right).items():
        np.testing.assert_array_equal(values, whole[name])


def test_large_trees_count_the_nodes_nearest_to_the_root():
    wide = ("r", tuple((f"w{i}", (("below", ()),)) for i in range(MOST_NODES)))
    forest = Forest(flat([wide, S]))
    assert forest.nodes.tolist() == [MOST_NODES, 5]
    # The last child and what is below all of them are gone: another last child makes no difference.
    other = ("r", (*wide[1][:-1], ("else", ())))
    assert all(values[0] == 1 for values in compared([wide, other], [0], [1]).values())


def test_deep_trees_stay_finite():
    # Chains of one label: the cut leaves MOST_NODES of the first and all of the second.
    lengths = [3 * MOST_NODES, MOST_NODES // 2]
    parents = np.concatenate([np.arange(-1, length - 1) for length in lengths])
    trees = Trees(["x"] * len(parents), parents, np.zeros(len(parents), dtype=bool), np.cumsum([0, *lengths]))
    found = Comparison(Forest(trees), np.asarray([0]), np.asarray([1]))
    for values in (found.subtree, found.subset_tree, *found.routes):
        assert 0 < values[0] < 1


def test_roots_join_and_circles_drop_out():
    # Two roots: the second hangs from the first. Nodes 1 and 2 are each other's parents, node 3 hangs from them.
    trees = Trees(list("abcaabcd"), np.asarray([-1, -1, 0, -1, -1, 2, 1, 2]), np.zeros(8, dtype=bool), [0, 3, 4, 8])
    forest = Forest(trees._replace(offsets=np.asarray(trees.offsets)))
    assert forest.nodes.tolist() == [3, 1, 1]
    assert forest.whole[1] == forest.whole[2] != forest.whole[0]
