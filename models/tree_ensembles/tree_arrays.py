"""Trees as plain arrays: forests, gradient boosting and XGBoost predict by one numpy walk, without their libraries.

Written here, although each library predicts its own trees, for two measured reasons (docs/model-format.md): importing
either costs a process about a second and at least 60 MB, and their loaders follow the node indices of a crafted file
out of the array. This format cannot express a cycle or an index outside a tree: nodes stand in breadth-first order, so
the two children of the j-th inner node of a tree are its nodes 2j + 1 and 2j + 2 and need not be stored.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...features.base.caches import fields_of
from ..npz import pack_arrays, unpack_arrays

LEAF = -1
"""What stands for the feature of a leaf."""

LARGEST_SUM = 1e9
"""Greatest sum of values that is accepted; a forest of 10,000 trees for scores of 0..5 adds up to 50,000."""

DEEPEST = 1_024
"""Longest path that is accepted; a crafted chain of a million nodes would make one prediction last minutes."""

MOST_TREES, MOST_NODES, MOST_NODES_OF_A_TREE = 100_000, 1 << 23, 1 << 19
"""Most trees of a member, most nodes of these and of one tree. The largest that ship have 600, 395,000 and 2,400.

A node takes 6 to 12 bytes in a file, 50 to 75 in memory, and some 1,500 while the contributions of its tree are
computed; 8 million nodes load in 2 s, score in 1 s a batch, and are explained in 20 s.
"""

_ROWS = 2_048  # at a time: rows that walk through one tree together find its nodes in the cache
_BLOCK = 16_384  # (row, tree) positions walked at once: bounds memory; a single pair walks all its trees together
_FULL = 0.75  # share of positions still on their way below which the finished ones are set aside


class Walk(NamedTuple):
    """One entry a node; a leaf's threshold is infinite and its child the leaf itself, so it loops on itself."""

    feature: np.ndarray
    threshold: np.ndarray
    child: np.ndarray
    value: np.ndarray


