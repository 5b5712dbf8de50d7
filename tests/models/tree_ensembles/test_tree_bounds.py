"""Bounds on the size of trees, which keep a small file from taking all memory."""

import numpy as np
import pytest
from samewise.models.tree_ensembles.tree_arrays import TreeEnsemble


def of_nodes(roots, feature):
    inner = int((feature >= 0).sum())
    leaves = len(feature) - inner
    values = np.zeros(leaves, np.float32)
    return TreeEnsemble(1, roots, feature, np.zeros(inner, np.float32), values, cover=values + 1)


def complete(depth):
    return np.repeat(np.asarray([0, -1], np.int16), [2**depth - 1, 2**depth])


def test_trees_of_one_leaf_are_bounded():
    count = 100_000
    assert len(of_nodes(np.arange(count, dtype=np.int32), np.full(count, -1, np.int16))) == count
    with pytest.raises(ValueError, match="the trees must be at most 100000 with 8388608 nodes, got 100001 with 100001"):
        of_nodes(np.arange(count + 1, dtype=np.int32), np.full(count + 1, -1, np.int16))


def test_nodes_of_one_tree_are_bounded():
    assert len(of_nodes(np.zeros(1, np.int32), complete(18))) == 1  # 524,287 nodes
    with pytest.raises(ValueError, match="a tree must have at most 524288 nodes, got 1048575; limit their growth"):
        of_nodes(np.zeros(1, np.int32), complete(19))


def test_nodes_of_all_trees_are_bounded():
    tree = complete(12)
    count = 8_388_608 // len(tree) + 1
    roots = np.arange(count, dtype=np.int32) * len(tree)
    with pytest.raises(ValueError, match="the trees must be at most 100000 with 8388608 nodes, got 1025 with"):
        of_nodes(roots, np.tile(tree, count))
