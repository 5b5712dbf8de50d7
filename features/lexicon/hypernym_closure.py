"""Hypernyms of all synsets as flat arrays: ancestors with distances, depths, and the tree of all paths."""

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np

DEEPEST = 30
"""Greatest depth of a synset that `synset_similarity.LI` has a value for; WordNet 3.0 reaches 19."""

Parents = Sequence[Sequence[int]]
"""The hypernyms of each synset, instance hypernyms included."""


def flat(rows: Sequence[Sequence[int]], dtype: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return rows as one array and their offsets."""
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    return np.asarray([value for row in rows for value in row], dtype=dtype), offsets


def downwards(parents: Parents, names: Sequence[str]) -> list[int]:
    """Return the synsets in an order with each after its hypernyms.

    Raises
    ------
    ValueError
        If a synset is above itself; the message has the names of the cycle.
    """
    try:
        return list(TopologicalSorter(dict(enumerate(parents))).static_order())
    except CycleError as error:
        cycle = " > ".join(names[synset] for synset in error.args[1])
        raise ValueError(
            f"a synset must not be its own hypernym, got {cycle}; correct the database or use another version"
        ) from None


def closure(parents: Parents, order: Sequence[int]) -> dict[str, np.ndarray]:
    """Return the proper ancestors with their shortest distances, and the depths of every synset.

    Synsets with the same parents have the same proper ancestors, so that a row is stored once for all of them.

    Parameters
    ----------
    parents
        The hypernyms.
    order
        The synsets as `downwards` orders them.

    Raises
    ------
    ValueError
        If a synset is deeper than `DEEPEST`.
    """
    above, max_depth, min_depth = _above(parents, order)
    if max(max_depth, default=0) > DEEPEST:
        raise ValueError(
            f"synsets must be at most {DEEPEST} steps below a root, got {max(max_depth)}; use another version"
        )
    rows = [tuple(sorted(row.items())) for row in above]
    distinct = {row: i for i, row in enumerate(dict.fromkeys(rows))}
    ancestors, offsets = flat([[ancestor for ancestor, _ in row] for row in distinct], np.int32)
    distances, _ = flat([[distance for _, distance in row] for row in distinct], np.uint8)
    crossings, _ = flat([_crossing(row, above) for row in distinct], np.uint8)
    return {
        "ancestors": ancestors,
        "ancestor_offsets": offsets,
        "ancestor_distances": distances,
        "ancestor_crossings": crossings,
        "ancestor_rows": np.asarray([distinct[row] for row in rows], dtype=np.int32),
        "max_depth": np.asarray(max_depth, dtype=np.uint8),
        "min_depth": np.asarray(min_depth, dtype=np.uint8),
    }


def _above(parents: Parents, order: Sequence[int]) -> tuple[list[dict[int, int]], list[int], list[int]]:
    # Proper ancestors with distances, longest and shortest way up to a root.
    above: list[dict[int, int]] = [{} for _ in parents]
    max_depth, min_depth = [0] * len(parents), [0] * len(parents)
    for synset in order:
        row = above[synset]
        for parent in parents[synset]:
            for ancestor, distance in [(parent, 0), *above[parent].items()]:
                row[ancestor] = min(row.get(ancestor, distance + 1), distance + 1)
        if parents[synset]:
            max_depth[synset] = 1 + max(max_depth[parent] for parent in parents[synset])
            min_depth[synset] = 1 + min(min_depth[parent] for parent in parents[synset])
    return above, max_depth, min_depth


def _crossing(row: tuple[tuple[int, int], ...], above: Sequence[dict[int, int]]) -> list[int]:
    # The way to a hypernym may be shorter over another hypernym of both.
    steps = dict(row)
    return [min([up, *(steps[other] + down for other, down in above[ancestor].items())]) for ancestor, up in row]


def paths(parents: Parents) -> dict[str, np.ndarray]:
    """Return the hypernym paths as a tree in pre-order: one node a path, 0 above all roots; and the nodes by synset."""
    children: list[list[int]] = [[] for _ in parents]
    for synset, hypernyms in enumerate(parents):
        for parent in hypernyms:
            children[parent].append(synset)
    synsets, tree, depths = [-1], [0], [0]
    todo = [(synset, 0) for synset in range(len(parents) - 1, -1, -1) if not parents[synset]]
    while todo:
        synset, parent = todo.pop()
        todo += [(child, len(tree)) for child in reversed(children[synset])]
        synsets.append(synset)
        tree.append(parent)
        depths.append(depths[parent] + 1)
    nodes: list[list[int]] = [[] for _ in parents]
    for node, synset in enumerate(synsets[1:], 1):
        nodes[synset].append(node)
    node_values, node_offsets = flat(nodes, np.int32)
    return {
        "path_synsets": np.asarray(synsets, dtype=np.int32),
        "path_parents": np.asarray(tree, dtype=np.int32),
        "path_depths": np.asarray(depths, dtype=np.uint8),
        "paths": node_values,
        "path_offsets": node_offsets,
    }