@dataclass(frozen=True, eq=False)
class TreeEnsemble:
    """Regression trees whose leaf values add up; immutable, and valid by construction.

    A row goes left where ``x < threshold`` in float32.

    Attributes
    ----------
    width
        Number of feature columns, k.
    roots
        Shape (trees,), int32, increasing from 0: where each tree begins among the m nodes. The nodes of a tree stand
        in breadth-first order.
    feature
        Shape (m,), int16 or int32: the column that an inner node reads, or `LEAF`.
    threshold
        One finite float32 an inner node, in the order of nodes.
    value
        One finite value a leaf, in the order of nodes. Their type is the type in which they are added, tree by tree:
        float64 as in scikit-learn, float32 as in XGBoost.
    base
        Start of the sum.
    divisor
        Divisor of the sum: the number of trees of a forest, else 1.
    cover
        One positive float32 a leaf, in the order of nodes: the training weight that reached it.

    Raises
    ------
    ValueError
        If the arrays do not describe trees over k columns.
    """

    width: int
    roots: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    value: np.ndarray
    base: float = 0.0
    divisor: int = 1
    cover: np.ndarray = field(kw_only=True)

    def __post_init__(self) -> None:
        for name, types in _TYPES.items():
            array = getattr(self, name)
            if array.ndim != 1 or array.dtype not in types:
                wanted = " or ".join(kind.__name__ for kind in types)
                raise ValueError(f"{name!r} of the trees must be one row of {wanted}, not {array.ndim}-d {array.dtype}")
        nodes = len(self.feature)
        if len(self.roots) > MOST_TREES or nodes > MOST_NODES:
            raise ValueError(
                f"the trees must be at most {MOST_TREES} with {MOST_NODES} nodes, got {len(self.roots)} with {nodes}; "
                "fit fewer or smaller ones"
            )
        starts = self.roots.astype(np.int64)
        if not len(starts) or starts[0] != 0 or (np.diff(starts) <= 0).any() or starts[-1] >= nodes:
            raise ValueError(f"the roots of the trees must increase from 0 and stay below the number of nodes, {nodes}")
        largest = int(np.diff(starts, append=nodes).max())
        if largest > MOST_NODES_OF_A_TREE:
            raise ValueError(
                f"a tree must have at most {MOST_NODES_OF_A_TREE} nodes, got {largest}; limit their growth"
            )
        bad = (self.feature < LEAF) | (self.feature >= self.width)
        if bad.any():
            raise ValueError(f"a tree reads column {self.feature[bad][0]}, but the model has {self.width} columns")
        inner = self.feature != LEAF
        if (len(self.threshold), len(self.value)) != (inner.sum(), nodes - inner.sum()):
            raise ValueError(
                f"the trees have {inner.sum()} inner nodes and {nodes - inner.sum()} leaves, but {len(self.threshold)} "
                f"thresholds and {len(self.value)} values"
            )
        if len(self.cover) != len(self.value):
            raise ValueError(f"the trees have {len(self.value)} leaves, but {len(self.cover)} covers")
        if not ((self.cover > 0) & np.isfinite(self.cover)).all():
            raise ValueError("a cover of the trees is not a positive number")
        for name in ("threshold", "value"):
            if not np.isfinite(getattr(self, name)).all():
                raise ValueError(f"a {name} of the trees is not finite")
        if not np.isfinite(self.base) or self.divisor < 1:
            raise ValueError(f"the base {self.base} must be finite and the divisor {self.divisor} at least 1")
        most = abs(self.base) + len(starts) * float(np.abs(self.value).max())
        if most > LARGEST_SUM:
            raise ValueError(f"the values of the trees must add up to {LARGEST_SUM:.0e} at most, got {most:.0e}")
        _check_shape(starts, inner)

    def __getstate__(self) -> dict[str, Any]:
        return fields_of(self)

    def __len__(self) -> int:
        return len(self.roots)

    @cached_property
    def walk(self) -> Walk:
        """The nodes as `predict` reads them."""
        inner = self.feature != LEAF
        # Indices as wide as a pointer: `take` would convert narrower ones at every step.
        child = np.arange(len(inner), dtype=np.intp)
        child[inner] = _left_children(self.roots.astype(np.int64), inner)
        threshold = np.full(len(inner), np.inf, dtype=np.float32)
        threshold[inner] = self.threshold
        value = np.zeros(len(inner), dtype=self.value.dtype)
        value[~inner] = self.value
        return Walk(np.maximum(self.feature, 0).astype(np.intp), threshold, child, value)

    def predict(self, values: np.ndarray) -> np.ndarray:
        """Return the prediction of each row; a row's is the same to the last bit whatever the other rows are.

        Parameters
        ----------
        values
            Shape (n, k), float32, finite.

        Returns
        -------
        np.ndarray
            Shape (n,), float64.

        Raises
        ------
        ValueError
            If the shape does not fit or a value is not finite.
        """
        values = self.checked(values)
        sums = np.full(len(values), self.base, dtype=self.value.dtype)
        for start in range(0, len(values), _ROWS):
            part = values[start : start + _ROWS]
            trees = max(1, _BLOCK // len(part))
            for first in range(0, len(self), trees):
                reached = self.walk.value.take(self._leaves(part, self.roots[first : first + trees]))
                reached[0] += sums[start : start + _ROWS]
                # Not `sum`, which adds pairwise or in order depending on the shape; a running sum always adds in order.
                sums[start : start + _ROWS] = np.add.accumulate(reached, axis=0)[-1]
        return sums.astype(np.float64) / self.divisor

    def checked(self, values: np.ndarray) -> np.ndarray:
        """Return values of shape (n, k) as float32 in C order, or raise a ValueError if they do not fit."""
        if values.ndim != 2 or values.shape[1] != self.width:
            raise ValueError(f"the model reads {self.width} columns, but the values have the shape {values.shape}")
        values = np.ascontiguousarray(values, dtype=np.float32)
        if not np.isfinite(values).all():
            row, column = np.argwhere(~np.isfinite(values))[0]
            raise ValueError(f"the value in row {row}, column {column} is not finite; features must be finite")
        return values

    def _leaves(self, values: np.ndarray, roots: np.ndarray) -> np.ndarray:
        """Return the leaf that each row reaches in each tree, shape (trees, n)."""
        walk, (n, k) = self.walk, values.shape
        flat = values.ravel()
        node = np.repeat(roots.astype(np.intp), n)
        row = np.tile(np.arange(n, dtype=np.intp) * k, len(roots))
        leaves, places = node, None
        for level in range(DEEPEST + 3):
            threshold = walk.threshold.take(node, mode="clip")  # "clip" is the mode of `take` that does not test first
            if level % 2 == 0:
                going = np.flatnonzero(np.isfinite(threshold))
                if not len(going):
                    break
                if len(going) < _FULL * len(node):
                    if places is not None:
                        leaves[places] = node
                    leaves, places = (node, going) if places is None else (leaves, places.take(going))
                    node, row, threshold = node.take(going), row.take(going), threshold.take(going)
            position = walk.feature.take(node, mode="clip")
            position += row
            right = flat.take(position, mode="clip") >= threshold
            node = walk.child.take(node, mode="clip")
            node += right
        if places is None:
            leaves = node
        else:
            leaves[places] = node
        return leaves.reshape(len(roots), n)

    @cached_property
    def packed(self) -> bytes:
        """The arrays as a file, which `unpacked` reads."""
        return pack_arrays(self.to_arrays())

    @classmethod
    def unpacked(cls, data: bytes) -> "TreeEnsemble":
        """Return the trees of a file; errors as for `from_arrays` and `unpack_arrays`."""
        trees = cls.from_arrays(unpack_arrays(data, names=cls.__dataclass_fields__))
        # As it was read: another version of zlib would pack the same arrays as other bytes, and name another model.
        vars(trees)["packed"] = data
        return trees

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return the fields as arrays; `from_arrays` reads them."""
        return {name: np.asarray(getattr(self, name)) for name in self.__dataclass_fields__}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> "TreeEnsemble":
        """Return the trees that `to_arrays` wrote.

        Raises
        ------
        ValueError
            If an array is missing, of another type, or does not describe trees.
        """
        for name in cls.__dataclass_fields__:
            if name not in arrays:
                raise ValueError(f"the trees have no array {name!r}")
        for name, dtype in (("width", np.int64), ("divisor", np.int64), ("base", np.float64)):
            if arrays[name].shape != () or arrays[name].dtype != dtype:
                raise ValueError(f"{name!r} of the trees must be one {np.dtype(dtype)}")
        roots, feature, threshold, value = (arrays[name] for name in ("roots", "feature", "threshold", "value"))
        width, base, divisor = int(arrays["width"]), float(arrays["base"]), int(arrays["divisor"])
        return cls(width, roots, feature, threshold, value, base, divisor, cover=arrays["cover"])


_TYPES = {
    "roots": (np.int32,),
    "feature": (np.int16, np.int32),
    "threshold": (np.float32,),
    "value": (np.float32, np.float64),
    "cover": (np.float32,),
}


def _left_children(starts: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """Return the left child of each inner node."""
    nodes = np.flatnonzero(inner)
    start = starts[np.searchsorted(starts, nodes, side="right") - 1]
    before = np.concatenate([[0], np.cumsum(inner)])  # inner nodes before each node
    left: np.ndarray = start + 2 * (before[nodes] - before[start]) + 1
    return left


def _check_shape(starts: np.ndarray, inner: np.ndarray) -> None:
    ends = np.append(starts[1:], len(inner))
    before = np.concatenate([[0], np.cumsum(inner)])
    bad = ends - starts != 2 * (before[ends] - before[starts]) + 1
    # A left child after its parent: with the sizes right, every node but the root then has one parent, before it.
    if bad.any() or (_left_children(starts, inner) <= np.flatnonzero(inner)).any():
        where = f"tree {np.flatnonzero(bad)[0]}" if bad.any() else "a tree"
        raise ValueError(f"the nodes of {where} do not form a tree: each inner node needs two children after it")
    level, stop, start = starts, starts + 1, starts
    for _ in range(DEEPEST + 1):
        level, stop = (start + 2 * (before[edge] - before[start]) + 1 for edge in (level, stop))
        going = stop > level
        if not going.any():
            return
        level, stop, start = level[going], stop[going], start[going]
    raise ValueError(f"a tree is deeper than {DEEPEST} levels; limit the depth")
